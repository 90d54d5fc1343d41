"""`paika serve` as a process: graceful stops, crashes and restarts, the command line, the log and the clock.

usage: server_process_test.py PAIKA-PROGRAM
"""

import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

from room_client import Player, Rules, events_of
from server_client import PATIENCE, Closed, Http, Server, address_told
from server_swarm import Swarm

PAIKA = ""


class Restarts(unittest.TestCase):
    def test_a_graceful_stop_keeps_everything(self):
        server = Server(PAIKA, "--rate-factor", "1000")
        self.addCleanup(server.close)
        one, two = Player(server), Player(server)
        room = one.open_room("othello:6x6", side="first", clock_ms=600_000)
        self.assertEqual(two.command(room, "join").status, 200)
        rules = Rules(PAIKA)
        self.addCleanup(rules.close)
        turn = rules.turns("othello:6x6", one.snapshot(room)["position"])[0]
        one.socket.watch(room, 0)
        number = one.do(room, "play", move=turn, id="first")["accepted"]["number"]
        one.socket.wait_number(room, number)
        before = list(one.socket.events[room])
        left = one.snapshot(room)["left"]["second"]["game_ms"]
        read = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        with self.assertRaises(Closed) as closed:
            while True:
                one.socket.receive()
        self.assertEqual(closed.exception.code, 1001, "a web socket is told that the server goes")
        one.drop()
        self.assertEqual(server.wait(), 0)
        served = time.monotonic() - read
        time.sleep(1.2)  # time that passes without the server is nobody's
        server.restart()
        started = time.monotonic()
        self.assertEqual(events_of(server, room), before)
        after = one.snapshot(room)["left"]["second"]["game_ms"]
        self.assertLessEqual(after, left + 250, "nobody wins more than what was not kept")
        self.assertGreaterEqual(after, left - 1000 - (served + time.monotonic() - started) * 1000)
        one.socket.watch(room, number)
        self.assertTrue(one.do(room, "play", move=turn, id="first")["accepted"]["repeated"])
        turn = rules.turns("othello:6x6", one.snapshot(room)["position"])[0]
        self.assertEqual(two.command(room, "play", move=turn, id="second").status, 200)
        one.socket.wait_for(room, "move", move=2)
        one.close()
        two.close()
        self.assertEqual(server.stop(signal.SIGINT), 0)

    def test_an_engine_goes_on(self):
        """The engine is to move when the server is killed: it moves after the restart."""
        server = Server(PAIKA, "--rate-factor", "1000")
        self.addCleanup(server.close)
        bot = Player(server)
        self.addCleanup(bot.close)
        room = bot.open_room("othello", side="second", engine=10)
        server.kill()
        server.restart()
        bot.socket.watch(room, 0)
        bot.socket.wait_for(room, "move", seat="first")

    def test_a_clock_runs_until_the_crash(self):
        """Without any event for a while: a crash gives back a moment, not the whole thought."""
        server = Server(PAIKA, "--rate-factor", "1000")
        self.addCleanup(server.close)
        one, two = Player(server), Player(server)
        room = one.open_room("othello:6x6", side="first", clock_ms=600_000)
        self.assertEqual(two.command(room, "join").status, 200)
        joined = time.monotonic()
        time.sleep(1.5)
        server.kill()
        thought = time.monotonic() - joined
        server.restart()
        started = time.monotonic()
        used = 600 - one.snapshot(room)["left"]["first"]["game_ms"] / 1000
        self.assertGreater(used, thought - 1)
        self.assertLess(used, thought + 1 + time.monotonic() - started)
        one.close()
        two.close()

    def test_kill_9(self):
        """Killed at five random moments during fifteen running games."""
        server = Server(PAIKA, "--rate-factor", "1000", log_level="info")
        self.addCleanup(server.close)
        swarm = Swarm(server, 15, seed=7)
        self.addCleanup(swarm.close)
        chance = random.Random(7)
        figures = []
        for _ in range(5):
            swarm.run(0.2 + chance.random() * 0.8)
            figures.append(swarm.kill_and_compare())
        swarm.run(0.3)
        swarm.check_finished()
        self.assertLess(max(f["clock_error_ms"] for f in figures), 1000, figures)
        self.assertGreater(swarm.turns, 50)
        print(f"kill -9: {swarm.turns} turns, {len(swarm.finished)} games finished, "
              f"{sum(f['unanswered'] for f in figures)} turns without an answer of which "
              f"{sum(f['applied'] for f in figures)} were kept, clocks wrong by at most "
              f"{max(f['clock_error_ms'] for f in figures):.0f} ms", file=sys.stderr)


class CommandLine(unittest.TestCase):
    def serve(self, *args, environment=None):
        done = subprocess.run([PAIKA, "serve", *args], capture_output=True, timeout=PATIENCE, check=False,
                              env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL)
        done.out, done.err = done.stdout.decode(), done.stderr.decode()
        return done

    def test_one_server_a_file_and_one_a_port(self):
        server = Server(PAIKA)
        self.addCleanup(server.close)
        done = self.serve("--listen", "127.0.0.1:0", "--db", str(server.database))
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("games.db", done.err)
        self.assertEqual(done.out, "")
        with tempfile.TemporaryDirectory() as folder:
            done = self.serve("--listen", f"127.0.0.1:{server.port}", "--db", f"{folder}/games.db")
        self.assertEqual(done.returncode, 2, done)
        self.assertIn(str(server.port), done.err)
        for port in (["--port", str(server.port)], ["--listen", str(server.port)]):
            with self.subTest(port), tempfile.TemporaryDirectory() as folder:
                done = self.serve(*port, "--db", f"{folder}/games.db")
                self.assertIn(f"port {server.port} of 127.0.0.1 is taken", done.err)
        self.assertEqual(Http(server).get("/healthz").json, {"ok": True}, "the first one goes on")

    def test_bad_options(self):
        with tempfile.TemporaryDirectory() as folder:
            rubbish = pathlib.Path(folder) / "rubbish.db"
            rubbish.write_bytes(b"this is no database, however long it may be\n" * 200)
            database = f"{folder}/games.db"
            for args, part in ((["--listen", "nonsense"], "--listen"), (["--listen", "127.0.0.1:99999"], "--listen"),
                               (["--listen", ":80"], "--listen"), (["--listen", "no.such.host.invalid:0"], "no.such.host"),
                               (["--workers", "0"], "--workers"), (["--rate-factor", "0"], "--rate-factor"),
                               (["--log-level", "loud"], "--log-level"), (["--max-connections", "x"], "--max-connections"),
                               (["--web", f"{folder}/none"], "none"), (["--db", f"{rubbish}/games.db"], "rubbish.db"),
                               (["--db", str(rubbish)], "rubbish.db"), (["--nonsense"], "--nonsense"),
                               (["--origin", "not a url"], "--origin"), (["extra"], "extra")):
                with self.subTest(args):
                    base = ["--listen", "127.0.0.1:0"] if args[0] != "--listen" else []
                    done = self.serve(*base, *(["--db", database] if args[0] != "--db" else []), *args)
                    self.assertEqual(done.returncode, 2, done)
                    self.assertIn(part, done.err)
                    self.assertEqual(done.out, "")

    def test_paika_alone_serves(self):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", 7420)) == 0:
                self.skipTest("port 7420 is in use on this machine")
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen([PAIKA], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                       env={**os.environ, "HOME": folder, "XDG_DATA_HOME": f"{folder}/data"})
            try:
                address = address_told(process)
                self.assertEqual(address, ("127.0.0.1", 7420))
                with socket.create_connection(address, timeout=PATIENCE) as sock:
                    sock.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:7420\r\nConnection: close\r\n\r\n")
                    page = b"".join(iter(lambda: sock.recv(65536), b""))
                self.assertIn(b"200 OK", page.split(b"\r\n")[0])
                self.assertIn(b"text/html", page)
                self.assertTrue(list(pathlib.Path(folder).rglob("games.db")), "the file is in the user's data folder")
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(PATIENCE), 0)
            finally:
                process.kill()
                process.communicate()

    def test_the_log(self):
        server = Server(PAIKA)
        self.addCleanup(server.close)
        self.assertEqual(server.stop(), 0)
        lines = [json.loads(line) for line in server.log().splitlines()]
        self.assertEqual([lines[0]["event"], lines[-1]["event"]], ["started", "stopped"])
        for line in lines:
            self.assertRegex(line["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
            self.assertIn(line["level"], ("debug", "info", "warning", "error"))


JUMPING_CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t id, struct timespec* time) {
  static int (*real)(clockid_t, struct timespec*);
  if (!real) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  const int status = real(id, time);
  if (id != CLOCK_REALTIME) return status;
  FILE* file = fopen(getenv("JUMP_FILE"), "r");
  long days = 0;
  if (file) {
    if (fscanf(file, "%ld", &days) != 1) days = 0;
    fclose(file);
  }
  time->tv_sec += days * 86400;
  return status;
}
"""


class AClockThatJumps(unittest.TestCase):
    """The system's clock is a hundred days ahead for a moment. (A library in front of the system's changes it.)"""

    def test_nobody_is_deleted(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="paika-clock-"))  # LD_PRELOAD takes no blanks
        self.addCleanup(shutil.rmtree, folder, True)
        jump = folder / "jump"
        jump.write_text("0", encoding="ascii")
        (folder / "clock.c").write_text(JUMPING_CLOCK, encoding="ascii")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "clock.so", folder / "clock.c", "-ldl"], check=True)
        environment = {"LD_PRELOAD": str(folder / "clock.so"), "JUMP_FILE": str(jump)}
        with unittest.mock.patch.dict(os.environ, environment):
            server = Server(PAIKA)
        self.addCleanup(server.close)
        guests = []
        for _ in range(5):
            http = Http(server, origin=server.origin)
            self.addCleanup(http.close)
            http.cookie = http.post("/api/session").cookie()
            guests.append((http, http.get("/api/me").json["person"]))
        room = guests[0][0].post("/api/rooms", {"spec": "othello", "listed": True}).json["room"]
        for days in (100, -100, 100):
            jump.write_text(str(days), encoding="ascii")
            end = time.monotonic() + 1
            while time.monotonic() < end:
                for http, person in guests:
                    self.assertEqual(http.get("/api/me").json["person"], person, "the session seems to have ended")
                time.sleep(0.05)
            jump.write_text("0", encoding="ascii")
        for http, person in guests:
            self.assertEqual(http.get("/api/me").json["person"], person)
        self.assertEqual(guests[1][0].get(f"/api/rooms/{room}").status, 200)
        self.assertEqual(server.sql("SELECT count(*) FROM people"), "5")
        self.assertEqual(server.sql("SELECT count(*) FROM sessions"), "5")


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
