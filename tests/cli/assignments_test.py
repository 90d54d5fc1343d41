"""Assignments as teachers and students meet them: tasks that are set, attempts that the server judges, games in rooms,
deadlines, progress, and who may see what.

usage: assignments_test.py PAIKA-PROGRAM
"""

import csv
import io
import json
import os
import sqlite3
import subprocess
import time
import unittest

from class_case import PASSWORD, WithMembers, counter
from server_case import PAIKA
from server_client import PATIENCE, Http, Server

SOLVED = "abalone:3x3,captures=1"  # in the blink of an eye
ENDING = {"spec": "othello:6x6", "position": "XXXXXXXXXXOOXXOXOOXOXXOOXOXXO-O----- X"}  # b6, c6, e6, f6 and f5 win


class WithServer(WithMembers):
    def classroom(self, *students):
        """A teacher with a class that these have joined; and the path of the class."""
        teacher = self.member()
        made = teacher.post("/api/classes", {"name": "Games 101", "spec": "othello:6x6", "house_bots": False}).json
        for student in students:
            answer = student.post("/api/classes/join", {"code": made["code"], "name": f"Student {student.name}"})
            self.assertEqual(answer.status, 200, answer)
        teacher.code = made["code"]
        return teacher, f"/api/classes/{made['id']}"

    def assign(self, teacher, here, tasks, **settings):
        answer = teacher.post(f"{here}/assignments", {"title": "Week 1", "tasks": tasks, **settings})
        self.assertEqual(answer.status, 201, answer)
        return answer.json, f"{here}/assignments/{answer.json['assignment']}"

    def page(self, http, path):
        answer = http.get(path)
        self.assertEqual(answer.status, 200, answer)
        return answer.json


class Tasks(WithServer):
    def test_positions_are_proven_and_attempts_judged(self):
        student = self.member()
        teacher, here = self.classroom(student)
        made, path = self.assign(teacher, here, [{"kind": "position", "note": "Who wins?", **ENDING}], text="Read\nthis.")
        self.assertEqual([t["accepted"] for t in made["tasks"]], [["b6", "c6", "e6", "f6", "f5"]])
        self.assertEqual((made["tasks"][0]["proof"], made["text"]), ("ending", "Read\nthis."))
        seen = self.page(student, path)
        self.assertNotIn("accepted", seen["tasks"][0])
        self.assertNotIn("members", seen)
        self.assertEqual(seen["tasks"][0]["note"], "Who wins?")
        attempts = f"{path}/tasks/1/attempts"
        message = self.refused(student.post(attempts, {"move": "a1"}), 422, "illegal")
        self.assertIn("a1", message)
        self.refused(student.post(attempts, {"move": ""}), 400, "bad_request")
        self.refused(student.post(attempts, {"move": "f5", "solved": True}), 400, "bad_request")
        self.assertEqual(self.page(student, path)["mine"][0]["attempts"], 0, "illegal moves are no attempts")
        solved = student.post(attempts, {"move": "F5"}).json
        self.assertEqual((solved["move"], solved["solved"], solved["late"]), ("f5", True, False))
        self.refused(student.post(attempts, {"move": "f5"}), 409, "solved")
        mine = self.page(student, path)["mine"][0]
        self.assertIsNotNone(mine["solved_ms"])
        self.refused(student.post(f"{path}/tasks/1/games"), 409, "wrong_kind")
        self.refused(student.post(f"{path}/tasks/7/attempts", {"move": "f5"}), 404, "no_task")

    def test_tables_prove_positions(self):
        tables = self.server.folder / "tables"
        subprocess.run([PAIKA, "solve", SOLVED, "--tables", str(tables), "--no-count"], check=True, capture_output=True)
        server = Server(PAIKA, "--rate-factor", "1000", "--weak-sandbox", "--tables", str(tables))
        self.addCleanup(server.close)
        old, self.__class__.server = self.server, server
        self.addCleanup(setattr, self.__class__, "server", old)
        student = self.member()
        teacher, here = self.classroom(student)
        values = teacher.post("/api/position/values", {"spec": SOLVED}).json
        winning = [m["move"] for m in values["moves"] if "win_in" in m["value"]]
        goal = "win" if winning else "draw"
        made, path = self.assign(teacher, here, [{"kind": "position", "spec": SOLVED, "goal": goal}])
        self.assertEqual(made["tasks"][0]["proof"], "table")
        if winning:
            self.assertEqual(sorted(made["tasks"][0]["accepted"]), sorted(winning))
        losing = [m["move"] for m in values["moves"] if m["move"] not in made["tasks"][0]["accepted"]]
        for number, move in enumerate(losing[:1] + made["tasks"][0]["accepted"][:1]):
            answer = student.post(f"{path}/tasks/1/attempts", {"move": move}).json
            self.assertEqual((answer["solved"], answer["attempts"]), (move not in losing, number + 1))

    def test_a_list_of_moves(self):
        student = self.member()
        teacher, here = self.classroom(student)
        made, path = self.assign(teacher, here, [{"kind": "position", "spec": "othello:6x6", "moves": ["B3"]}])
        self.assertEqual((made["tasks"][0]["accepted"], made["tasks"][0]["goal"]), (["b3"], "move"))
        wrong = student.post(f"{path}/tasks/1/attempts", {"move": "c2"}).json
        self.assertEqual((wrong["solved"], wrong["attempts"]), (False, 1))
        right = student.post(f"{path}/tasks/1/attempts", {"move": "b3"}).json
        self.assertEqual((right["solved"], right["attempts"]), (True, 2))

    def test_what_cannot_be_set(self):
        teacher, here = self.classroom()
        path = f"{here}/assignments"
        for tasks, words in (([], "at least one"), ([{"kind": "essay"}], "task 1"), ("x", "list"),
                             ([{"kind": "position", "spec": "othello"}], "proves"),
                             ([{"kind": "position", **ENDING, "moves": ["a1"]}], "cannot be played"),
                             ([{"kind": "position", "spec": "othello", "position": "rubbish"}], "task 1"),
                             ([{"kind": "position", "spec": "chess"}], "chess"),
                             ([{"kind": "puzzles", "ids": ["no-such"]}], "no puzzle"),
                             ([{"kind": "puzzles", "game": "othello", "theme": "love"}], "only 0"),
                             ([{"kind": "puzzles", "game": "othello", "min_level": 5, "max_level": 2}], "min_level"),
                             ([{"kind": "puzzles", "game": "othello", "count": 30}] * 2, "at most 50"),
                             ([{"kind": "game", "spec": "othello", "level": 15}], "level"),
                             ([{"kind": "game", "spec": "othello", "clock_ms": 1, "move_ms": 1}], "both"),
                             ([{"kind": "game", "spec": "othello", "games": 0}], "games"),
                             ([{"kind": "position", **ENDING}] * 11, "at most 10"), ([{"task": 3}], "no task 3")):
            with self.subTest(tasks):
                answer = teacher.post(path, {"title": "x", "tasks": tasks})
                self.assertIn(words, self.refused(answer, 400, "bad_request"))
        good = [{"kind": "game", "spec": "othello"}]
        for body in ({"tasks": good}, {"title": "x" * 81, "tasks": good}, {"title": "x", "tasks": good, "deadline_ms": 0},
                     {"title": "x\u202ey", "tasks": good}, {"title": "x", "tasks": good, "text": "x" * 4001},
                     {"title": "x", "tasks": good, "max_attempts": 0}, {"title": "x"}):
            self.refused(teacher.post(path, body), 400, "bad_request")
        self.assertEqual(self.page(teacher, path), {"assignments": []})

    def test_puzzles_are_drawn(self):
        student = self.member()
        teacher, here = self.classroom(student)
        made, path = self.assign(teacher, here, [
            {"kind": "puzzles", "game": "fanorona", "min_level": 2, "max_level": 4, "count": 5},
            {"kind": "puzzles", "ids": [self.some_puzzle("othello")["id"]]}])
        tasks = made["tasks"]
        self.assertEqual([t["task"] for t in tasks], [1, 2, 3, 4, 5, 6])
        self.assertTrue(all(2 <= t["level"] <= 4 and t["kind"] == "puzzle" for t in tasks[:5]))
        self.assertEqual([t["level"] for t in tasks[:5]], sorted(t["level"] for t in tasks[:5]))
        self.assertEqual(len({t["puzzle"] for t in tasks}), 6)
        seen = self.page(student, path)["tasks"][0]
        self.assertNotIn("puzzle", seen)
        for task in tasks:
            answer = student.post(f"{path}/tasks/{task['task']}/attempts", {"move": task["accepted"][0]})
            self.assertTrue(answer.json["solved"], answer)
        summary = self.page(student, here)["assignments"][0]
        self.assertEqual((summary["tasks"], summary["solved"], summary["late"]), (6, 6, 0))

    @staticmethod
    def some_puzzle(game):
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        with open(os.path.join(root, "data", "puzzles", f"{game}.tsv"), encoding="utf-8") as file:
            return next(csv.DictReader(file, delimiter="\t"))


class Games(WithServer):
    def room(self, http, room):
        return self.page(http, f"/api/rooms/{room}")

    def play_out(self, http, room):
        """Plays any legal move until the game has ended."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            seen = self.room(http, room)
            if seen["state"] == "ended":
                return seen
            if seen["to_move"] and seen["seats"][0 if seen["to_move"] == "first" else 1]["who"]["name"] == http.name:
                listed = http.post("/api/position/moves", {"spec": seen["spec"], "position": seen["position"]}).json
                move = listed["moves"][0]["move"]
                http.post(f"/api/rooms/{room}/play", {"move": move, "id": str(next(counter))})
            else:
                time.sleep(0.05)
        raise AssertionError("the game does not end")

    def test_games_are_played_in_rooms(self):
        student, other = self.member(), self.member()
        teacher, here = self.classroom(student, other)
        # White is about to be wiped out: whoever is Black wins with any move.
        won = {"spec": "othello:6x6", "position": "X" * 34 + "O- X", "side": "first"}
        made, path = self.assign(teacher, here, [{"kind": "game", "level": 1, "games": 2, **won}], max_attempts=4)
        self.assertEqual(made["tasks"][0]["games"], 2)
        games = f"{path}/tasks/1/games"
        self.refused(student.post(f"{path}/tasks/1/attempts", {"move": "f6"}), 409, "wrong_kind")
        first = student.post(games)
        self.assertEqual(first.status, 201, first)
        room = first.json["room"]
        self.assertFalse(self.room(student, room)["takebacks"])
        again = student.post(games)
        self.assertEqual((again.status, again.json["room"]), (200, room), "the game that goes on")
        self.assertEqual(self.page(student, path)["mine"][0]["room"], room)
        self.refused(student.post(f"/api/rooms/{room}/offer", {"what": "takeback"}), 409, "no_takeback")
        self.refused(other.post(f"/api/rooms/{room}/resign"), 403, "not_yours")
        student.post(f"/api/rooms/{room}/resign")
        mine = self.page(student, path)["mine"][0]
        self.assertEqual((mine["attempts"], mine["reached"], mine["solved_ms"], mine["room"]), (1, 0, None, None))
        for won_games in (1, 2):
            ended = self.play_out(student, student.post(games).json["room"])
            self.assertEqual(ended["result"]["verdict"], "first_wins", ended["result"])
            self.assertEqual(self.page(student, path)["mine"][0]["reached"], won_games)
        mine = self.page(student, path)["mine"][0]
        self.assertIsNotNone(mine["solved_ms"])
        self.refused(student.post(games), 409, "solved")
        for _ in range(4):
            other.post(f"/api/rooms/{other.post(games).json['room']}/resign")
        self.refused(other.post(games), 409, "no_attempts")
        # A room that somebody opens otherwise counts for nothing.
        third = self.member()
        third.post("/api/classes/join", {"code": teacher.code})
        own = third.post("/api/rooms", {"engine": 1, **won}).json["room"]
        self.play_out(third, own)
        self.assertEqual(self.page(third, path)["mine"][0]["attempts"], 0)


class Terms(WithServer):
    TASK = [{"kind": "position", "spec": "othello:6x6", "moves": ["b3"]}, {"kind": "position", **ENDING}]

    def test_late_and_closed(self):
        student = self.member()
        teacher, here = self.classroom(student)
        past, soon = int(time.time() * 1000) - 1000, int(time.time() * 1000) + 86_400_000
        _, path = self.assign(teacher, here, self.TASK, deadline_ms=past)
        answer = student.post(f"{path}/tasks/1/attempts", {"move": "b3"}).json
        self.assertEqual((answer["solved"], answer["late"]), (True, True))
        self.assertEqual(teacher.post(path, {"takes_late": False}).status, 200)
        self.refused(student.post(f"{path}/tasks/2/attempts", {"move": "f5"}), 409, "deadline")
        self.assertEqual(teacher.post(path, {"deadline_ms": soon}).json["deadline_ms"], soon)
        self.assertFalse(self.page(student, path)["mine"][0]["late"], "the deadline was moved")
        teacher.post(path, {"open": False})
        self.refused(student.post(f"{path}/tasks/2/attempts", {"move": "f5"}), 409, "closed")
        teacher.post(path, {"open": True, "deadline_ms": None})
        self.assertTrue(student.post(f"{path}/tasks/2/attempts", {"move": "f5"}).json["solved"])

    def test_attempts_run_out(self):
        student = self.member()
        teacher, here = self.classroom(student)
        made, path = self.assign(teacher, here, self.TASK, max_attempts=2)
        self.assertEqual(made["max_attempts"], 2)
        for move in ("c2", "d5"):
            self.assertFalse(student.post(f"{path}/tasks/1/attempts", {"move": move}).json["solved"])
        self.refused(student.post(f"{path}/tasks/1/attempts", {"move": "b3"}), 409, "no_attempts")
        # Leaving the class and joining it again gives no new ones.
        student.post(f"{here}/leave")
        student.post("/api/classes/join", {"code": teacher.code})
        self.refused(student.post(f"{path}/tasks/1/attempts", {"move": "b3"}), 409, "no_attempts")
        self.assertTrue(student.post(f"{path}/tasks/2/attempts", {"move": "f5"}).json["solved"])

    def test_edit_and_delete(self):
        student = self.member()
        teacher, here = self.classroom(student)
        _, path = self.assign(teacher, here, self.TASK)
        student.post(f"{path}/tasks/2/attempts", {"move": "f5"})
        student.post(f"{path}/tasks/1/attempts", {"move": "b3"})
        new = [{"task": 2}, {"kind": "game", "spec": "othello"}]
        changed = teacher.post(path, {"title": "Week 2", "tasks": new}).json
        self.assertEqual([(t["task"], t["kind"]) for t in changed["tasks"]], [(2, "position"), (3, "game")])
        seen = self.page(student, path)
        self.assertEqual((seen["title"], seen["solved"]), ("Week 2", 1))
        self.assertEqual([m["attempts"] for m in seen["mine"]], [1, 0])
        self.refused(teacher.post(path, {"tasks": [{"task": 2}, {"task": 2}]}), 400, "bad_request")
        self.assertEqual(teacher("DELETE", path).json, {"dropped": True})
        self.refused(student.get(path), 404, "no_assignment")
        self.assertEqual(self.page(student, here)["assignments"], [])

    def test_progress_and_export(self):
        student = self.member()
        teacher, here = self.classroom(student)
        _, path = self.assign(teacher, here, self.TASK, deadline_ms=int(time.time() * 1000) - 1000)
        student.post(f"{path}/tasks/1/attempts", {"move": "c2"})
        student.post(f"{path}/tasks/1/attempts", {"move": "b3"})
        latecomer = self.member()
        latecomer.post("/api/classes/join", {"code": teacher.code, "name": "=SUM(A1)"})
        self.assertEqual(self.page(latecomer, path)["solved"], 0)
        members = {m["account"]: m for m in self.page(teacher, path)["members"]}
        row = members[student.name]
        self.assertEqual((row["solved"], row["late"], row["attempts"]), (1, 1, 2))
        self.assertEqual([(t["task"], t["attempts"], t["late"]) for t in row["tasks"]], [(1, 2, True), (2, 0, False)])
        self.assertEqual(members[latecomer.name]["solved"], 0)
        answer = teacher.get(f"{path}/progress.csv")
        self.assertEqual(answer.header("content-type"), "text/csv; charset=utf-8")
        rows = {r["account"]: r for r in csv.DictReader(io.StringIO(answer.body.decode()))}
        own = rows[student.name]
        self.assertEqual((own["solved"], own["tasks"], own["late"], own["task 1 attempts"], own["task 1 late"]),
                         ("1", "2", "1", "2", "late"))
        self.assertRegex(own["task 1 solved"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(rows[latecomer.name]["name"], "'=SUM(A1)", "no formula")
        exported = json.loads(student.get("/api/account/export").body)["classes"]["joined"][0]["assignments"][0]
        self.assertEqual([(a["task"], a["move"], a["solved"]) for a in exported["attempts"]],
                         [(1, "c2", False), (1, "b3", True)])
        # What was tried goes with the account.
        student("DELETE", "/api/account", {"password": PASSWORD})
        with sqlite3.connect(self.server.database) as database:
            left = database.execute("SELECT count(*) FROM attempts a LEFT JOIN people p ON p.id = a.person"
                                    " WHERE p.id IS NULL").fetchone()
        self.assertEqual(left, (0,))
        self.assertNotIn(student.name, [m["account"] for m in self.page(teacher, path)["members"]])

    def test_a_restart_forgets_nothing(self):
        student = self.member()
        teacher, here = self.classroom(student)
        _, path = self.assign(teacher, here, self.TASK + [{"kind": "game", "spec": "othello:6x6", "level": 1}])
        student.post(f"{path}/tasks/1/attempts", {"move": "c2"})
        room = student.post(f"{path}/tasks/3/games").json["room"]
        self.server.kill()
        self.server.restart()
        for http in (teacher, student):
            http.close()
            http.origin = self.server.origin  # it has another port now
        mine = self.page(student, path)["mine"]
        self.assertEqual((mine[0]["attempts"], mine[2]["room"]), (1, room))
        self.assertEqual(student.post(f"/api/rooms/{room}/resign").status, 200)
        self.assertEqual((self.page(student, path)["mine"][2]["room"]), None)


class WhoMay(WithServer):
    def test_others_learn_nothing(self):
        student, outsider, rival = self.member(), self.member(), self.member()
        teacher, here = self.classroom(student)
        rival.post("/api/classes", {"name": "Other", "spec": "othello", "house_bots": False})
        _, path = self.assign(teacher, here, Terms.TASK)
        guest = Http(self.server, origin=self.server.origin)
        self.addCleanup(guest.close)
        guest.cookie = guest.post("/api/session").cookie()
        nobody = Http(self.server, origin=self.server.origin)
        self.addCleanup(nobody.close)
        reads = (f"{here}/assignments", path, f"{path}/progress.csv")
        writes = ((f"{here}/assignments", {"title": "x", "tasks": [{"kind": "game", "spec": "othello"}]}),
                  (path, {"title": "x"}), (f"{path}/tasks/1/attempts", {"move": "b3"}), (f"{path}/tasks/1/games", {}))
        for http in (outsider, rival):
            for read in reads:
                self.refused(http.get(read), 404, "no_class")
            for write, body in writes:
                self.refused(http.post(write, body), 404, "no_class")
            self.refused(http("DELETE", path), 404, "no_class")
        for read in reads:
            self.refused(guest.get(read), 404, "no_class")
            self.refused(nobody.get(read), 401, "no_person")
        for write, body in writes:
            self.refused(guest.post(write, body), 403, "members_only")
            self.refused(nobody.post(write, body), 401, "no_person")
        for write, body in writes[:2]:
            self.refused(student.post(write, body), 403, "teacher_only")
        self.refused(student("DELETE", path), 403, "teacher_only")
        self.refused(student.get(f"{path}/progress.csv"), 403, "teacher_only")
        # An assignment of another class is none of this one.
        elsewhere = rival.post("/api/classes", {"name": "Second", "spec": "othello", "house_bots": False}).json["id"]
        wrong = path.replace(here, f"/api/classes/{elsewhere}")
        self.refused(rival.get(wrong), 404, "no_assignment")
        self.refused(rival.post(wrong, {"title": "mine now"}), 404, "no_assignment")
        self.refused(rival("DELETE", wrong), 404, "no_assignment")
        self.assertEqual(self.page(student, path)["title"], "Week 1")


if __name__ == "__main__":
    unittest.main()
