"""The full-screen user interface as a person meets it, through a pseudo-terminal: whole games, dumps, resizing, signals.

usage: screen_test.py PAIKA-PROGRAM [--write]   (--write renews the golden dumps in tests/golden/screen)
"""

import codecs
import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

from terminal_emulator import Terminal

PAIKA = ""
WRITE = False
GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden" / "screen"
PATIENCE = 15  # seconds; only a failure waits so long
RMCUP = b"\x1b[?1049l"

UP, DOWN, RIGHT, LEFT = "\x1bOA", "\x1bOB", "\x1bOC", "\x1bOD"
HOME, END = "\x1bOH", "\x1bOF"


class Screen:
    """A program on a terminal of its own."""

    def __init__(self, *args, columns=80, lines=24, program=None, **environment):
        self.state = tempfile.TemporaryDirectory()
        self.terminal = Terminal(columns, lines)
        self.bytes = b""
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.master, self.slave = pty.openpty()  # the slave stays open: its modes are looked at after the end
        self.set_size(columns, lines)
        self.modes = termios.tcgetattr(self.slave)
        env = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
               "XDG_STATE_HOME": self.state.name, **environment}
        self.process = subprocess.Popen(program or [PAIKA, *args], stdin=self.slave, stdout=self.slave, stderr=self.slave,
                                        env=env, preexec_fn=self.take_terminal)

    def take_terminal(self):
        os.setsid()
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)
        self.state.cleanup()

    def set_size(self, columns, lines):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def resize(self, columns, lines):
        self.read_for(0.05)
        self.terminal.change_size(columns, lines)
        self.set_size(columns, lines)

    def read_for(self, seconds, once=False):
        """Shows what comes within a time; once: at most until something has come."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.master], [], [], left)[0]:
                return
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            self.bytes += data
            self.terminal.feed(self.decoder.decode(data))
            if once:
                return

    def send(self, keys):
        if "\x03" in keys or "\x1a" in keys:
            self.terminal.strict = False
        os.write(self.master, keys.encode())

    def until(self, words, seconds=PATIENCE):
        """Waits until the words are on the screen."""
        end = time.monotonic() + seconds
        while words not in self.terminal.text():
            if time.monotonic() > end:
                raise AssertionError(f"{words!r} is not on the screen:\n{self.terminal.text()}")
            self.read_for(0.05, once=True)

    def wait_for(self, text):
        """Waits until the screen shows this text and nothing else, or for so long that it never will."""
        end = time.monotonic() + PATIENCE / 3
        while self.steady_text() != text and time.monotonic() < end:
            self.read_for(0.05, once=True)

    def steady_text(self):
        """The screen without the time that a game has taken so far."""
        return re.sub(r"Time used : \d+ ms", "Time used : 0 ms", self.terminal.text())

    def click(self, x, y):
        self.send(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")

    def ended(self):
        """The exit status; what was written last has been read."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            if time.monotonic() > end:
                raise AssertionError("the program does not end:\n" + self.terminal.text())
            self.read_for(0.02)
        self.read_for(0.05)
        return self.process.returncode

    def check_restored(self, test):
        test.assertIn(RMCUP, self.bytes)
        test.assertEqual(termios.tcgetattr(self.slave), self.modes, "the modes of the terminal")
        test.assertFalse(self.terminal.mouse, "mouse reports are still on")
        test.assertTrue(self.terminal.cursor_shown, "the cursor is hidden")
        test.assertFalse(self.terminal.on_other_screen)


def people(spec, *more, **size):
    return Screen("play", spec, "--second", "human", "--no-animation", *more, **size)


class Case(unittest.TestCase):
    maxDiff = None

    def golden(self, screen, name):
        path = GOLDEN / f"{name}_{screen.terminal.columns}x{screen.terminal.lines}.txt"
        if WRITE:
            screen.read_for(1)
            path.parent.mkdir(exist_ok=True)
            path.write_text(screen.steady_text(), encoding="utf-8")
        expected = path.read_text(encoding="utf-8")
        screen.wait_for(expected)
        self.assertEqual(screen.steady_text(), expected, path.name)


def play_othello(screen):
    """Elimination in nine turns, by the cursor."""
    column, row = 3, 3
    for number, turn in enumerate(("c2", "b2", "a2", "d2", "e2", "e3", "e4", "c5", "c6"), 1):
        to_column, to_row = "abcdef".index(turn[0]), int(turn[1]) - 1
        screen.send((RIGHT if to_column > column else LEFT) * abs(to_column - column))
        screen.send(("j" if to_row > row else "k") * abs(to_row - row) + "\r")
        column, row = to_column, to_row
        screen.until(f"Move {number + 1}" if number < 9 else "The game is over")


def play_abalone(screen):
    """A capture in eight turns, by the mouse. A square is 4 columns wide and 2 lines high."""
    for turn in ("a2b2", "b3a2", "b2c1", "c3b3", "c1b2", "b3a3", "b2b3", "a3a2"):
        for square, then in ((turn[:2], turn[:2] + ": choose where to go"), (turn[2:], "plays " + turn)):
            screen.click(4 + 4 * "abc".index(square[0]), 3 + 2 * (3 - int(square[1])))
            screen.until(then)
    screen.until("The game is over")


def play_fanorona(screen):
    """A win on 3x3 with a sacrifice, by cursor and letters."""
    screen.send(f"{RIGHT} {LEFT} ")  # c2 to b2: only an approach captures
    screen.until("c2b2A")
    screen.send(f"{UP}{RIGHT}\rS")
    screen.until("Sc3")
    screen.send("hhjj\rk\r")
    screen.until("a1a2A")
    screen.send("lk\rh\r")
    screen.until("b3a3")
    screen.send("j\rj\r")
    screen.until("The game is over")


def play_wildebeest(screen):
    """White blows up its own king in the third turn; typed."""
    screen.send("\t")
    for turn in ("j0k2", "J10-K8", "g1g2"):
        screen.send(turn.replace("-", "") + "\r")
        screen.until(f"plays {turn.replace('-', '').lower()}")
    screen.until("The game is over")


GAMES = {"othello:6x6": play_othello, "abalone:3x3,captures=1": play_abalone, "fanorona:3x3": play_fanorona,
         "wildebeest": play_wildebeest}


class WholeGames(Case):
    def test_every_game_at_two_sizes(self):
        for spec, play in GAMES.items():
            for columns, lines in ((80, 24), (120, 40)):
                with self.subTest(spec=spec, columns=columns), people(spec, columns=columns, lines=lines) as screen:
                    name = spec.split(":")[0]
                    screen.until("Move 1")
                    self.golden(screen, name + "_start")
                    play(screen)
                    self.golden(screen, name + "_end")
                    screen.send("\x04")
                    self.assertEqual(screen.ended(), 0)
                    screen.check_restored(self)

    def test_the_largest_boards(self):
        for spec in ("fanorona:13x13", "othello:26x26", "abalone:99x26"):
            with self.subTest(spec=spec), people(spec) as screen:
                screen.until("Move 1")
                self.golden(screen, "large_" + spec.split(":")[0])


class Looks(Case):
    def test_ascii_and_no_colours(self):
        with people("fanorona", "--ascii", NO_COLOR="1") as screen:
            screen.until("Move 1")
            screen.send("v\r?")
            screen.until("move the cursor")
            self.assertFalse(screen.terminal.colours_used)
            self.assertEqual([b for b in screen.bytes if b >= 0x80], [])
        with people("fanorona") as screen:
            screen.until("Move 1")
            self.assertTrue(screen.terminal.colours_used)

    def test_ascii_in_other_languages(self):
        for language, words in (("fr", "deplacer le curseur"), ("mg", "mamindra ny kitondro")):
            with self.subTest(language=language), people("othello", "--ascii", "--lang", language) as screen:
                screen.until("[")
                screen.send("?")
                screen.until(words)
                screen.send("\x1b")
                screen.read_for(0.3)  # lest the keys that follow are taken for one with Alt
                screen.send("j\r")
                screen.until("1. e6")
                screen.send(":save /no/such/é\r")
                screen.until("> save /no/such/e")
                screen.send("\x04")
                self.assertEqual(screen.ended(), 0)
                self.assertEqual([b for b in screen.bytes if b >= 0x80], [])

    def test_wide_names_keep_the_columns(self):
        name = "王さん🤖" + 20 * "王"
        with Screen("play", "othello", "--second", "bot:cat # " + name, "--clock", "5min") as screen:
            screen.until("5:00")
            screen.until(name)  # among the messages
            row = screen.terminal.row(3)
            self.assertIn("White: bot:cat # 王さん🤖王王王王…", "".join(row))
            self.assertEqual("".join(row[-5:]), " 5:00", "the clock stands at the right edge")

    def test_simple_terminals(self):
        for kind in ("vt100", "linux", "screen", "ansi"):
            with self.subTest(kind=kind), people("abalone", "--ascii", TERM=kind) as screen:
                end = time.monotonic() + PATIENCE
                while b"Move 1" not in screen.bytes and time.monotonic() < end:
                    data = os.read(screen.master, 65536)  # not shown: the emulator is an xterm
                    screen.bytes += data
                screen.process.send_signal(signal.SIGTERM)
                while screen.process.poll() is None:
                    if select.select([screen.master], [], [], 0.02)[0]:
                        screen.bytes += os.read(screen.master, 65536)
                self.assertEqual(screen.process.returncode, 128 + signal.SIGTERM)
                self.assertEqual(termios.tcgetattr(screen.slave), screen.modes)

    def test_the_help_comes_and_goes(self):
        with people("othello") as screen:
            screen.until("q leave")
            before = screen.terminal.text()
            screen.send("\x1bOP")
            screen.until("move the cursor")
            screen.send("\x1b")
            screen.wait_for(before)
            self.assertEqual(screen.terminal.text(), before)

    def test_a_step_of_a_chain_is_marked(self):
        with people("fanorona") as screen:
            screen.until("Move 1")
            screen.send(f"{LEFT}\r{RIGHT}\r")
            screen.until("A approach, W withdraw")
            self.golden(screen, "fanorona_choice")


class Sizes(Case):
    def test_resizing(self):
        with people("othello") as screen:
            screen.until("Move 1")
            screen.resize(30, 8)
            screen.until("too small")
            screen.send("v")  # nothing to see, but nothing breaks
            screen.resize(120, 40)
            screen.until("Move 1")
            screen.until("◆")
            screen.resize(80, 24)
            screen.until("Move 1")
            screen.until("8 │")

    def test_too_small_from_the_beginning(self):
        with people("wildebeest", columns=20, lines=5) as screen:
            screen.until("needs 50 columns and")
            screen.send("\x04")
            self.assertEqual(screen.ended(), 0)
            screen.check_restored(self)


class Endings(Case):
    def test_ctrl_c_keeps_the_game(self):
        with people("othello") as screen:
            screen.until("Move 1")
            screen.send("j\r")
            screen.until("Move 2")
            screen.send("\x03")
            self.assertEqual(screen.ended(), 128 + signal.SIGINT)
            screen.check_restored(self)
            kept = list(pathlib.Path(screen.state.name).rglob("*.record"))
            self.assertEqual(len(kept), 1)
            self.assertIn("move e6", kept[0].read_text(encoding="utf-8"))
            self.assertIn(b"--resume", screen.bytes)

    def test_signals_of_the_system(self):
        for number, status in ((signal.SIGTERM, 128 + signal.SIGTERM), (signal.SIGHUP, 128 + signal.SIGHUP),
                               (signal.SIGSEGV, -signal.SIGSEGV), (signal.SIGABRT, -signal.SIGABRT)):
            with self.subTest(signal=number), people("othello") as screen:
                screen.until("Move 1")
                screen.process.send_signal(number)
                self.assertEqual(screen.ended(), status)
                screen.check_restored(self)

    def test_every_signal_that_ends_a_program(self):
        for number in (signal.SIGXCPU, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF,
                       signal.SIGTRAP, signal.SIGSYS, signal.SIGPIPE, signal.SIGPOLL, signal.SIGPWR, signal.SIGSTKFLT,
                       signal.SIGRTMIN, signal.SIGRTMAX):
            with self.subTest(signal=number), people("othello") as screen:
                screen.until("Move 1")
                screen.process.send_signal(number)
                self.assertEqual(screen.ended(), -number)
                screen.check_restored(self)

    def test_a_signal_that_is_ignored_ends_nothing(self):
        command = f"trap '' USR1; exec '{PAIKA}' play othello --second human"
        with Screen(program=["bash", "-c", command]) as screen:
            screen.until("Move 1")
            screen.process.send_signal(signal.SIGUSR1)
            screen.send("j\r")
            screen.until("Move 2")

    def test_ctrl_z_and_fg(self):
        command = f"'{PAIKA}' play othello --second human\r"
        with Screen(program=["bash", "--norc", "-i"], PS1="$ ") as screen:
            screen.until("$")
            screen.send(command)
            screen.until("Move 1")
            screen.send("j\r")
            screen.until("Move 2")  # Ctrl-Z throws away keys that were not read
            screen.send("\x1a")
            screen.until("Stopped")
            self.assertFalse(screen.terminal.on_other_screen)
            screen.send("fg\r")
            screen.until("Move 2")
            self.assertTrue(screen.terminal.on_other_screen)
            screen.send("\x03")
            screen.until("--resume")
            screen.send("exit\r")
            screen.ended()

    def test_an_unknown_terminal(self):
        with people("othello", TERM="nonsense") as screen:
            self.assertEqual(screen.ended(), 2)
            self.assertIn(b"--plain", screen.bytes)


class Engine(Case):
    def test_the_screen_answers_while_the_engine_thinks(self):
        with Screen("play", "othello", "--first", "engine:time=600s,book=off", "--second", "human",
                    "--no-animation") as screen:
            screen.until("Black is thinking")
            screen.send("?")
            screen.until("move the cursor")
            screen.send("\x1b")
            screen.until("Black is thinking")
            screen.send("x")
            screen.until("h   g   f")
            screen.until("Black is thinking")
            screen.send("\x03")
            self.assertEqual(screen.ended(), 128 + signal.SIGINT)
            screen.check_restored(self)

    def test_waiting_costs_nothing(self):
        with people("othello", "--clock", "10min") as screen:
            screen.until("q leave")
            screen.read_for(0.2)
            switches = self.wakes(screen.process.pid)
            size = len(screen.bytes)
            screen.read_for(1.5)
            self.assertLessEqual(self.wakes(screen.process.pid) - switches, 6, "one or two seconds have begun")
            self.assertGreater(len(screen.bytes), size, "the clock does not tick")

    @staticmethod
    def wakes(process):
        status = pathlib.Path(f"/proc/{process}/status").read_text(encoding="utf-8")
        return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status, re.M).group(1))

    def test_the_integers_of_wildebeest_are_alive(self):
        with people("wildebeest") as screen:
            screen.until("Time used : 1000 ms", 10)
            screen.until("Move number : 0")
            screen.send("\tf1e2\r")
            screen.until("Move number : 1")
            screen.until("Time used : 0 ms")
            screen.send("export\r")
            screen.until(" 60000 1")

    def test_an_animation_comes_to_its_end_by_itself(self):
        with Screen("play", "othello", "--second", "human") as screen:
            screen.until("q leave")
            screen.send("j\r")
            screen.until("Pawns: 4", 5)
            screen.until("turned over: e5")

    def test_a_game_against_it(self):
        with Screen("play", "othello:6x6", "--second", "engine:depth=1") as screen:
            screen.until("Move 1")
            screen.send("v\tc2\r")
            screen.until("Move 3")
            screen.until("1. c2")

    def test_what_a_program_complains_about_is_not_on_the_screen(self):
        # Not one word of it is in the command itself, which is shown.
        bot = "printf '%s%s\\n' OO PS >&2; " + 4 * "read a; echo ugiok; echo readyok; " + "exit 3"
        with Screen("play", "othello", "--second", "bot:" + bot, "--no-animation", lines=40) as screen:
            screen.until("q leave")
            screen.send("j\r")
            screen.until("White's program ended")
            screen.until("standard error is in")
            logs = list(pathlib.Path(screen.state.name).rglob("*.log"))
            self.assertEqual([log.read_text(encoding="utf-8") for log in logs], ["OOPS\n"])
            screen.until(logs[0].name)
            screen.send("\x04")
            self.assertEqual(screen.ended(), 0)
            self.assertNotIn(b"OOPS", screen.bytes)
        quiet = bot.replace(">&2", ">/dev/null")
        with Screen("play", "othello", "--second", "bot:" + quiet, "--no-animation", lines=40) as screen:
            screen.until("q leave")
            screen.send("j\r")
            screen.until("White's program ended")
            screen.send("\x04")
            self.assertEqual(screen.ended(), 0)
            self.assertNotIn(b"standard error", screen.bytes)
            self.assertEqual(list(pathlib.Path(screen.state.name).rglob("*.log")), [])

    def test_clocks_tick_and_end_the_game(self):
        with people("othello", "--clock", "1.5s") as screen:
            screen.until(" 1.")
            screen.until(" 0.")
            screen.until("The game is over", 10)
            screen.until("ran out of time")


class Looking(Case):
    def test_demonstrations(self):
        with Screen("demo", "othello-pass", "--no-animation") as screen:
            screen.until("Black begins")
            screen.send(END)
            screen.until("White moves again")
            screen.send(LEFT)
            screen.until("Move 9, Black: pass")
            screen.send(HOME + RIGHT)
            screen.until("Move 1, Black: c2")
            self.golden(screen, "demo")
            screen.send("3\r")
            screen.until("Move 2, White: b2")
            screen.send("q")
            self.assertEqual(screen.ended(), 0)
            screen.check_restored(self)

    def test_all_demonstrations_of_a_game(self):
        with Screen("demo", "abalone", "--no-animation") as screen:
            screen.until("Freezing")
            screen.send(END)
            screen.until("Space goes to")
            screen.send(" ")
            screen.until("Pushing, and")
            screen.send("q")
            self.assertEqual(screen.ended(), 0)
            screen.check_restored(self)
        with Screen("demo", "abalone", "--plain") as screen:
            screen.until("1 of")
            screen.send("go 6\rnext\rnext\r")
            screen.until("Pushing, and")
            screen.send("quit\r")
            self.assertEqual(screen.ended(), 0)

    def test_demonstrations_in_other_languages_and_as_lines(self):
        for language, words in (("fr", "Noir commence"), ("mg", "Ny Mainty"), ("en", "Black begins")):
            done = subprocess.run([PAIKA, "demo", "othello-pass", "--lang", language], capture_output=True, check=True,
                                  stdin=subprocess.DEVNULL, timeout=20)
            self.assertIn(words, done.stdout.decode())
            self.assertNotIn(b"\x1b", done.stdout)

    def test_demonstrations_in_ascii(self):
        for args in (("demo", "othello-pass"), ("demo", "wildebeest"), ("demo", "--list")):
            done = subprocess.run([PAIKA, *args, "--lang", "fr", "--ascii"], capture_output=True, check=True,
                                  stdin=subprocess.DEVNULL, timeout=20, env={**os.environ, "LC_ALL": "C.UTF-8"})
            self.assertEqual([b for b in done.stdout if b >= 0x80], [], args)

    def test_demonstrations_are_listed(self):
        done = subprocess.run([PAIKA, "demo", "--list"], capture_output=True, check=True, timeout=20)
        names = [line.split()[0] for line in done.stdout.decode().splitlines()]
        self.assertIn("wildebeest-explosion", names)
        only = subprocess.run([PAIKA, "demo", "abalone", "--list"], capture_output=True, check=True, timeout=20)
        self.assertTrue(all(line.startswith(b"abalone-") for line in only.stdout.splitlines()))
        for args in (("demo", "no-such-thing"), ("demo", "othello-pass", "--theme", "x"), ("demo", "x", "--list"),
                     ("replay", "/no/such/file"), ("replay", os.path.dirname(PAIKA))):
            bad = subprocess.run([PAIKA, *args], capture_output=True, check=False, timeout=20)
            self.assertEqual((bad.returncode, bad.stdout), (2, b""), args)

    def test_replay(self):
        record = ("paika-record 1\nspec fanorona:3x3\nfirst human\nsecond human\nmove c2b2A\nmove Sc3\nmove a1a2A\n"
                  "result second_wins resigned\nend\n")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "game.record"
            path.write_text(record + record.replace("move a1a2A\n", ""), encoding="utf-8")
            with Screen("replay", str(path), "--no-animation") as screen:
                screen.until("1/4")
                screen.send(" ")
                screen.until("Move 1, White: c2b2A")
                screen.send(END)
                screen.until("Black wins")
                screen.send("q")
                self.assertEqual(screen.ended(), 0)
            with Screen("replay", str(path), "--game", "2", "--plain") as screen:
                screen.until("1 of 3")
                screen.send("next\r")
                screen.until("Move 1, White: c2b2A")
                screen.send("go 3\rback\rgo 9\r\rquit\r")
                self.assertEqual(screen.ended(), 0)
                self.assertIn("from 1 to 3", screen.terminal.text() + screen.bytes.decode())
                self.assertNotIn(b"\x1b", screen.bytes)
            done = subprocess.run([PAIKA, "replay", str(path)], capture_output=True, check=True, timeout=20,
                                  stdin=subprocess.DEVNULL)
            self.assertEqual(len(re.findall(r"^Move \d", done.stdout.decode(), re.M)), 3)
            self.assertNotIn(b"\x1b", done.stdout)
            bad = subprocess.run([PAIKA, "replay", str(path), "--game", "3"], capture_output=True, check=False, timeout=20)
            self.assertEqual(bad.returncode, 2)
            self.assertIn(b"holds 2 games", bad.stderr)
            ggf = pathlib.Path(folder) / "game.ggf"
            ggf.write_text("(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[15:00]TY[8]BO[8 " + "-" * 27 + "O*------*O" + "-" * 27 +
                           " *]B[F5]W[F6];)\n", encoding="utf-8")
            done = subprocess.run([PAIKA, "replay", str(ggf)], capture_output=True, check=True, timeout=20,
                                  stdin=subprocess.DEVNULL)
            self.assertIn("Move 2, White: f6", done.stdout.decode())
            self.assertIn("Black: a\nWhite: b\n", done.stdout.decode())


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    WRITE = "--write" in sys.argv
    if WRITE:
        sys.argv.remove("--write")
    unittest.main()
