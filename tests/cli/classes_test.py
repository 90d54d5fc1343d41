"""Classes as teachers and students meet them: join codes, bots that are handed in, the ladder, logs, export, deadlines.

usage: classes_test.py PAIKA-PROGRAM
"""

import base64
import io
import json
import signal
import sqlite3
import tarfile
import time
import unittest

from class_case import PASSWORD, WithMembers
from server_case import PAIKA
from server_client import PATIENCE, Http, Server

# Asks the referee for the legal turns and plays the first; says on standard error what others must not read.
GOOD = """#!/usr/bin/env python3
import sys
sys.stderr.write("\\033]0;title\\007\\033[2Ja note of mine: {secret}\\n")
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "ugi":
        print("ugiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        print("query moves", flush=True)
        print("bestmove", sys.stdin.readline().split()[{which}], flush=True)
    elif word == "quit":
        break
"""
SHELL = """while read -r word rest; do
  case $word in
    ugi) echo ugiok ;;
    isready) echo readyok ;;
    go) echo "query moves"; read -r word turn rest; echo "bestmove $turn" ;;
    quit) exit ;;
  esac
done
"""
# Legal against the engine that checks it, but not for long: in its third game it says nonsense.
ILLEGAL = """import sys
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "ugi": print("ugiok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "go": print("bestmove a1", flush=True)
"""
# Says what it can see of the machine, and builds only if that is nothing of others.
SPY = """
for seen in %(others)s/*/*/*; do case $seen in "$PWD"|*'*') ;; *) echo "$seen"; exit 3 ;; esac; done
cat /etc/shadow && exit 4
(exec 3<>/dev/tcp/127.0.0.1/%(port)s) 2>/dev/null && exit 5
echo "nothing to see"
"""


def python_bot(secret="none", which=1):
    return {"name": "Pythonic", "run": "python3 bot.py",
            "files": [{"path": "bot.py", "text": GOOD.format(secret=secret, which=which)}]}


def shell_bot():
    return {"name": "Shelly", "build": "mkdir out && cp src/bot.sh out/bot && chmod +x out/bot", "run": "out/bot",
            "files": [{"path": "src/bot.sh", "base64": base64.b64encode(b"#!/bin/bash\n" + SHELL.encode()).decode()}]}


class WithServer(WithMembers):
    def found(self, teacher, **settings):
        body = {"name": "Games 101", "spec": "othello:6x6", "move_ms": 2000, "pairs": 1, "house_bots": False, **settings}
        answer = teacher.post("/api/classes", body)
        self.assertEqual(answer.status, 201, answer)
        return answer.json

    def join(self, http, made, name=""):
        answer = http.post("/api/classes/join", {"code": made["code"], "name": name})
        self.assertEqual(answer.status, 200, answer)

    def hand_in(self, http, made, bot):
        answer = http.post(f"/api/classes/{made['id']}/bots", bot)
        self.assertEqual(answer.status, 201, answer)
        self.assertEqual(answer.json["state"], "waiting")
        return answer.json["bot"]

    def page(self, http, made):
        answer = http.get(f"/api/classes/{made['id']}")
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def bot(self, http, made, bot):
        return http.get(f"/api/classes/{made['id']}/bots/{bot}").json

    def examined(self, http, made, bot):
        """Waits until the bot was checked; what is told of it then."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            told = self.bot(http, made, bot)["bot"]
            if told["state"] not in ("waiting", "building", "checking"):
                return told
            time.sleep(0.1)
        raise AssertionError(f"still {told['state']}")

    def games(self, http, made, count):
        """Waits until so many games were played; all of them."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            page = self.page(http, made)
            if page["ladder"]["games"] >= count:
                return page["games"]
            time.sleep(0.1)
        raise AssertionError(f"only {page['ladder']}")


class HouseBots(WithServer):
    def test_a_class_starts_with_a_ladder(self):
        teacher, anna = self.member(), self.member()
        made = self.found(teacher, house_bots=True)
        page = self.page(teacher, made)
        names = [s["name"] for s in page["standings"]]
        self.assertEqual(names[-1], "House random")
        self.assertEqual(names[0], "House level 7")
        self.assertEqual({s["owner"] for s in page["standings"]}, {"house"})
        self.assertEqual((page["members"], page["mine"]), ([], []), "the teacher is no member for that")
        time.sleep(1)
        self.assertEqual(self.page(teacher, made)["ladder"]["games"], 0, "they do not play each other")
        self.join(anna, made, "Anna")
        bot = self.hand_in(anna, made, python_bot())
        self.assertEqual(self.examined(anna, made, bot)["state"], "accepted")
        games = self.games(anna, made, 2 * len(names))
        self.assertEqual({g["failure"] for g in games}, {None}, games)
        opponents = {b["name"] for g in games for b in g["bots"]} - {"Pythonic (Anna)"}
        self.assertEqual(opponents, set(names))
        # A teacher who joins, hands in a bot and leaves keeps the house bots.
        self.join(teacher, made, "Miss")
        own = self.hand_in(teacher, made, shell_bot())
        self.assertEqual(self.examined(teacher, made, own)["state"], "accepted")
        self.assertEqual(len(self.page(teacher, made)["standings"]), len(names) + 2)
        self.assertEqual(teacher.post(f"/api/classes/{made['id']}/leave").json, {"left": True})
        self.assertEqual(len(self.page(teacher, made)["standings"]), len(names) + 1)
        self.refused(teacher.post("/api/classes", {"name": "x", "spec": "othello", "house_bots": 1}), 400, "bad_request")


class Classes(WithServer):
    def test_who_may_what(self):
        teacher, student, stranger = self.member(), self.member(), self.member()
        guest = Http(self.server, origin=self.server.origin)
        guest.cookie = guest.post("/api/session").cookie()
        self.refused(guest.post("/api/classes", {"name": "x", "spec": "othello"}), 403, "members_only")
        self.refused(teacher.post("/api/classes", {"name": "x", "spec": "chess"}), 400, "bad_request")
        made = self.found(teacher)
        self.assertEqual(made["role"], "teacher")
        here = f"/api/classes/{made['id']}"
        self.refused(student.post("/api/classes/join", {"code": "wrongcode"}), 404, "no_class")
        self.refused(student.get(here), 404, "no_class")
        spoken = made["code"][:4].upper() + "-" + made["code"][4:]
        self.assertEqual(student.post("/api/classes/join", {"code": spoken, "name": "Sue"}).json["role"], "member")
        seen = self.page(student, made)
        self.assertNotIn("code", seen["class"])
        self.assertNotIn("members", seen)
        self.assertEqual([m["name"] for m in self.page(teacher, made)["members"]], ["Sue"])
        for path in ("/settings", "/code"):
            self.refused(student.post(here + path, {}), 403, "teacher_only")
            self.refused(stranger.post(here + path, {}), 404, "no_class")
        self.refused(student("DELETE", here), 403, "teacher_only")
        for path in ("/export.csv", "/export.json", "/submissions.tar"):
            self.refused(student.get(here + path), 403, "teacher_only")
        self.refused(teacher.post(here + "/bots", python_bot()), 403, "members_of_class")
        self.assertEqual([c["id"] for c in student.get("/api/classes").json["classes"]], [made["id"]])
        new = teacher.post(here + "/code").json["code"]
        self.refused(stranger.post("/api/classes/join", {"code": made["code"]}), 404, "no_class")
        self.assertEqual(stranger.post("/api/classes/join", {"code": new}).status, 200)
        self.assertEqual(stranger.post(here + "/leave").json, {"left": True})
        self.refused(stranger.get(here), 404, "no_class")
        self.assertEqual(teacher("DELETE", f"{here}/members/{student.name}").json, {"dropped": True})
        self.refused(teacher("DELETE", f"{here}/members/{student.name}"), 404, "no_member")
        self.refused(student.get(here), 404, "no_class")
        self.assertEqual(teacher("DELETE", here).json, {"dropped": True})
        self.refused(teacher.get(here), 404, "no_class")

    def test_codes_cannot_be_guessed(self):
        server = Server(PAIKA)
        self.addCleanup(server.close)
        http = Http(server, origin=server.origin)
        http.cookie = http.post("/api/session").cookie()
        http.cookie = http.post("/api/account", {"name": "Guesser", "password": PASSWORD}).cookie()
        codes = {http.post("/api/classes/join", {"code": f"guess{i}"}).status for i in range(15)}
        self.assertEqual(codes, {404, 429})

    def test_uploads_that_are_refused(self):
        teacher, student = self.member(), self.member()
        made = self.found(teacher, uploads_per_day=2)
        self.join(student, made)
        path = f"/api/classes/{made['id']}/bots"
        for change in ({"run": ""}, {"name": ""}, {"files": []}, {"files": [{"path": "../x", "text": ""}]},
                       {"files": [{"path": "/etc/passwd", "text": ""}]}, {"files": [{"path": "a", "base64": "!"}]},
                       {"files": [{"path": "a", "text": "x" * (1 << 20)}, {"path": "b", "text": "x"}]},
                       {"files": [{"path": f"f{i}", "text": ""} for i in range(201)]}, {"protocol": "smoke"}):
            self.refused(student.post(path, {**python_bot(), **change}), 400, "bad_request")
        self.assertEqual(student.post(path, {**python_bot(), "build": "x" * 2_000_000}).status, 413)
        here = f"/api/classes/{made['id']}"
        now = int(time.time() * 1000)
        self.assertEqual(teacher.post(here + "/settings", {"deadline_ms": now - 1000}).json["takes_bots"], False)
        self.refused(student.post(path, python_bot()), 409, "deadline")
        teacher.post(here + "/settings", {"deadline_ms": now + 3_600_000})
        self.hand_in(student, made, python_bot())
        teacher.post(here + "/settings", {"deadline_ms": None, "state": "locked"})
        self.refused(student.post(path, python_bot()), 409, "locked")
        self.refused(self.member().post("/api/classes/join", {"code": made["code"]}), 409, "locked")
        teacher.post(here + "/settings", {"state": "open"})
        self.hand_in(student, made, python_bot())
        self.refused(student.post(path, python_bot()), 409, "enough_today")
        self.assertEqual(teacher.post(here + "/settings", {"state": "archived"}).json["state"], "archived")

    def test_a_class_from_beginning_to_end(self):
        teacher, anna, bert, carl = self.member("Teach"), self.member("Anna"), self.member("Bert"), self.member("Carl")
        made = self.found(teacher, pairs=2)
        here = f"/api/classes/{made['id']}"
        for http in (anna, bert, carl):
            self.join(http, made, f"{http.name} Student")
        good = self.hand_in(anna, made, python_bot("swordfish"))
        other = self.hand_in(bert, made, shell_bot())
        illegal = self.hand_in(carl, made, {"name": "Cheat", "run": "python3 bot.py",
                                            "files": [{"path": "bot.py", "text": ILLEGAL}]})
        self.assertEqual(self.examined(anna, made, good)["state"], "accepted")
        told = self.examined(carl, made, illegal)
        self.assertEqual(told["state"], "refused")
        self.assertIn("illegal", told["report"])
        self.assertIn("bestmove a1", told["report"])
        self.assertEqual(self.examined(bert, made, other)["state"], "accepted")
        games = self.games(anna, made, 4)
        self.assertEqual(len(games), 4, "two pairs, and then there is nothing left to play")
        self.assertEqual({g["bots"][0]["bot"] for g in games}, {good, other})
        standings = self.page(anna, made)["standings"]
        self.assertEqual({s["bot"] for s in standings}, {good, other})
        self.assertEqual(sum(s["wins"] for s in standings), sum(s["losses"] for s in standings))
        self.assertEqual([s["games"] for s in standings], [4, 4])
        self.logs(made, games[0]["game"], teacher, anna, bert, carl)
        # What others have handed in is theirs.
        self.assertEqual(anna.get(f"{here}/bots/{good}/files").json["files"][0]["path"], "bot.py")
        self.refused(bert.get(f"{here}/bots/{good}/files"), 403, "not_yours")
        seen = self.bot(bert, made, good)
        self.assertFalse(seen["own"])
        self.assertNotIn("report", seen["bot"])
        self.assertEqual(len(seen["games"]), 4)
        # A game is a game of its class, also for somebody who may see games of both.
        other_class = self.found(teacher)
        self.join(anna, other_class)
        for http in (teacher, anna):
            path = f"/api/classes/{other_class['id']}/games/{games[0]['game']}"
            self.refused(http.get(path), 404, "no_game")
            self.refused(http.get(f"/api/classes/{other_class['id']}/bots/{good}"), 404, "no_bot")
        self.assertEqual(anna.post(f"/api/classes/{other_class['id']}/leave").status, 200)
        self.export(made, teacher, anna)
        # The page has a tag, so that nothing is sent while nothing happens.
        tag = anna.get(here).header("etag")
        self.assertEqual(anna.get(here, headers={"If-None-Match": tag}).status, 304)
        self.erase(made, teacher, anna, bert, games[0]["game"])

    def logs(self, made, game, teacher, anna, bert, carl):
        path = f"/api/classes/{made['id']}/games/{game}"
        seen = {who: who(f"GET", path).json for who in (teacher, anna, bert, carl)}
        side = next(i for i, b in enumerate(seen[anna]["bots"]) if b["name"].startswith("Pythonic"))
        self.assertIn("swordfish", seen[anna]["logs"][side])
        self.assertNotIn("\x1b", seen[anna]["logs"][side])
        self.assertNotIn("title", seen[anna]["logs"][side])
        self.assertIn("bestmove", seen[anna]["logs"][side])
        self.assertIsNone(seen[anna]["logs"][1 - side])
        self.assertIsNone(seen[bert]["logs"][side])
        self.assertEqual(seen[carl]["logs"], [None, None])
        self.assertIn("swordfish", seen[teacher]["logs"][side])
        self.assertTrue(all(seen[teacher]["logs"]))
        self.assertIn("Pythonic (Anna Student)", seen[carl]["record"])
        read = carl.post("/api/records/read", {"text": seen[carl]["record"]})
        self.assertEqual(read.status, 200, read)
        self.refused(self.member().get(path), 404, "no_class")

    def export(self, made, teacher, anna):
        here = f"/api/classes/{made['id']}"
        lines = teacher.get(here + "/export.csv").body.decode().splitlines()
        self.assertEqual(len(lines), 4)
        row = dict(zip(lines[0].split(","), lines[1].split(",")))
        self.assertEqual((row["account"], row["name"], row["games"]), ("Anna", "Anna Student", "4"))
        self.assertIn("refused", lines[3])
        members = teacher.get(here + "/export.json").json["members"]
        self.assertEqual([m["account"] for m in members], ["Anna", "Bert", "Carl"])
        self.assertIsNone(members[2]["ladder"])
        with tarfile.open(fileobj=io.BytesIO(teacher.get(here + "/submissions.tar").body)) as archive:
            names = archive.getnames()
            root = f"class-{made['id']}"
            self.assertIn(f"{root}/Bert/files/src/bot.sh", names)
            text = archive.extractfile(f"{root}/Anna/files/bot.py").read().decode()
            self.assertIn("swordfish", text)
            self.assertEqual(json.load(archive.extractfile(f"{root}/Carl/bot.json"))["state"], "refused")
        mine = anna.get("/api/account/export").json["classes"]["joined"][0]
        self.assertEqual(mine["bots"][0]["files"][0]["path"], "bot.py")

    def erase(self, made, teacher, anna, bert, game):
        queue = sqlite3.connect(f"{self.server.database}.queue", timeout=PATIENCE, isolation_level=None)
        self.addCleanup(queue.close)

        def packs():
            return queue.execute("SELECT count(*) FROM job_files WHERE hash LIKE 'pack of %'").fetchone()[0]

        before = packs()
        self.assertEqual(anna("DELETE", "/api/account", {"password": PASSWORD}).status, 200)
        left = teacher.get(f"/api/classes/{made['id']}/games/{game}")
        self.assertNotIn(b"Anna", left.body)
        self.assertNotIn(b"swordfish", left.body)
        self.assertIn("deleted", left.json["record"])
        self.assertEqual(len(self.page(bert, made)["standings"]), 1)
        # What was built of the bot goes too, when the ladder looks and it is not new any more.
        queue.execute("UPDATE job_files SET added = 1")
        end = time.monotonic() + PATIENCE
        while packs() >= before and time.monotonic() < end:
            teacher.post(f"/api/classes/{made['id']}/settings", {})
            time.sleep(0.1)
        self.assertLess(packs(), before)

    def test_builds_that_fail_and_spies(self):
        teacher, good, bad = self.member(), self.member(), self.member()
        made = self.found(teacher)
        self.join(good, made)
        self.join(bad, made)
        self.examined(good, made, self.hand_in(good, made, python_bot()))
        broken = {**python_bot(), "build": r"printf '\033[2J\033]0;x\007'; echo compiling; echo 'bot.c:1: error' >&2; exit 7"}
        told = self.examined(bad, made, self.hand_in(bad, made, broken))
        self.assertEqual(told["state"], "refused")
        for part in ("compiling", "bot.c:1: error", "status 7"):
            self.assertIn(part, told["report"])
        self.assertNotIn("\x1b[2J", told["report"])
        spy = python_bot()
        spy["build"] = "bash spy.sh"
        spy["files"].append({"path": "spy.sh", "text": SPY % {"others": f"'{self.server.database}.bots'",
                                                              "port": self.server.port}})
        told = self.examined(bad, made, self.hand_in(bad, made, spy))
        self.assertEqual(told["state"], "accepted", told["report"])
        self.assertIn("nothing to see", told["report"])
        crash = {"name": "Crash", "run": "kill -SEGV $$", "files": [{"path": "x", "text": ""}]}
        told = self.examined(bad, made, self.hand_in(bad, made, crash))
        self.assertEqual(told["state"], "refused")
        self.assertIn("crash", told["report"])
        # The one that was accepted is still on the ladder.
        self.assertEqual(len(self.page(good, made)["standings"]), 2)

    def test_metrics(self):
        text = Http(self.server).get("/metrics").body.decode()
        self.assertIn("paika_ladder_games_total", text)


class Fairness(WithServer):
    """One worker, and somebody who keeps it busy: order counts here, not time."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server(PAIKA, "--rate-factor", "1000", "--ladder-workers", "1")
        cls.addClassCleanup(cls.server.close)

    def slow_bot(self):
        return {"name": "Slow", "build": "sleep 1; exit 1", "run": "./bot", "files": [{"path": "x", "text": ""}]}

    def done(self, http, made):
        return [bot for bot in self.page(http, made)["mine"] if bot["state"] == "refused"]

    def test_slow_builds_delay_others_by_one_job(self):
        hog, honest, neighbour = self.member(), self.member(), self.member()
        crowded, quiet = self.found(hog), self.found(self.member())
        self.join(hog, crowded)
        self.join(neighbour, crowded)
        self.join(honest, quiet)
        for _ in range(6):
            self.hand_in(hog, crowded, self.slow_bot())
        mine = self.hand_in(honest, quiet, {**self.slow_bot(), "build": "exit 1"})
        self.examined(honest, quiet, mine)
        self.assertLessEqual(len(self.done(hog, crowded)), 2, "another class waits for one job")
        mine = self.hand_in(neighbour, crowded, {**self.slow_bot(), "build": "exit 1"})
        before = len(self.done(hog, crowded))
        self.examined(neighbour, crowded, mine)
        self.assertLessEqual(len(self.done(hog, crowded)), before + 2, "another student waits for one job")
        self.assertLess(len(self.done(hog, crowded)), 6)

    def test_leaving_does_not_reset_the_count_of_the_day(self):
        teacher, student = self.member(), self.member()
        made = self.found(teacher, uploads_per_day=2)
        self.join(student, made)
        for _ in range(2):
            self.hand_in(student, made, {**self.slow_bot(), "build": "exit 1"})
        path = f"/api/classes/{made['id']}"
        self.refused(student.post(path + "/bots", self.slow_bot()), 409, "enough_today")
        self.assertEqual(student.post(path + "/leave").status, 200)
        self.join(student, made)
        self.refused(student.post(path + "/bots", self.slow_bot()), 409, "enough_today")


class Together(WithServer):
    """Several workers at once: everything is counted once."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server(PAIKA, "--rate-factor", "1000", "--ladder-workers", "3")
        cls.addClassCleanup(cls.server.close)

    def test_a_ladder_played_by_several_workers(self):
        teacher, students = self.member(), [self.member() for _ in range(4)]
        made = self.found(teacher, pairs=1)
        bots = []
        for student in students:
            self.join(student, made)
            bots.append(self.hand_in(student, made, shell_bot()))
        for student, bot in zip(students, bots):
            self.assertEqual(self.examined(student, made, bot)["state"], "accepted")
        self.games(teacher, made, 12)
        page = self.page(teacher, made)
        self.assertEqual(page["ladder"]["games"], 12)
        self.assertEqual([s["games"] for s in page["standings"]], [6, 6, 6, 6])
        met = [tuple(b["bot"] for b in game["bots"]) for game in page["games"]]
        self.assertEqual(len(set(met)), 12, "each two bots meet once with each colour")


class Restart(WithServer):
    def test_kill_and_go_on(self):
        teacher, one, two = self.member(), self.member(), self.member()
        made = self.found(teacher, pairs=3)
        self.join(one, made)
        self.join(two, made)
        self.hand_in(one, made, python_bot("one"))
        slow = {**python_bot("two", -1), "build": "sleep 1"}
        self.hand_in(two, made, slow)
        time.sleep(0.5)
        played = 0
        for count in (0, 2, 4):  # while building, and twice while games are played
            if count:
                played = len(self.games(one, made, count))
            self.server.kill()
            self.server.restart()
            for http in (teacher, one, two):
                http.origin = self.server.origin
        self.games(one, made, 6)
        page = self.page(one, made)
        self.assertGreaterEqual(page["ladder"]["games"], played)
        self.assertEqual(page["ladder"]["games"], 6)
        for standing in page["standings"]:
            self.assertEqual(standing["wins"] + standing["draws"] + standing["losses"], 6)
        self.assertEqual(self.server.stop(signal.SIGTERM), 0)
        self.assertNotIn("handler_failed", self.server.log())


class Tournaments(unittest.TestCase):
    """Pages of tournaments, from files as `paika tournament` writes them."""

    def setUp(self):
        self.server = Server(PAIKA, "--rate-factor", "1000", "--weak-sandbox")
        self.addCleanup(self.server.close)
        self.server.stop()
        self.folder = self.server.folder / "tournaments"
        self.folder.mkdir()
        (self.folder / "cup.logs").mkdir()
        (self.folder / "cup.logs" / "g1.alpha.log").write_text("what alpha said\n")
        (self.server.folder / "secret.log").write_text("not for you\n")
        for name in ("cup", "later", "broken"):
            (self.folder / f"{name}.toml").write_text("")
        self.state = {"paika_tournament_state": 1, "name": "The cup", "status": "running", "played": 1, "expected": 3,
                      "players": [{"name": "alpha", "player": "bot:./secret-command", "owner": "Anna"},
                                  {"name": "beta", "player": "engine", "owner": ""}],
                      "games": [{"id": "r1.g1", "players": ["alpha", "beta"], "result": "first_wins",
                                 "logs": ["g1.alpha.log", "../../secret.log"]}]}
        self.write_state()
        entry = {"id": "r1.g1", "record": "paika-record 1\n"}
        (self.folder / "cup.results").write_text(json.dumps({"check": "0", "entry": entry}) + '\n{"check": "torn')
        (self.folder / "broken.state.json").write_text("[1, 2")
        self.server.options += ["--tournaments", str(self.folder)]
        self.server.restart()

    def write_state(self):
        (self.folder / "cup.state.json").write_text(json.dumps(self.state))

    def person(self, name):
        http = Http(self.server, origin=self.server.origin)
        self.addCleanup(http.close)
        http.cookie = http.post("/api/session").cookie()
        http.cookie = http.post("/api/account", {"name": name, "password": PASSWORD}).cookie()
        return http

    def test_pages(self):
        http = Http(self.server)
        rows = {row["name"]: row["status"] for row in http.get("/api/tournaments").json["tournaments"]}
        self.assertEqual(rows, {"cup": "running", "later": "waiting", "broken": "unreadable"})
        answer = http.get("/api/tournaments/cup")
        self.assertEqual(answer.json["state"]["name"], "The cup")
        self.assertNotIn(b"secret", answer.body)
        self.assertEqual(http.get("/api/tournaments/cup", headers={"If-None-Match": answer.header("etag")}).status, 304)
        self.state["status"] = "complete"
        self.write_state()
        self.assertEqual(http.get("/api/tournaments/cup").json["state"]["status"], "complete")
        self.assertEqual(http.get("/api/tournaments/cup/games/r1.g1").json["record"], "paika-record 1\n")
        for path, status in (("later", 404), ("broken", 500), ("nothing", 404), ("..", 400), ("%2e%2e%2fcup", 400),
                             ("cup/games/x", 404), ("cup%00", 400)):
            self.assertEqual(http.get(f"/api/tournaments/{path}").status, status, path)

    def test_logs_are_for_their_owner(self):
        anna, bert = self.person("Anna"), self.person("Bert")
        path = "/api/tournaments/cup/games/r1.g1/log?player="
        self.assertEqual(anna.get(path + "alpha").body, b"what alpha said\n")
        self.assertEqual(bert.get(path + "alpha").code, "not_yours")
        self.assertEqual(Http(self.server).get(path + "alpha").code, "no_person")
        self.assertEqual(anna.get(path + "gamma").code, "bad_request")
        self.state["players"][1]["owner"] = "Anna"
        self.write_state()
        self.assertEqual(anna.get(path + "beta").code, "no_log", "a state file must not lead out of the folder")


if __name__ == "__main__":
    unittest.main()
