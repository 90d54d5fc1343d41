"""Bots of classes that are built, checked and played by workers which are other processes than the server.

usage: ladder_workers_test.py PAIKA-PROGRAM
"""

import concurrent.futures
import json
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import time
import unittest

import classes_test
from postgresql import Cluster, needs_postgresql
from server_case import PAIKA
from server_client import PATIENCE, Http, Server

PAIRS = 6
KILLS = 8


def python_bot(which):
    """Always plays the legal move at this place of the list."""
    return {"name": f"Number {which}", "run": "python3 bot.py",
            "files": [{"path": "bot.py", "text": classes_test.GOOD.format(secret="none", which=which)}]}


class WithWorkers(classes_test.WithServer):
    """A server that leaves all to others."""

    options = ("--rate-factor", "1000", "--ladder-workers", "0", "--behind-proxy")

    @classmethod
    def setUpClass(cls):
        cls.server = Server(PAIKA, *cls.options, log_level="info")
        cls.addClassCleanup(cls.server.close)

    def queue(self, server=None):
        server = server or self.server
        return server.where if server.where.startswith("postgresql:") else str(server.folder / f"{server.where}.queue")

    def start(self, queue, *options):
        log = open(self.server.folder / "worker.log", "ab")
        self.addCleanup(log.close)
        worker = subprocess.Popen([PAIKA, "worker", "--db", queue, "--threads", "1", *options], stderr=log,
                                  stdout=subprocess.DEVNULL)

        def end():
            worker.kill()
            worker.wait()

        self.addCleanup(end)
        return worker

    def worker_log(self):
        text = (self.server.folder / "worker.log").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    def until(self, what, why):
        end = time.monotonic() + PATIENCE
        while not (found := what()):
            self.assertLess(time.monotonic(), end, why)
            time.sleep(0.05)
        return found

    def metrics(self):
        return Http(self.server).get("/metrics").body.decode()


class Checks(WithWorkers):
    def test_a_foreign_worker_builds_and_checks(self):
        teacher, anna, bert = self.member(), self.member(), self.member()
        made = self.found(teacher)
        for person in (anna, bert):
            self.join(person, made)
        handed_in = anna.post(f"/api/classes/{made['id']}/bots", classes_test.shell_bot(),
                              headers={"X-Request-Id": "from-the-proxy-17"})
        self.assertEqual((handed_in.status, handed_in.header("x-request-id")), (201, "from-the-proxy-17"), handed_in)
        good = handed_in.json["bot"]
        bad = self.hand_in(bert, made, {**python_bot(1), "build": "echo compiling; exit 7"})
        time.sleep(1)
        self.assertEqual(self.bot(anna, made, good)["bot"]["state"], "waiting", "nobody is there to build it")
        self.until(lambda: 'paika_jobs_waiting{kind="bot"} 2' in self.metrics(), "two wait")
        self.start(self.queue())
        self.assertEqual(self.examined(anna, made, good)["state"], "accepted")
        told = self.examined(bert, made, bad)
        self.assertEqual(told["state"], "refused")
        self.assertIn("compiling", told["report"])
        self.assertIn("status 7", told["report"])
        # What was built has travelled too.
        self.join(teacher, made)
        other = self.hand_in(teacher, made, python_bot(-1))
        self.assertEqual(self.examined(teacher, made, other)["state"], "accepted")
        games = self.games(anna, made, 2)
        self.assertEqual({game["failure"] for game in games}, {None}, games)
        done = [line for line in self.worker_log() if line.get("request") == "from-the-proxy-17"]
        self.assertEqual([line["event"] for line in done], ["job_taken", "job_done"], "one id finds it on every node")
        self.assertIn('paika_jobs_done_total{kind="bot"} 3', self.until(
            lambda: text if 'paika_jobs_done_total{kind="game"} 2' in (text := self.metrics()) else None, "counted"))

    def test_a_worker_of_another_version_is_refused(self):
        teacher, anna = self.member(), self.member()
        made = self.found(teacher)
        self.join(anna, made)
        self.hand_in(anna, made, python_bot(1))
        with sqlite3.connect(self.queue(), timeout=30) as queue:
            self.until(lambda: queue.execute("SELECT count(*) FROM jobs WHERE topic = 'ladder'").fetchone()[0],
                       "nothing is offered")
            queue.execute("UPDATE jobs SET version = '0.0.7'")
        done = subprocess.run([PAIKA, "worker", "--db", self.queue()], capture_output=True, text=True, timeout=60,
                              check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("the jobs in this queue are for Paika 0.0.7, and this is", done.stderr)
        self.assertIn("workers need the same version", done.stderr)


class Talkative(WithWorkers):
    def test_a_build_that_says_much_does_not_fill_the_queue(self):
        """Who directs reads all of it again and again."""
        teacher, anna = self.member(), self.member()
        made = self.found(teacher)
        self.join(anna, made)
        bot = self.hand_in(anna, made, {**python_bot(1), "build": "yes é | head -c 400000; sleep 1; exit 7"})
        self.start(self.queue())
        with sqlite3.connect(self.queue(), timeout=30) as queue:

            def reported():
                return queue.execute("SELECT coalesce(max(length(CAST(progress AS BLOB))), 0) FROM jobs").fetchone()[0]

            self.until(lambda: reported() >= 65536, "it is reported")
            time.sleep(0.5)
            self.assertLess(reported(), 65540)
        self.assertEqual(self.examined(anna, made, bot)["state"], "refused")


class Analyses(WithWorkers):
    """What takes long is left to workers: the same lines come, whoever makes them."""

    options = (*WithWorkers.options, "--remote-analyses", "4")

    def ask(self, path, body, server=None):
        answer = Http(server or self.server).post(path, body, headers={"X-Request-Id": "analysis-of-a-test"})
        self.assertEqual(answer.status, 200, answer)
        return [json.loads(line) for line in answer.body.decode().splitlines()]

    def test_a_worker_analyses_and_reviews(self):
        here = Server(PAIKA, "--rate-factor", "1000")
        self.addCleanup(here.close)
        analysis = ("/api/position/analysis", {"spec": "othello:6x6", "depth": 5, "lines": 2})
        review = ("/api/review", {"spec": "othello:6x6", "moves": ["b3"], "time_ms": 50})
        self.start(self.queue())
        lines = self.ask(*analysis)
        expected = self.ask(*analysis, server=here)
        depths = [line["depth"] for line in lines]
        self.assertEqual(depths, sorted(depths), "a reader that is slow misses some, as here")
        self.assertEqual(depths[-1], expected[-1]["depth"])
        self.assertEqual(lines[-1]["best"], expected[-1]["best"])
        self.assertTrue(self.ask(*review)[-1]["done"])
        done = [line for line in self.worker_log() if line.get("request") == "analysis-of-a-test"]
        self.assertGreaterEqual([line["event"] for line in done].count("job_done"), 1)

    def test_an_analysis_that_the_queue_has_lost_ends(self):
        queue = sqlite3.connect(self.queue(), timeout=30, isolation_level=None)
        self.addCleanup(queue.close)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            answer = pool.submit(self.ask, "/api/position/analysis", {"spec": "othello:6x6", "depth": 5})
            self.until(lambda: queue.execute("DELETE FROM jobs WHERE kind = 'analysis'").rowcount, "it is offered")
            lines = answer.result(PATIENCE)
        self.assertEqual([line["error"]["code"] for line in lines], ["storage"])

    def test_what_is_refused_is_refused_at_once(self):
        answer = Http(self.server).post("/api/position/analysis", {"spec": "othello", "time_ms": 10**9})
        self.assertEqual(answer.status, 400, "no worker was asked")


class Hostile(WithWorkers):
    def test_what_a_worker_makes_up_is_not_believed(self):
        teacher, anna = self.member(), self.member()
        made = self.found(teacher)
        self.join(anna, made)
        bot = self.hand_in(anna, made, python_bot(1))
        lies = ["nonsense", "{}", json.dumps({"accepted": True, "report": "trust me", "pack": "a" * 64}),
                json.dumps({"accepted": True, "report": "trust me", "pack": ""})]
        for number, lie in enumerate(lies, 1):
            self.until(lambda lie=lie: self.deliver(lie), "it is offered again")
            self.until(lambda number=number: self.server.log().count('"ladder_result_rejected"') == number, "it is refused")
            self.assertNotEqual(self.bot(anna, made, bot)["bot"]["state"], "accepted")
        self.start(self.queue())
        self.assertEqual(self.examined(anna, made, bot)["state"], "accepted", "an honest one does it after all")
        self.until(lambda: f'paika_jobs_rejected_total{{kind="bot"}} {len(lies)}' in self.metrics(), "they are counted")

    def deliver(self, lie):
        with sqlite3.connect(self.queue(), timeout=30) as queue:
            return queue.execute("UPDATE jobs SET state = 'done', fence = fence + 1, result = ?, since = 1, until = 2"
                                 " WHERE topic = 'ladder' AND state = 'waiting'", (lie,)).rowcount


class Killed(WithWorkers):
    """Two workers that are killed again and again play the games that one server plays undisturbed."""

    options = ("--rate-factor", "1000", "--weak-sandbox")

    def test_the_games_are_those_of_an_undisturbed_ladder(self):
        self.made = [self.begin() for _ in range(2)]
        self.server.stop()
        copy = pathlib.Path(f"{self.server.folder} copy")
        shutil.copytree(self.server.folder, copy)
        self.addCleanup(shutil.rmtree, copy, True)
        self.server.restart()
        undisturbed = self.all_games(self.server)
        other = Server(PAIKA, "--rate-factor", "1000", "--ladder-workers", "0", folder=copy, log_level="info")
        self.addCleanup(other.close)
        other.stop()
        self.move(other)
        other.restart()
        chance = random.Random(24)
        workers = [self.start(self.queue(other)) for _ in range(2)]
        for _ in range(KILLS):
            time.sleep(chance.uniform(0.2, 0.8))
            victim = chance.randrange(2)
            workers[victim].kill()
            workers[victim] = self.start(self.queue(other))
        self.assertEqual(self.all_games(other), undisturbed)
        self.assertEqual(len(undisturbed), 2 * 2 * PAIRS)
        self.assertNotIn("rejected", other.log())
        expired = re.findall(r"paika_jobs_expired_total\{\S+ (\d+)", Http(other).get("/metrics").body.decode())
        self.assertGreaterEqual(sum(map(int, expired)), 1, "no worker was killed at work")

    def move(self, other):
        """Where the copy is kept."""

    def begin(self):
        teacher, one, two = self.member(), self.member(), self.member()
        made = self.found(teacher, pairs=PAIRS, move_ms=5000)
        for person, which in ((one, 1), (two, -1)):
            self.join(person, made)
            self.assertEqual(self.examined(person, made, self.hand_in(person, made, python_bot(which)))["state"],
                             "accepted")
        return teacher, made

    def all_games(self, server):
        """Of all classes, when the last was played: who met, what they played and who won."""
        found = {}
        for teacher, made in self.made:
            http = Http(server, origin=server.origin)
            self.addCleanup(http.close)
            http.cookie = teacher.cookie
            end = time.monotonic() + 3 * PATIENCE
            while (page := http.get(f"/api/classes/{made['id']}").json)["ladder"]["games"] < 2 * PAIRS:
                self.assertLess(time.monotonic(), end, page["ladder"])
                time.sleep(0.2)
            games = sorted(page["games"], key=lambda game: game["game"])
            self.assertEqual(len(games), 2 * PAIRS)
            for number, game in enumerate(games):
                whole = http.get(f"/api/classes/{made['id']}/games/{game['game']}").json
                turns = [line for line in whole["record"].splitlines() if line.startswith("move ")]
                self.assertIsNone(game["failure"], game)
                found[made["id"], number] = ([b["bot"] for b in game["bots"]], game["verdict"],
                                             [turn.split()[1] for turn in turns])
            for standing in page["standings"]:
                self.assertEqual(standing["wins"] + standing["draws"] + standing["losses"], 2 * PAIRS)
        return found


@needs_postgresql
class KilledOnPostgresql(Killed):
    """The same with the copy in PostgreSQL, where nothing that was built is: the workers build the bots again."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.close)

    def move(self, other):
        target = self.cluster.new_database()
        subprocess.run([PAIKA, "admin", "copy", str(other.folder / other.where), target], check=True, timeout=PATIENCE,
                       stdout=subprocess.DEVNULL)
        other.where = target


if __name__ == "__main__":
    unittest.main()
