"""`paika play` in its plain user interface as its users meet it: whole games through pipes and terminals, rubbish,
clocks, kill -9 and --resume, programs as players, signals.

usage: play_test.py PAIKA-PROGRAM
"""

import os
import pathlib
import pty
import random
import re
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PAIKA = ""
DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
PEOPLE = ("--first", "human", "--second", "human")
SPECS = ("othello:6x6", "fanorona:5x5", "abalone", "wildebeest")


class Terminal:
    """A program on a terminal of its own, in the plain user interface."""

    def __init__(self, command, environment):
        self.seen = ""
        self.process, self.ours = pty.fork()
        if self.process == 0:
            os.execvpe(command[0], command, environment)

    def type(self, text):
        os.write(self.ours, text.encode())

    def wait_for(self, text, seconds=20.0):
        """Everything up to the text, which must come; it is taken off what was seen."""
        deadline = time.monotonic() + seconds
        while text not in self.seen:
            left = deadline - time.monotonic()
            ready = left > 0 and select.select([self.ours], [], [], left)[0]
            try:
                bytes_read = os.read(self.ours, 65536) if ready else b""
            except OSError:  # the terminal has gone with the program
                bytes_read = b""
            if not bytes_read:
                raise AssertionError(f"{text!r} did not come: {self.seen[-2000:]!r}")
            self.seen += bytes_read.decode(errors="replace").replace("\r\n", "\n")
        before, _, self.seen = self.seen.partition(text)
        return before + text

    def end(self):
        """The exit status, when the program has ended."""
        _, status = os.waitpid(self.process, 0)
        os.close(self.ours)
        return os.waitstatus_to_exitcode(status)


class PlayTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {"PATH": os.environ["PATH"], "HOME": folder.name, "LC_ALL": "C.UTF-8",
                            "XDG_STATE_HOME": str(self.folder / "state"), "TERM": "xterm"}

    def play(self, *args, script="", **more):
        done = subprocess.run([PAIKA, "play", *args], input=script.encode(), capture_output=True, timeout=100,
                              check=False, env=self.environment, cwd=self.folder, **more)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def terminal(self, *args, **more):
        return Terminal([PAIKA, "play", *args, "--plain"], {**self.environment, **more})

    def start(self, *args):
        """The program with pipes that stay open."""
        process = subprocess.Popen([PAIKA, "play", *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, env=self.environment, cwd=self.folder)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        process.seen = b""
        return process

    @staticmethod
    def read_until(process, text, seconds=20.0):
        """Waits for a text, which is taken off what was seen."""
        deadline = time.monotonic() + seconds
        while text.encode() not in process.seen:
            left = deadline - time.monotonic()
            ready = left > 0 and select.select([process.stdout], [], [], left)[0]
            part = os.read(process.stdout.fileno(), 65536) if ready else b""
            if not part:
                raise AssertionError(f"{text!r} did not come: {process.seen[-2000:]!r}")
            process.seen += part
        process.seen = process.seen.partition(text.encode())[2]

    def records(self):
        return sorted((self.folder / "state" / "paika").glob("*.record"))


def recorded(text, key):
    return [line.split(" ", 1)[1] for line in text.splitlines() if line.startswith(key + " ")]


class WholeGames(PlayTest):
    def scripts(self):
        """A whole game of each kind: spec, turns, result."""
        for file in sorted((DATA / "plays").glob("*.record")):
            text = file.read_text()
            yield recorded(text, "spec")[0], recorded(text, "move"), recorded(text, "result")[0]

    def test_by_pipe_and_by_terminal(self):
        for spec, turns, result in self.scripts():
            status, out, err = self.play(spec, *PEOPLE, "--record", "pipe.games", script="\n".join(turns) + "\n")
            self.assertEqual((status, err), (0, ""), spec)
            ending = re.search(rf"moves played: {len(turns)}\n(.*)\n", out)[1]
            self.assertRegex(ending, r"(White|Black) wins|Draw")
            self.assertIn("docs/rules/", ending)
            self.assertEqual(recorded((self.folder / "pipe.games").read_text(), "result")[-1], result)
            self.assertNotIn("\x1b", out)

            terminal = self.terminal(spec, *PEOPLE)
            for number, turn in enumerate(turns):
                terminal.wait_for("> ")
                terminal.type(turn + "\n")
                terminal.wait_for("moves played" if number + 1 == len(turns) else f"Move {number + 2}")
            self.assertIn(ending, terminal.wait_for("> "))
            terminal.type("quit\n")
            terminal.wait_for("The game record is in")
            self.assertEqual(terminal.end(), 0)

    def test_two_computers(self):
        status, out, _ = self.play("othello:6x6", "--first", "engine:level=2", "--second", "engine:level=1", "--seed", "3")
        self.assertEqual(status, 0)
        self.assertRegex(out, r"moves played: \d+\n((Black|White) wins|Draw)")

    def test_against_the_computer(self):
        for spec in SPECS:
            status, out, _ = self.play(spec, "--second", "engine:level=1,depth=1", script="moves\nundo\n")
            self.assertEqual(status, 0)
            self.assertIn("legal moves for", out)
            self.assertIn("There is no move to take back.", out)

    def test_a_script_gets_all_its_answers(self):
        """Also those that take time, and in order."""
        _, out, _ = self.play("othello", "--second", "engine:level=1,depth=1", script="e6\nhint\nundo\n")
        self.assertRegex(out, r"(?s)Black plays e6.*White plays .*Hint: .*2 moves taken back")


class Screens(PlayTest):
    def test_the_screen_of_the_seed(self):
        _, out, _ = self.play("othello", *PEOPLE, script="e6\nf4\ne3\nd6\n")
        self.assertIn("\n\n" + (DATA / "plain_othello.txt").read_text() + "\n", out)

    def test_no_escape_byte_in_a_pipe_and_none_without_colours(self):
        for spec in SPECS:
            _, out, _ = self.play(spec, script="moves\nrubbish\n")
            self.assertNotIn("\x1b", out)
        for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
            terminal = self.terminal("othello", **environment)
            seen = terminal.wait_for("> ")
            self.assertEqual("\x1b" in seen, coloured, environment)
            terminal.type("\x04")
            self.assertEqual(terminal.end(), 0)

    def test_bad_arguments(self):
        for args, part in (((), "which game?"),
                           (("otello",), "did you mean othello?"),
                           (("othello", "--first", "chess"), "is not a player"),
                           (("othello", "--first", "human:depth=3"), "only time and clock"),
                           (("othello", "--white", "human", "--second", "human"), "are the same player"),
                           (("othello", "--clock", "soon"), "not a length of time"),
                           (("othello", "--lang", "xx"), "xx"),
                           (("othello", "--theme", "pink"), "pink"),
                           (("othello", "--seed", "x"), "whole number"),
                           (("othello", "--position", "rubbish"), "bad position"),
                           (("fanorona:1x1",), "the game is already over in this position"),
                           (("othello", "--record", "/no/such/file"), "cannot write"),
                           (("--resume",), "no unfinished game"),
                           (("--resume", "missing"), "cannot read"),
                           (("othello", "--resume"), "without them")):
            status, out, err = self.play(*args)
            self.assertEqual((status, out), (2, ""), args)
            self.assertIn(part, err, args)

    def test_board_files(self):
        _, out, _ = self.play("wildebeest", "--position", str(DATA / "board.txt"), *PEOPLE, script="")
        self.assertIn(" to move", out)

    def test_ascii_is_ascii_in_every_language(self):
        script = "help\nhelp undo\nmoves\na1\nset\nsave /no/such/é\nset level é\ne6\nresign\n"
        for language in ("en", "fr", "mg"):
            done = subprocess.run([PAIKA, "play", "othello", *PEOPLE, "--lang", language, "--ascii"], input=script.encode(),
                                  capture_output=True, timeout=100, check=True, env=self.environment, cwd=self.folder)
            self.assertEqual([b for b in done.stdout if b >= 0x80], [], language)
        self.assertIn("é", self.play("othello", *PEOPLE, "--lang", "fr", script="help\n")[1])


class Rubbish(PlayTest):
    def test_ten_thousand_lines_change_nothing(self):
        """Typos, control characters and a line of a megabyte: nothing of it is a turn or a command."""
        chance = random.Random(4)
        typos = ["mvoes", "hnit", "z99", "a0", "e66", "e6e6e6", "pas", "undoo 3", "sett level 3", "P z9", "place", "??",
                 "undo x", "redo -1", "why a1", "set level 99", "set size 7x7", "load /nothing", "help nobody", "re"]
        lines = []
        for _ in range(10_000):
            noise = bytes(chance.choice([0, 1, 7, 8, 9, 27, 127, 155, 200, 255]) for _ in range(chance.randrange(1, 9)))
            lines.append(noise + b"~" if chance.random() < 0.5 else chance.choice(typos).encode())
        lines[5_000] = b"e" * (1 << 20)
        lines[7_000] = b"e6 " * 1000
        done = subprocess.run([PAIKA, "play", "othello", *PEOPLE], input=b"\n".join(lines) + b"\nexport\n",
                              capture_output=True, timeout=100, check=False, env=self.environment, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(b"\n---------------------------OX------XO--------------------------- X\n", done.stdout)
        self.assertEqual(done.stdout.count(b"Move "), 1)
        self.assertNotIn(b"\x1b", done.stdout)
        self.assertEqual(self.records(), [])


class Time(PlayTest):
    def test_a_person_who_oversteps_loses_at_once(self):
        process = self.start("othello", *PEOPLE, "--time-ms", "200")
        self.read_until(process, "Black ran out of time: White wins.")
        out, _ = process.communicate(b"e6\n", timeout=10)
        self.assertIn(b"The game is over", out)
        self.assertEqual(process.returncode, 0)

    def test_commands_are_answered_while_the_computer_thinks(self):
        terminal = self.terminal("othello", "--second", "engine:time=3s,book=off")
        terminal.wait_for("> ")
        terminal.type("e6\n")
        terminal.wait_for("is thinking.")
        terminal.type("why f4\n")
        self.assertNotIn("White plays", terminal.wait_for("f4 is legal"))
        terminal.wait_for("now belongs to White")
        terminal.type("f4\n")
        self.assertNotIn("White plays", terminal.wait_for("is thinking"))
        terminal.wait_for("White plays")
        terminal.type("undo\n")
        terminal.wait_for("2 moves taken back.")
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)


class Surroundings(PlayTest):
    """What the program finds when it starts: streams that are closed or cannot be written, limits on files."""

    def shell(self, line, seconds=20):
        done = subprocess.run(["bash", "-c", line, "bash", PAIKA], capture_output=True, timeout=seconds, check=False,
                              env=self.environment, cwd=self.folder)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def test_closed_input_is_its_end(self):
        status, out, _ = self.shell('"$1" play othello --second human <&-')
        self.assertEqual(status, 0)
        self.assertIn("O to move", out)

    def test_closed_output_is_an_error(self):
        status, _, err = self.shell('echo e6 | "$1" play othello --second human >&-')
        self.assertEqual(status, 2)
        self.assertIn("cannot write", err)

    def test_messages_that_cannot_be_written_change_nothing(self):
        for stderr in ("2>&-", "2>/dev/full"):
            self.assertEqual(self.shell(f'"$1" best othello --nodes 10 {stderr}')[0], 0)
            self.assertEqual(self.shell(f'"$1" play othello:7x7 {stderr}')[0], 2)

    def test_a_limit_on_files_is_said_and_the_game_goes_on(self):
        status, out, _ = self.shell('ulimit -f 0; printf "e6\\nf4\\n" | "$1" play othello --second human | cat')
        self.assertEqual(status, 0)
        self.assertIn("File too large", out)
        self.assertIn("Move 3", out)

    def test_a_program_without_a_limit_gets_the_usual_one(self):
        status, out, _ = self.shell('printf "e6\\nquit\\n" | "$1" play othello --second "bot:\'$1\' engine"')
        self.assertEqual(status, 0)
        self.assertIn("White plays", out)


class Keeping(PlayTest):
    def test_a_foreign_file_is_only_read(self):
        self.play("othello", *PEOPLE, "--record", "g.record", script="e6\n")
        (self.folder / "g.record.lock").write_text("precious")
        self.assertEqual(self.play("--resume", "g.record", script="quit\n")[0], 0)
        self.assertEqual((self.folder / "g.record.lock").read_text(), "precious")

    def test_a_record_that_cannot_be_written_is_an_error(self):
        status, out, _ = self.play("othello", *PEOPLE, "--record", "/dev/full", script="e6\n")
        self.assertEqual(status, 2)
        self.assertIn("No space left", out)

    def test_resume_keeps_its_times(self):
        self.play("othello", *PEOPLE, script="e6\n")
        status, _, err = self.play("--resume", "--clock", "5min")
        self.assertEqual(status, 2)
        self.assertIn("set clock", err)

    def test_the_end_of_input_keeps_the_game(self):
        _, out, _ = self.play("othello", *PEOPLE, script="e6\nf4\n")
        path = re.search(r"The game is saved in (.*); paika play --resume", out)[1]
        self.assertEqual([turn.split()[0] for turn in recorded(pathlib.Path(path).read_text(), "move")], ["e6", "f4"])

    def test_kill_and_resume(self):
        process = self.start("othello", *PEOPLE, "--clock", "5min+3s")
        for turn in ("e6", "f4", "e3"):
            process.stdin.write(f"{turn}\n".encode())
            process.stdin.flush()
            self.read_until(process, f"plays {turn}\n")
        self.read_until(process, "Commands :")
        time.sleep(0.1)
        process.kill()
        process.wait()
        (file,) = self.records()
        text = file.read_text()
        times = [int(re.search(r"time=(\d+)us", turn)[1]) for turn in recorded(text, "move")]

        status, out, err = self.play("--resume", script="export record\n")
        self.assertEqual((status, err), (0, ""))
        self.assertIn("Move 4\nX to move\n", out)
        self.assertEqual(recorded(out, "move"), recorded(text, "move"))
        self.assertEqual(recorded(out, "first-limits"), ["clock=300s+3s"])
        self.assertIn(f"O's time : 5:0{-(-(6_000_000 - times[0] - times[2]) // 1_000_000)}\n", out)
        self.assertEqual(self.records(), [file], "the game goes on in its file")

    def test_a_game_that_is_played_is_not_taken_away(self):
        process = self.start("othello", *PEOPLE)
        process.stdin.write(b"e6\n")
        process.stdin.flush()
        self.read_until(process, "Move 2")
        self.assertEqual(self.play("--resume")[0], 2)
        (file,) = self.records()
        self.assertIn("another process", self.play("--resume", str(file))[2])
        process.communicate(timeout=10)
        self.assertEqual(self.play("--resume")[0], 0)

    def test_a_file_of_somebody_else_runs_no_program(self):
        file = self.folder / "trap.record"
        file.write_text("paika-record 1\nspec othello\nfirst bot:touch trapped\nresult ongoing none\nend\n")
        status, _, err = self.play("--resume", str(file))
        self.assertEqual(status, 2)
        self.assertIn("not run automatically", err)
        self.assertEqual(self.play("--resume", str(file), "--first", "human")[0], 0)
        self.assertFalse((self.folder / "trapped").exists())

    def test_a_folder_that_cannot_be_written_is_said_once(self):
        (self.folder / "state").write_text("in the way")
        status, out, _ = self.play("othello", *PEOPLE, script="e6\nf4\n")
        self.assertEqual(status, 0)
        self.assertEqual(out.count("cannot be saved"), 1)
        self.assertIn("White plays f4", out)

    def test_signals_end_the_game_in_order(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start("othello", *PEOPLE)
            process.stdin.write(b"e6\n")
            process.stdin.flush()
            self.read_until(process, "Move 2")
            process.send_signal(number)
            out, _ = process.communicate(timeout=10)
            self.assertIn(b"The game is saved in", out)
            self.assertEqual(process.returncode, 128 + number)

    def test_a_reader_who_has_gone(self):
        done = subprocess.run(["bash", "-c", 'yes moves | "$0" play othello --second human | head -1', PAIKA],
                              capture_output=True, timeout=20, check=False, env=self.environment, cwd=self.folder)
        self.assertEqual(done.stdout.count(b"\n"), 1)


class Programs(PlayTest):
    def test_the_engine_as_a_program(self):
        status, out, _ = self.play("othello", "--second", f"bot:{shlex.quote(PAIKA)} engine", "--time-ms", "300", "--first",
                                   "human:time=60s", script="e6\n")
        self.assertEqual(status, 0)
        self.assertRegex(out, r"White plays [a-h][1-8]")

    def test_a_program_that_dies(self):
        bot = 'read a; echo ugiok; read a; read a; read a; echo readyok; read a; exit 3'
        terminal = self.terminal("othello", "--second", "bot:" + bot)
        terminal.wait_for("> ")
        terminal.type("e6\n")
        terminal.wait_for("White's program ended: Black wins.")
        terminal.type("set player second engine:level=1\nundo\ngo\n")
        terminal.wait_for("The game continues.")
        terminal.wait_for("White plays")
        terminal.type("\x04")
        self.assertEqual(terminal.end(), 0)

    def test_a_program_that_cannot_be_run(self):
        status, out, _ = self.play("othello", "--second", "bot:/no/such/program 2>/dev/null", script="e6\nA\n")
        self.assertEqual(status, 0)
        self.assertIn("White's program ended: Black wins.", out)


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
