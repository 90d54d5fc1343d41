"""bench/peers/gtp_bot.py between a referee and a program that speaks GTP, played here by a few lines of Python."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

BOT = pathlib.Path(__file__).resolve().parents[2] / "bench" / "peers" / "gtp_bot.py"

# Writes down what it is told; refuses the word "pass", as GRhino does.
PEER = """
import sys
with open(sys.argv[1], "w") as heard:
    for line in sys.stdin:
        print(line.strip(), file=heard, flush=True)
        answer = {"name": "= Peer", "version": "= 1"}.get(line.strip(), "= D3" if "genmove" in line else "=")
        print("? syntax error" if "pass" in line else answer, end="\\n\\n", flush=True)
"""


class GtpBot(unittest.TestCase):
    def converse(self, said):
        """What the bot answers to the referee, and what it told the other program."""
        with tempfile.TemporaryDirectory() as folder:
            peer, heard = pathlib.Path(folder) / "peer.py", pathlib.Path(folder) / "heard"
            peer.write_text(PEER, encoding="utf-8")
            run = subprocess.run([sys.executable, BOT, sys.executable, peer, heard], input="\n".join(said) + "\n",
                                 capture_output=True, text=True, timeout=20)
            return run, heard.read_text(encoding="utf-8").splitlines()

    def test_plays_on_from_what_the_program_knows(self):
        run, heard = self.converse(["ugi", "isready", "position startpos moves e6 f4", "go movetime 100",
                                    "position startpos moves e6 f4 d3 c5", "go movetime 100", "quit"])
        self.assertEqual(run.stdout.splitlines(),
                         ["id name Peer 1", "ugiok", "readyok", "bestmove d3", "bestmove d3"])
        self.assertEqual(heard, ["name", "version", "boardsize 8", "clear_board", "play black e6", "play white f4",
                                 "genmove black", "play white c5", "genmove black"])

    def test_another_game_begins_anew(self):
        _, heard = self.converse(["position startpos moves e6", "go", "position startpos", "go", "quit"])
        self.assertEqual(heard, ["boardsize 8", "clear_board", "play black e6", "genmove white",
                                 "boardsize 8", "clear_board", "genmove black"])

    def test_a_pass_is_understood_and_not_said(self):
        run, heard = self.converse(["position startpos moves e6 pass", "go", "quit"])
        self.assertEqual((run.returncode, heard[-2:]), (0, ["play black e6", "genmove black"]))

    def test_what_cannot_be_done_ends_it_with_a_reason(self):
        run, _ = self.converse(["position somewhere", "go"])
        self.assertEqual((run.returncode, run.stderr), (1, "games are played from the start only\n"))


if __name__ == "__main__":
    unittest.main()
