"""`paika serve` under floods of requests, guests, work and connections: whoever sends too much is refused, others are not.

usage: server_floods_test.py PAIKA-PROGRAM
"""

import json
import socket
import time
import unittest

from server_case import PAIKA, WithServer
from room_client import Player, RoomSocket
from server_client import PATIENCE, TEXT, Gone, Http, NotOpened, Server, Stream, WebSocket, frame, raw, read_answer


class Floods(WithServer):
    options = ()  # the limits as they are

    def test_requests(self):
        player = self.player()
        answers = [player.http.get("/api/me") for _ in range(260)]
        refused = [a for a in answers if a.status != 200]
        self.assertTrue(refused, "200 at once and 50 a second: 260 are too many")
        for answer in refused:
            self.refused(answer, 429, "too_often")
            self.assertGreater(answer.error["retry_after_ms"], 0)
            self.assertGreaterEqual(int(answer.header("retry-after")), 1)
        time.sleep(refused[-1].error["retry_after_ms"] / 1000 + 0.05)
        self.assertEqual(player.http.get("/api/me").status, 200, "after the time that was told it goes on")
        self.assertEqual(self.player().http.get("/api/me").status, 200, "others are not concerned")

    def test_messages(self):
        player = self.player()
        sock = player.socket
        for i in range(80):
            sock.send({"do": "leave", "room": "x", "ref": i})
        answers = [sock.receive() for _ in range(80)]
        self.assertEqual([a["ref"] for a in answers], list(range(80)), "each is answered, in order")
        refused = [a["error"] for a in answers if "error" in a]
        self.assertTrue(refused)
        self.assertEqual({e["code"] for e in refused}, {"too_often"})
        for error in refused:
            self.assertGreater(error["retry_after_ms"], 0)
        time.sleep(refused[-1]["retry_after_ms"] / 1000 + 0.15)
        self.assertEqual(sock.ask("leave", room="x").get("left"), "x")

    def test_pings_count_as_reading(self):
        """Who plays pings every second and must still be able to move; who floods is refused all the same."""
        sock = self.player().socket
        for i in range(290):
            sock.send({"do": "ping", "ref": i})
        answers = [sock.receive() for _ in range(290)]
        self.assertTrue(all(a.get("pong") for a in answers[:100]))
        self.assertLessEqual({a["error"]["code"] for a in answers if "error" in a}, {"too_often"})
        self.assertEqual(sock.ask("leave", room="x").get("left"), "x", "commands are counted apart")

    def test_malformed_messages_count_too(self):
        sock = self.web_socket(token=self.player().token)
        for _ in range(100):
            sock.send("{" * 10)
        codes = [sock.receive()["error"]["code"] for _ in range(100)]
        self.assertEqual(set(codes), {"bad_request", "too_often"})

    def test_two_sockets_are_one_person(self):
        player = self.player()
        socks = [self.web_socket(RoomSocket, token=player.token) for _ in range(4)]
        refused = sum("error" in sock.ask("leave", room="x") for _ in range(20) for sock in socks)
        self.assertGreater(refused, 10)

    def test_passwords(self):
        http = self.player().http
        answers = [http.post("/api/login", {"name": "X"}) for _ in range(14)]
        self.assertEqual([a.status for a in answers[:10]], [400] * 10)
        self.refused(answers[-1], 429, "too_often")
        self.assertGreater(answers[-1].error["retry_after_ms"], 1000)


class FloodsOfMonitors(WithServer):
    options = ()

    def test_metrics(self):
        """All at once over one connection, however slow the machine: 200, and 50 per second, are answered."""
        http = Http(self.server, source="127.0.0.3")
        request = http.request_bytes("GET", "/metrics")
        http.open()
        http.sock.sendall(request * 800 + http.request_bytes("GET", "/metrics", headers={"Connection": "close"}))
        answers = http.file.read()
        http.close()
        self.assertGreaterEqual(answers.count(b"HTTP/1.1 200"), 200)
        self.assertGreater(answers.count(b"HTTP/1.1 429"), 0)
        self.assertEqual(answers.count(b"HTTP/1.1 "), 801)
        self.assertEqual(Http(self.server).get("/metrics").status, 200, "another address is not concerned")


class FloodsOfGuests(WithServer):
    options = ()

    def test_guests_make_no_more_guests_than_their_address_may(self):
        """Each guest's token asks for more guests: together they get no more than one address may have."""
        tokens = [self.player().token]
        made = refused = most = 0
        for token in tokens:  # grows meanwhile
            if made > 300:
                break
            http = Http(self.server, token=token)
            own = 0
            for _ in range(8):
                answer = http.post("/api/guests")
                if answer.status == 201:
                    made += 1
                    own += 1
                    tokens.append(answer.json["token"])
                else:
                    refused += 1
                    self.refused(answer, 429, "too_often")
                    self.assertGreaterEqual(int(answer.header("retry-after")), 1)
            http.close()
            most = max(most, own)
        self.assertGreaterEqual(made, 199)
        self.assertLessEqual(made, 205)
        self.assertGreater(refused, 200)
        self.assertLessEqual(most, 6, "one guest makes five others, and one a minute later")
        for _ in range(20):
            self.refused(Http(self.server).post("/api/session"), 429, "too_often")
        # Who was here before is not concerned, nor is who comes from another address.
        again = Http(self.server, token=tokens[0])
        self.assertEqual(again.post("/api/session").status, 200, "a page that has a guest asks for none")
        self.assertEqual(again.post("/api/rooms", {"spec": "othello"}).status, 201)
        self.assertEqual(Http(self.server, source="127.0.0.2").post("/api/guests").status, 201)


class FloodsOfWork(WithServer):
    """What one address asks for does not hold up another, nor one kind of work another kind."""

    options = ("--workers", "1")
    LONG = {"spec": "othello", "time_ms": 30_000}

    def setUp(self):
        self.greedy = [Player(self.server, source="127.0.0.2") for _ in range(4)]
        for player in self.greedy:
            self.addCleanup(player.close)

    def analysis(self, player, source):
        stream = Stream(self.server, "/api/position/analysis", token=player and player.token, method="POST",
                        body=self.LONG, source=source)
        self.addCleanup(stream.close)
        return stream

    def wait_for_metric(self, name, wanted):
        end = time.monotonic() + PATIENCE
        while self.metric(name) != wanted:
            self.assertLess(time.monotonic(), end, f"{name} is {self.metric(name)}, not {wanted}")
            time.sleep(0.1)

    def test_analyses(self):
        streams = [self.analysis(player, "127.0.0.2") for player in self.greedy for _ in range(4)]
        refused = [s for s in streams if s.answer.status == 429]
        taken = [s for s in streams if s.answer.status == 200]
        self.assertEqual((len(taken), len(refused)), (12, 4), "three of each person")
        self.wait_for_metric("analyses_running", 1)
        self.assertEqual(self.metric("analyses_waiting"), 11, "one address has one of two threads")
        # Without an account it is the address that counts.
        for _ in range(80):
            stream = self.analysis(None, "127.0.0.2")
            (taken if stream.answer.status == 200 else refused).append(stream)
        self.assertEqual(len(taken), 64)
        # Somebody else is answered, though all that is for 30 s each.
        other = self.analysis(self.player(), None)
        self.assertEqual(other.answer.status, 200)
        self.assertIn("depth", other.line())
        # And the engine moves in games.
        player = self.player()
        room = player.open_room("othello:6x6", engine=1, side="second", move_ms=20_000)
        player.socket.watch(room, 0)
        self.assertEqual(player.socket.wait_for(room, "move")["move"], 1)
        self.assertGreater(self.metric("analyses_waiting"), 0)
        # Those who leave have no place in the queue any more, nor does the engine think for them.
        for stream in taken[1:]:
            stream.close()
        self.wait_for_metric("analyses_waiting", 0)
        taken[0].close()
        other.close()
        self.wait_for_metric("analyses_running", 0)

    def test_passwords_do_not_hold_up_reading(self):
        """500 logins at once, of which an address may have 100 in the queue; meanwhile others read lists and log in."""
        socks = []
        for i in range(500):
            sock = socket.create_connection(self.server.address, timeout=PATIENCE, source_address=("127.0.0.2", 0))
            self.addCleanup(sock.close)
            sock.sendall(Http(self.server).request_bytes("POST", "/api/login", {"name": f"name{i}", "password": "x" * 8}))
            socks.append(sock)
        while self.metric("passwords_waiting") < 50:
            time.sleep(0.005)
        http = Http(self.server)
        self.addCleanup(http.close)
        answer = http.get("/api/rooms")
        self.assertEqual(answer.status, 200)
        self.assertGreater(self.metric("passwords_waiting"), 0, "the list waited for the passwords")
        answer = http.post("/api/login", {"name": "somebody", "password": "something"})
        self.refused(answer, 403, "wrong_password")
        self.assertGreater(self.metric("passwords_waiting"), 0, "another address waited for all passwords of this one")
        statuses = []
        for sock in socks:
            with sock.makefile("rb") as file:
                answer = read_answer(file)
            statuses.append(answer.status)
            if answer.status != 403:
                self.assertIn(answer.status, (429, 503), answer)
                self.assertGreaterEqual(int(answer.header("retry-after")), 1)
        self.assertLessEqual(statuses.count(403), 260)
        self.assertGreaterEqual(statuses.count(403), 100)


class Connections(unittest.TestCase):
    def test_as_many_as_are_allowed(self):
        server = Server(PAIKA, "--max-connections", "20", "--max-per-address", "20")
        self.addCleanup(server.close)
        held = []
        for _ in range(20):
            http = Http(server)
            self.assertEqual(http.get("/healthz").status, 200)
            held.append(http)
        for _ in range(5):
            try:
                answer = raw(server, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                if answer is not None:
                    self.assertEqual((answer.status, answer.code), (503, "too_many_connections"))
                    self.assertIn("default-src 'none'", answer.header("content-security-policy"))
            except ConnectionError:
                pass
        self.assertEqual(held[0].get("/healthz").status, 200)
        for http in held[:10]:
            http.close()
        end = time.monotonic() + PATIENCE
        while True:  # the server notices the ends in its own time
            try:
                if Http(server).get("/healthz").status == 200:
                    break
            except (Gone, ConnectionError):
                pass
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        for http in held:
            http.close()

    def test_one_address_cannot_have_all(self):
        server = Server(PAIKA, "--max-connections", "40")
        self.addCleanup(server.close)
        held, refused = [], 0
        for _ in range(40):
            sock = WebSocket(server, source="127.0.0.2", wait=False)
            self.addCleanup(sock.sock.close)
            try:
                sock.shake()
                held.append(sock)
            except NotOpened as error:
                self.assertEqual((error.answer.status, error.answer.header("retry-after")), (503, "5"))
                refused += 1
        self.assertEqual((len(held), refused), (10, 30), "a quarter of all")
        self.assertEqual(Http(server).get("/healthz").status, 200)
        # Four such addresses have everything; then the one with most makes room.
        for address in ("127.0.0.3", "127.0.0.4", "127.0.0.5"):
            for _ in range(10):
                held.append(WebSocket(server, source=address))
                self.addCleanup(held[-1].sock.close)
        newcomer = Http(server, source="127.0.0.6")
        self.addCleanup(newcomer.close)
        self.assertEqual(newcomer.get("/healthz").status, 200)
        self.assertEqual(newcomer.get("/healthz").status, 200, "and it stays")

    def test_a_client_that_takes_nothing_is_cut_off(self):
        server = Server(PAIKA, "--rate-factor", "1000", log_level="info")
        self.addCleanup(server.close)
        player = Player(server)
        self.addCleanup(player.close)
        room = player.open_room("othello:6x6")
        lazy = WebSocket(server)
        self.addCleanup(lazy.sock.close)
        # Each pair is answered with a whole snapshot.
        message = b"".join(frame(TEXT, json.dumps({"do": word, "room": room}).encode()) for word in ("watch", "leave"))
        lazy.sock.settimeout(5)
        sent = 0
        try:
            for _ in range(10_000):
                lazy.sock.sendall(message)
                sent += 1
        except (ConnectionError, TimeoutError):
            pass
        end = time.monotonic() + PATIENCE
        while "paika_cut_off_total 1" not in Http(server).get("/metrics").body.decode():
            self.assertLess(time.monotonic(), end, f"not cut off after {sent} messages")
            time.sleep(0.05)
        self.assertEqual(player.http.get("/api/me").status, 200)


if __name__ == "__main__":
    unittest.main()
