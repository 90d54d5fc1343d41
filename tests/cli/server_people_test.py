"""`paika serve` as people with accounts meet it: sessions, passwords, tokens, ratings, export and erasing.

usage: server_people_test.py PAIKA-PROGRAM
"""

import itertools
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import urllib.parse

from room_client import Player, RoomSocket, Rules, events_of
from server_client import Closed, Http, Server

PAIKA = ""
PASSWORD = "correct horse battery staple"
counter = itertools.count(1)


def set_cookie(answer):
    """The parts of Set-Cookie by name; None if there is none."""
    value = answer.header("set-cookie")
    if value is None:
        return None
    parts = [part.strip().partition("=") for part in value.split(";")]
    return {name: content for name, _, content in parts}


class WithServer(unittest.TestCase):
    options = ("--rate-factor", "1000")

    @classmethod
    def setUpClass(cls):
        cls.server = Server(PAIKA, *cls.options)
        cls.addClassCleanup(cls.server.close)
        cls.rules = Rules(PAIKA)
        cls.addClassCleanup(cls.rules.close)

    def browser(self, cookie=None):
        """Requests as a page of the server sends them."""
        http = Http(self.server, cookie=cookie, origin=self.server.origin)
        self.addCleanup(http.close)
        return http

    def guest(self):
        http = self.browser()
        answer = http.post("/api/session")
        self.assertEqual(answer.status, 201, answer)
        http.cookie = answer.cookie()
        http.name = answer.json["person"]["name"]
        return http

    def member(self, name=None, password=PASSWORD):
        http = self.guest()
        http.name = name or f"Tester{next(counter)}x{random.randrange(10000)}"
        answer = http.post("/api/account", {"name": http.name, "password": password})
        self.assertEqual(answer.status, 201, answer)
        self.assertEqual(answer.json["person"]["name"], http.name)
        http.cookie = answer.cookie()
        return http

    def room_socket(self, http):
        sock = RoomSocket(self.server, cookie=http.cookie, origin=self.server.origin)
        self.addCleanup(sock.sock.close)
        return sock

    def refused(self, answer, status, code):
        self.assertEqual((answer.status, answer.code), (status, code), answer)
        self.assertTrue(answer.error["message"])

    def who(self, http):
        person = http.get("/api/me").json["person"]
        return person and person["name"]

    def game(self, one, two, **plan):
        """A game of two people with cookies; the room."""
        opened = one.post("/api/rooms", {"spec": "othello:6x6", "side": "first", **plan})
        self.assertEqual(opened.status, 201, opened)
        room = opened.json["room"]
        self.assertEqual(two.post(f"/api/rooms/{room}/join").status, 200)
        return room


class Sessions(WithServer):
    def test_a_guest_has_a_cookie(self):
        http = self.browser()
        self.assertEqual(http.get("/api/me").json, {"person": None, "ratings": []})
        answer = http.post("/api/session")
        self.assertEqual(answer.status, 201)
        cookie = set_cookie(answer)
        self.assertGreaterEqual(len(cookie["paika_session"]), 40)
        self.assertIn("HttpOnly", cookie)
        self.assertEqual((cookie["SameSite"], cookie["Path"]), ("Lax", "/"))
        self.assertGreater(int(cookie["Max-Age"]), 86_400)
        self.assertNotIn("Secure", cookie, "this is no https")
        self.assertNotIn("Domain", cookie)
        http.cookie = answer.cookie()
        again = http.post("/api/session")
        self.assertEqual((again.status, again.json), (200, answer.json))
        self.assertIsNone(again.cookie())
        self.assertTrue(self.who(http).startswith("guest-"))
        self.assertFalse(answer.json["person"]["member"])

    def test_who_is_not_known_may_not(self):
        http = self.browser()
        for path in ("/api/rooms", "/api/account", "/api/rooms/abcdefghij/join", "/api/account/tokens"):
            self.refused(http.post(path, {}), 401, "no_person")
        self.refused(http.get("/api/account/export"), 401, "no_person")
        for token in ("rubbish", "x" * 5000, "' OR 1=1 --", ""):
            answer = Http(self.server, token=token or " ").post("/api/rooms", {"spec": "othello"})
            self.refused(answer, 401, "no_person")
        self.refused(self.guest().post("/api/account/password", {"old": "x", "new": PASSWORD}), 403, "members_only")

    def test_behind_a_proxy_cookies_are_secure(self):
        server = Server(PAIKA, "--behind-proxy", "--origin", "https://play.example.org")
        self.addCleanup(server.close)
        http = Http(server, origin="https://play.example.org")
        self.addCleanup(http.close)
        answer = http.post("/api/session", headers={"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https",
                                                    "Host": "play.example.org"})
        self.assertEqual(answer.status, 201, answer)
        self.assertIn("Secure", set_cookie(answer))
        self.assertIn("max-age", answer.header("strict-transport-security"))


class Accounts(WithServer):
    def test_names_and_passwords_that_are_refused(self):
        http = self.guest()
        for name in ("a", "1abc", "guest-abc", "deleted", "Admin", "PAIKA", "engine", "x" * 21, "<b>bold</b>", "two words",
                     "x'; DROP TABLE people; --", "é" * 3, "", "a\u0000b", "-a"):
            self.refused(http.post("/api/account", {"name": name, "password": PASSWORD}), 400, "bad_request")
        for password in ("short", "", "x" * 201):
            self.refused(http.post("/api/account", {"name": "Anybody", "password": password}), 400, "bad_request")
        for body in ({}, {"name": "Anybody"}, {"name": 5, "password": PASSWORD}, {"name": "Any", "pasword": PASSWORD}):
            self.refused(http.post("/api/account", body), 400, "bad_request")
        self.assertTrue(self.who(http).startswith("guest-"))

    def test_register_login_logout(self):
        guest = self.guest()
        room = guest.post("/api/rooms", {"spec": "othello"}).json["room"]
        before = guest.cookie
        answer = guest.post("/api/account", {"name": "Rahel-1", "password": PASSWORD})
        self.assertEqual(answer.status, 201, answer)
        self.assertTrue(answer.json["person"]["member"])
        guest.cookie = answer.cookie()
        self.assertNotEqual(guest.cookie, before)
        self.assertIsNone(self.who(self.browser(before)), "the guest's session has ended")
        self.refused(guest.post("/api/account", {"name": "Rahel-2", "password": PASSWORD}), 409, "member")
        games = guest.get("/api/players/rahel-1/games").json["games"]
        self.assertEqual([game["room"] for game in games], [room], "the guest's games are the member's")

        self.refused(self.guest().post("/api/account", {"name": "RAHEL-1", "password": PASSWORD}), 409, "name_taken")

        stranger = self.browser()
        self.refused(stranger.post("/api/login", {"name": "Rahel-1", "password": PASSWORD + " "}), 403, "wrong_password")
        self.refused(stranger.post("/api/login", {"name": "' OR 1=1 --", "password": PASSWORD}), 403, "wrong_password")
        self.assertIsNone(stranger.post("/api/login", {"name": "Nobody", "password": PASSWORD}).cookie())
        answer = stranger.post("/api/login", {"name": "rahel-1", "password": PASSWORD})
        self.assertEqual((answer.status, answer.json["person"]["name"]), (200, "Rahel-1"))
        second = self.browser(answer.cookie())
        self.assertNotEqual(second.cookie, guest.cookie)

        self.assertEqual(guest.post("/api/logout").status, 200)
        self.assertIsNone(self.who(guest), "logging out ends the session on the server")
        self.assertEqual(self.who(second), "Rahel-1", "and no other one")
        cookie = set_cookie(second.post("/api/logout"))
        self.assertEqual((cookie["paika_session"], cookie["Max-Age"]), ("", "0"))

    def test_a_new_password_ends_other_sessions(self):
        http = self.member()
        other = self.browser(http.post("/api/login", {"name": http.name, "password": PASSWORD}).cookie())
        # Logging in with a cookie replaces that session: log in once more without one.
        third = self.browser()
        third.cookie = third.post("/api/login", {"name": http.name, "password": PASSWORD}).cookie()
        new = "another password entirely"
        self.refused(third.post("/api/account/password", {"old": "wrong wrong", "new": new}), 403, "wrong_password")
        self.refused(third.post("/api/account/password", {"old": PASSWORD, "new": "short"}), 400, "bad_request")
        answer = third.post("/api/account/password", {"old": PASSWORD, "new": new})
        self.assertEqual((answer.status, answer.json), (200, {"changed": True}))
        self.assertEqual(self.who(third), http.name)
        self.assertIsNone(self.who(other))
        fresh = self.browser()
        self.refused(fresh.post("/api/login", {"name": http.name, "password": PASSWORD}), 403, "wrong_password")
        self.assertEqual(fresh.post("/api/login", {"name": http.name, "password": new}).status, 200)

    def test_a_new_password_ends_tokens_and_their_sockets(self):
        http = self.member()
        token = http.post("/api/account/tokens", {"label": "bot"}).json["token"]
        bot = Http(self.server, token=token)
        self.addCleanup(bot.close)
        self.assertEqual(self.who(bot), http.name)
        stolen = self.browser()
        stolen.cookie = stolen.post("/api/login", {"name": http.name, "password": PASSWORD}).cookie()
        others = [self.room_socket(stolen), RoomSocket(self.server, token=token)]
        self.addCleanup(others[1].sock.close)
        own = self.room_socket(http)
        stranger = self.room_socket(self.guest())
        for sock in (*others, own, stranger):
            self.assertEqual(sock.ask("ping")["pong"], True)
        answer = http.post("/api/account/password", {"old": PASSWORD, "new": "another password"})
        self.assertEqual(answer.status, 200, answer)
        self.assertIsNone(self.who(bot), "the token has ended")
        self.assertEqual(http.get("/api/account/tokens").json["tokens"], [])
        for sock in others:
            with self.assertRaises(Closed) as closed:
                sock.receive()
            self.assertEqual(closed.exception.code, 1008)
        for sock in (own, stranger):
            self.assertEqual(sock.ask("ping")["pong"], True, "the socket of this session stays, and those of others")
        # By a token: that one stays.
        token = http.post("/api/account/tokens", {"label": "bot"}).json["token"]
        bot.token = token
        answer = bot.post("/api/account/password", {"old": "another password", "new": PASSWORD})
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual(self.who(bot), http.name)
        self.assertIsNone(self.who(http))

    def test_names_in_which_something_hides(self):
        http = self.member()
        for text in ("An\u202ena", "An\u200bna", "Anna\u3164", "\u0301", "An\u00adna", "An\nna", "Anna\U000e0041"):
            self.refused(http.post("/api/account/tokens", {"label": text}), 400, "bad_request")
            self.refused(http.post("/api/classes", {"name": text, "spec": "othello"}), 400, "bad_request")
            self.refused(http.post("/api/classes/join", {"name": text, "code": "abcdefgh"}), 400, "bad_request")
            self.refused(http.post("/api/account", {"name": text, "password": PASSWORD}), 409, "member")
            self.refused(self.guest().post("/api/account", {"name": text, "password": PASSWORD}), 400, "bad_request")

    def test_nobody_can_look_like_the_teacher(self):
        teacher = self.member(f"MrSmith{random.randrange(10000)}")
        made = teacher.post("/api/classes", {"name": "3b", "spec": "othello"})
        self.assertEqual(made.status, 201, made)
        code = made.json["code"]
        student = self.member()
        for name in (teacher.name, teacher.name.upper(), teacher.name.replace("i", "l"), teacher.name.replace("i", "1"),
                     teacher.name.replace("Sm", "Srn"), " ".join(teacher.name), teacher.name.replace("i", "\u0456"),
                     teacher.name.replace("r", "r. ")):
            self.refused(student.post("/api/classes/join", {"code": code, "name": name}), 409, "name_taken")
        lookalike = self.member(teacher.name.replace("i", "l"))
        self.refused(lookalike.post("/api/classes/join", {"code": code}), 409, "name_taken")
        self.assertEqual(lookalike.post("/api/classes/join", {"code": code, "name": "Anna"}).status, 200)
        self.assertEqual(teacher.post("/api/classes/join", {"code": code, "name": "The Boss"}).status, 200)
        self.refused(student.post("/api/classes/join", {"code": code, "name": "the b0ss"}), 409, "name_taken")
        self.assertEqual(student.post("/api/classes/join", {"code": code, "name": "Ben"}).status, 200)

    def test_tokens(self):
        http = self.guest()
        made = http.post("/api/account/tokens", {"label": "my bot <b>"})
        self.assertEqual(made.status, 201, made)
        self.assertEqual(made.json["label"], "my bot <b>")
        token = made.json["token"]
        bot = Http(self.server, token=token)
        self.addCleanup(bot.close)
        self.assertEqual(self.who(bot), http.name)
        self.assertEqual(bot.post("/api/rooms", {"spec": "othello"}).status, 201, "programs need no Origin")
        listed = http.get("/api/account/tokens")
        self.assertEqual([t["id"] for t in listed.json["tokens"]], [made.json["id"]])
        self.assertNotIn(token.encode(), listed.body, "a secret is shown once")
        for label in ("", "x" * 61, 5):
            self.refused(http.post("/api/account/tokens", {"label": label}), 400, "bad_request")
        other = self.guest()
        own = f"/api/account/tokens/{made.json['id']}"
        self.refused(other("DELETE", own), 404, "no_token")
        for rubbish in ("0", "-1", "x", "99999999999999999999", urllib.parse.quote(f"{made.json['id']} OR 1=1"),
                        f"{made.json['id']}x"):
            self.refused(http("DELETE", f"/api/account/tokens/{rubbish}"), 404, "no_token")
        self.assertEqual(self.who(bot), http.name, "somebody else's or no token drops nothing")
        self.assertEqual(http("DELETE", own).json, {"dropped": True})
        self.assertIsNone(self.who(bot))
        self.refused(http("DELETE", own), 404, "no_token")

    def test_tokens_are_bounded(self):
        http = self.guest()
        for i in range(20):
            self.assertEqual(http.post("/api/account/tokens", {"label": f"bot {i}"}).status, 201)
        self.refused(http.post("/api/account/tokens", {"label": "one more"}), 409, "too_many_tokens")


class Guessing(WithServer):
    """With the limits as they are; every client has an address of its own."""

    options = ()

    def at(self, source, cookie=None):
        http = Http(self.server, cookie=cookie, origin=self.server.origin, source=source)
        self.addCleanup(http.close)
        return http

    def wrong(self, name, count, source):
        """So many wrong passwords at once."""
        answers = []

        def guess(number):
            http = Http(self.server, source=source)
            answers.append(http.post("/api/login", {"name": name, "password": f"guess number {number}"}))
            http.close()
        threads = [threading.Thread(target=guess, args=(n,)) for n in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers

    def test_guessing_is_slowed_down(self):
        """One address tries a name's password ten times, then it takes patience."""
        answers = self.wrong("Victim", 13, "127.0.0.2")
        refused = [a for a in answers if a.status == 429]
        self.assertGreaterEqual(len(refused), 2, answers)
        self.assertLessEqual(len(refused), 3, answers)
        for answer in refused:
            self.refused(answer, 429, "too_often")
            self.assertGreater(answer.error["retry_after_ms"], 0)
            self.assertGreaterEqual(int(answer.header("retry-after")), 1)
        for answer in answers:
            if answer.status != 429:
                self.refused(answer, 403, "wrong_password")

    def test_the_owner_is_not_locked_out(self):
        owner = self.member()
        for source in ("127.0.0.3", "127.0.0.4", "127.0.0.1"):
            self.assertIn(429, [a.status for a in self.wrong(owner.name, 12, source)])
        # The attacker's address is the owner's own, too: the session there is as good as before.
        self.assertEqual(self.who(owner), owner.name)
        self.assertEqual(owner.post("/api/rooms", {"spec": "othello"}).status, 201)
        answer = owner.post("/api/account/password", {"old": PASSWORD, "new": "another password"})
        self.assertEqual(answer.status, 200, "the owner's session can do what needs a password")
        # And the right password opens from anywhere else, at once.
        for source in ("127.0.0.5", "127.0.0.6"):
            answer = self.at(source).post("/api/login", {"name": owner.name, "password": "another password"})
            self.assertEqual(answer.status, 200, answer)

    def test_many_addresses_are_slowed_down_together(self):
        """Sixty addresses guess at one name: those at the end wait. Where the owner was before, nobody does."""
        owner = self.member()
        home = self.at("127.0.0.7")
        self.assertEqual(home.post("/api/login", {"name": owner.name, "password": PASSWORD}).status, 200)
        order = []

        def guess(number):
            http = Http(self.server, source=f"127.0.2.{number}")
            status = http.post("/api/login", {"name": owner.name, "password": "a wrong guess"}).status
            order.append((number, status))
            http.close()
        threads = [threading.Thread(target=guess, args=(n,)) for n in range(1, 61)]
        for thread in threads:
            thread.start()
        answer = home.post("/api/login", {"name": owner.name, "password": PASSWORD})
        self.assertEqual(answer.status, 200, answer)
        at_home = len(order)
        for thread in threads:
            thread.join()
        self.assertEqual({status for _, status in order} - {403, 429}, set())
        self.assertLess(at_home, 60, "the owner waited for all of them")
        self.assertGreater(sum(status == 429 for _, status in order), 0)


class RatedGamesOnSolvedBoards(WithServer):
    spec = "abalone:3x3,captures=1"
    file = "/api/tables/abalone-3x3-captures-1.table"

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        subprocess.run([PAIKA, "solve", cls.spec, "--tables", folder.name, "--no-count"], check=True,
                       stdout=subprocess.DEVNULL)
        cls.options = (*WithServer.options, "--tables", folder.name)
        super().setUpClass()

    def test_who_plays_gets_no_table_of_the_board(self):
        one, two, other = self.member(), self.member(), self.member()
        self.assertEqual(one.get(self.file).status, 200)
        casual = self.game(one, two, spec=self.spec)
        self.assertEqual(one.get(self.file).status, 200, "the game is not rated")
        self.assertEqual(one.post(f"/api/rooms/{casual}/resign").status, 200)
        elsewhere = self.game(one, two, spec="abalone:3x3,captures=2", rated=True)
        self.assertEqual(one.get(self.file).status, 200, "the game is on another board")
        room = self.game(one, two, spec=self.spec, rated=True)
        for player in (one, two):
            self.refused(player.get(self.file), 409, "in_play")
        self.assertEqual(other.get(self.file).status, 200)
        self.assertEqual(self.guest().get(self.file).status, 200)
        for ended in (elsewhere, room):
            self.assertEqual(one.post(f"/api/rooms/{ended}/resign").status, 200)
        deadline = time.monotonic() + 20
        while one.get(self.file).status != 200:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)


class Ratings(WithServer):
    def test_a_rated_game(self):
        one, two = self.member(), self.member()
        guest = self.guest()
        self.refused(guest.post("/api/rooms", {"spec": "othello:6x6", "rated": True}), 403, "members_only")
        room = self.game(one, two, rated=True, listed=True)
        sock = self.room_socket(two)
        sock.watch(room, 0)
        self.assertTrue(sock.wait_for(room, "begun")["rated"])
        running = guest.get("/api/rooms?state=running").json["rooms"]
        self.assertEqual([row["seats"][0]["name"] for row in running if row["room"] == room], [one.name])
        self.assertEqual(one.post(f"/api/rooms/{room}/resign").status, 200)
        rated = sock.wait_for(room, "rated")
        loser, winner = rated["seats"]
        self.assertEqual((loser["before"], winner["before"]), (1500, 1500))
        self.assertLess(loser["after"], 1500)
        self.assertGreater(winner["after"], 1500)
        for http, seat in ((one, loser), (two, winner)):
            mine = http.get("/api/me").json["ratings"]
            self.assertEqual([(r["game"], r["games"]) for r in mine], [("othello", 1)])
            self.assertAlmostEqual(mine[0]["rating"], seat["after"])
            self.assertLess(mine[0]["deviation"], 350)
            profile = guest.get(f"/api/players/{http.name.lower()}").json
            self.assertEqual((profile["name"], profile["ratings"]), (http.name, mine))
        games = guest.get(f"/api/players/{two.name}/games").json
        self.assertEqual((games["games"][0]["room"], games["games"][0]["verdict"]), (room, "second_wins"))
        self.assertAlmostEqual(games["games"][0]["seats"][1]["rating"]["after"], winner["after"])
        self.assertEqual(guest.get("/api/ratings/othello").json["game"], "othello")
        self.refused(guest.get("/api/ratings/chess"), 404, "no_game")
        self.refused(guest.get("/api/players/nobody-at-all"), 404, "no_player")
        self.refused(guest.get(f"/api/players/{two.name}/games?after=soon"), 400, "bad_request")
        # Friendly games and games with guests do not count.
        room = self.game(one, two)
        self.assertEqual(two.post(f"/api/rooms/{room}/resign").status, 200)
        self.assertEqual(two.get("/api/me").json["ratings"][0]["games"], 1)


class OwnData(WithServer):
    def test_export(self):
        http, other = self.member(), self.guest()
        token = http.post("/api/account/tokens", {"label": "exporter"}).json["token"]
        room = self.game(http, other)
        self.assertEqual(http.post(f"/api/rooms/{room}/say", {"text": "what I said"}).status, 200)
        answer = http.get("/api/account/export")
        self.assertEqual(answer.status, 200)
        self.assertIn("attachment", answer.header("content-disposition"))
        told = answer.json
        self.assertEqual(told["person"]["name"], http.name)
        self.assertEqual([t["label"] for t in told["tokens"]], ["exporter"])
        self.assertEqual([g["room"] for g in told["games"]], [room])
        self.assertEqual(told["games"][0]["events"], events_of(self.server, room))
        for secret in (token, http.cookie, PASSWORD, "argon2"):
            self.assertNotIn(secret.encode(), answer.body)

    def test_export_of_many_games(self):
        http = self.guest()
        rooms = set()

        def open_some():
            mine = self.browser(http.cookie)
            rooms.update(mine.post("/api/rooms", {"spec": "othello:6x6"}).json["room"] for _ in range(20))
        threads = [threading.Thread(target=open_some) for _ in range(6)]  # so that some are of the same moment
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(rooms), 120)
        told = http.get("/api/account/export").json
        self.assertEqual(sorted(g["room"] for g in told["games"]), sorted(rooms))
        pages, after = [], ""
        while after is not None:
            page = http.get(f"/api/players/{http.name}/games{after and '?after=' + after}").json
            pages += [g["room"] for g in page["games"]]
            after = page["next"]
        self.assertEqual(sorted(pages), sorted(rooms), "pages of 50 hold each game once")

    def test_erase(self):
        said = f"secret plan {random.randrange(1 << 60)}"
        http, other = self.member(f"Erased{random.randrange(1 << 30)}"), self.member()
        token = http.post("/api/account/tokens", {"label": "bot of the erased"}).json["token"]
        done = self.game(http, other, rated=True)
        sock = self.room_socket(other)
        sock.watch(done, 0)
        self.assertEqual(http.post(f"/api/rooms/{done}/say", {"text": said}).status, 200)
        self.assertEqual(http.post(f"/api/rooms/{done}/resign").status, 200)
        sock.wait_for(done, "rated")
        running = self.game(http, other)
        turn = self.rules.turns("othello:6x6", http.get(f"/api/rooms/{running}").json["position"])[0]
        self.assertEqual(http.post(f"/api/rooms/{running}/play", {"move": turn, "id": "last"}).status, 200)

        self.refused(http("DELETE", "/api/account", {"password": "not the password"}), 403, "wrong_password")
        self.assertEqual(self.who(http), http.name)
        answer = http("DELETE", "/api/account", {"password": PASSWORD})
        self.assertEqual((answer.status, answer.json), (200, {"erased": True}))
        self.assertEqual(set_cookie(answer)["paika_session"], "")
        self.assertIsNone(self.who(http))
        self.assertIsNone(self.who(Http(self.server, token=token)))
        self.refused(other.get(f"/api/players/{http.name}"), 404, "no_player")
        self.refused(self.browser().post("/api/login", {"name": http.name, "password": PASSWORD}), 403, "wrong_password")

        snapshot = other.get(f"/api/rooms/{done}").json
        self.assertEqual([s["who"]["name"] for s in snapshot["seats"]], ["deleted", other.name])
        texts = other.get(f"/api/rooms/{done}").body + other.get(f"/api/rooms/{running}").body + \
            other.get("/api/account/export").body + other.get(f"/api/players/{other.name}/games").body + \
            other.get(f"/api/rooms/{done}/record").body
        self.assertNotIn(http.name.encode(), texts)
        self.assertNotIn(said.encode(), texts)
        numbers = [e["number"] for e in events_of(self.server, done)]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        self.assertEqual(other.get("/api/me").json["ratings"][0]["games"], 1, "others keep their ratings")
        # The game that was going on was given up.
        snapshot = other.get(f"/api/rooms/{running}").json
        self.assertEqual((snapshot["state"], snapshot["result"]["verdict"], snapshot["result"]["reason"]),
                         ("ended", "second_wins", "resigned"))
        self.assertEqual([s["who"]["name"] for s in snapshot["seats"]], ["deleted", other.name])
        self.refused(other.post(f"/api/rooms/{running}/resign"), 409, "over")
        sock.sock.close()
        self.assertEqual(self.server.stop(), 0)
        kept = self.server.stored_bytes()
        self.server.restart()
        self.assertNotIn(http.name.encode(), kept, "the name is still in the file")
        self.assertNotIn(said.encode(), kept, "the chat is still in the file")

    def test_guests_erase_without_a_password(self):
        http = self.guest()
        self.assertEqual(http("DELETE", "/api/account").json, {"erased": True})
        self.assertIsNone(self.who(http))


class AfterARestart(WithServer):
    def test_sessions_and_tokens(self):
        member, guest, bot = self.member(), self.guest(), Player(self.server)
        self.addCleanup(bot.close)
        for stop in (self.server.stop, self.server.kill):
            stop()
            self.server.restart()
            # Another port is another origin.
            for http in (member, guest):
                http.origin = self.server.origin
            self.assertEqual(self.who(member), member.name)
            self.assertEqual(self.who(guest), guest.name)
            self.assertEqual(self.who(bot.http), bot.name)
            self.assertEqual(member.post("/api/rooms", {"spec": "othello"}).status, 201)
        answer = self.browser().post("/api/login", {"name": member.name, "password": PASSWORD})
        self.assertEqual(answer.status, 200)


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
