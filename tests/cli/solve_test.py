"""`paika solve`, `table`, `review` and `openings` as their users meet them: answers, interruptions, damage, many processes.

usage: solve_test.py PAIKA-PROGRAM
"""

import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PAIKA = ""
SMALL = "abalone:3x3,captures=1"
# Solved in about a second: long enough to be interrupted.
MEDIUM = "abalone:4x4"


def paika(*args, **options):
    done = subprocess.run([PAIKA, *map(str, args)], capture_output=True, timeout=200, check=False, **options)
    done.out, done.err = done.stdout.decode(), done.stderr.decode()
    return done


class WithFolder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="paika solve "))
        self.addCleanup(shutil.rmtree, self.folder)

    def solve(self, spec, *args, folder=None, **options):
        return paika("solve", spec, "--tables", folder or self.folder, *args, **options)

    def table(self, spec, folder=None):
        """The table of a board, solved if it is not there."""
        done = self.solve(spec, "--no-count", "--json", folder=folder)
        self.assertEqual(done.returncode, 0, done.err)
        return pathlib.Path(json.loads(done.out)["table"])


class Gpu(WithFolder):
    def test_without_a_gpu(self):
        done = self.solve(SMALL, "--gpu", env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.err, "built without CUDA|no NVIDIA GPU can be used here")
        self.assertEqual(list(self.folder.glob("*")), [], "nothing is begun")

    def test_options_that_do_not_go_together(self):
        done = self.solve(SMALL, "--no-table")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--no-table goes with --gpu", done.err)
        done = self.solve(SMALL, "--gpu", "--proof")
        self.assertEqual(done.returncode, 2)
        self.assertIn("give one of them", done.err)
        done = paika("solve", "othello:6x6", "--gpu")
        self.assertEqual(done.returncode, 2)
        self.assertIn("solved by search", done.err)

    def test_checksums_of_a_table(self):
        table = self.table(SMALL)
        done = paika("table", "info", table, "--checksums")
        self.assertEqual((done.returncode, done.out), (0, "3-3\t4fcdb19e1321bc43\n"))
        told = json.loads(paika("table", "info", table, "--checksums", "--json").out)
        self.assertEqual(told["tiers"], [{"tier": "3-3", "checksum": "4fcdb19e1321bc43"}])


class FewStones(WithFolder):
    SPEC = "fanorona:7x3,classic"
    DRAWN = "w...b../......./.w....b w 0"

    def test_the_published_number_of_positions(self):
        done = paika("solve", "fanorona:9x5,classic", "--stones", "7", "--plan")
        self.assertIn(", 6261651660 if symmetric ones are counted each", done.out.splitlines()[-1])
        told = json.loads(paika("solve", "fanorona:9x5,classic", "--stones", "7", "--plan", "--json").out)
        self.assertEqual(told["unfolded"], 6261651660)

    def test_solves_and_answers(self):
        done = self.solve(self.SPEC, "--stones", "4")
        self.assertEqual(done.returncode, 0, done.err)
        self.assertIn("32555 up to symmetry", done.out)
        told = json.loads(self.solve(self.SPEC, "--stones", "4", "--position", self.DRAWN, "--json").out)
        self.assertEqual((told["value"], sorted(told["best"])), ("draw", ["a3b2", "b1b2"]))
        moves = paika("moves", self.SPEC, "--values", "--tables", self.folder, "--position", self.DRAWN)
        values = {line.split("\t")[0]: line.split("\t")[2] for line in moves.out.splitlines()}
        self.assertEqual((values["a3b2"], values["a3b3"]), ("draw", "loss"))
        best = paika("best", self.SPEC, "--tables", self.folder, "--position", self.DRAWN, "--depth", "3")
        self.assertIn(best.out.split()[0], ("a3b2", "b1b2"))
        self.assertIn("perfect play, from the table", best.err)

    def test_a_match_with_and_without(self):
        self.assertEqual(self.solve(self.SPEC, "--stones", "4").returncode, 0)
        record = f"{self.folder}/games"
        done = paika("match", self.SPEC, "engine:depth=1,endings=off", "engine:depth=1", "--tables", self.folder,
                     "--position", "w.w..../......./......b w 0", "--openings", "0", "--games", "2", "--max-moves", "6",
                     "--record", record)
        self.assertEqual(done.returncode, 0, done.err)
        with open(record) as games:
            scores = [abs(int(score)) for score in re.findall(r"^move .* score=(-?\d+)", games.read(), re.MULTILINE)]
        # A search of one ply sees a stone more; who has the table knows that it wins. White is without it, then with it.
        self.assertEqual([score > 100_000 for score in scores], [False, True] * 3 + [True, False] * 3, scores)

    def test_a_match_without_the_folder(self):
        refused = paika("match", self.SPEC, "engine", "engine", "--tables", f"{self.folder}/nowhere")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--tables must be a folder that holds tables", refused.err)

    def test_distances_where_asked(self):
        done = self.solve(self.SPEC, "--stones", "3", "--distances")
        self.assertEqual(done.returncode, 0, done.err)
        self.assertIn("longest: a win in", done.out)
        self.assertEqual(self.solve(self.SPEC, "--stones", "4").returncode, 0)
        refused = self.solve(self.SPEC, "--stones", "4", "--distances")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("has no distances; remove it", refused.err)

    def test_refusals(self):
        for args, words in (
            (["fanorona:13x13", "--stones", "4"], "169 points"),
            (["fanorona", "--stones", "11"], "2 to 10 stones, not 11"),
            (["abalone", "--stones", "4"], "has no tables of positions with few stones"),
            (["fanorona"], "--stones 5"),
            (["fanorona:5x3", "--distances"], "--distances goes with --stones"),
            (["fanorona:5x3", "--no-verify"], "--no-verify goes with --stones"),
            (["fanorona:5x3", "--stones", "4", "--proof"], "give one of them"),
        ):
            done = self.solve(*args)
            self.assertEqual(done.returncode, 2, args)
            self.assertIn(words, done.err)


class Answers(WithFolder):
    def test_text_and_json(self):
        done = self.solve(SMALL)
        self.assertEqual(done.returncode, 0, done.err)
        lines = done.out.splitlines()
        self.assertEqual(lines[0], "Black wins in 3 moves")
        self.assertEqual(len(lines[2].split()), 1 + 3, "a line of three turns")
        told = json.loads(self.solve(SMALL, "--json").out)
        self.assertEqual((told["value"], told["win_in"], len(told["line"])), ("win", 3, 3))
        reachable = told["reachable"]
        self.assertEqual(reachable["positions"], reachable["wins"] + reachable["losses"] + reachable["draws"])

    def test_a_position(self):
        told = json.loads(self.solve(SMALL, "--play", "a1b2", "--json").out)
        self.assertEqual((told["value"], told["loss_in"]), ("loss", 2))
        over = self.solve("abalone:3x3,captures=1", "--position", "(w bb- bb- ---)")
        self.assertEqual(over.returncode, 2)

    def test_moves_with_values(self):
        self.table(SMALL)
        done = paika("moves", SMALL, "--values", "--tables", self.folder)
        self.assertEqual(done.returncode, 0, done.err)
        values = {line.split("\t")[0]: line.split("\t")[2] for line in done.out.splitlines()}
        self.assertEqual(len(values), 7)
        self.assertEqual(values["a1b2"], "win 3")
        self.assertEqual(min(values.values(), key=lambda v: v != "win 3"), "win 3")

    def test_best_plays_from_the_table_and_says_so(self):
        path = self.table(MEDIUM)
        done = paika("best", MEDIUM, "--tables", self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.out.endswith("win in 23\n"), done.out)
        self.assertIn(f"from the table {path}", done.err)
        other = paika("best", MEDIUM, "--tables", self.folder / "none", "--nodes", "1000")
        self.assertNotIn("table", other.err)

    def test_fanorona_limits(self):
        # 5.3: won in 11, so not within 10 turns
        self.assertIn("White wins in 11", self.solve("fanorona:3x3,sacrifice=off").out)
        self.assertIn("White wins in 11", self.solve("fanorona:3x3,sacrifice=off,limit=11").out)
        self.assertTrue(self.solve("fanorona:3x3,sacrifice=off,limit=10", "--no-count").out.startswith("a draw\n"))
        self.assertEqual(len(list(self.folder.glob("*.table"))), 1, "one table answers for every limit")

    def test_othello_by_search(self):
        position = "--------------XO----OX-------------- X"
        while position.count("-") > 9:
            moves = paika("moves", "othello:6x6", "--position", position).out.splitlines()
            position = moves[len(moves) // 2].split("\t")[1]
        told = json.loads(paika("solve", "othello:6x6", "--position", position, "--json").out)
        end = position
        for move in told["line"]:
            listed = paika("moves", "othello:6x6", "--position", end).out.splitlines()
            end = dict(line.split("\t") for line in listed)[move]
        self.assertEqual(paika("moves", "othello:6x6", "--position", end).out, "", "the line goes to the end")
        cells = end.split()[0]
        mover, other = ("X", "O") if position.split()[1] == "X" else ("O", "X")
        self.assertEqual(told["value"] == "win", cells.count(mover) > cells.count(other))
        self.assertIn("best: ", paika("solve", "othello:6x6", "--position", position).out)
        listed = paika("moves", "othello:6x6", "--position", position, "--values")
        self.assertEqual(listed.returncode, 0, listed.err)
        values = {line.split("\t")[0]: line.split("\t")[2] for line in listed.out.splitlines()}
        margin = {"win": 1, "loss": -1}.get(told["value"], 0) * told["discs"]
        by_move = {move: {"win": 1, "loss": -1}.get(words.split()[0], 0) * int((words + " 0").split()[2 if "by" in words else 1])
                   for move, words in values.items()}
        self.assertEqual(max(by_move.values()), margin)
        self.assertEqual(by_move[told["best"][0]], margin)
        as_json = json.loads(paika("moves", "othello:6x6", "--position", position, "--values", "--json").out)
        self.assertEqual({t["move"]: {"win": 1, "loss": -1}.get(t["value"], 0) * t["discs"] for t in as_json["moves"]}, by_move)

    def test_othello_with_too_many_empty_squares(self):
        done = paika("moves", "othello", "--values")
        self.assertEqual((done.returncode, done.out), (1, ""))
        self.assertIn("60 squares are empty", done.err)
        self.assertIn("--max-empty 60", done.err)
        for large in (paika("moves", "othello:10x10", "--values"), paika("solve", "othello:10x10")):
            self.assertEqual((large.returncode, large.out), (2, ""))
            self.assertIn("othello:10x10 is too large", large.err)

    def test_a_plan_does_nothing(self):
        done = self.solve("abalone:5x5,captures=1", "--plan")
        self.assertEqual(done.returncode, 0)
        self.assertIn("parts on disk", done.out)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_proof(self):
        told = json.loads(self.solve("fanorona:3x3,sacrifice=off", "--proof", "--json").out)
        self.assertEqual(told["value"], "win")
        self.assertGreaterEqual(told["moves_at_most"], 11)
        unknown = self.solve("fanorona:9x5", "--proof", "--nodes", "1000")
        self.assertEqual(unknown.returncode, 1)
        self.assertIn("not known", unknown.out)

    def test_bad_input(self):
        for args, words in ((("othello:8x8,x",), "option"), (("abalone:9x9",), "squares"),
                            (("fanorona:9x5",), "points"), (("abalone", "--memory", "2X"), "memory"),
                            (("abalone", "--memory", "1M"), "at least"), (("abalone", "--threads", "0"), "threads")):
            done = self.solve(*args)
            self.assertEqual(done.returncode, 2, args)
            self.assertIn(words, done.err)
        self.assertEqual(list(self.folder.iterdir()), [])


class Tables(WithFolder):
    def test_info_verify_query(self):
        path = self.table("abalone:3x3,captures=2")
        self.assertIn("table of abalone:3x3", paika("table", "info", path).out)
        info = json.loads(paika("table", "info", path, "--json").out)
        self.assertEqual(sum(t["positions"] for t in info["tiers"]), info["positions"])
        verified = paika("table", "verify", path)
        self.assertEqual((verified.returncode, verified.out),
                         (0, f"all {info['positions']} values of abalone:3x3 follow from their moves\n"))
        query = paika("table", "query", path, "--play", "a1b2")
        self.assertEqual(query.returncode, 0, query.err)
        spread = [line.split("\t") for line in paika("table", "info", path, "--distances").out.splitlines()]
        self.assertEqual(sum(int(count) for _, count in spread), info["positions"])

    def test_every_kind_of_damage_is_told(self):
        path = self.table(SMALL)
        good = path.read_bytes()
        random.seed(1)
        for _ in range(60):
            at, bit = random.randrange(len(good)), random.randrange(8)
            bad = bytearray(good)
            bad[at] ^= 1 << bit
            path.write_bytes(bad)
            done = paika("table", "verify", path)
            self.assertEqual(done.returncode, 2, f"byte {at}, bit {bit}")
            self.assertIn(path.name, done.err)
        for size in (0, 1, len(good) // 2, len(good) - 1):
            path.write_bytes(good[:size])
            self.assertEqual(self.solve(SMALL).returncode, 2, size)
        path.write_bytes(good + b"x")
        self.assertEqual(paika("table", "info", path).returncode, 2)

    def test_the_table_of_another_game(self):
        path = self.table(SMALL)
        path.rename(path.with_name("abalone-3x3-captures-3.table"))
        done = self.solve("abalone:3x3,captures=3")
        self.assertEqual(done.returncode, 2)
        self.assertIn("is the table of", done.err)

    def test_no_such_file(self):
        for command in ("info", "verify", "query"):
            self.assertEqual(paika("table", command, self.folder / "none").returncode, 2)


class Interruptions(WithFolder):
    def test_killed_at_random_moments(self):
        whole = self.table(MEDIUM, self.folder / "whole").read_bytes()
        random.seed(7)
        for parts in ("1", "3"):
            folder = self.folder / f"killed{parts}"
            args = [PAIKA, "solve", MEDIUM, "--tables", folder, "--no-count", "--parts", parts, "--save-every", "0"]
            for _ in range(10):
                with subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                    time.sleep(random.uniform(0.01, 0.5))
                    process.kill()
            done = subprocess.run(args, capture_output=True, check=False, timeout=200)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue((folder / "abalone-4x4.table").read_bytes() == whole, "the same bytes")
            self.assertEqual([p.name for p in folder.iterdir()], ["abalone-4x4.table"], "nothing is left over")

    def test_ctrl_c_keeps_the_work(self):
        args = [PAIKA, "solve", MEDIUM, "--tables", self.folder, "--no-count", "--parts", "4"]
        with subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            said = process.stderr.read().decode()
        if process.returncode != 0:  # a fast machine may be done by then
            self.assertEqual(process.returncode, 2)
            self.assertIn("resumes from here", said)
        self.assertEqual(self.solve(MEDIUM, "--no-count").returncode, 0)

    def test_two_at_once(self):
        args = [PAIKA, "solve", MEDIUM, "--tables", self.folder, "--no-count", "--parts", "20"]
        with subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while not (self.folder / "abalone-4x4.table.work" / "label").exists() and process.poll() is None:
                time.sleep(0.01)
            second = self.solve(MEDIUM, "--no-count")
            process.kill()
        if second.returncode != 0:
            self.assertEqual(second.returncode, 2)
            self.assertIn("another process", second.err)

    def test_a_full_disk(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000))

        done = self.solve(MEDIUM, "--no-count", preexec_fn=small_files)
        self.assertEqual(done.returncode, 2)
        self.assertIn("File too large", done.err)
        self.assertFalse((self.folder / "abalone-4x4.table").exists())
        self.assertEqual(self.solve(MEDIUM, "--no-count").returncode, 0, "with room it goes on")

    def test_a_folder_that_cannot_be_written(self):
        done = self.solve(SMALL, folder="/proc/none")
        self.assertEqual(done.returncode, 2)
        self.assertIn("/proc/none", done.err)


@unittest.skipUnless(shutil.which("mpirun"), "mpirun is not installed; ./paika setup installs it")
class ManyProcesses(WithFolder):
    @staticmethod
    def mpirun(*args):
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                       "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_base_warn_component_unused": "0"}
        return subprocess.run(["mpirun", *map(str, args)], capture_output=True, env=environment, timeout=200, check=False)

    def begun(self):
        """A folder with work in which the first tier is finished, and that tier's file."""
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000))

        self.assertEqual(self.solve(MEDIUM, "--no-count", preexec_fn=small_files).returncode, 2)
        section = self.folder / "abalone-4x4.table.work" / "0000.section"
        self.assertTrue(section.exists())
        return section

    def assert_all_stopped(self, done, words):
        said = done.stderr.decode()
        self.assertEqual((done.returncode, done.stdout), (2, b""), said)
        self.assertEqual(said.count("paika: "), 1, said)
        self.assertIn(words, said)

    def test_a_damaged_tier_stops_all(self):
        section = self.begun()
        good = section.read_bytes()
        for at in (len(good) // 2, 3):  # found when it is read, and when it is opened
            bad = bytearray(good)
            bad[at] ^= 1
            section.write_bytes(bad)
            self.assert_all_stopped(self.mpirun("-n", "2", PAIKA, "solve", MEDIUM, "--tables", self.folder, "--no-count"),
                                    str(section))
        section.write_bytes(good)
        done = self.mpirun("-n", "2", PAIKA, "solve", MEDIUM, "--tables", self.folder, "--no-count")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_one_alone_cannot_do_stops_all(self):
        other = self.folder / "other"
        shared = ("-n", "1", PAIKA, "solve", MEDIUM, "--no-count", "--tables", self.folder, ":")
        # The second looks into another folder, where nobody has finished anything; or where it may not write.
        done = self.mpirun(*shared, "-n", "1", PAIKA, "solve", MEDIUM, "--no-count", "--tables", other)
        self.assert_all_stopped(done, f'process 2 of 2: cannot open the file "{other}')
        done = self.mpirun(*shared, "-n", "1", PAIKA, "solve", MEDIUM, "--no-count", "--tables", "/proc/none")
        self.assert_all_stopped(done, "process 2 of 2: cannot create the folder of /proc/none")

    def test_a_full_disk_stops_all(self):
        limited = f"ulimit -f 60; exec '{PAIKA}' solve {MEDIUM} --no-count --tables '{self.folder}'"
        done = self.mpirun("-n", "2", "bash", "-c", limited)
        self.assert_all_stopped(done, "File too large")

    def test_the_same_bytes(self):
        for spec in (MEDIUM, "fanorona:5x1", "fanorona:3x3"):
            whole = self.table(spec, self.folder / "alone").read_bytes()
            for ranks in ("2", "4"):
                folder = self.folder / f"ranks{ranks}"
                done = self.mpirun("-n", ranks, PAIKA, "solve", spec, "--tables", folder, "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                told = json.loads(done.stdout)
                self.assertTrue(pathlib.Path(told["table"]).read_bytes() == whole, f"{spec} on {ranks}")


class People(WithFolder):
    def test_review(self):
        self.table(SMALL)
        record = self.folder / "game.txt"
        play = subprocess.run([PAIKA, "match", SMALL, "engine:level=1,nodes=50", "engine:nodes=500", "--games", "2",
                               "--openings", "0", "--record", record], capture_output=True, check=False, timeout=60)
        self.assertEqual(play.returncode, 0, play.stderr)
        done = paika("review", record, "--tables", self.folder)
        self.assertEqual(done.returncode, 0, done.err)
        self.assertIn("accuracy", done.out)
        told = json.loads(paika("review", record, "--tables", self.folder, "--json").out)
        for turn in told["moves"]:
            kept = turn["could"]["value"] == turn["did"]["value"]
            self.assertEqual(kept, turn["grade"] != "mistake")
        self.assertIn("turning_points", told)
        self.assertEqual(len(told["chances"]), len(told["moves"]) + 1)
        # Without a table the engine judges, unless only what is certain was asked for.
        self.assertEqual(paika("review", record, "--tables", self.folder / "none", "--exact").returncode, 2)
        told = json.loads(paika("review", record, "--tables", self.folder / "none", "--time-ms", "300", "--json").out)
        self.assertTrue(all("grade" in turn for turn in told["moves"]))
        self.assertIn("Chances of Black: ", paika("review", record, "--time-ms", "300", "--ascii").out)

    def test_openings_are_drawn(self):
        path = self.table(MEDIUM)
        told = json.loads(paika("openings", MEDIUM, "--plies", "4", "--count", "5", "--tables", self.folder, "--json").out)
        self.assertEqual(len(told["openings"]), 5)
        for opening in told["openings"]:
            value = json.loads(paika("table", "query", path, "--position", opening["position"], "--json").out)
            self.assertEqual(value["value"], "draw")
        again = json.loads(paika("openings", MEDIUM, "--plies", "4", "--count", "5", "--tables", self.folder, "--json").out)
        self.assertEqual(told, again)

    def test_equal_openings_are_worth_the_same_for_both_colours(self):
        path = self.table(MEDIUM)
        done = paika("openings", MEDIUM, "--equal", "--plies", "8", "--count", "30", "--tables", self.folder)
        self.assertEqual(done.returncode, 0, done.err)
        found = [line.split("\t") for line in done.out.splitlines()]
        self.assertEqual(len(found), 30)
        self.assertTrue(any(worth != "draw" for _, _, worth in found), "they need not be drawn")
        for _, position, worth in found[:8]:
            mover, rest = position[1], position[2:]
            for to_move in (mover, "w" if mover == "b" else "b"):
                told = json.loads(paika("table", "query", path, "--position", f"({to_move}{rest}", "--json").out)
                length = told.get("win_in", told.get("loss_in"))
                self.assertEqual(told["value"] if length is None else f"{told['value']} {length}", worth)
        told = json.loads(paika("openings", MEDIUM, "--equal", "--plies", "8", "--count", "30", "--tables", self.folder,
                                "--json").out)
        self.assertEqual([opening["position"] for opening in told["openings"]], [position for _, position, _ in found])
        # What openings writes, matches read.
        openings = self.folder / "openings.txt"
        openings.write_text(done.out, encoding="utf-8")
        match = paika("match", MEDIUM, "engine:nodes=20", "engine:nodes=20", "--each", "hash=1", "--openings", openings,
                      "--games", "6", "--json")
        self.assertEqual(match.returncode, 0, match.err)
        self.assertEqual(json.loads(match.out)["openings"], 3)

    def test_review_of_othello(self):
        record = self.folder / "game.txt"
        play = paika("match", "othello:6x6", "engine:level=1,nodes=50", "engine:level=1,nodes=50", "--games", "2", "--seed", "4",
                     "--record", record)
        self.assertEqual(play.returncode, 0, play.err)
        told = json.loads(paika("review", record, "--max-empty", "10", "--exact", "--json").out)
        judged = [turn for turn in told["moves"] if "grade" in turn]
        self.assertEqual(told["max_empty"], 10)
        self.assertGreater(len(told["moves"]), len(judged))
        self.assertGreater(len(judged), 5)
        margin = {"win": 1, "draw": 0, "loss": -1}
        for turn in judged:
            could, did = (margin[turn[key]["value"]] * turn[key]["discs"] for key in ("could", "did"))
            self.assertEqual(turn["discs_lost"], could - did)
            self.assertEqual(turn["grade"] == "best", could == did)
            self.assertEqual(turn["grade"] == "mistake", turn["could"]["value"] != turn["did"]["value"])
        self.assertGreater(sum(turn["discs_lost"] for turn in judged), 0, "beginners")
        text = paika("review", record, "--max-empty", "10", "--exact").out
        self.assertIn("empty squares were not judged", text)
        self.assertIn("discs lost", text)


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
