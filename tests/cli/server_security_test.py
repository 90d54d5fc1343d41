"""`paika serve` as those meet it who mean no good: foreign pages, oversized and malformed messages, secrets.

Whatever is sent: it is refused with a code that programs understand or the connection ends, nothing changes, and the
server goes on.
usage: server_security_test.py PAIKA-PROGRAM
"""

import json
import os
import random
import socket
import struct
import time
import unittest

from server_case import PAIKA, WithServer
from room_client import RoomSocket
from server_client import (
    BINARY, CLOSE, PATIENCE, PING, TEXT, Closed, Http, NotOpened, Server, Stream, WebSocket, frame, raw, read_answer)

EVIL = "https://evil.example.org"


class Origins(WithServer):
    def foreign(self):
        own = self.server.origin
        return [EVIL, "null", own + ".evil.example.org", own[:-1], own.replace("http", "ftp"), "http://127.0.0.1",
                f"http://localhost:{self.server.port}", own + "/", own + " " + EVIL, "*", own.upper(),
                f"http://user@127.0.0.1:{self.server.port}"]

    def test_requests(self):
        cookie = self.session()
        before = self.metric("rooms_opened_total")
        for origin in self.foreign():
            for given in ({"cookie": cookie}, {}):
                http = Http(self.server, origin=origin, **given)
                self.refused(http.post("/api/rooms", {"spec": "othello"}), 403, "wrong_origin")
                self.refused(http("DELETE", "/api/account"), 403, "wrong_origin")
                http.close()
        no_origin = Http(self.server, cookie=cookie)
        self.refused(no_origin.post("/api/rooms", {"spec": "othello"}), 403, "wrong_origin")
        self.assertEqual(self.metric("rooms_opened_total"), before)
        self.assertEqual(no_origin.get("/api/me").status, 200, "reading needs no Origin")
        own = Http(self.server, cookie=cookie, origin=self.server.origin)
        self.assertEqual(own.post("/api/rooms", {"spec": "othello"}).status, 201)

    def test_no_response_opens_itself_to_other_pages(self):
        cookie = self.session()
        for http in (Http(self.server, cookie=cookie, origin=EVIL), Http(self.server, origin=EVIL)):
            for method, path in (("GET", "/api/me"), ("OPTIONS", "/api/rooms"), ("POST", "/api/rooms")):
                answer = http(method, path)
                for key, _ in answer.headers:
                    self.assertFalse(key.startswith("access-control-"), answer.headers)

    def test_web_sockets(self):
        cookie = self.session()
        for options in [{"cookie": cookie, "origin": origin} for origin in self.foreign()] + \
                [{"origin": EVIL}, {"cookie": cookie}]:
            with self.assertRaises(NotOpened) as refused:
                WebSocket(self.server, **options)
            self.refused(refused.exception.answer, 403, "wrong_origin")
        sock = self.web_socket(RoomSocket, cookie=cookie, origin=self.server.origin)
        self.assertEqual(sock.ask("ping"), {"pong": True, "ref": 1})

    def test_a_socket_elsewhere_is_none(self):
        for path in ("/api/rooms", "/", "/api/sockets"):
            with self.assertRaises(NotOpened) as refused:
                WebSocket(self.server, path=path)
            self.assertEqual(refused.exception.answer.status, 404, path)
        for headers in ({"Sec-WebSocket-Version": "8"}, {"Sec-WebSocket-Key": "short"}, {"Sec-WebSocket-Key": None}):
            with self.assertRaises(NotOpened) as refused:
                WebSocket(self.server, headers=headers)
            self.assertIn(refused.exception.answer.status, (400, 426))

    def test_origins_that_are_given(self):
        server = Server(PAIKA, "--origin", "https://play.example.org", "--origin", "https://www.example.org")
        self.addCleanup(server.close)
        for origin, status in (("https://play.example.org", 201), ("https://www.example.org", 201), (EVIL, 403),
                               ("http://play.example.org", 403), (server.origin, 403)):
            http = Http(server, origin=origin)
            answer = http.post("/api/session", headers={"Host": "play.example.org"})
            self.assertEqual(answer.status, status, origin)
            http.close()

    def test_hosts(self):
        http = Http(self.server)
        for host in ("evil.example.org", f"127.0.0.1.evil.example.org:{self.server.port}", "localhost.evil.example.org",
                     "10.0.0.1", "127.0.0.1@evil.example.org"):
            answer = http.get("/api/me", headers={"Host": host})
            self.assertIn(answer.status, (400, 421), host)
            self.assertIn(answer.code, ("wrong_host", "bad_request"))
        for host in ("localhost", f"localhost:{self.server.port}", "127.0.0.1", "[::1]"):
            self.assertEqual(http.get("/api/me", headers={"Host": host}).status, 200, host)
        http.close()
        self.refused(raw(self.server, b"GET /api/me HTTP/1.1\r\n\r\n"), 400, "bad_request")
        self.refused(raw(self.server, b"GET /api/me HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"), 400, "bad_request")


class Headers(WithServer):
    def check(self, answer, kind):
        with self.subTest(kind):
            policy = answer.header("content-security-policy")
            self.assertIsNotNone(policy, answer.headers)
            rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
            self.assertEqual(rules["default-src"], "'none'")
            self.assertEqual(rules["frame-ancestors"], "'none'")
            self.assertEqual(rules["base-uri"], "'none'")
            self.assertNotIn("'unsafe-inline'", policy)
            self.assertNotIn("'unsafe-eval'", policy)
            self.assertNotIn("*", policy)
            self.assertEqual(answer.header("x-content-type-options"), "nosniff")
            self.assertEqual(answer.header("referrer-policy"), "no-referrer")
            self.assertEqual(answer.header("cross-origin-opener-policy"), "same-origin")
            self.assertEqual(answer.header("cross-origin-resource-policy"), "same-origin")
            self.assertIsNotNone(answer.header("permissions-policy"))
            self.assertIsNotNone(answer.header("cache-control"))
            for key, _ in answer.headers:
                self.assertNotIn(key, ("server", "x-powered-by"))

    def test_every_kind_of_response(self):
        player = self.player()
        http = player.http
        room = player.open_room("othello:6x6", engine=1, side="first")
        kinds = {
            "page": http.get("/"), "page of a room": http.get(f"/room/{room}"), "head": http("HEAD", "/"),
            "health": http.get("/healthz"), "metrics": http.get("/metrics"), "json": http.get("/api/me"),
            "201": http.post("/api/rooms", {"spec": "othello"}), "400": http.post("/api/rooms", b"{"),
            "401": Http(self.server).post("/api/rooms", {}), "403": http.post("/api/rooms", {}, headers={"Origin": EVIL}),
            "404": http.get("/api/nothing"), "404 page": http.get("/no.such.file"), "405": http("PUT", "/api/rooms", {}),
            "405 page": http.post("/"), "409": player.command(room, "agree", what="draw"),
            "422": player.command(room, "play", move="a1", id="x"), "421": http.get("/", headers={"Host": "evil"}),
            "record": http.get(f"/api/rooms/{room}/record"),
            "431": raw(self.server, b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 20000 + b"\r\n\r\n"),
            "malformed": raw(self.server, b"rubbish\r\n\r\n"),
            "413": raw(self.server, b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n"),
        }
        for kind, answer in kinds.items():
            self.check(answer, kind)
        for kind in ("201", "400", "401", "403", "404", "405", "409", "421", "422", "413", "431"):
            self.assertEqual(kinds[kind].status, int(kind))
            self.assertEqual(kinds[kind].header("content-type"), "application/json")
        self.assertEqual(set(kinds["405"].header("allow").split(", ")) - {"HEAD"}, {"GET", "POST"})
        self.assertEqual(kinds["head"].body, b"")
        stream = Stream(self.server, f"/api/rooms/{room}/stream")
        self.addCleanup(stream.close)
        self.check(stream.answer, "stream")
        etag = kinds["page"].header("etag")
        unchanged = http.get("/", headers={"If-None-Match": etag})
        self.assertEqual(unchanged.status, 304)
        self.check(unchanged, "304")
        with self.assertRaises(NotOpened) as refused:
            WebSocket(self.server, origin=EVIL)
        self.check(refused.exception.answer, "refused socket")

    def test_text_of_others_is_data(self):
        """What people write comes back as JSON and as nothing else."""
        player = self.player()
        room = player.open_room("othello:6x6", engine=1, side="first")
        nasty = "</script><img src=x onerror=alert(1)>\"'`${7*7}\\"
        self.assertEqual(player.command(room, "say", text=nasty).status, 200)
        answer = player.http.get(f"/api/rooms/{room}")
        self.assertEqual(answer.header("content-type"), "application/json")
        self.assertEqual(answer.json["chat"][0]["text"], nasty)
        path = "/api/rooms/%3Cscript%3Ealert(1)%3C%2Fscript%3E"
        for answer in (player.http.get(path), player.http.get("/%3Cscript%3E.html"),
                       player.http.get("/api/players/%3Cscript%3E"), player.http.post("/api/rooms", {"<script>": 1})):
            self.assertIn(answer.status, (400, 404))
            self.assertEqual(answer.header("content-type"), "application/json")
            self.assertTrue(answer.error["message"])


class Sizes(WithServer):
    def test_heads(self):
        head = b"GET /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        self.refused(raw(self.server, head + b"X: " + b"y" * 17_000 + b"\r\n\r\n"), 431, "head_too_large")
        many = b"".join(b"X-%d: y\r\n" % i for i in range(2_000))
        self.assertEqual(raw(self.server, head + many + b"\r\n").status, 431)
        answer = raw(self.server, b"GET /" + b"a" * 12_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        self.assertIn(answer.status, (414, 431))
        # A head without an end is cut off when it is too large, not when memory is.
        answer = raw(self.server, head + b"X: " + b"y" * 5_000_000)
        self.assertTrue(answer is None or answer.status == 431)

    def test_bodies(self):
        player = self.player()
        large = {"spec": "othello", "position": "x" * 257 * 1024}
        self.refused(player.http.post("/api/rooms", large), 413, "body_too_large")
        head = b"POST /api/rooms HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        self.refused(raw(self.server, head + b"Content-Length: 18446744073709551615\r\n\r\n"), 413, "body_too_large")
        chunk = b"10000\r\n" + b"z" * 65536 + b"\r\n"
        answer = raw(self.server, head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 20)
        self.assertTrue(answer is None or answer.status == 413, answer)
        self.assertEqual(player.http.post("/api/rooms", {"spec": "othello"}).status, 201)

    def closes(self, code, *frames, token=None):
        """Frames that the server answers with a close of that code."""
        sock = self.web_socket(RoomSocket, token=token)
        with self.assertRaises(Closed) as closed:
            for data in frames:
                sock.send_bytes(data)
            while True:
                sock.take(sock.receive())
        # The frame may be lost if the server resets a connection that still sends.
        self.assertIn(closed.exception.code, (code, 1006), closed.exception)
        return closed.exception.code

    def test_messages(self):
        text = json.dumps({"do": "ping", "pad": "x" * 66_000}).encode()
        self.assertEqual(self.closes(1009, frame(TEXT, text)), 1009)
        self.closes(1009, frame(TEXT, text[:40_000], fin=False), frame(0, text[:40_000]))
        # Only the announcement of a huge frame.
        self.assertEqual(self.closes(1009, bytes([0x81, 0xff]) + struct.pack(">Q", 1 << 40) + b"abcd"), 1009)
        self.closes(1009, *([frame(TEXT, b"x" * 1000, fin=False)] + [frame(0, b"x" * 1000, fin=False)] * 100))
        fits = json.dumps({"do": "ping", "ref": "x" * 60_000})
        sock = self.web_socket()
        sock.send(fits)
        self.assertTrue(sock.receive()["pong"])

    def test_frames_against_the_standard(self):
        for code, frames in ((1003, [frame(BINARY, b"{}")]), (1007, [frame(TEXT, b'{"do":"\xff\xfe"}')]),
                             (1007, [frame(TEXT, b"\xc3", fin=False), frame(0, b"(")]),
                             (1002, [frame(TEXT, b"{}", mask=False)]), (1002, [frame(TEXT, b"{}", reserved=4)]),
                             (1002, [frame(3, b"")]), (1002, [frame(11, b"")]), (1002, [frame(0, b"{}")]),
                             (1002, [frame(PING, b"x" * 126)]), (1002, [frame(PING, b"", fin=False)]),
                             (1002, [frame(TEXT, b"{", fin=False), frame(TEXT, b"}")]),
                             (1002, [frame(CLOSE, b"\x03")]), (1002, [frame(CLOSE, struct.pack(">H", 999))])):
            with self.subTest(code=code, frames=[f[:12].hex() for f in frames]):
                self.closes(code, *frames)


class Malformed(WithServer):
    BODIES = [b"{", b"[]", b"5", b"null", b'"text"', b"{'spec':'othello'}", b'{"spec":}', b'{"spec":"othello"}x', b"\x00",
              b'{"spec":"\xff"}', b'{"spec":"\\ud800"}', b'{"a":' * 40 + b"1" + b"}" * 40, b"[" * 100_000,
              b'{"move_ms":1e999}', b'{"move_ms":NaN}', b'{"move_ms":99999999999999999999999}', b'{"spec":"oth\nello"}',
              b"\xef\xbb\xbf", b'{"spec":{"a":[1]}}', b" " * 1000, b'{"spec":"\\u0000"}',
              b"{" + b",".join(b'"k%d":1' % i for i in range(5000)) + b"}"]

    def test_bodies(self):
        player = self.player()
        before = self.metric("rooms_opened_total")
        for body in self.BODIES:
            with self.subTest(body[:40]):
                answer = player.http.post("/api/rooms", body)
                self.assertEqual((answer.status, answer.code), (400, "bad_request"), answer)
        self.assertEqual(self.metric("rooms_opened_total"), before)

    def test_messages(self):
        player = self.player()
        sock = player.socket
        for body in self.BODIES:
            try:
                body.decode()
            except UnicodeDecodeError:
                continue  # the web socket itself refuses that
            if len(body) > 60_000:
                body = body[:60_000]
            sock.send_frame(TEXT, body)
            answer = sock.receive()
            self.assertEqual(answer["error"]["code"], "bad_request", body[:40])
        for message in ({}, {"do": 5}, {"do": "dance"}, {"do": "play"}, {"do": "play", "room": 7}, {"do": "watch"},
                        {"do": "watch", "room": "nosuchroom"}, {"do": "watch", "room": "x" * 10_000},
                        {"do": "watch", "room": "' OR 1=1 --"}, {"do": "leave", "room": None},
                        {"do": "say", "room": "nosuchroom", "text": "x"}, {"do": "watch", "room": "x", "since": -1},
                        {"do": "watch", "room": "x", "since": "1"}, {"do": None, "room": []}):
            sock.send({**message, "ref": {"deep": [message]}})
            answer = sock.receive()
            self.assertEqual(answer["ref"], {"deep": [message]})
            if message.get("do") != "leave":
                self.assertIn(answer["error"]["code"], ("bad_request", "no_room"), message)
        self.assertEqual(sock.ask("ping")["pong"], True, "the socket is as good as before")
        stranger = self.web_socket(RoomSocket)
        room = player.open_room("othello")
        self.assertEqual(stranger.ask("join", room=room)["error"]["code"], "no_person")

    def test_requests(self):
        host = b"Host: 127.0.0.1\r\n"
        get = b"GET /api/me HTTP/1.1\r\n" + host
        post = b"POST /api/rooms HTTP/1.1\r\n" + host
        for data in (b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n" + host + b"\r\n",
                     b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET / HTTP/1.1\n\n",
                     b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(200), b"\x00" * 500,
                     b"GET http://evil.example.org/ HTTP/1.1\r\n" + host + b"\r\n",
                     b"GET /%zz HTTP/1.1\r\n" + host + b"\r\n",
                     b"GET /a b HTTP/1.1\r\n" + host + b"\r\n", get + b"X Y: z\r\n\r\n", get + b": z\r\n\r\n",
                     post + b"Content-Length: -1\r\n\r\n", post + b"Content-Length: 1x\r\n\r\n",
                     post + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x",
                     post + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                     post + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                     post + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
                     b"CONNECT evil.example.org:443 HTTP/1.1\r\n" + host + b"\r\n",
                     b"GET /../../etc/passwd HTTP/1.1\r\n" + host + b"\r\n",
                     b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n" + host + b"\r\n",
                     b"GET /assets/..%2f..%2fgames.db HTTP/1.1\r\n" + host + b"\r\n",
                     b"GET /%00 HTTP/1.1\r\n" + host + b"\r\n"):
            with self.subTest(data[:60]):
                answer = raw(self.server, data + b"", timeout=PATIENCE)
                if answer is not None:
                    self.assertGreaterEqual(answer.status, 400, answer)
                    self.assertLess(answer.status, 600)
                    self.assertTrue(answer.code)

    def test_pipelined_requests_are_answered_in_order(self):
        request = b"GET /api/chat-presets HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        health = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        with socket.create_connection(self.server.address, timeout=PATIENCE) as sock:
            sock.sendall((request + health) * 20)
            with sock.makefile("rb") as file:
                for i in range(40):
                    answer = read_answer(file)
                    self.assertIn("ok" if i % 2 else "presets", answer.json)


class EndedSessions(WithServer):
    """A web socket is as good as the session or token that opened it, and no longer."""

    def no_longer(self, sock, room):
        """The socket may not act any more: it is refused, or closed."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                answer = sock.ask("say", room=room, text="still here")
            except Closed:
                return
            if answer.get("error", {}).get("code") == "no_person":
                return
            self.assertIn(answer.get("error", {}).get("code", "too_often"), ("too_often",), answer)
            self.assertNotIn("accepted", answer, "whoever logged out can still act")
        self.fail("the socket still acts")

    def browser(self):
        http = Http(self.server, cookie=self.session(), origin=self.server.origin)
        self.addCleanup(http.close)
        sock = self.web_socket(RoomSocket, cookie=http.cookie, origin=self.server.origin)
        room = http.post("/api/rooms", {"spec": "othello"}).json["room"]
        self.assertIn("accepted", sock.ask("say", room=room, text="I am here"))
        return http, sock, room

    def test_logging_out(self):
        http, sock, room = self.browser()
        self.assertEqual(http.post("/api/logout").status, 200)
        self.no_longer(sock, room)

    def test_erasing(self):
        http, sock, _ = self.browser()
        other = self.player().open_room("othello")
        self.assertEqual(http("DELETE", "/api/account").status, 200)
        self.no_longer(sock, other)

    def test_a_dropped_token(self):
        http, _, room = self.browser()
        made = http.post("/api/account/tokens", {"label": "bot"}).json
        sock = self.web_socket(RoomSocket, token=made["token"])
        self.assertIn("accepted", sock.ask("say", room=room, text="a bot"))
        self.assertEqual(http("DELETE", f"/api/account/tokens/{made['id']}").status, 200)
        self.no_longer(sock, room)


class Secrets(unittest.TestCase):
    def test_nothing_secret_is_in_the_log(self):
        """Tokens, cookies, passwords and chats never come into the log, however loud it is."""
        server = Server(PAIKA, "--rate-factor", "1000", log_level="debug")
        self.addCleanup(server.close)
        nonce = str(random.randrange(1 << 60))
        password, wrong, chat = f"right {nonce} password", f"wrong {nonce} password", f"chat {nonce} text"
        guest = Http(server, origin=server.origin)
        secrets = [password, wrong, chat, nonce]
        guest.cookie = guest.post("/api/session").cookie()
        secrets.append(guest.cookie)
        guest.cookie = guest.post("/api/account", {"name": "Keeper", "password": password}).cookie()
        secrets.append(guest.cookie)
        token = guest.post("/api/account/tokens", {"label": "bot"}).json["token"]
        secrets.append(token)
        self.assertEqual(guest.post("/api/login", {"name": "Keeper", "password": wrong}).status, 403)
        guest.post("/api/login", f'{{"name": "Keeper", "password": "{password}'.encode())
        guest.post("/api/account/password", {"old": wrong, "new": password, password: 1})
        room = guest.post("/api/rooms", {"spec": "othello", "engine": 1, "side": "first"}).json["room"]
        guest.post(f"/api/rooms/{room}/say", {"text": chat})
        guest.post(f"/api/rooms/{room}/say", {"text": chat, "preset": chat})
        sock = RoomSocket(server, token=token)
        sock.ask("watch", room=room, since=0)
        sock.send_frame(TEXT, f'{{"do": "say", "text": "{chat}'.encode())
        sock.receive()
        sock.send_frame(BINARY, chat.encode())
        with self.assertRaises(Closed):
            while True:
                sock.receive()
        sock.sock.close()
        raw(server, f"GET /api/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nbroken {nonce}\r\n\r\n".encode())
        raw(server, f"POST /api/login?password={nonce} HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n".encode())
        guest.post("/api/logout")
        self.assertEqual(server.stop(), 0)
        log = server.log()
        for secret in secrets:
            self.assertNotIn(secret, log)
        kept = b"".join(p.read_bytes() for p in server.folder.iterdir() if p.name.startswith("games.db"))
        for secret in secrets:
            if secret not in (chat, nonce):  # chat is what the file is for
                self.assertNotIn(secret.encode(), kept, "only hashes of secrets are kept")
        self.assertIn(b"$argon2id$", kept)
        self.assertEqual(server.database.stat().st_mode & 0o077, 0, "the file is its owner's alone")


if __name__ == "__main__":
    unittest.main()
