"""A PostgreSQL of a test's own: an ordinary user's processes, in a folder that goes with them."""

import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

NOBODY = 65534


def programs():
    """The folder of initdb and postgres; None if PostgreSQL is not installed."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else pathlib.Path(on_path).parent if on_path else None


needs_postgresql = unittest.skipIf(programs() is None, "install postgresql-15 (tools/packages.txt) to test PostgreSQL")


def _as_ordinary_user():
    if os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    ctypes.CDLL(None).prctl(1, signal.SIGQUIT)  # PR_SET_PDEATHSIG: it ends with us, however we end


class Cluster:
    def __init__(self, *options, copy_of=None):
        """Options are of postgres. A copy is a standby, to which the other one sends what it has committed."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="paika-postgresql-"))
        self.options = options
        self.schemas = 0
        self.process = None
        if os.geteuid() == 0:
            os.chown(self.folder, NOBODY, NOBODY)
        if copy_of:
            self._run("pg_basebackup", "-h", copy_of.folder, "-U", "paika", "-D", self.folder / "data", "-R", "-c", "fast",
                      "--no-sync").check_returncode()
        else:
            self._run("initdb", "-D", self.folder / "data", "-U", "paika", "-A", "trust", "-E", "UTF8",
                      "--locale=C.UTF-8", "--no-sync", "--no-instructions").check_returncode()
        self.start()

    def promote(self):
        """From now on this standby is not one."""
        self._run("pg_ctl", "promote", "-D", self.folder / "data", "-w").check_returncode()

    def _command(self, name, *args):
        return [str(programs() / name), *(str(arg) for arg in args)]

    def _run(self, name, *args):
        return subprocess.run(self._command(name, *args), preexec_fn=_as_ordinary_user, cwd="/", capture_output=True,
                              check=False)

    def start(self):
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                self._command("postgres", "-D", self.folder / "data", "-k", self.folder, "-c", "listen_addresses=", "-c",
                              "fsync=off", "-c", "max_connections=200", *self.options),
                preexec_fn=_as_ordinary_user, cwd="/", stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while self._run("pg_isready", "-q", "-h", self.folder).returncode != 0:
            if time.monotonic() > deadline:
                raise AssertionError((self.folder / "log").read_text(encoding="utf-8"))
            time.sleep(0.1)

    def kill(self):
        """kill -9 of the server; its children notice."""
        self.process.kill()
        self.process.wait()

    def sql(self, text, url="postgres"):
        done = self._run("psql", "-h", self.folder, "-U", "paika", "-Atc", text, url)
        done.check_returncode()
        return done.stdout.decode().strip()

    def dump(self, url):
        """A database of new_database() as pg_dump writes it."""
        schema = url.rsplit("%3D", 1)[1]
        done = self._run("pg_dump", "-h", self.folder, "-U", "paika", "--schema", schema, "postgres")
        done.check_returncode()
        return done.stdout

    def begin_sql(self, text):
        """A session that does this; it ends when it is killed."""
        return subprocess.Popen(self._command("psql", "-h", self.folder, "-U", "paika", "-Atc", text, "postgres"),
                                preexec_fn=_as_ordinary_user, cwd="/", stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def pause(self):
        """Stops all its processes: connections stand, and nobody answers. The returned function lets them go on."""
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True, check=True)
        paused = [self.process.pid, *map(int, children.stdout.split())]
        for number in paused:
            os.kill(number, signal.SIGSTOP)
        return lambda: [os.kill(number, signal.SIGCONT) for number in paused]

    def new_database(self):
        """The URL of a new schema, which serves as a database."""
        self.schemas += 1
        self.sql(f"CREATE SCHEMA t{self.schemas}")
        return f"postgresql:///postgres?host={self.folder}&user=paika&options=-csearch_path%3Dt{self.schemas}"

    def close(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
