"""Programs of the classes for tests: ours, and small ones in Python."""

import pathlib
import subprocess
import sys
import tempfile
import textwrap

from server_case import PAIKA


def a3():
    return str(pathlib.Path(PAIKA).with_name("a3"))


def run(*args, **more):
    done = subprocess.run([PAIKA, *args], capture_output=True, timeout=100, check=False, **more)
    done.out, done.err = done.stdout.decode(), done.stderr.decode()
    return done


class Script:
    """A Python program in a folder."""

    def __init__(self, text):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name, "program.py")
        self.path.write_text(textwrap.dedent(text).replace("A3", repr(a3())).replace("PAIKA", repr(PAIKA)))
        self.command = f"{sys.executable} {self.path}"

    def __enter__(self):
        return self.command

    def __exit__(self, *_):
        self.folder.cleanup()
