"""`paika serve` with rooms that are long, cold, damaged or cannot be stored.

usage: server_rooms_test.py PAIKA-PROGRAM
"""

import os
import random
import resource
import sys
import time
import unittest

from room_client import Player, RoomSocket, Rules
from server_client import PATIENCE, Http, Server, Stream

PAIKA = ""
LARGE = "abalone:99x26"


def metric(server, name):
    for line in Http(server).get("/metrics").body.decode().splitlines():
        if line.startswith(f"paika_{name} "):
            return float(line.split()[1])
    raise AssertionError(f"no metric {name}")


class WithServer(unittest.TestCase):
    def setUp(self):
        self.server = Server(PAIKA, "--rate-factor", "100000", "--workers", "1")
        self.addCleanup(self.server.close)

    def player(self):
        player = Player(self.server)
        self.addCleanup(player.close)
        return player

    def refused(self, answer, status, code):
        self.assertEqual((answer.status, answer.code), (status, code), answer)


class Storage(WithServer):
    def limit_files(self, size):
        """The server's files cannot grow beyond this, as on a disk that is full."""
        hard = resource.prlimit(self.server.process.pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(self.server.process.pid, resource.RLIMIT_FSIZE, (size, hard))

    def test_a_full_disk_is_told_as_storage(self):
        player = self.player()
        room = player.open_room("othello:6x6")
        self.limit_files(1000)
        answer = player.http.post("/api/rooms", {"spec": "othello:6x6"})
        self.refused(answer, 503, "storage")
        self.assertIn("try again", answer.error["message"])
        self.refused(player.http.post("/api/rooms", {"spec": "othello:7x6"}), 400, "bad_request")
        self.refused(player.command(room, "say", text="hello"), 503, "storage")
        self.limit_files(resource.RLIM_INFINITY)
        self.assertEqual(player.command(room, "say", text="hello").status, 200, "it goes on where it was")
        player.open_room("othello:6x6")
        self.assertIsNone(self.server.process.poll())


class Damage(WithServer):
    def test_a_damaged_room_is_named_as_damaged(self):
        player = self.player()
        room = player.open_room("othello:6x6", listed=True)
        other = player.open_room("othello:6x6", listed=True)
        self.assertEqual(self.server.stop(), 0)
        self.server.sql(f"UPDATE events SET text = replace(text, '6x6', '8x8') WHERE room = '{room}'")
        self.server.restart()
        for answer in (player.http.get(f"/api/rooms/{room}"), player.http.get(f"/api/rooms/{room}/record"),
                       player.http.get(f"/api/rooms/{room}/stream"), player.command(room, "say", text="hello")):
            self.refused(answer, 500, "damaged")
            self.assertEqual(answer.error["room"], room)
        self.assertEqual(player.do(room, "watch")["error"]["code"], "damaged")
        self.refused(player.http.get("/api/rooms/nosuchroom"), 404, "no_room")
        self.assertEqual(player.http.get(f"/api/rooms/{other}").status, 200)
        rooms = {}
        end = time.monotonic() + PATIENCE  # the mark is written after the answer
        while rooms.get(room, {}).get("damaged") is not True:
            self.assertLess(time.monotonic(), end, rooms)
            rooms = {row["room"]: row for row in player.http.get("/api/rooms?state=open").json["rooms"]}
        self.assertNotIn("damaged", rooms[other])
        self.assertRegex(self.server.log(), rf'"room_damaged".*"{room}"|"{room}".*"room_damaged"')
        games = player.http.get("/api/account/export").json["games"]
        self.assertEqual({game["room"]: (game.get("damaged", False), len(game["events"])) for game in games},
                         {room: (True, 0), other: (False, 1)})


class LongGames(WithServer):
    def play_long(self, moves):
        """A game on a large board whose events come to some megabytes; the players and the room."""
        rules = Rules(PAIKA)
        self.addCleanup(rules.close)
        chance = random.Random(3)
        players = (self.player(), self.player())
        room = players[0].open_room(LARGE, side="first")
        self.assertEqual(players[1].command(room, "join").status, 200)
        position = players[0].snapshot(room)["position"]
        for number in range(moves):
            turn = chance.choice(rules.turns(LARGE, position))
            answer = players[number % 2].command(room, "play", move=turn, id=str(number))
            self.assertEqual(answer.status, 200, answer)
            position = rules.after(LARGE, position, turn)
        self.assertEqual(players[0].command(room, "resign").status, 200)
        return players, room

    def missed(self, room, sock, number):
        """All events up to a number, as a client gets them that has missed everything."""
        sock.last[room] = 0
        sock.send({"do": "watch", "room": room, "since": 0})
        sock.wait_number(room, number)
        return sock.events[room]

    def test_megabytes_of_missed_events_and_a_cold_room(self):
        players, room = self.play_long(700)
        number = players[0].snapshot(room)["number"]
        watched = self.missed(room, players[0].socket, number)
        total = sum(len(str(event)) for event in watched)
        self.assertGreater(total, 2_000_000, "more than may wait for a client")
        self.assertEqual([event["number"] for event in watched], list(range(1, number + 1)))

        # The same from the store, by a web socket and by a stream.
        for player in players:
            player.close()
        self.assertEqual(self.server.stop(), 0)
        self.server.restart()
        before = metric(self.server, "network_task_max_seconds")
        cold = Http(self.server).get(f"/api/rooms/{room}")
        self.assertEqual(cold.json["number"], number)
        task = metric(self.server, "network_task_max_seconds")
        print(f"a cold room of {number} events: longest task {task * 1000:.2f} ms (before it {before * 1000:.2f} ms)",
              file=sys.stderr)
        self.assertLess(task, 0.025, "reading the room kept everybody else waiting")
        sock = RoomSocket(self.server)
        self.addCleanup(sock.sock.close)
        self.assertEqual(self.missed(room, sock, number), watched)
        stream = Stream(self.server, f"/api/rooms/{room}/stream?since=0")
        self.addCleanup(stream.close)
        events = []
        while len(events) < number:
            line = stream.line()
            if "event" in line:
                events.append(line["event"])
        self.assertEqual(events, watched)
        self.assertEqual(metric(self.server, "cut_off_total"), 0)


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
