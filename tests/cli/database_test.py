"""`paika db` and the explorer of the server as their users meet them.

usage: database_test.py PAIKA-PROGRAM
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from room_client import Player
from server_client import PATIENCE, Http, Server

PAIKA = ""
TREES = ('[Game "othello"]\n[First "Ann"]\n[Second "Bob"]\n[Result "1-0"]\n[Date "2026-03-01"]\n\n1. f5 d6 1-0\n\n'
         '[Game "othello"]\n[First "Bob"]\n[Second "Ann"]\n[Result "0-1"]\n[Date "2025-03-01"]\n\n1. d3 e3 0-1\n')


def paika(*arguments, stdin="", timeout=120):
    done = subprocess.run([PAIKA, *map(str, arguments)], input=stdin, capture_output=True, text=True, check=False,
                          timeout=timeout)
    return done.returncode, done.stdout, done.stderr


class Database(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="paika games ")
        self.addCleanup(holder.cleanup)
        self.file = pathlib.Path(holder.name) / "games.db"

    def add(self, text, *options):
        return paika("db", "import", "-", "--db", self.file, *options, stdin=text)

    def explore(self, *options):
        status, text, error = paika("db", "explore", "othello", "--db", self.file, "--json", *options)
        self.assertEqual((status, error), (0, ""))
        return json.loads(text)

    def test_import_and_explore(self):
        self.assertEqual(self.add(TREES), (0, "2 games added, 0 already there, 0 bad\n", ""))
        self.assertEqual(self.add(TREES), (0, "0 games added, 2 already there, 0 bad\n", ""))
        found = self.explore()
        self.assertEqual((found["games"], found["moves"][0]["games"]), (2, 2))
        self.assertEqual(len(found["moves"]), 1)  # the first moves are the same by symmetry
        self.assertEqual(found["moves"][0]["last"], "2026-03-01")
        self.assertEqual({move["move"] for move in self.explore("--play", "f5")["moves"]}, {"d6", "f4"})
        self.assertEqual(self.explore("--player", "ann", "--colour", "first")["games"], 1)
        self.assertEqual(self.explore("--since", "2026")["games"], 1)
        status, text, _ = paika("db", "explore", "othello", "--db", self.file, "--values", "--time-ms", "50")
        self.assertEqual(status, 0)
        self.assertRegex(text, r"^move +games .*value\n[a-z]\d +2 +50\.0 +0\.0 +50\.0 +2026-03-01 +[+-]?\d")

    def test_a_bad_game_is_named_and_the_others_are_added(self):
        bad = '[Game "othello"]\n\n1. f5 a1 *\n\n'
        status, text, error = self.add(bad + TREES)
        self.assertEqual((status, text), (1, "2 games added, 0 already there, 1 bad\n"))
        self.assertTrue(error.startswith('paika: standard input: line 3, column 7: "a1": a1 encloses nothing'), error)

    def test_selfplay_and_stats(self):
        for game in ("fanorona:5x5", "abalone:4x4", "othello:6x6", "wildebeest"):
            status, _, error = paika("db", "import", "--db", self.file, "--selfplay", game, "--games", 3, "--level", 0)
            self.assertEqual((status, error), (0, ""))
        again = paika("db", "import", "--db", self.file, "--selfplay", "othello:6x6", "--games", 3, "--level", 0)
        self.assertEqual(again[1], "0 games added, 3 already there, 0 bad\n")
        stats = json.loads(paika("db", "stats", "--db", self.file, "--json")[1])
        self.assertEqual((stats["games"], len(stats["specs"])), (12, 4))
        self.assertIn("12 games", paika("db", "stats", "--db", self.file)[1])

    def test_an_interrupted_import_leaves_a_good_file(self):
        self.add(TREES)
        command = [PAIKA, "db", "import", "--db", str(self.file), "--selfplay", "othello:6x6", "--games", "1000000",
                   "--level", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            time.sleep(1)
            process.send_signal(signal.SIGKILL)
            process.wait(PATIENCE)
        self.assertEqual(self.explore()["games"], 2)
        self.assertEqual(self.add(TREES)[1], "0 games added, 2 already there, 0 bad\n")

    def test_wrong_input(self):
        text = self.file.with_suffix(".txt")
        text.write_text("no database", encoding="utf-8")
        for arguments in (["import"], ["stats", "--db", self.file], ["explore", "othello", "--db", text],
                          ["import", "--selfplay", "chess", "--db", self.file], ["import", "nothing.txt"],
                          ["explore", "othello", "--since", "soon"], ["explore", "othello", "--colour", "first"]):
            status, _, error = paika("db", *arguments)
            self.assertEqual(status, 2, arguments)
            self.assertTrue(error.startswith("paika: "), error)


class Explorer(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="paika games ")
        self.addCleanup(holder.cleanup)
        self.file = pathlib.Path(holder.name) / "games.db"
        paika("db", "import", "-", "--db", self.file, stdin=TREES)
        self.server = Server(PAIKA, "--games", str(self.file))
        self.addCleanup(self.server.close)

    def finished(self, players, listed):
        room = players[0].open_room("othello:6x6", side="first", listed=listed)
        self.assertEqual(players[1].command(room, "join").status, 200)
        answer = players[0].command(room, "play", move="e4", id="1")
        if answer.status != 200:
            answer = players[0].command(room, "play", move="d2", id="1")
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual(players[1].command(room, "resign").status, 200)
        return room

    def explore(self, http, query, until):
        """Asks until `until` games were counted: a game is counted some moments after its end."""
        end = time.monotonic() + PATIENCE
        while True:
            answer = http.get(f"/api/explorer?spec=othello:6x6{query}")
            self.assertEqual(answer.status, 200, answer)
            if answer.json["games"] >= until or time.monotonic() > end:
                return answer.json
            time.sleep(0.3)

    def test_games_of_the_server_and_ones_own(self):
        players = (Player(self.server), Player(self.server))
        room = self.finished(players, True)
        self.finished(players, False)
        anybody = Http(self.server)
        found = self.explore(players[0].http, "&source=mine", 2)
        self.assertEqual((found["games"], found["results"]["first_wins"]), (2, 2))
        found = self.explore(anybody, "", 1)
        self.assertEqual(found["games"], 1)  # the other one was not listed
        self.assertEqual(found["recent"][0]["source"], room)
        self.assertEqual(found["recent"][0]["players"], [player.name for player in players])
        self.assertEqual(self.explore(players[0].http, "&source=mine&colour=second", 0)["games"], 0)
        self.assertEqual(self.explore(anybody, f"&player={players[1].name}", 1)["games"], 1)
        self.server.stop()
        self.server.restart()
        self.assertEqual(self.explore(Http(self.server), "", 1)["games"], 1)

    def test_a_database_beside_it(self):
        http = Http(self.server)
        found = http.get("/api/explorer?spec=othello&source=games&moves=f5").json
        self.assertEqual({move["move"] for move in found["moves"]}, {"d6", "f4"})
        self.assertEqual(found["sources"], ["server", "mine", "games"])
        self.assertEqual(http.get("/api/explorer?spec=othello&source=games&player=ann").json["games"], 2)

    def test_every_move_has_a_value_from_the_analysis(self):
        http = Http(self.server)
        found = http.get("/api/explorer?spec=othello&source=games&moves=f5").json
        asked = {"spec": "othello", "position": found["position"], "lines": 3, "depth": 4, "time_ms": 30_000}
        lines = http.post("/api/position/analysis", asked).body.decode().splitlines()
        values = {line["moves"][0]: line["score"] for line in json.loads(lines[-1])["lines"]}
        self.assertEqual(len(values), 3)
        for move in found["moves"]:
            self.assertTrue(values.keys() & {move["move"], *move["same"]}, move)

    def test_refusals(self):
        http = Http(self.server)
        for query, status in (("", 400), ("?spec=chess", 400), ("?spec=othello&source=moon", 400),
                              ("?spec=othello&moves=a1", 422), ("?spec=othello&since=soon", 400),
                              ("?spec=othello&colour=red", 400), ("?spec=othello&source=mine", 401),
                              ("?spec=othello&player=nobody-here", 404), ("?spec=othello&cake=1", 400)):
            self.assertEqual(http.get(f"/api/explorer{query}").status, status, query)

    def test_games_must_be_a_database(self):
        text = self.file.with_suffix(".txt")
        text.write_text("no database", encoding="utf-8")
        status, _, error = paika("serve", "--listen", "127.0.0.1:0", "--db", self.file.with_name("server.db"),
                                 "--games", text)
        self.assertEqual(status, 2)
        self.assertIn("--games", error)


if __name__ == "__main__":
    PAIKA = sys.argv.pop(1)
    unittest.main()
