"""What the tests of classes share: a server that runs bots, and people with accounts on it."""

import itertools
import unittest

from server_case import PAIKA
from server_client import Http, Server

PASSWORD = "correct horse battery staple"
counter = itertools.count(1)


class WithMembers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(PAIKA, "--rate-factor", "1000", "--weak-sandbox")
        cls.addClassCleanup(cls.server.close)

    def member(self, name=None):
        http = Http(self.server, origin=self.server.origin)
        self.addCleanup(http.close)
        http.cookie = http.post("/api/session").cookie()
        http.name = name or f"Person{next(counter)}"
        answer = http.post("/api/account", {"name": http.name, "password": PASSWORD})
        self.assertEqual(answer.status, 201, answer)
        http.cookie = answer.cookie()
        return http

    def refused(self, answer, status, code):
        self.assertEqual((answer.status, answer.code), (status, code), answer)
        self.assertTrue(answer.error["message"])
        return answer.error["message"]
