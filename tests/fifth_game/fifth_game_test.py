"""A game that is plugged in by its folder and a line of the list, met as its players meet it: on the command line, in
the terminal, solved, and by link on a server.

usage: fifth_game_test.py PROGRAM-WITH-FIVE-GAMES
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from room_client import Player
from server_client import Server  # noqa: E402

PAIKA = ""
GAME = "tictactoe"
WIN_AT_ONCE = "xx./oo./... x"


def paika(*args, **options):
    done = subprocess.run([PAIKA, *map(str, args)], capture_output=True, timeout=100, check=False, text=True, **options)
    assert done.returncode in (0, 1), done
    return done.stdout


class CommandLine(unittest.TestCase):
    def test_games_lists_it_last(self):
        names = [game["name"] for game in json.loads(paika("games", "--json"))]
        self.assertEqual(names, ["fanorona", "abalone", "othello", "wildebeest", GAME])

    def test_moves(self):
        moves = json.loads(paika("moves", GAME, "--json"))
        self.assertEqual(sorted(move["move"] for move in moves["moves"]),
                         [column + row for column in "abc" for row in "123"])

    def test_perft(self):
        self.assertIn("15120", paika("perft", GAME, "5"))

    def test_why(self):
        self.assertIn("a3 is taken", paika("why", GAME, "a3", "--position", WIN_AT_ONCE))
        self.assertIn("2.1", paika("why", GAME, "a3", "--position", WIN_AT_ONCE))

    def test_best(self):
        best = json.loads(paika("best", GAME, "--position", WIN_AT_ONCE, "--depth", "4", "--json"))
        self.assertEqual(best["move"], "c3")

    def test_solve_verify_and_proof(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("draw", paika("solve", GAME, "--tables", folder))
            (table,) = pathlib.Path(folder).glob("*.table")
            self.assertIn("draw", paika("table", "query", table))
            paika("table", "verify", table)
        self.assertIn("c3", paika("solve", GAME, "--proof", "--position", WIN_AT_ONCE))

    def test_show(self):
        self.assertIn("Cross", paika("show", GAME))


class Terminal(unittest.TestCase):
    def test_play(self):
        with tempfile.TemporaryDirectory() as folder:
            screen = paika("play", GAME, "--first", "human", "--second", "human", "--plain",
                           input="b2\nb2\na1\na3\nc1\nb1\nb3\na2\nc2\nc3\nquit\n", cwd=folder)
        self.assertIn("b2 is taken", screen)
        self.assertIn("A draw: the board is full", screen)


class OnAServer(unittest.TestCase):
    def setUp(self):
        self.server = Server(PAIKA, "--rate-factor", "1000", "--workers", "1")
        self.addCleanup(self.server.close)

    def test_a_game_by_link(self):
        first, second = Player(self.server), Player(self.server)
        self.addCleanup(first.close)
        self.addCleanup(second.close)
        scene = first.http.get(f"/api/scene?spec={GAME}").json
        self.assertEqual(scene["look"], {"ground": "grid", "pieces": "stone", "pieces_leave": True})
        picture = first.http.get(f"/api/position/picture.svg?spec={GAME}")
        self.assertEqual(picture.status, 200)
        room = first.open_room(GAME, side="first")
        self.assertEqual(second.command(room, "join").status, 200)
        for number, move in enumerate(["a1", "b1", "a2", "b2", "a3"]):
            mover = (first, second)[number % 2]
            answer = mover.command(room, "play", move=move, id=f"move {number}")
            self.assertEqual(answer.status, 200, answer)
        self.assertIn("Cross wins with three in a line", json.dumps(first.snapshot(room)))


if __name__ == "__main__":
    PAIKA = sys.argv.pop(1)
    unittest.main(verbosity=1)
