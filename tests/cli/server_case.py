"""What the tests of a running server share: the program under test and a server per class.

PAIKA is the first argument of the test that imports this.
"""

import os
import sys
import unittest

from room_client import Player
from server_client import Http, Server, WebSocket

PAIKA = os.path.abspath(sys.argv.pop(1))


class WithServer(unittest.TestCase):
    options = ("--rate-factor", "1000")

    @classmethod
    def setUpClass(cls):
        cls.server = Server(PAIKA, *cls.options)
        cls.addClassCleanup(cls.server.close)

    def tearDown(self):
        self.assertIsNone(self.server.process.poll(), "the server has ended")
        self.assertEqual(Http(self.server).get("/healthz").json, {"ok": True})

    def player(self):
        player = Player(self.server)
        self.addCleanup(player.close)
        return player

    def web_socket(self, kind=WebSocket, **options):
        sock = kind(self.server, **options)
        self.addCleanup(sock.sock.close)
        return sock

    def session(self):
        """A guest's cookie."""
        answer = Http(self.server).post("/api/session")
        self.assertEqual(answer.status, 201, answer)
        return answer.cookie()

    def metric(self, name):
        for line in Http(self.server).get("/metrics").body.decode().splitlines():
            if line.startswith(f"paika_{name} "):
                return float(line.split()[1])
        raise AssertionError(f"no metric {name}")

    def refused(self, answer, status, code):
        self.assertIsNotNone(answer)
        self.assertEqual((answer.status, answer.code), (status, code), answer)
        self.assertTrue(answer.error["message"])
