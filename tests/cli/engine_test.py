"""`paika engine` as other programs meet it: conversations over pipes, rubbish, and ends at any moment.

usage: engine_test.py PAIKA-PROGRAM
"""

import os
import queue
import subprocess
import sys
import tempfile
import threading
import unittest

PAIKA = ""
GAMES = ["fanorona", "abalone", "othello", "wildebeest"]


def say(text, *args):
    """The whole output of an engine that is told `text` and then the end of input."""
    data = text if isinstance(text, bytes) else text.encode()
    return subprocess.run([PAIKA, "engine", *args], input=data, capture_output=True, timeout=60, check=False)


class Engine:
    """A running engine whose lines can be waited for."""

    def __init__(self, *args):
        self.process = subprocess.Popen([PAIKA, "engine", *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\n"))
        self.lines.put(None)

    def tell(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def wait_for(self, start):
        """The next line that begins with `start`."""
        while True:
            line = self.lines.get(timeout=30)
            assert line is not None, f"the engine ended before it said {start}"
            if line.startswith(start):
                return line

    def seconds(self):
        """The processor time it has used so far, which a busy machine does not stretch."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.stdin.close()
        status = self.process.wait(timeout=30)
        self.process.stdout.close()
        return status


class Tables(unittest.TestCase):
    def test_answers_from_a_table_say_so(self):
        spec = "abalone:3x3,captures=1"
        with tempfile.TemporaryDirectory(prefix="paika engine ") as folder:
            subprocess.run([PAIKA, "solve", spec, "--tables", folder], capture_output=True, check=True, timeout=60)
            go = "go nodes 50\nwait\n"
            done = say(f"ugi\n{go}setoption name Tables value {folder}\n{go}setoption name tables value\n{go}",
                       "--game", spec, "--settings", "hash=1")
            out = done.stdout.decode()
            self.assertIn("option name Tables type string default <empty>\n", out)
            self.assertEqual(out.count("bestmove "), 3)
            self.assertEqual(out.count("info string from the table "), 1)
            first, second, third = out.split("bestmove ")[:3]
            self.assertNotIn("from the table", first)
            self.assertIn(f"info string from the table {folder}/abalone-3x3-captures-1.table\n", second)
            self.assertNotIn("from the table", third)
            refused = say(f"setoption name Tables value {folder}/none\n").stdout.decode()
            self.assertTrue(refused.startswith(f'error there is no folder "{folder}/none"; '), refused)


class Conversations(unittest.TestCase):
    def test_greeting(self):
        done = say("ugi\nisready\nquit\nisready\n")
        lines = done.stdout.decode().splitlines()
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertTrue(lines[0].startswith("id name Paika "))
        self.assertEqual(lines[-2:], ["ugiok", "readyok"], "nothing is obeyed after quit")

    def test_a_search_of_so_many_nodes_is_repeatable(self):
        for game in GAMES:
            talk = f"setoption name Game value {game}\nsetoption name Hash value 4\ngo nodes 3000\nwait\nquit\n"
            first, second = say(talk).stdout.decode(), say(talk).stdout.decode()
            best = [line for line in first.splitlines() if line.startswith("bestmove ")]
            self.assertEqual(len(best), 1, first)
            self.assertEqual(best[0], second.splitlines()[-1])
            move = best[0].split(" ", 1)[1]
            why = subprocess.run([PAIKA, "why", game, move], capture_output=True, timeout=60, check=False)
            self.assertEqual(why.returncode, 0, f"{move} is legal in {game}")

    def test_legal_turns_can_be_asked_for(self):
        for game in GAMES:
            moves = subprocess.run([PAIKA, "moves", game], capture_output=True, timeout=60, check=True).stdout.decode()
            expected = [line.split("\t")[0] for line in moves.splitlines()]
            done = say("query moves\n", "--game", game)
            self.assertEqual(done.stdout.decode().split()[1:], expected)

    def test_stop_is_answered_soon(self):
        for game in GAMES:
            engine = Engine("--game", game, "--settings", "hash=4")
            engine.tell("isready")
            engine.wait_for("readyok")
            engine.tell("go infinite")
            engine.wait_for("info depth ")
            before = engine.seconds()
            engine.tell("stop")
            engine.wait_for("bestmove ")
            self.assertLess(engine.seconds() - before, 0.5, game)  # how many nodes it is: tests/search
            self.assertEqual(engine.end(), 0)

    def test_a_turn_comes_in_time(self):
        engine = Engine("--game", "othello", "--settings", "hash=4")
        engine.tell("isready")  # the evaluation is read once, before the first move
        engine.wait_for("readyok")
        before = engine.seconds()
        engine.tell("go movetime 100")
        engine.wait_for("bestmove ")
        self.assertLess(engine.seconds() - before, 0.2)
        self.assertEqual(engine.end(), 0)

    def test_the_end_of_input_ends_a_search(self):
        done = say("go infinite\n")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.decode().splitlines()[-1].split()[0], "bestmove")

    def test_a_last_line_without_its_end_is_obeyed(self):
        self.assertEqual(say("isready").stdout, b"readyok\n")

    def test_a_peer_that_has_gone_is_no_crash(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        process = subprocess.Popen([PAIKA, "engine"], stdin=subprocess.PIPE, stdout=write_end, stderr=subprocess.PIPE)
        os.close(write_end)
        process.communicate(b"ugi\nugi\n", timeout=30)
        self.assertEqual(process.returncode, 2, "what it said could not be written")


class Rubbish(unittest.TestCase):
    def test_is_answered_and_survived(self):
        done = say(b"\x00\xff\xfe\n" + b"x" * 3_000_000 + b"\n\n\r\n" + bytes(range(256)) * 20 + b"\nisready\n")
        lines = done.stdout.decode("ascii").splitlines()
        self.assertEqual(done.returncode, 0)
        self.assertEqual(lines[-1], "readyok")
        self.assertTrue(all(line.startswith("error ") for line in lines[:-1]))
        self.assertIn("error a line longer than 1048576 bytes was not read", lines)

    def test_a_line_that_never_ends(self):
        done = say(b"y" * 5_000_000)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_bad_arguments(self):
        for args, part in ((["--protocol", "uci"], "ugi, nboard and gtp"), (["--game", "chess"], "there is no game"),
                           (["--settings", "hash=x"], "whole number"), (["--settings", "depth=3"], "come with every go"),
                           (["--protocol", "nboard", "--game", "abalone"], "othello only"), (["extra"], "extra")):
            done = say("", *args)
            self.assertEqual(done.returncode, 2, args)
            self.assertIn(part, done.stderr.decode())


class NBoard(unittest.TestCase):
    GAME = ("set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00]TY[8]BO[8 "
            "---------------------------O*------*O--------------------------- *]B[F5]W[F6]B[D3];)")

    def test_conversation(self):
        engine = Engine("--protocol", "nboard", "--settings", "hash=4")
        engine.tell("nboard 2")
        self.assertEqual(engine.wait_for("set"), "set myname Paika")
        engine.tell("set depth 4")
        self.assertEqual(engine.wait_for("set"), "set myname Paika4")
        engine.tell(self.GAME)
        engine.tell("ping 3")
        engine.wait_for("pong 3")
        engine.tell("go")
        self.assertRegex(engine.wait_for("==="), r"^=== [A-H][1-8]/-?\d+\.\d\d/\d+\.\d\d$")
        engine.tell("hint 2")
        self.assertRegex(engine.wait_for("search"), r"^search [A-H][1-8](-([A-H][1-8]|PA))* -?\d+\.\d\d 0 \d+%?$")
        engine.tell("ping 4")
        engine.wait_for("pong 4")
        engine.tell("learn")
        engine.wait_for("learned")
        engine.tell("analyze")
        self.assertRegex(engine.wait_for("analysis"), r"^analysis 3 -?\d+\.\d\d$")
        engine.wait_for("analysis 0")
        self.assertEqual(engine.end(), 0)


class Gtp(unittest.TestCase):
    def test_conversation(self):
        engine = Engine("--protocol", "gtp", "--settings", "hash=4,depth=3")
        for command, answer in (("1 name", "=1 Paika"), ("2 boardsize 6", "=2"), ("3 play black c2", "=3")):
            engine.tell(command)
            self.assertEqual(engine.wait_for("="), answer)
        engine.tell("4 genmove white")
        self.assertRegex(engine.wait_for("=4"), r"^=4 [a-f][1-6]$")
        engine.tell("5 genmove white")
        self.assertEqual(engine.wait_for("?5"), "?5 Black to move")
        engine.tell("6 quit")
        self.assertEqual(engine.wait_for("=6"), "=6")
        self.assertEqual(engine.end(), 0)


if __name__ == "__main__":
    PAIKA = sys.argv.pop(1)
    unittest.main()
