"""The types that the package declares, as a strict type checker sees them in programs that use it."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import paika

GOOD = """
import pathlib

import numpy as np
import paika
from paika.adapters import State

game = paika.game("othello:6x6")
position: paika.Position = game.start().play("c2").play(game.start().play("c2").legal_steps()[0])
engine = paika.Engine(game, level=5, hash=1, tables=pathlib.Path("tables"))
found = engine.best(position, time=0.01, on_progress=lambda info: info.depth > 3)
text: str = found.move + found.lines[0].score_text
env = paika.BatchEnv(game, 4)
observations, rewards, terminated, truncated, masks = env.step(env.sample())
first: float = float(rewards.sum()) + float(observations[masks.any()].sum())
env.branch([0], np.flatnonzero(masks[0])[:1], [1])
single = paika.Env("fanorona:5x5")
single.step(single.sample())
seen, reward, over, cut, info = single.last()
squares: list[str] = [square for effect in position.effects(text) if (square := effect.cause_square)]
table = paika.Table("fanorona:3x3", pathlib.Path("tables"))
if (value := table.value(position)) is not None:
    result: int = value.result
actions: list[int] = State("othello").clone().legal_actions() + State(game).legal_actions()
reveal_type(env.masks)
"""

BAD = """
import paika
position = paika.game("othello").start()
position.play(3)
paika.Engine("othello").best("d3")
paika.BatchEnv(3)
depth: str = paika.Engine("othello").best(position).depth
"""


@unittest.skipUnless(importlib.util.find_spec("mypy"), "there is no mypy")
class Types(unittest.TestCase):
    def check(self, program):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "program.py").write_text(program)
            environment = {**os.environ, "MYPYPATH": str(pathlib.Path(paika.__file__).parent.parent)}
            said = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "program.py"],
                                  cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False).stdout
            return [line for line in said.splitlines() if line.startswith("program.py:")]

    def test_a_program_is_typed_throughout(self):
        [revealed] = self.check(GOOD)
        self.assertIn("dtype[numpy.bool_]", revealed)

    def test_mistakes_are_found(self):
        faults = [said for said in self.check(BAD) if ": error:" in said]
        self.assertEqual([int(said.split(":")[1]) for said in faults], [4, 5, 6, 7], faults)


if __name__ == "__main__":
    unittest.main()
