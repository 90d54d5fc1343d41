"""What holds of games, rooms, people and the lobby on SQLite holds on PostgreSQL.

usage: stores_postgresql_test.py PAIKA-PROGRAM
"""

import unittest

import server_lobby_test
import server_people_test
import server_process_test
import server_rooms_test
import server_test
from postgresql import Cluster, needs_postgresql, programs
from server_case import PAIKA
from server_client import Server

cluster = None


def setUpModule():
    global cluster  # pylint: disable=global-statement
    if programs() is None:
        return
    cluster = Cluster()
    unittest.addModuleCleanup(cluster.close)
    Server.databases = cluster.new_database
    unittest.addModuleCleanup(setattr, Server, "databases", None)
    for name, method in (("sql", lambda server, text: cluster.sql(text, server.where)),
                         ("stored_bytes", lambda server: cluster.dump(server.where))):
        unittest.addModuleCleanup(setattr, Server, name, getattr(Server, name))
        setattr(Server, name, method)


@needs_postgresql
class WholeGames(server_test.WholeGames):
    pass


@needs_postgresql
class DropsAndReturns(server_test.DropsAndReturns):
    pass


@needs_postgresql
class Offers(server_test.Offers):
    pass


@needs_postgresql
class Clocks(server_test.Clocks):
    pass


@needs_postgresql
class Damage(server_rooms_test.Damage):
    pass


@needs_postgresql
class LongGames(server_rooms_test.LongGames):
    pass


@needs_postgresql
class Lobby(server_lobby_test.Lobby):
    pass


@needs_postgresql
class Sessions(server_people_test.Sessions):
    pass


@needs_postgresql
class Accounts(server_people_test.Accounts):
    pass


@needs_postgresql
class Guessing(server_people_test.Guessing):
    pass


@needs_postgresql
class AClockThatJumps(server_process_test.AClockThatJumps):
    pass


@needs_postgresql
class RatedGamesOnSolvedBoards(server_people_test.RatedGamesOnSolvedBoards):
    pass


@needs_postgresql
class Ratings(server_people_test.Ratings):
    pass


@needs_postgresql
class OwnData(server_people_test.OwnData):
    pass


@needs_postgresql
class AfterARestart(server_people_test.AfterARestart):
    pass


if __name__ == "__main__":
    for tests in (server_lobby_test, server_people_test, server_process_test, server_rooms_test):
        tests.PAIKA = PAIKA
    unittest.main()
