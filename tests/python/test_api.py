"""The Python package as docs/python.md describes it: values, errors, search, tables, records."""

import contextlib
import copy
import io
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import xml.etree.ElementTree

import paika
from paika.__main__ import main

SPECS = ["fanorona:5x5", "abalone", "othello", "wildebeest"]


def random_game(spec, moves, seed=1):
    """A position some moves into a game, and all positions on the way."""
    position = paika.game(spec).start()
    path = [position]
    for number in range(moves):
        legal = position.legal_moves(50)
        if not legal:
            break
        position = position.play(legal[(seed * 7919 + number * 104729) % len(legal)])
        path.append(position)
    return path


class Values(unittest.TestCase):
    def test_positions_do_not_change(self):
        start = paika.game("othello").start()
        after = start.play("d3")
        self.assertEqual(start.moves, [])
        self.assertEqual(after.moves, ["d3"])
        self.assertEqual(after.undo(), start)
        self.assertNotEqual(after, start)
        with self.assertRaises(AttributeError):
            start.text = "x"

    def test_equal_positions_have_equal_hashes(self):
        for spec in SPECS:
            for position in random_game(spec, 8):
                again = position.game.position(position.text)
                self.assertEqual(position, again)
                self.assertEqual(hash(position), hash(again))
                self.assertEqual(len({position, again}), 1)
                self.assertEqual(position.key, again.key)

    def test_positions_and_games_are_pickled(self):
        for spec in SPECS:
            position = random_game(spec, 5)[-1]
            copy = pickle.loads(pickle.dumps(position))
            self.assertEqual((copy, copy.moves), (position, position.moves))
            self.assertEqual(pickle.loads(pickle.dumps(position.game)), position.game)

    def test_copies_are_the_position_itself(self):
        position = random_game("othello", 3)[-1]
        for thing in [position, position.game]:
            self.assertIs(copy.copy(thing), thing)
            self.assertIs(copy.deepcopy(thing), thing)

    def test_types_are_those_of_the_package(self):
        position = paika.game("othello").start()
        for thing in [position, position.game, position.outcome, paika.Engine("othello", hash=1).best(position, depth=1)]:
            self.assertIs(getattr(paika, type(thing).__name__), type(thing))
            self.assertEqual(type(thing).__module__, "paika")
        self.assertNotIn("_core", paika.Position.play.__doc__)

    def test_texts_and_pictures(self):
        position = paika.game("fanorona:5x5").start()
        self.assertIn("a b c d e", str(position))
        self.assertIn(position.text, repr(position))
        self.assertEqual(position.board, ["bbbbb", "bbbbb", "bw.bw", "wwwww", "wwwww"])
        root = xml.etree.ElementTree.fromstring(position._repr_svg_())
        self.assertTrue(root.tag.endswith("svg"))
        self.assertNotEqual(position.svg("dark"), position.svg("plain", flipped=True))

    def test_games(self):
        self.assertEqual(paika.games(), ["fanorona", "abalone", "othello", "wildebeest"])
        game = paika.game("blackwhite:6x6")
        self.assertEqual((game.spec, game.name, game.cols, game.rows), ("othello:6x6", "othello", 6, 6))
        self.assertEqual(game.players, ("Black", "White"))
        self.assertEqual(game, paika.game("othello:6x6"))
        self.assertIs(paika.game(game), game)
        self.assertEqual(paika.perft(game, 4), paika.perft("othello:6x6", 4))
        self.assertNotEqual(game, paika.game("othello"))


class Rules(unittest.TestCase):
    def test_perft(self):
        self.assertEqual(paika.perft("fanorona:9x5,sacrifice=off", 5), 431852)
        self.assertEqual(paika.game("othello").start().perft(5, threads=2), 1396)

    def test_refusals_have_clauses(self):
        position = paika.game("othello").start()
        with self.assertRaises(paika.IllegalMove) as caught:
            position.play("a1")
        self.assertEqual(caught.exception.clause, "2.1")
        self.assertIn("a1", caught.exception.squares)
        self.assertIn("docs/rules/othello.md 2.1", str(caught.exception))
        self.assertEqual(str(position.why("a1")), str(caught.exception))
        self.assertIsInstance(caught.exception, ValueError)

    def test_moves_are_texts_or_steps_everywhere(self):
        position = paika.game("fanorona:5x5").start()
        steps = position.steps("c2c3A")
        self.assertEqual(position.play(steps), position.play("c2c3A"))
        self.assertIsNone(position.why(steps))
        self.assertEqual(position.why(steps[:1] + [("to", "c2")]).squares, ["c2"])
        self.assertEqual(position.move_text(steps), "c2c3A")
        self.assertEqual(paika.Env("fanorona:5x5").encode(steps), paika.Env("fanorona:5x5").encode("c2c3A"))
        with self.assertRaisesRegex(ValueError, "pair"):
            position.why([3])

    def test_effects_say_who_caused_them(self):
        [placed, flipped] = paika.game("othello").start().effects("d3")
        self.assertEqual((placed.kind, placed.to_square, placed.cause_square), ("placed", "d3", None))
        self.assertEqual((flipped.kind, flipped.cause_square, flipped.count), ("flipped", "d3", 0))

    def test_outcomes(self):
        path = random_game("othello:6x6", 200)
        self.assertFalse(path[0].outcome)
        self.assertEqual((path[0].outcome.verdict, path[0].outcome.winner), ("ongoing", None))
        last = path[-1]
        self.assertTrue(last.is_over and last.outcome.over)
        self.assertIn("docs/rules/othello.md", last.outcome.text)
        self.assertEqual(last.legal_moves(), [])
        self.assertIn(last.outcome.winner, (0, 1, None))


class Errors(unittest.TestCase):
    def test_messages_say_what_would_be_right(self):
        start = paika.game("othello").start()
        for call, part in [
                (lambda: paika.game("chess"), "fanorona"),
                (lambda: paika.game("fanorona:4x4"), "odd"),
                (lambda: start.game.position("rubbish"), ""),
                (lambda: start.perft(-1), "depth must be from 0 to"),
                (lambda: start.perft(10**30), "depth must be from 0 to .*, not 10{30}$"),
                (lambda: start.perft(1, threads=0), "1 to 256"),
                (lambda: start.legal_moves(-1), "most must be from 0"),
                (lambda: start.svg("neon"), "wood, plain and dark"),
                (lambda: start.undo(), "take back"),
                (lambda: start.play([("jump", "a1")]), "jump"),
                (lambda: start.play([("place", "z9")]), "a1"),
                (lambda: start.play([3]), "pair"),
                (lambda: paika.Engine("othello", level=15), "14"),
                (lambda: paika.Engine("othello", lvl=1), "level"),
                (lambda: paika.Engine("othello", hash=1).best(start, depth="x"), "depth"),
                (lambda: paika.Engine("abalone", hash=1).best(start), "othello"),
                (lambda: paika.parse_records("paika-record 7\n"), "line 1")]:
            with self.assertRaisesRegex(ValueError, part):
                call()
        for call, part in [
                (lambda: paika.game(3), "the game must be a spec .*, not 3"),
                (lambda: start.game.position(3), "the position must be a text, not 3"),
                (lambda: start.play(7), "a text or a list of steps"),
                (lambda: start.next_steps(7), "a text or a list of steps"),
                (lambda: paika.perft("othello", 2.5), "depth must be a whole number, not 2.5"),
                (lambda: start.count_moves("1"), "most must be a whole number, not '1'"),
                (lambda: start.svg(3), "theme must be a text, not 3"),
                (lambda: start.record(None), "first must be a text, not None"),
                (lambda: paika.parse_records(b"x"), "the text must be a text"),
                (lambda: paika.Table("othello", 3), "folder must be a path, not 3"),
                (lambda: paika.Engine("othello", tables=3), "tables must be a path, not 3"),
                (lambda: paika.Engine(None), "the game must be a spec"),
                (lambda: paika.Engine("othello", hash=1).best(start, on_progress=4), "a function")]:
            with self.assertRaisesRegex(TypeError, part):
                call()

    def test_text_that_is_not_utf_8(self):
        start = paika.game("othello").start()
        for call in [lambda text: paika.game(text), start.game.position, start.play, start.why, start.effects, start.svg,
                     start.record, paika.parse_records, lambda text: paika.Engine("othello", level=text)]:
            with self.assertRaisesRegex(ValueError, r"that UTF-8 cannot write: '.*\\udcff'"):
                call("\udcff")

    def test_signatures_are_those_of_python(self):
        for owner in [paika, *(thing for thing in vars(paika).values() if isinstance(thing, type))]:
            for name in dir(owner):
                self.assertNotIn("::", getattr(owner, name).__doc__ or "", f"{owner.__name__}.{name}")

    def test_there_is_no_such_table(self):
        with self.assertRaisesRegex(FileNotFoundError, "paika solve"):
            paika.Table(paika.game("fanorona:3x3"), "/nonexistent")


class Search(unittest.TestCase):
    def test_the_best_move_is_legal(self):
        for spec in SPECS:
            engine = paika.Engine(spec, hash=1, multipv=2)
            start = paika.game(spec).start()
            found = engine.best(start, depth=2)
            self.assertIn(found.move, start.legal_moves())
            self.assertEqual(len(found.lines), 2)
            self.assertEqual(found.lines[0].moves[0], found.move)
            self.assertGreaterEqual(found.score, found.lines[1].score)

    def test_same_seed_same_choice(self):
        start = paika.game("othello").start()
        moves = {paika.Engine("othello", level=3, seed=5, hash=1).best(start, nodes=2000).move for _ in range(3)}
        self.assertEqual(len(moves), 1)

    def test_progress_stops_the_search(self):
        depths = []

        def on_progress(info):
            depths.append(info.depth)
            return info.depth >= 2

        found = paika.Engine("othello", hash=1).best(paika.game("othello").start(), depth=60, on_progress=on_progress)
        self.assertTrue(depths)
        self.assertLess(found.depth, 60)

    def test_an_exception_of_progress_comes_back(self):
        def broken(info):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            paika.Engine("othello", hash=1).best(paika.game("othello").start(), depth=60, on_progress=broken)

    def test_searching_releases_the_lock_and_refuses_a_second_thread(self):
        engine = paika.Engine("othello", hash=1)
        start = paika.game("othello").start()
        running = threading.Event()
        stop = threading.Event()

        def on_progress(info):
            running.set()
            return stop.is_set()

        thread = threading.Thread(target=lambda: engine.best(start, depth=60, on_progress=on_progress))
        thread.start()
        self.assertTrue(running.wait(60))
        with self.assertRaisesRegex(RuntimeError, "another thread"):
            engine.best(start, depth=1)
        stop.set()
        thread.join(120)
        self.assertFalse(thread.is_alive())
        self.assertIn(engine.best(start, depth=1).move, start.legal_moves())

    def test_an_interrupt_ends_a_search(self):
        engine, start = paika.Engine("othello", hash=1), paika.game("othello").start()
        interrupt = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        interrupt.start()
        with self.assertRaises(KeyboardInterrupt):
            engine.best(start, depth=60)
        interrupt.join()
        self.assertIn(engine.best(start, depth=1).move, start.legal_moves())

    def test_engines_and_searches_say_what_they_are(self):
        engine = paika.Engine("othello:6x6", level=3, hash=1)
        self.assertEqual(repr(engine), "paika.Engine('othello:6x6', level=3, hash=1)")
        found = engine.best(engine.game.start(), depth=1)
        self.assertRegex(repr(found.info), f"^<SearchInfo depth 1: {found.lines[0].moves[0]} ")
        with self.assertRaisesRegex(TypeError, "must be a paika.Position"):
            engine.best("d3")

    def test_a_finished_game_is_not_searched(self):
        last = random_game("othello:6x6", 200)[-1]
        with self.assertRaisesRegex(ValueError, "over"):
            paika.Engine("othello:6x6", hash=1).best(last)


class Files(unittest.TestCase):
    def test_records_are_read_again(self):
        position = random_game("fanorona:5x5", 9)[-1]
        [record] = paika.parse_records(position.record("Ann", "Bob"))
        self.assertEqual(record.players, ("Ann", "Bob"))
        self.assertEqual(record.moves, position.moves)
        self.assertEqual(record.position, position)
        self.assertEqual(record.text, position.record("Ann", "Bob"))

    @unittest.skipUnless(os.environ.get("PAIKA_PROGRAM"), "needs the program, to solve a game")
    def test_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([os.environ["PAIKA_PROGRAM"], "solve", "fanorona:3x3", "--tables", folder], check=True,
                           capture_output=True, timeout=300)
            game = paika.game("fanorona:3x3")
            table = paika.Table(game, folder)
            start = game.start()
            value = table.value(start)
            moves = table.moves(start)
            self.assertEqual(len(moves), len(start.legal_moves()))
            self.assertEqual(moves[0][1], value)
            self.assertIn(value.result, (-1, 0, 1))
            found = paika.Engine(game, tables=folder, hash=1).best(start, depth=1)
            self.assertEqual(found.table, table.path)
            for same in [paika.Table("fanorona:3x3", folder), paika.Table(game, folder=pathlib.Path(folder))]:
                self.assertEqual(same.path, table.path)
            self.assertEqual(paika.Engine(game, tables=pathlib.Path(folder), hash=1).best(start, depth=1).table, table.path)
            with self.assertRaisesRegex(ValueError, "othello"):
                table.value(paika.game("othello").start())


FORK = """
import os, paika
env = paika.BatchEnv("othello:6x6", 64, threads=3)
engine = paika.Engine("abalone", threads=3, hash=1)
engine.best(engine.game.start(), nodes=2000)
env.step(env.sample())
child = os.fork()
if child == 0:
    env.step(env.sample())
    engine.forget()
    found = engine.best(engine.game.start(), nodes=2000).move
    del env, engine
    os._exit(0 if found else 1)
_, status = os.waitpid(child, 0)
env.step(env.sample())
raise SystemExit(os.waitstatus_to_exitcode(status))
"""


class Processes(unittest.TestCase):
    def test_a_fork_goes_on_without_the_threads(self):
        subprocess.run([sys.executable, "-c", FORK], check=True, timeout=120)


class CommandLine(unittest.TestCase):
    def run_main(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(list(arguments))
        return status, out.getvalue(), err.getvalue()

    def test_it_shows_games_and_positions(self):
        status, out, _ = self.run_main()
        self.assertEqual((status, len(out.splitlines())), (0, 4))
        status, out, _ = self.run_main("othello:6x6", "c2", "--best", "--time", "20ms")
        self.assertEqual(status, 0)
        self.assertIn("White to move: ", out)
        self.assertIn("best: ", out)

    def test_bad_input_is_status_2(self):
        for arguments in [["chess"], ["othello", "a1"], ["othello", "--best", "--time", "soon"]]:
            status, _, err = self.run_main(*arguments)
            self.assertEqual(status, 2)
            self.assertTrue(err.startswith("paika: "), err)


if __name__ == "__main__":
    unittest.main()
