"""What the tests of bots share: running the program, folders that bots can read, the Python starter as a stub."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PAIKA = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BOTS = ROOT / "bots"
GAMES = int(os.environ.get("PAIKA_BOT_GAMES", "2"))
FAILURES = ("illegal", "time", "crash", "protocol", "stall", "memory", "flood")


def run(*args, cwd=None, timeout=300):
    done = subprocess.run([PAIKA, *args], capture_output=True, timeout=timeout, check=False, cwd=cwd,
                          stdin=subprocess.DEVNULL)
    done.out, done.err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    return done


def processes_with(word):
    """The command lines of the processes that have this word in them."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if entry.name.isdigit() and word in line:
            found.append(line)
    return found


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="paika-bots-"))
        self.folder.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def check(self, command, *args):
        return run("bot", "check", command, *args, cwd=self.folder)


GOOD = (BOTS / "python/bot.py").read_text()


def with_thinking(code):
    """The Python starter that does something else when it is asked for a turn."""
    assert "    return chance.choice(turns)" in GOOD
    return GOOD.replace("    return chance.choice(turns)", "\n".join("    " + line for line in code.splitlines()))
