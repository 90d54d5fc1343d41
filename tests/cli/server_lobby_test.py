"""`paika serve` where people find each other: pairing, who waits, games that take days.

usage: server_lobby_test.py PAIKA-PROGRAM
"""

import sys
import unittest

from room_client import Player, Rules
from server_client import Http, Server

PAIKA = ""
DAY_MS = 86_400_000


class Lobby(unittest.TestCase):
    def setUp(self):
        self.server = Server(PAIKA, "--workers", "1", "--rate-factor", "100")
        self.addCleanup(self.server.close)
        self.rules = Rules(PAIKA)
        self.addCleanup(self.rules.close)

    def player(self):
        player = Player(self.server)
        self.addCleanup(player.close)
        return player

    def told(self, player, key):
        """What the socket is sent under a key; other messages pass."""
        while True:
            message = player.socket.take(player.socket.receive())
            if message is not None and key in message and "ref" not in message:
                return message[key]

    def seeks(self):
        return Http(self.server).get("/api/lobby").json["seeks"]

    def test_two_who_want_the_same_play(self):
        one, two, three = self.player(), self.player(), self.player()
        wish = {"spec": "othello:6x6", "clock_ms": 180_000, "increment_ms": 2_000}
        number = one.socket.ask("seek", **wish)["seeking"]
        self.assertEqual([(s["seek"], s["name"], s["spec"], s["rated"]) for s in self.seeks()],
                         [(number, one.name, "othello:6x6", False)])
        three.socket.ask("seek", spec="othello:6x6", move_ms=30_000)
        two.socket.ask("seek", **wish)
        room = self.told(one, "paired")["room"]
        self.assertEqual(self.told(two, "paired")["room"], room)
        snapshot = one.snapshot(room)
        self.assertEqual(snapshot["state"], "running")
        self.assertEqual({s["who"]["name"] for s in snapshot["seats"]}, {one.name, two.name})
        self.assertEqual(snapshot["clock"], {"base_ms": 180_000, "increment_ms": 2_000, "grace_ms": 20_000})
        self.assertEqual(snapshot["left"]["first"]["game_ms"], 180_000, "the clock waits for the first move")
        self.assertGreater(snapshot["clock_from_us"], snapshot["server_time_us"])
        self.assertEqual([s["name"] for s in self.seeks()], [three.name])

    def test_a_wish_goes_with_its_socket_or_by_wish(self):
        one, two = self.player(), self.player()
        one.socket.ask("seek", spec="othello")
        self.assertEqual(one.socket.ask("cancel")["cancelled"], True)
        self.assertEqual(self.seeks(), [])
        one.socket.ask("seek", spec="othello")
        one.drop()
        two.socket.ask("seek", spec="fanorona")
        while len(self.seeks()) > 1:
            pass
        self.assertEqual([s["name"] for s in self.seeks()], [two.name])

    def test_the_lobby_is_told_live_and_anybody_may_accept(self):
        one, two = self.player(), self.player()
        two.socket.ask("lobby")
        self.assertEqual(self.told(two, "lobby"), {"seeks": [], "rooms": []})
        number = one.socket.ask("seek", spec="abalone")["seeking"]
        self.assertEqual([s["seek"] for s in self.told(two, "lobby")["seeks"]], [number])
        listed = one.open_room("othello", listed=True, move_ms=DAY_MS)
        while not (lobby := self.told(two, "lobby"))["rooms"]:
            pass
        self.assertEqual((lobby["rooms"][0]["room"], lobby["rooms"][0]["clock"]["move_ms"]), (listed, DAY_MS))
        self.assertEqual(one.socket.ask("accept", seek=number)["error"]["code"], "not_yours")
        room = two.socket.ask("accept", seek=number)["paired"]["room"]
        self.assertEqual(self.told(one, "paired")["room"], room)
        self.assertEqual(two.snapshot(room)["spec"], "abalone:4x4", "the spec alone means 4x4 with two captures")
        self.assertEqual(two.socket.ask("accept", seek=number)["error"]["code"], "gone")

    def test_bad_wishes_are_refused(self):
        one = self.player()
        for wish, code in (({}, "bad_request"), ({"spec": "chess"}, "bad_request"),
                           ({"spec": "othello", "engine": 3}, "bad_request"),
                           ({"spec": "othello", "move_ms": 0}, "bad_request"),
                           ({"spec": "othello", "rated": True}, "members_only")):
            self.assertEqual(one.socket.ask("seek", **wish)["error"]["code"], code, wish)
        self.assertEqual(one.socket.ask("accept", seek="x")["error"]["code"], "bad_request")
        self.assertEqual(self.seeks(), [])

    def test_games_that_take_days(self):
        one, two, three = self.player(), self.player(), self.player()
        room = one.open_room("othello:6x6", side="first", move_ms=14 * DAY_MS)
        self.assertEqual(one.http.get("/api/me/games").json, {"games": [], "waiting": 0}, "nobody has come yet")
        two.command(room, "join")
        mine = one.http.get("/api/me/games").json
        self.assertEqual((mine["waiting"], mine["games"][0]["room"], mine["games"][0]["my_turn"]), (1, room, True))
        self.assertAlmostEqual(mine["games"][0]["left_ms"], 14 * DAY_MS, delta=60_000)
        self.assertEqual(two.http.get("/api/me/games").json["waiting"], 0)
        start = one.snapshot(room)["position"]
        first = self.rules.turns("othello:6x6", start)[0]
        answer = self.rules.turns("othello:6x6", self.rules.after("othello:6x6", start, first))[0]
        lines = {"lines": [[first, answer]]}
        self.assertEqual(two.http.post(f"/api/rooms/{room}/conditional", lines).status, 200)
        self.assertEqual(two.http.post(f"/api/rooms/{room}/conditional", {"lines": [["a1", "a1"]]}).status, 400)
        self.assertEqual(two.http.get(f"/api/rooms/{room}/conditional").json, lines)
        self.assertEqual(one.http.get(f"/api/rooms/{room}/conditional").json, {"lines": []})
        self.assertEqual(three.http.get(f"/api/rooms/{room}/conditional").status, 403)
        self.server.kill()
        self.server.restart()
        self.assertEqual(one.command(room, "play", move=first, id="1").status, 200)
        self.assertEqual([m["text"] for m in one.snapshot(room)["moves"]], [first, answer])
        self.assertEqual(one.http.get("/api/me/games").json["waiting"], 1, "it is one's move again at once")
        self.assertEqual(one.http.post("/api/rooms", {"spec": "othello", "move_ms": 14 * DAY_MS + 1}).status, 400)


if __name__ == "__main__":
    PAIKA = sys.argv.pop(1)
    unittest.main()
