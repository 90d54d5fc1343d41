"""The conformance suite (src/rules/conformance.hpp) ported to what Python sees: properties of every game, over random games.

PAIKA_CONFORMANCE_GAMES says how many games of each spec are played (default 2), PAIKA_PERFT_CAP how many lines the counts of
tests/data/perft may have that are compared.
"""

import os
import pathlib
import random
import unittest

import paika

GAMES = int(os.environ.get("PAIKA_CONFORMANCE_GAMES", "2"))
PERFT_CAP = int(os.environ.get("PAIKA_PERFT_CAP", "100000"))
DATA = pathlib.Path(__file__).resolve().parent.parent / "data/perft"
SPECS = ["fanorona:5x5", "fanorona:9x5", "fanorona:3x7,sacrifice=off,limit=0", "fanorona:13x13", "abalone", "abalone:4x4,freeze,must",
         "abalone:5x5,misere", "abalone:9x9", "othello", "othello:6x6", "othello:12x12", "wildebeest"]
MOVES = 60  # at most, in a game
HEAVY = 12  # moves of a position that get the expensive checks
PROBES = 12  # random, mostly illegal moves tried at each position
EMPTY = ".-*#"  # what squares without a piece are drawn as


class Squares:
    """The names of a game's squares, taken from its printed board, and what each is drawn as when it is empty."""

    def __init__(self, game):
        columns, *rows = str(game.start()).rstrip().split("\n")
        self.rows = [[f"{column}{row.split()[0]}" for column in columns.split()] for row in rows]
        self.names = [name for row in self.rows for name in row]
        drawn = self.grid(game.start())
        usual = next((sign for sign in drawn.values() if sign in ".-"), ".")
        self.empty = {name: sign if sign in EMPTY else usual for name, sign in drawn.items()}

    def grid(self, position):
        return {name: sign for names, signs in zip(self.rows, position.board, strict=True)
                for name, sign in zip(names, signs, strict=True)}

    def replayed(self, grid, effects):
        """The board after the effects; those of one stage are simultaneous."""
        grid = dict(grid)
        for stage in sorted({effect.stage for effect in effects}):
            now = [effect for effect in effects if effect.stage == stage]
            for effect in now:
                if effect.from_square:
                    grid[effect.from_square] = self.empty[effect.from_square]
            for effect in now:
                if effect.to_square:
                    grid[effect.to_square] = effect.piece
        return grid


class Conformance(unittest.TestCase):
    def play(self, spec, seed):
        choose = random.Random(f"{spec} {seed}")
        game = paika.game(spec)
        squares = Squares(game)
        position = game.start()
        for _ in range(MOVES):
            legal = position.legal_moves(5000)
            with self.subTest(spec, position=position.text):
                self.check(position, legal, squares, choose)
            if not legal:
                return
            # One that goes on is preferred: random play ends some games at once and would never see what comes later.
            following = [position.play(choose.choice(legal)) for _ in range(4)]
            position = next((after for after in following if not after.is_over), following[-1])

    def check(self, position, legal, squares, choose):
        self.check_text_and_key(position)
        self.check_list(position, legal)
        outcome = position.outcome
        self.assertEqual(outcome.over, not legal)
        self.assertEqual(bool(outcome), outcome.over)
        if outcome.over:
            self.assertTrue(outcome.reason and f"docs/rules/{position.game.name}.md" in outcome.text)
            return
        for move in choose.sample(legal, min(HEAVY, len(legal))):
            self.check_move(position, move, squares)
        for _ in range(PROBES):
            self.check_probe(position, set(legal), squares, choose)

    def check_text_and_key(self, position):
        read = position.game.position(position.text)
        self.assertEqual((read.text, read.key, read.board, read.to_move),
                         (position.text, position.key, position.board, position.to_move))

    def check_list(self, position, legal):
        self.assertEqual(len(set(legal)), len(legal))  # each is listed once and has a text of its own
        self.assertEqual(position.count_moves(5000), len(legal))
        self.assertEqual(position.legal_moves(3), legal[:3])
        self.assertEqual([position.move_text(steps) for steps in position.legal_steps(40)], legal[:40])
        if len(legal) < 5000:
            self.assertEqual(position.perft(1), len(legal))

    def check_move(self, position, move, squares):
        self.assertIsNone(position.why(move))
        steps = position.steps(move)
        self.assertEqual(position.move_text(steps), move)
        following, complete = position.next_steps(steps)
        self.assertTrue(complete, following)
        after = position.play(move)
        self.assertEqual(after, position.play(steps))
        self.assertEqual(after.to_move, 1 - position.to_move)
        self.assertEqual((after.moves, after.undo()), (position.moves + [move], position))
        effects = position.effects(move)
        self.assertTrue(all(effect.clause and effect.text for effect in effects))
        self.assertEqual(squares.replayed(squares.grid(position), effects), squares.grid(after))

    def check_probe(self, position, legal, squares, choose):
        """A random move is refused exactly if it is not in the list, with a clause and squares of the board."""
        probe = choose.choice(["{0}{1}", "{0}", "{0}{1}A", "{0}{1}W", "x{0}"]).format(*choose.sample(squares.names, 2))
        try:
            refusal = position.why(probe)
        except ValueError as fault:  # not the text of a move at all
            self.assertNotIn(probe, legal)
            self.assertTrue(str(fault))
            return
        if refusal is None:
            self.assertIn(position.move_text(probe), legal)
            return
        self.assertNotIn(probe, legal)
        self.assertTrue(refusal.clause)
        self.assertLessEqual(set(refusal.squares), set(squares.names))
        message = str(refusal)
        self.assertTrue(not message[0].isupper() or message.startswith(position.game.players), message)
        with self.assertRaises(paika.IllegalMove) as caught:
            position.play(probe)
        self.assertEqual(str(caught.exception), message)

    def test_random_games(self):
        for spec in SPECS:
            for seed in range(GAMES):
                self.play(spec, seed)

    def test_the_tree_of_steps_is_the_legal_moves(self):
        for spec in ["fanorona:5x5", "abalone", "othello", "wildebeest"]:
            position = paika.game(spec).start()
            for _ in range(6):
                following = map(position.play, reversed(position.legal_moves(50)))
                position = next(after for after in following if not after.is_over)
            found = []

            def walk(prefix):
                steps, complete = position.next_steps(prefix)
                if complete:
                    found.append(position.move_text(prefix))
                for step in steps:
                    walk(prefix + [step])

            walk([])
            self.assertEqual(sorted(found), sorted(position.legal_moves()))

    def test_perft(self):
        """Every count of tests/data/perft that is small enough."""
        compared = 0
        for path in sorted(DATA.glob("*.txt")):
            for line in path.read_text(encoding="utf-8").splitlines():
                if not line or line.startswith("#"):
                    continue
                spec, text, counts = line.split("\t")
                game = paika.game(spec)
                position = game.start() if text == "start" else game.position(text)
                for depth, count in enumerate(counts.split(), 1):
                    if int(count) <= PERFT_CAP:
                        self.assertEqual(position.perft(depth), int(count), f"{spec} {text} depth {depth}")
                        compared += 1
        self.assertGreater(compared, 100)


if __name__ == "__main__":
    unittest.main()
