"""What the tests of games on a server share: players, and games between them."""

import random
import unittest

from room_client import Player, RoomSocket, Rules
from server_case import PAIKA
from server_client import Server, Stream

SEATS = ["first", "second"]


class WithGames(unittest.TestCase):
    """A server for the tests of a class, with limits on rates out of the way."""

    options = ("--rate-factor", "1000", "--workers", "1")

    @classmethod
    def setUpClass(cls):
        cls.server = Server(PAIKA, *cls.options)
        cls.addClassCleanup(cls.server.close)
        cls.rules = Rules(PAIKA)
        cls.addClassCleanup(cls.rules.close)

    def tearDown(self):
        self.assertIsNone(self.server.process.poll(), "the server has ended")

    def player(self):
        player = Player(self.server)
        self.addCleanup(player.close)
        return player

    def room_socket(self, **options):
        sock = RoomSocket(self.server, **options)
        self.addCleanup(sock.sock.close)
        return sock

    def stream(self, path, **options):
        stream = Stream(self.server, path, **options)
        self.addCleanup(stream.close)
        return stream

    def table(self, spec, **plan):
        """A game between two people who came by link: the players in the order of moving, and the room."""
        first, second = self.player(), self.player()
        room = first.open_room(spec, side="first", **plan)
        first.socket.watch(room, 0)
        self.assertEqual(second.do(room, "join")["accepted"]["repeated"], False)
        second.socket.watch(room, 0)
        return (first, second), room

    def play(self, players, room, turns):
        """Plays turns in order; the last one's event."""
        event = None
        for turn in turns:
            seat = SEATS.index(players[0].snapshot(room)["to_move"])
            answer = players[seat].do(room, "play", move=turn, id=f"{room}{random.random()}")
            self.assertIn("accepted", answer)
            event = players[seat].socket.wait_number(room, answer["accepted"]["number"])
        return event

    def refused(self, answer, code):
        self.assertEqual(answer.get("error", {}).get("code"), code, answer)
        self.assertTrue(answer["error"]["message"])
        return answer["error"]
