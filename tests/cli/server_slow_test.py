"""`paika serve` under what takes longer: kill -9 at many moments, a soak, ten thousand sockets, slow-loris, an attack, a
fuzzer.

The figures go to standard error. PAIKA_KILLS (50) and PAIKA_SEED (11) say how often the server is killed and when,
PAIKA_SOAK_MINUTES (1) how long the soak takes.
usage: server_slow_test.py PAIKA-PROGRAM
"""

import json
import multiprocessing
import os
import random
import resource
import selectors
import socket
import sys
import threading
import time
import unittest

from room_client import Player, Rules, events_of, percentile
from server_client import TEXT, Closed, Gone, Http, Server, WebSocket, frame
from server_swarm import Swarm

PAIKA = ""
SOFT, HARD = resource.getrlimit(resource.RLIMIT_NOFILE)


def say(text):
    print(text, file=sys.stderr, flush=True)


def metric(server, name):
    for line in Http(server).get("/metrics").body.decode().splitlines():
        if line.startswith(f"paika_{name} "):
            return float(line.split()[1])
    raise AssertionError(f"no metric {name}")


class Kills(unittest.TestCase):
    def test_many_moments_in_a_hundred_games(self):
        kills, seed = int(os.environ.get("PAIKA_KILLS", "50")), int(os.environ.get("PAIKA_SEED", "11"))
        resource.setrlimit(resource.RLIMIT_NOFILE, (HARD, HARD))
        server = Server(PAIKA, "--rate-factor", "1000", log_level="info")
        self.addCleanup(server.close)
        swarm = Swarm(server, 100, seed=seed, think=0.5)
        self.addCleanup(swarm.close)
        chance = random.Random(seed)
        figures = []
        for _ in range(kills):
            swarm.run(0.05 + chance.random() * 0.9)
            figures.append(swarm.kill_and_compare())
        swarm.run(0.5)
        swarm.check_finished()
        say(f"kill -9 at {kills} moments of 100 games: {swarm.turns} turns, {len(swarm.finished)} games finished; "
            f"{sum(f['unanswered'] for f in figures)} turns without an answer, {sum(f['applied'] for f in figures)} of them "
            f"kept; clocks wrong by at most {max(f['clock_error_ms'] for f in figures):.0f} ms; restart "
            f"{percentile([f['restart_ms'] for f in figures], 50):.0f} ms, at most "
            f"{max(f['restart_ms'] for f in figures):.0f} ms")
        self.assertLess(max(f["clock_error_ms"] for f in figures), 1000)
        self.assertGreater(swarm.turns, 20 * kills)


class Visitor(threading.Thread):
    """Somebody who looks around, asks the engine and guesses passwords, on a server that comes and goes."""

    WISHES = [("GET", "/api/rooms", None), ("GET", "/api/games", None), ("GET", "/healthz", None),
              ("POST", "/api/guests", None), ("POST", "/api/login", {"name": "nobody", "password": "a wrong one"}),
              ("POST", "/api/position/analysis", {"spec": "fanorona:5x5", "time_ms": 100}),
              ("POST", "/api/position/moves", {"spec": "wildebeest"}), ("GET", "/api/rooms/nosuchroom", None)]

    def __init__(self, server, seed):
        super().__init__(daemon=True)
        self.server = server
        self.random = random.Random(seed)
        self.statuses = {}
        self.ended = threading.Event()

    def run(self):
        while not self.ended.wait(self.random.random() * 0.2):
            method, path, body = self.random.choice(self.WISHES)
            try:
                status = Http(self.server)(method, path, body).status
            except (OSError, Gone):  # it is being restarted
                status = "down"
            self.statuses[status] = self.statuses.get(status, 0) + 1


class Soak(unittest.TestCase):
    """Games, visitors and lost connections for as long as one likes, with a kill -9 every minute."""

    def test_minutes_of_everything(self):
        minutes = int(os.environ.get("PAIKA_SOAK_MINUTES", "1"))
        server = Server(PAIKA, "--rate-factor", "1000", log_level="info")
        self.addCleanup(server.close)
        swarm = Swarm(server, 60, seed=3, think=1)
        self.addCleanup(swarm.close)
        visitors = [Visitor(server, seed) for seed in range(3)]
        for visitor in visitors:
            visitor.start()
            self.addCleanup(visitor.ended.set)
        figures, memory = [], []
        for _ in range(minutes):
            for _ in range(12):
                swarm.run(5)
                swarm.break_connections(5)
            memory.append(metric(server, "resident_bytes") / 2**20)
            figures.append(swarm.kill_and_compare())
        swarm.run(1)
        swarm.check_finished()
        statuses = {}
        for visitor in visitors:
            visitor.ended.set()
            visitor.join(60)
            for status, count in visitor.statuses.items():
                statuses[status] = statuses.get(status, 0) + count
        say(f"{minutes} minutes: {swarm.turns} turns, {len(swarm.finished)} games finished, {minutes} kills, "
            f"{minutes * 60} broken pairs of connections; {sum(f['unanswered'] for f in figures)} turns without an answer, "
            f"{sum(f['applied'] for f in figures)} of them kept; before the kills {min(memory):.0f} to {max(memory):.0f} MiB; "
            f"visitors were answered {statuses}")
        self.assertFalse([status for status in statuses if isinstance(status, int) and status >= 500 and status != 503])
        self.assertGreater(swarm.turns, 60 * minutes)


class GameBeside(threading.Thread):
    """A game that is played on a server while something else happens; keeps how long each turn took to be delivered."""

    def __init__(self, server, spec="othello:6x6", pause=0.02):
        super().__init__(daemon=True)
        self.server = server
        self.spec = spec
        self.pause = pause
        self.delivered = []
        self.failure = None
        self.ended = threading.Event()

    def run(self):
        rules = Rules(self.server.program)
        try:
            players = [Player(self.server), Player(self.server)]
            while not self.ended.is_set():
                self.play_one(players, rules)
            for player in players:
                player.close()
        except BaseException as error:  # told to the thread that waits for it
            self.failure = error
        finally:
            rules.close()

    def play_one(self, players, rules):
        room = players[0].open_room(self.spec, side="first")
        assert players[1].command(room, "join").status == 200
        for player in players:
            player.socket.watch(room, 0)
        event = players[0].socket.wait_for(room, "begun")
        for number in range(1, 200):
            seat = ["first", "second"].index(event["to_move"])
            turn = random.choice(rules.turns(self.spec, event["position"]))
            begin = time.monotonic()
            players[seat].socket.send({"do": "play", "room": room, "move": turn, "id": str(number)})
            event = players[1 - seat].socket.wait_for(room, "move", move=number)
            self.delivered.append(time.monotonic() - begin)
            if event["over"] or self.ended.is_set():
                return
            time.sleep(self.pause)

    def finish(self):
        self.ended.set()
        self.join(60)
        if self.failure:
            raise self.failure

    def __str__(self):
        ms = [value * 1000 for value in self.delivered]
        return (f"{len(ms)} turns beside it: p50 {percentile(ms, 50):.1f} ms, p99 {percentile(ms, 99):.1f} ms, "
                f"at most {max(ms, default=0):.1f} ms")


def ticks(pid):
    """The processor seconds that a process has used."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Crowds(unittest.TestCase):
    def setUp(self):
        # The server starts with the usual low limit and has to raise it by itself.
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(1024, HARD), HARD))
        self.server = Server(PAIKA, "--rate-factor", "1000", "--max-per-address", "20000", log_level="info")
        self.addCleanup(self.server.close)
        resource.setrlimit(resource.RLIMIT_NOFILE, (HARD, HARD))
        self.game = GameBeside(self.server)

    def tearDown(self):
        self.assertIsNone(self.server.process.poll(), "the server has ended")

    @staticmethod
    def answer_pings(selector, seconds):
        """Idle clients still answer when they are asked whether they are there."""
        end = time.monotonic() + seconds
        while True:
            for key, _ in selector.select(max(0.0, end - time.monotonic())):
                key.data.feed(key.data.sock.recv(4096))
            if time.monotonic() >= end:
                return

    def test_ten_thousand_idle_sockets(self):
        wanted = min(10_000, HARD - 500)
        if wanted < 10_000:
            say(f"this machine allows {HARD} files: {wanted} sockets instead of 10000")
        before = metric(self.server, "resident_bytes")
        begin = time.monotonic()
        held = []
        selector = selectors.DefaultSelector()
        self.addCleanup(selector.close)
        for i in range(wanted):
            held.append(WebSocket(self.server))
            selector.register(held[-1], selectors.EVENT_READ, held[-1])
            if i % 500 == 0:
                self.answer_pings(selector, 0)
        opened = time.monotonic() - begin
        self.assertEqual(metric(self.server, "sockets"), wanted)
        self.game.start()
        used = ticks(self.server.process.pid)
        self.answer_pings(selector, 8)
        used = ticks(self.server.process.pid) - used
        self.game.finish()
        memory = metric(self.server, "resident_bytes") - before
        self.assertGreaterEqual(metric(self.server, "sockets"), wanted, "idle sockets were closed")
        say(f"{wanted} idle sockets: opened in {opened:.1f} s, {memory / wanted / 1024:.1f} KB each, "
            f"{used / 8:.1%} of a processor; {self.game}")
        self.assertLess(memory / wanted, 64 * 1024)
        self.assertTrue(self.game.delivered, "nobody could play meanwhile")
        self.assertLess(used, 8)
        # One of them is as good as new.
        held[-1].send({"do": "ping"})
        self.assertEqual(held[-1].receive(), {"pong": True})
        for sock in held:
            sock.sock.close()
        end = time.monotonic() + 60
        while metric(self.server, "sockets") > 2:
            self.assertLess(time.monotonic(), end, "sockets of clients that are gone stay")
            time.sleep(0.1)

    def test_slow_loris(self):
        """Clients that send a byte now and then hold a connection for ten seconds, and nobody up."""
        count = 500
        self.game.start()
        head = b"POST /api/rooms HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
        sockets = {}
        begin = time.monotonic()
        for i in range(count):
            sock = socket.create_connection(self.server.address, timeout=10)
            if i % 5 == 4:  # some are slow with the body
                sock.sendall(b"POST /api/rooms HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n")
            elif i % 5 == 3:  # some say nothing at all
                pass
            else:
                sock.sendall(head)
            sock.setblocking(False)
            sockets[sock] = i % 5
        ended = {"head": 0.0, "body": 0.0}
        while sockets and time.monotonic() - begin < 60:
            for sock in list(sockets):
                gone = False
                try:
                    if sockets[sock] != 3:
                        sock.send(b"x")
                    gone = sock.recv(4096) == b""
                except BlockingIOError:
                    pass
                except ConnectionError:
                    gone = True
                if gone:
                    kind = "body" if sockets.pop(sock) == 4 else "head"
                    ended[kind] = max(ended[kind], time.monotonic() - begin)
                    sock.close()
            time.sleep(0.5)
        self.game.finish()
        say(f"slow-loris of {count}: heads cut off after {ended['head']:.1f} s, bodies after {ended['body']:.1f} s; "
            f"{self.game}")
        self.assertFalse(sockets, "slow connections stay open")
        self.assertLess(ended["head"], ended["body"])
        self.assertTrue(self.game.delivered, "nobody could play meanwhile")
        self.assertGreaterEqual(metric(self.server, "too_slow_total"), count * 0.9)


class Attack(unittest.TestCase):
    """One address asks at once for 2,000 guests, 500 logins, 520 analyses, 500 games against the engine, 200 exports and
    1,000 rooms that are not there, and for rematches again and again, while others play from another one."""

    ATTACKER = "127.0.0.2"
    GAME = {"spec": "othello", "engine": 14, "side": "second", "move_ms": 60_000}  # the engine begins
    ATTACK = ([("POST", "/api/guests", None)] * 2000 +
              [("POST", "/api/login", {"name": f"victim{i}", "password": "a wrong one"}) for i in range(500)] +
              [("POST", "/api/position/analysis", {"spec": "othello", "time_ms": 30_000})] * 520 +
              [("POST", "/api/rooms", GAME)] * 500 +
              [("GET", "/api/account/export", None)] * 200 +
              [("GET", f"/api/rooms/nosuchroom{i:02}", None) for i in range(100)] * 10)
    # On a machine that is slow without any attack, what an attack may add is told by how slow that is.
    P99_S, P99_FACTOR = 0.05, 3

    def setUp(self):
        resource.setrlimit(resource.RLIMIT_NOFILE, (HARD, HARD))
        self.server = Server(PAIKA, log_level="info")
        self.addCleanup(self.server.close)
        self.failure = None

    def attack(self, ended, result):
        """Sends everything at once, with the tokens of the guests it gets, and holds what is not answered. In a process
        of its own, which tells how often it was answered with what."""
        self.statuses = {}
        selector = selectors.DefaultSelector()
        tokens = [None]
        requests = list(self.ATTACK)
        random.Random(5).shuffle(requests)
        socks = []
        http = Http(self.server, source=self.ATTACKER)
        http.token = http.post("/api/guests").json["token"]  # before the address has used up its guests
        again = threading.Thread(target=self.want_rematches, args=(http, ended), daemon=True)
        again.start()
        try:
            for method, path, body in requests:
                sock = socket.create_connection(self.server.address, timeout=20, source_address=(self.ATTACKER, 0))
                sock.sendall(Http(self.server, token=random.choice(tokens)).request_bytes(method, path, body))
                selector.register(sock, selectors.EVENT_READ, path.rstrip("0123456789"))
                socks.append(sock)
                self.hear(selector, tokens, 0)
            while not ended.is_set():
                self.hear(selector, tokens, 0.1)
            again.join(10)
            result.put(self.statuses)
        except BaseException as error:  # told to whoever waits for it
            result.put({"failure": repr(error)})

    def want_rematches(self, http, ended):
        """Gives up against the engine and asks for a rematch, which is another game, as fast as that is answered."""
        count = self.statuses.setdefault("rematches", {})
        while not ended.is_set():
            opened = http.post("/api/rooms", self.GAME)
            if opened.status != 201:  # as many are open as may be
                time.sleep(0.2)
                continue
            room = opened.json["room"]
            while room and not ended.is_set():
                http.post(f"/api/rooms/{room}/resign")
                wanted = http.post(f"/api/rooms/{room}/offer", {"what": "rematch"})
                count[wanted.status] = count.get(wanted.status, 0) + 1
                snapshot = http.get(f"/api/rooms/{room}")
                room = snapshot.json["rematch"] if snapshot.status == 200 and wanted.status == 200 else None

    def hear(self, selector, tokens, seconds):
        for key, _ in selector.select(seconds):
            try:
                data = key.fileobj.recv(65536)
            except ConnectionError:
                data = b""
            if data.startswith(b"HTTP/1.1 "):
                count = self.statuses.setdefault(key.data, {})
                status = int(data.split()[1])
                count[status] = count.get(status, 0) + 1
                if status == 201 and key.data == "/api/guests":
                    tokens.append(json.loads(data.split(b"\r\n\r\n", 1)[1])["token"])
            if not data:
                selector.unregister(key.fileobj)

    def play_with_engine(self, player, seconds):
        """Plays against the engine; how many moves it has made."""
        moves, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            room = player.open_room("othello:6x6", engine=2, side="first", move_ms=60_000)
            player.socket.watch(room, 0)
            event = player.socket.wait_for(room, "begun")
            while not event.get("over") and time.monotonic() < end:
                if event["to_move"] == "first":
                    turn = self.rules.turns("othello:6x6", event["position"])[0]
                    self.assertEqual(player.command(room, "play", move=turn, id=str(event["number"])).status, 200)
                moves += event["to_move"] == "second"  # the next move is the engine's
                event = player.socket.wait(room, lambda e, n=event["number"]: e["event"] == "move" and e["number"] > n)
                time.sleep(0.1)  # nobody plays faster than a person may
            player.command(room, "resign")
        return moves

    def requests_beside(self, seconds, times):
        """Somebody who reads lists and opens rooms; how long each request takes."""
        try:
            player = Player(self.server)
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                for path in ("/api/rooms", "/api/me", "/api/games", f"/api/players/{player.name}/games"):
                    begin = time.monotonic()
                    answer = player.http.get(path)
                    times.append(time.monotonic() - begin)
                    assert answer.status == 200, answer
                    time.sleep(0.02)
            player.close()
        except BaseException as error:  # told to the thread that waits for it
            self.failure = error

    def measure(self, seconds):
        """Two games and a reader for so long; how long requests and turns took, and how often the engine moved."""
        game, times = GameBeside(self.server, pause=0.2), []
        reader = threading.Thread(target=self.requests_beside, args=(seconds, times))
        player = Player(self.server)
        game.start()
        reader.start()
        moves = self.play_with_engine(player, seconds)
        reader.join()
        game.finish()
        player.close()
        if self.failure:
            raise self.failure
        return times, game.delivered, moves

    def test_players_at_another_address_do_not_notice(self):
        self.rules = Rules(PAIKA)
        self.addCleanup(self.rules.close)
        calm = self.measure(8)
        ended, result = multiprocessing.Event(), multiprocessing.Queue()
        attacker = multiprocessing.Process(target=self.attack, args=(ended, result), daemon=True)
        attacker.start()
        self.addCleanup(attacker.kill)
        attacked = self.measure(20)
        waiting = {name: metric(self.server, f"{name}_waiting") for name in ("passwords", "analyses", "engines")}
        ended.set()
        statuses = result.get(timeout=60)
        attacker.join(60)
        self.assertNotIn("failure", statuses)
        for name, (times, delivered, moves) in (("before", calm), ("under attack", attacked)):
            say(f"{name}: {len(times)} requests, p50 {percentile(times, 50) * 1000:.1f} ms, "
                f"p99 {percentile(times, 99) * 1000:.1f} ms; {len(delivered)} turns, "
                f"p50 {percentile(delivered, 50) * 1000:.1f} ms, p99 {percentile(delivered, 99) * 1000:.1f} ms; "
                f"{moves} engine moves")
        say(f"the attack was answered with {statuses}; waiting at the end: {waiting}")
        self.assertLessEqual(statuses["/api/guests"].get(201, 0), 205)
        self.assertLessEqual(statuses["/api/login"].get(403, 0), 320)
        self.assertLessEqual(statuses["/api/position/analysis"].get(200, 0), 64 + 4)
        self.assertGreater(statuses["rematches"].get(200, 0), 0)
        self.assertLessEqual(statuses["/api/rooms"].get(201, 0) + statuses["rematches"].get(200, 0), 200 + 5 * 60)
        self.assertGreater(attacked[2], 0, "engine games do not move")
        for name, before, after in zip(("requests", "turns"), calm, attacked):
            bound = max(self.P99_S, self.P99_FACTOR * percentile(before, 99))
            self.assertLess(percentile(after, 99), bound, f"players at another address notice: {name}")
        self.assertGreater(len(attacked[1]), len(calm[1]) * 20 / 8 / 10, "games go on")


class Fuzzer(unittest.TestCase):
    COUNT = 10_000  # of requests, and as many messages

    def setUp(self):
        self.server = Server(PAIKA, "--rate-factor", "100000", log_level="warning")
        self.addCleanup(self.server.close)
        self.chance = random.Random(2024)
        self.rules = Rules(PAIKA)
        self.addCleanup(self.rules.close)
        one, two = Player(self.server), Player(self.server)
        self.fuzzer = Player(self.server)
        self.quiet = one.open_room("fanorona:5x5", side="first")  # the fuzzer is a stranger here
        two.command(self.quiet, "join")
        turn = self.rules.turns("fanorona:5x5", one.snapshot(self.quiet)["position"])[0]
        self.assertEqual(one.command(self.quiet, "play", move=turn, id="1").status, 200)
        self.noisy = self.fuzzer.open_room("othello", side="first")  # and a player here
        two.command(self.noisy, "join")
        self.one = one

    def state(self):
        snapshot = self.one.snapshot(self.quiet)
        return {key: snapshot[key] for key in ("state", "position", "moves", "to_move", "seats", "offers", "result")}

    def message(self):
        room = self.chance.choice([self.quiet, self.noisy, "nosuchroom", ""])
        return self.chance.choice([
            {"do": "play", "room": room, "move": self.chance.choice(["f5", "d3", "c2c3A", "a1b2A,c1W", "pass"]), "id": "x",
             "number": 1, "ref": 17}, {"do": "watch", "room": room, "since": 0}, {"do": "leave", "room": room},
            {"do": "ping", "ref": None}, {"do": "say", "room": room, "text": "hé \U0001f600"}, {"do": "join", "room": room},
            {"do": "say", "room": room, "preset": "hello"}, {"do": "offer", "room": room, "what": "draw"},
            {"do": "agree", "room": room, "what": "takeback"}, {"do": "decline", "room": room, "what": "rematch"}])

    def request(self):
        path, body = self.chance.choice([
            ("/api/rooms", {"spec": "othello:6x6", "move_ms": 100000, "side": "first"}),
            ("/api/rooms", {"spec": "fanorona", "engine": 1, "clock_ms": 60000, "increment_ms": 0, "listed": True}),
            (f"/api/rooms/{self.quiet}/play", {"move": "c2c3A", "id": "y"}), (f"/api/rooms/{self.noisy}/say", {"text": "x"}),
            (f"/api/rooms/{self.quiet}/join", {}), ("/api/position/moves", {"spec": "othello", "position": "x"}),
            ("/api/account/tokens", {"label": "fuzz"}), ("/api/session", None), ("/api/login", {"name": "a"})])
        method = self.chance.choice(["POST", "POST", "GET", "DELETE", "PUT", "HEAD"])
        path += self.chance.choice(["", "", "?since=1", "?state=open&before=5", "/stream?since=0", "/record", "/"])
        return self.fuzzer.http.request_bytes(method, path, body)

    def mutate(self, data):
        data = bytearray(data)
        for _ in range(self.chance.choice([0, 1, 1, 2, 5, 20])):
            if not data:
                break
            at = self.chance.randrange(len(data))
            way = self.chance.randrange(7)
            if way == 0:
                data[at] ^= 1 << self.chance.randrange(8)
            elif way == 1:
                data[at:at] = bytes([self.chance.randrange(256)]) * self.chance.choice([1, 3, 70])
            elif way == 2:
                del data[at:at + self.chance.choice([1, 4, 40])]
            elif way == 3:
                data[at:at] = data[at:at + self.chance.choice([4, 30])] * self.chance.choice([1, 2, 9])
            elif way == 4:
                data[at:at] = self.chance.choice([b'"', b"{", b"}", b"[", b"\\u0000", b"null", b"-1", b"1e999",
                                                  b"\r\n", b"\xff", b"%00", b"\\ud800", b"99999999999999999999", b":", b","])
            elif way == 5:
                data[at:] = b""
            else:
                other = self.chance.randrange(len(data))
                data[at], data[other] = data[other], data[at]
        return bytes(data)

    def send_request(self, data):
        with socket.create_connection(self.server.address, timeout=20) as sock:
            try:
                sock.sendall(data)
                sock.shutdown(socket.SHUT_WR)
                head = sock.recv(4096)
                while sock.recv(65536):
                    pass
            except ConnectionError:
                return 0
        return int(head.split()[1]) if head.startswith(b"HTTP/1.1 ") else 0

    def test_twenty_thousand_messages(self):
        before = self.state()
        statuses, closes, answers = {}, {}, 0
        begin = time.monotonic()
        for _ in range(self.COUNT):
            status = self.send_request(self.mutate(self.request()))
            statuses[status] = statuses.get(status, 0) + 1
            self.assertNotIn(status, (500, 503), "the server's own fault")
        sock = None
        for _ in range(self.COUNT):
            if sock is None:
                sock = WebSocket(self.server, token=self.fuzzer.token)
            text = json.dumps(self.message()).encode()
            try:
                # Mostly the text is changed, sometimes the frame itself: then nothing that follows would be understood.
                if self.chance.random() < 0.8:
                    sock.send_frame(TEXT, self.mutate(text))
                    sock.receive(20)
                    answers += 1
                else:
                    sock.send_bytes(self.mutate(frame(TEXT, text)))
                    sock.sock.shutdown(socket.SHUT_WR)
                    while True:
                        sock.receive(20)
                        answers += 1
            except (Closed, OSError) as closed:
                code = getattr(closed, "code", 1006)
                closes[code] = closes.get(code, 0) + 1
                sock.sock.close()
                sock = None
        seconds = time.monotonic() - begin
        self.assertIsNone(self.server.process.poll(), "the server has ended")
        self.assertEqual(self.state(), before, "a stranger has changed a game")
        noisy = events_of(self.server, self.noisy)
        self.server.kill()
        self.server.restart()
        self.assertEqual(self.state(), before)
        self.assertEqual(events_of(self.server, self.noisy), noisy)
        log = self.server.log()
        self.assertNotIn('"level":"error"', log.replace(" ", ""), log[-2000:])
        say(f"{2 * self.COUNT} mutated messages in {seconds:.0f} s: answers {dict(sorted(statuses.items()))} (0: hung up), "
            f"sockets closed {dict(sorted(closes.items()))}, {answers} messages answered, {len(noisy)} events")


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
