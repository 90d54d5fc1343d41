"""The command line as its users meet it: answers, exit statuses, and every kind of bad input.

usage: cli_test.py PAIKA-PROGRAM
"""

import json
import subprocess
import sys
import tempfile
import unittest

PAIKA = ""
GAMES = ["fanorona", "abalone", "othello", "wildebeest"]


def run(*args, stdin=b"", cwd=None):
    """The finished process; arguments may be bytes."""
    done = subprocess.run([PAIKA, *args], input=stdin, capture_output=True, timeout=60, cwd=cwd, check=False)
    done.out = done.stdout.decode()
    done.err = done.stderr.decode()
    return done


class Answers(unittest.TestCase):
    def test_help_lists_the_commands(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        for word in ("games", "show", "moves", "perft", "why", "serve"):
            self.assertIn(word, done.out)

    def test_help_and_version_as_other_programs_have_them(self):
        self.assertEqual(run("help", "perft").out, run("perft", "--help").out)
        self.assertEqual(run("help").out, run("--help").out)
        self.assertEqual(run("-V").out, run("--version").out)

    def test_games_names_all_four(self):
        done = run("games")
        self.assertEqual((done.returncode, done.err), (0, ""))
        for game in GAMES:
            self.assertIn(game, done.out)
        listed = json.loads(run("games", "--json").out)
        self.assertEqual([g["name"] for g in listed], GAMES)
        self.assertEqual(len(json.loads(run("games", "blackwhite", "--json").out)), 1)

    def test_perft_of_the_rules(self):
        self.assertEqual(run("perft", "fanorona:9x5,sacrifice=off", "5").out.splitlines(),
                         ["1 5", "2 39", "3 724", "4 18026", "5 431852"])
        self.assertEqual(run("perft", "abalone", "4", "--threads", "2").out.splitlines()[-1], "4 47774")
        self.assertEqual(run("perft", "othello", "0").out, "0 1\n")
        self.assertEqual(run("perft", "othello", "3", "--finished").out, "1 4 0\n2 12 0\n3 56 0\n")

    def test_perft_divide_adds_up(self):
        lines = run("perft", "wildebeest", "2", "--divide").out.splitlines()
        self.assertEqual(len(lines), 31)
        self.assertEqual(sum(int(line.split("\t")[1]) for line in lines[:-1]), 210)
        self.assertEqual(lines[-1], "2 210")
        answer = json.loads(run("perft", "wildebeest", "2", "--divide", "--json").out)
        self.assertEqual(len(answer["perft"][0]["divide"]), 30)

    def test_moves_lists_each_turn_once_with_the_position_after(self):
        for game, count in (("fanorona", 27), ("abalone", 15), ("othello", 4), ("wildebeest", 30)):
            done = run("moves", game)
            self.assertEqual(done.returncode, 0)
            lines = [line.split("\t") for line in done.out.splitlines()]
            self.assertEqual(len(lines), count)
            self.assertEqual(len({turn for turn, _ in lines}), count)
            self.assertEqual(done.out, run("moves", game).out, "the order is stable")
            for turn, after in lines[:3]:
                shown = json.loads(run("show", game, "--position", after, "--json").out)
                self.assertEqual(shown["position"], after)
                self.assertEqual(json.loads(run("show", game, "--play", turn, "--json").out)["position"], after)
            turns = json.loads(run("moves", game, "--json", "--effects").out)["moves"]
            self.assertEqual([t["move"] for t in turns], [turn for turn, _ in lines])
            self.assertTrue(all(t["steps"] and t["effects"] for t in turns))

    def test_position_from_stdin_and_from_a_file(self):
        text = "(w bbb- b--w b--w -www)\n"
        by_text = run("show", "abalone", "--position", text).out
        self.assertIn("White to move", by_text)
        self.assertEqual(run("show", "abalone", "--position", "-", stdin=text.encode()).out, by_text)
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/board.txt", "w", encoding="ascii") as file:
                file.write(text)
            self.assertEqual(run("show", "abalone", "--position", "board.txt", cwd=folder).out, by_text)

    def test_the_size_of_othello_follows_from_the_position_4_1(self):
        six = "--------------OX----XO-------------- X"
        shown = json.loads(run("show", "othello", "--position", six, "--json").out)
        self.assertEqual(shown["spec"], "othello:6x6")
        self.assertEqual(run("show", "othello:8x8", "--position", six).returncode, 2)

    def test_a_finished_game_lists_no_moves(self):
        done = run("moves", "fanorona:3x3", "--position", "w../.../... b 5")
        self.assertEqual((done.returncode, done.out), (0, ""))
        shown = json.loads(run("show", "fanorona:3x3", "--position", "w../.../... b 5", "--json").out)
        self.assertEqual(shown["outcome"]["verdict"], "first_wins")
        self.assertEqual(shown["outcome"]["reason"], "eliminated")

    def test_why(self):
        legal = run("why", "othello", "d3")
        self.assertEqual(legal.returncode, 0)
        self.assertIn("d3 is legal", legal.out)
        self.assertIn("flipped", legal.out)
        no = run("why", "othello", "a1")
        self.assertEqual(no.returncode, 1)
        self.assertIn("docs/rules/othello.md 2.1", no.out)
        answer = json.loads(run("why", "fanorona", "e2e3", "--json").out)
        self.assertFalse(answer["legal"])
        self.assertEqual(answer["clause"], "2.3")
        self.assertTrue(answer["squares"])
        frozen = run("why", "abalone:4x4,freeze", "b2b1", "--position", "(b --b- bb-- b-ww bwww)")
        self.assertEqual(frozen.returncode, 1)
        self.assertIn("4.2", frozen.out)
        last = run("why", "wildebeest", "e1e3")
        self.assertIn("Black wins", last.out, "a turn that ends the game says so")
        self.assertIn("Prince Joey on f1 explodes: 10 pieces in its row (5.4)", last.out, "and what brought it about")
        self.assertEqual(json.loads(run("why", "wildebeest", "e1e3", "--json").out)["outcome"]["reason"], "king_lost")

    def test_a_forced_pass_is_told_2_2(self):
        shown = run("show", "othello:6x6", "--position", "OXXXX-" + "X" * 30 + " X").out
        self.assertIn("Black must pass", shown)

    def test_perft_knows_a_repetition_at_its_root(self):
        turns = ["e1d1", "a5b5", "d1e1", "b5a5"] * 2
        args = ["fanorona:5x5,classic", "--position", "b..../...../...../...../....w w 1"]
        for turn in turns:
            args += ["--play", turn]
        self.assertIn("third time", run("show", *args).out)
        self.assertEqual(run("perft", args[0], "1", *args[1:], "--finished").out, "1 0 1\n")


BAD_SPECS = [
    "", ":", "chess", "otello", "othello:7x7", "othello:4x4", "othello:0x0", "othello:28x28", "othello:8x10",
    "othello:1000000000x1000000000", "othello:-8x-8", "othello:8", "othello:8x8x8", "othello:8x8,8x8", "othello:",
    "othello:,", "othello:captures=2", "fanorona:4x4", "fanorona:15x15", "fanorona:0x5", "fanorona:9x5,",
    "fanorona:9x5,sacrifice=perhaps", "fanorona:limit=-1", "fanorona:limit=1e9", "fanorona:limit=99999999999999999999",
    "fanorona:classic,tournament", "fanorona:sacrifice=off,sacrifice=on", "abalone:2x4", "abalone:100x26",
    "abalone:4x27", "abalone:4x4,captures=0", "abalone:4x4,captures=6", "abalone:4x4,captures=x", "abalone:freeze=hard",
    "abalone:4x4,misère", "wildebeest:11x11", "wildebeest:pads=square", "wildebeest:swarm", "x" * 100000,
]

BAD_POSITIONS = {
    "fanorona:5x5": [
        "", " ", "rubbish", "bbbbb/bbbbb/bw.bw/wwwww/wwwww w", "bbbbb/bbbbb/bw.bw/wwwww/wwwww w 0 0",
        "bbbb/bbbbb/bw.bw/wwwww/wwwww w 0", "bbbbbb/bbbbb/bw.bw/wwwww/wwwww w 0", "bbbbb/bbbbb/bw.bw/wwwww w 0",
        "bbbbb/bbbbb/bw.bw/wwwww/wwwww/..... w 0", "bbbbb/bbbbb/bw?bw/wwwww/wwwww w 0",
        "bbbbb/bbbbb/bw.bw/wwwww/wwwww x 0", "bbbbb/bbbbb/bw.bw/wwwww/wwwww w -1", "bbbbb/bbbbb/bw.bw/wwwww/wwwww w 51",
        "bbbbb/bbbbb/bw.bw/wwwww/wwwww w 99999999999999999999", "bbbbb/bbbbb/bb.bw/wwwww/wwwww w 0",
        "xbbbb/xbbbb/bw.bw/wwwww/wwwww w 3", "..b../...../..x../...../..w.. w 0",
    ],
    "abalone": [
        "", "()", "(b)", "b bbb- b--w b--w -www", "(b bbb- b--w b--w -www", "(x bbb- b--w b--w -www)",
        "(b bbb- b--w b--w)", "(b bbb- b--w b--w -www ----)", "(b bbb b--w b--w -www)", "(b bbbx b--w b--w -www)",
        "(b bbbb b--w b--w -www)", "(b b--- ---- ---- ---w)", "(b bbb- b--w b--w -www) more",
    ],
    "othello:6x6": [
        "", "X", "-" * 36 + " X", "-" * 35 + " X", "-" * 64 + " X", "--------------OX----XO-------------- Z",
        "--------------OX----XO--------------", "--------------OX----X?-------------- X",
        "X-------------OX----XO-------------- X",
    ],
    "wildebeest": [
        "", "W", "W\n" * 15, "X RNZBOKXBCNR 0 60000 0",
    ],
}


class BadInput(unittest.TestCase):
    def expect_refused(self, *args, stdin=b""):
        done = run(*args, stdin=stdin)
        what = str(args)[:200]
        self.assertEqual(done.returncode, 2, what + done.out[:200])
        self.assertEqual(done.out, "", what)
        self.assertTrue(done.err.startswith("paika: "), what)
        self.assertLess(len(done.err), 1500, what)
        self.assertGreater(len(done.err.strip()), 20, what)
        return done.err

    def test_specs(self):
        for spec in BAD_SPECS:
            for command in (["show", spec], ["moves", spec], ["perft", spec, "1"], ["why", spec, "a1"]):
                self.expect_refused(*command)

    def test_spec_messages_say_what_is_valid(self):
        self.assertIn("did you mean othello", self.expect_refused("show", "otello"))
        self.assertIn("odd", self.expect_refused("show", "fanorona:4x4"))
        self.assertIn("13", self.expect_refused("show", "fanorona:15x15"))
        self.assertIn("even", self.expect_refused("show", "othello:7x7"))
        self.assertIn("sacrifice", self.expect_refused("show", "fanorona:sacrifize=on"))
        self.assertIn("1 to 5", self.expect_refused("show", "abalone:4x4,captures=6"))

    def test_positions(self):
        for spec, positions in BAD_POSITIONS.items():
            for position in positions:
                for command in ("show", "moves"):
                    self.expect_refused(command, spec, "--position", position)
                self.expect_refused("show", spec, "--position", "-", stdin=position.encode())

    def test_rubbish_on_stdin(self):
        everything = bytes(range(256)) * 8
        for game in GAMES:
            for rubbish in (b"", b"\0", b"\n", everything, b"\xff" * 1000, b"w" * 10_000_000, b"(b " + b"b" * 900_000):
                self.expect_refused("show", game, "--position", "-", stdin=rubbish)

    def test_moves_that_are_no_moves(self):
        for game in GAMES:
            for move in ("", " ", "??", "a", "1", "a1b", "a99999999999", "\u00e9", "x" * 100000):
                self.expect_refused("why", game, move)
            self.expect_refused("why", game, b"\xff\xfe")
            self.expect_refused("show", game, "--play", "rubbish")

    def test_command_line(self):
        for args in (["frobnicate"], ["show"], ["moves", "othello", "extra"], ["perft", "othello"],
                     ["perft", "othello", "x"], ["perft", "othello", "0x3"], ["perft", "othello", ""],
                     ["shwo", "othello"], ["perft", "othello", "-1"], ["perft", "othello", "100"],
                     ["perft", "othello", "3", "--threads", "0"], ["perft", "othello", "3", "--threads", "1e9"],
                     ["why", "othello"], ["show", "othello", "--frob"], ["show", "othello", "--position"],
                     ["games", "chess"]):
            self.expect_refused(*args)

    def test_words_are_repeated_safely_and_briefly(self):
        for word in ("--" + "x" * 100000, "\x1b[31m", b"--\xff\xfe"):
            error = self.expect_refused("show", "othello", word)
            self.assertTrue(all(c == "\n" or " " <= c <= "~" for c in error))

    def test_numbers_are_decimal(self):
        self.assertEqual(run("perft", "othello", "03").out.splitlines()[-1], "3 56")
        self.assertIn("whole number from 0 to 99", self.expect_refused("perft", "othello", "ten"))

    def test_unknown_commands_are_guessed(self):
        self.assertIn("did you mean show", self.expect_refused("shwo", "othello"))

    def test_unknown_options_are_named_and_guessed(self):
        error = self.expect_refused("perft", "othello", "3", "--thread", "2")
        self.assertIn('paika perft has no option "--thread" (did you mean --threads?)', error)
        self.assertIn('paika puzzles make has no option "--frob"', self.expect_refused("puzzles", "make", "--frob=1", "othello"))

    def test_a_mistyped_file_name(self):
        self.assertIn('nor is there a file "bord.txt"', self.expect_refused("show", "abalone", "--position", "bord.txt"))

    def test_output_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PAIKA, "moves", "othello"], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"cannot write", done.stderr)


if __name__ == "__main__":
    PAIKA = sys.argv.pop(1)
    unittest.main()
