"""`paika grade`: marking programs that generate moves.

usage: grade_test.py PAIKA-PROGRAM
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

from class_programs import Script, a3, run

LISTER = """
    import json, subprocess, sys
    done = subprocess.run([PAIKA, "moves", "othello:6x6", "--position", sys.stdin.read(), "--json"],
                          capture_output=True, check=True)
    for move in json.loads(done.stdout)["moves"]:
        print(move["position"])
"""


class Grades(unittest.TestCase):
    def grade(self, program, *args, spec="wildebeest"):
        done = run("grade", spec, "--program", program, *args, "--json")
        self.assertIn(done.returncode, (0, 1), done.err)
        told = json.loads(done.out)
        self.assertEqual(done.returncode == 0, told["totals"]["right"] == told["totals"]["boards"])
        return told

    def test_the_right_program(self):
        told = self.grade(shlex.quote(a3()))
        self.assertEqual(told["totals"]["boards"], 40)
        self.assertEqual(told["totals"]["right"], 40)
        self.assertEqual([(group["kind"], group["boards"]) for group in told["groups"]], [("game", 20), ("rules", 20)])
        for what in ("boards", "right", "successors", "correct", "missing", "wrong"):
            self.assertEqual(sum(group[what] for group in told["groups"]), told["totals"][what])
        clauses = {rule["clause"] for rule in told["rules"]}
        self.assertEqual(clauses, {"2", "3.1", "3.2", "3.3", "4.1", "4.3", "5.2", "5.3", "5.4"})
        self.assertTrue(all(rule["right"] == rule["cases"] > 0 for rule in told["rules"]), told["rules"])
        self.assertEqual(told["totals"]["percent"], 100)
        self.assertEqual(told["boards"][0]["successors"], 29)
        self.assertEqual(told["boards"][0]["repeated"], 1)

    def test_confined(self):
        self.assertEqual(self.grade(shlex.quote(a3()), "--random", "2", "--confined")["totals"]["right"], 2)

    def test_a_rule_that_is_wrong_shows_in_its_line(self):
        with Script("""
            import os, pathlib, subprocess, sys
            subprocess.run([A3], stdin=sys.stdin, check=True)
            for path in pathlib.Path(".").glob("board.*"):
                lines = path.read_text().split("\\n")
                if "S" not in "".join(lines[1:12]):
                    path.unlink()
        """) as command:
            done = run("grade", "wildebeest", "--program", command)
        self.assertEqual(done.returncode, 1)
        lines = done.out.splitlines()
        self.assertRegex(done.out, r"(?m)^game: \d+ of 20 boards right; .* %$")
        self.assertRegex(done.out, r"(?m)^rules: \d+ of 20 boards right; .* %$")
        self.assertRegex(done.out, r"(?m)^4\.1 poison: \d+ of \d+$")
        self.assertRegex(lines[-1], r"^\d+ of 40 boards right")

    def test_kinds_of_boards(self):
        told = self.grade(shlex.quote(a3()), "--random", "6", "--kind", "strewn,rules")
        self.assertEqual([board["kind"] for board in told["boards"]], ["strewn"] * 3 + ["rules"] * 3)
        self.assertEqual(told["totals"]["right"], 6)
        for args, words in ((("othello", "--kind", "strewn"), "no strewn boards"),
                            (("wildebeest", "--kind", "strewm"), "game, rules or strewn")):
            done = run("grade", *args, "--program", "true")
            self.assertEqual(done.returncode, 2, done.out)
            self.assertIn(words, done.err)

    def test_the_reading_changes_no_boards(self):
        inputs = [[board["input"] for board in self.grade("true", "--random", "6", spec=spec)["boards"]]
                  for spec in ("wildebeest", "wildebeest:pads=cycle,poison=once,serpent=survives")]
        self.assertEqual(*inputs)

    def test_disputed_rules(self):
        for reading in ("poison=once", "serpent=survives"):
            program = f"{shlex.quote(a3())} wildebeest:{reading}"
            option = reading.split("=")[0]
            args = ("--kind", "strewn", "--random", "20")
            self.assertLess(self.grade(program, *args)["totals"]["right"], 20, reading)
            told = self.grade(program, *args, "--accept-both", option)
            self.assertEqual(told["totals"]["right"], 20, reading)

    def test_a_failure_can_be_reproduced_from_the_report(self):
        # It forgets one move, leaves a piece behind after another, says something, and ends with a status.
        with Script("""
            import subprocess, sys
            subprocess.run([A3], stdin=sys.stdin, check=True)
            import os
            os.remove("board.000")
            text = open("board.001").read()
            open("board.001", "w").write(text.replace("P", "R", 1))
            sys.stderr.write("<b>I am & confused</b>")
            sys.exit(3)
        """) as command, tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "report")
            done = run("grade", "wildebeest", "--program", command, "--random", "2", "--report", str(report), "--student",
                       "Ann Example", "--csv", str(pathlib.Path(folder, "marks.csv")))
            self.assertEqual(done.returncode, 1, done.err)
            told = json.loads((report / "grade.json").read_text())
            self.assertEqual((told["student"], told["program"]), ("Ann Example", command))
            for board in told["boards"]:
                saved = report / "boards" / board["board"]
                self.assertEqual((saved / "input").read_text(), board["input"])
                again = pathlib.Path(folder, "again-" + board["board"])
                again.mkdir()
                ran = subprocess.run(command, shell=True, cwd=again, input=(saved / "input").read_bytes(),
                                     capture_output=True, check=False)
                self.assertEqual(ran.returncode, 3)
                self.assertEqual((saved / "stderr.txt").read_text(), ran.stderr.decode())
                self.assertIn("status 3", (saved / "end.txt").read_text())
                made = {path.name: path.read_text() for path in again.glob("board.*")}
                kept = {path.name: path.read_text() for path in saved.glob("board.*")}
                self.assertEqual(made, kept, "the same answer from the saved board")
                self.assertEqual({one["where"]: one["text"] for one in board["given"]}, kept)
                self.assertEqual(len((saved / "expected.txt").read_text().splitlines()), board["successors"])
                wrong = board["wrong"][0]
                self.assertEqual(wrong["where"], "board.001")
                self.assertEqual(len(wrong["differences"]), 1)
                self.assertEqual((wrong["differences"][0]["given"], wrong["differences"][0]["expected"]), ("R", "P"))
            page = (report / "index.html").read_text()
            for words in ("Ann Example", "&lt;b&gt;I am &amp; confused", "<td class=\"d\">R</td>", "5.4 explosion"):
                self.assertTrue(words in page, words)
            self.assertNotIn("<b>I am", page)
            self.assertNotIn("<script", page)
            self.assertNotIn("http", page)
            table = pathlib.Path(folder, "marks.csv").read_text().splitlines()
            self.assertEqual(table, (report / "grade.csv").read_text().splitlines())
            self.assertTrue(table[1].startswith("game-00,game,failed,wildebeest,29,27,2,1,"), table[1])
            self.assertEqual(run("grade", "wildebeest", "--program", "true", "--random", "1", "--report",
                                 folder).returncode, 2, "a folder with other things is left alone")

    def test_both_readings(self):
        cycle = f"{shlex.quote(a3())} wildebeest:pads=cycle"
        self.assertLess(self.grade(cycle, "--random", "8")["totals"]["right"], 8)
        told = self.grade(cycle, "--random", "8", "--accept-both", "pads")
        self.assertEqual(told["totals"]["right"], 8)
        self.assertIn("wildebeest:pads=cycle", {board["reading"] for board in told["boards"]})

    def test_missing_wrong_crashing_and_hanging(self):
        with Script("""
            import os, subprocess, sys
            subprocess.run([A3], stdin=sys.stdin, check=True)
            os.remove("board.000")
            text = open("board.001").read()
            open("board.001", "w").write(text.replace("P", "R", 1))
            open("board.900", "w").write("rubbish")
            open("board.txt", "w").write("not looked at")
        """) as command:
            told = self.grade(command, "--random", "1")
            board = told["boards"][0]
            self.assertEqual((board["verdict"], board["correct"], len(board["missing"])), ("wrong", 27, 2))
            self.assertEqual([wrong["where"] for wrong in board["wrong"]], ["board.001", "board.900"])
            self.assertIn("line 1", board["wrong"][1]["complaint"])
            done = run("grade", "wildebeest", "--program", command, "--random", "1", "--verbose")
            self.assertEqual(done.returncode, 1)
            self.assertIn("a b c d e f g h i j k", done.out, "a diagram of the wrong board")
        with Script("import os; os.abort()") as command:
            board = self.grade(command, "--random", "1")["boards"][0]
            self.assertEqual((board["verdict"], len(board["missing"])), ("failed", 29))
            self.assertIn("signal 6", board["failure"])
        with Script("import time; time.sleep(10000)") as command:
            board = self.grade(command, "--random", "1", "--time-ms", "300")["boards"][0]
            self.assertEqual(board["failure"], "it did not end in time")

    def test_other_games_and_boards_of_a_folder(self):
        with Script(LISTER) as command, tempfile.TemporaryDirectory() as folder:
            told = self.grade(command, "--random", "4", "--seed", "9", spec="othello:6x6")
            self.assertEqual(told["totals"]["right"], 4)
            start = json.loads(run("show", "othello:6x6", "--json").out)["position"]
            pathlib.Path(folder, "one.txt").write_text(start + "\n")
            csv = pathlib.Path(folder, ".grades.csv")
            told = self.grade(command, "--boards", folder, "--csv", str(csv), spec="othello:6x6")
            self.assertEqual([board["board"] for board in told["boards"]], ["one.txt"])
            self.assertEqual(csv.read_text().splitlines()[1], "one.txt,given,right,othello:6x6,4,4,0,0,0,exit status 0")

    def test_programs_named_from_here(self):
        with Script("import subprocess, sys; subprocess.run([A3], stdin=sys.stdin, check=True)") as command:
            folder = os.path.dirname(command.split()[1])
            done = run("grade", "wildebeest", "--program", f"{sys.executable} program.py", "--random", "2", cwd=folder)
            self.assertEqual(done.returncode, 0, done.out + done.err)

    def test_bad_input(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "bad.txt").write_text("W\n")
            for args, words in ((("--boards", folder), "bad.txt"), (("--boards", "/no/such"), "cannot read"),
                                (("--accept-both", "pad"), "did you mean pads"), (("--protocol", "x"), "a3 or stdout")):
                done = run("grade", "wildebeest", "--program", "true", *args)
                self.assertEqual(done.returncode, 2, done.out)
                self.assertIn(words, done.err)
            self.assertEqual(run("grade", "othello", "--program", "true", "--protocol", "a3").returncode, 2)


if __name__ == "__main__":
    unittest.main()
