"""Manual pages and completions: made from the texts of --help, and right in the programs that read them.

usage: reference_test.py PAIKA-PROGRAM
"""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PAIKA = ""


def run(*args, **more):
    return subprocess.run([PAIKA, *args], capture_output=True, text=True, timeout=60, check=False, **more)


def commands():
    """The commands that --help lists."""
    listing = run("--help").stdout.split("Subcommands:")[1]
    return re.findall(r"^  ([a-z][a-z0-9-]*) ", listing, re.M)


class ManPages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
        done = run("man", cls.folder.name, env=environment)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done
        cls.pages = {path.name: path.read_text() for path in pathlib.Path(cls.folder.name).iterdir()}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_there_is_one_for_every_command(self):
        self.assertEqual(set(self.pages), {"paika.1", *(f"paika-{name}.1" for name in commands())})
        self.assertGreater(len(self.pages), 20)

    def test_they_say_what_help_says(self):
        for option in re.findall(r"--[a-z-]+", run("serve", "--help").stdout):
            self.assertIn(option.replace("-", r"\-"), self.pages["paika-serve.1"])
        for name in commands():
            self.assertIn(rf"paika\-{name}".replace("-server", r"\-server").replace("-client", r"\-client"),
                          self.pages["paika.1"])
        self.assertIn(r"verify", self.pages["paika-table.1"])
        self.assertNotIn("--inside", "".join(self.pages.values()).replace(r"\-", "-"))

    def test_the_date_and_the_version_are_given(self):
        version = run("--version").stdout.strip()
        for page in self.pages.values():
            self.assertIn(f'2023-11-14 "{version}"', page.splitlines()[0])
        done = run("man", self.folder.name, env={**os.environ, "SOURCE_DATE_EPOCH": "tomorrow"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("SOURCE_DATE_EPOCH", done.stderr)

    def test_a_folder_that_cannot_be_written_is_said(self):
        done = run("man", "/dev/null/pages")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("cannot write /dev/null/pages", done.stderr)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_has_nothing_to_warn_of(self):
        for name in self.pages:
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", f"{self.folder.name}/{name}"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_mandoc_has_nothing_to_warn_of(self):
        names = [f"{self.folder.name}/{name}" for name in self.pages]
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *names], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.stdout, done.stderr), ("", ""))


class Completion(unittest.TestCase):
    def test_other_shells_are_refused(self):
        done = run("completion", "tcsh")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn('bash, zsh and fish, not "tcsh"', done.stderr)


# A command line up to the cursor, and what must be, and must not be, among what is offered.
CASES = [
    ("paika pl", {"play"}, {"games"}),
    ("paika ", {"play", "games", "tournament"}, {"man", "--help"}),
    ("paika --", {"--help", "--version"}, set()),
    ("paika play oth", {"othello"}, {"abalone"}),
    ("paika play --th", {"--theme"}, {"--json"}),
    ("paika play --theme ", {"contrast", "blue-orange"}, {"othello"}),
    ("paika play --theme contrast ", {"othello", "fanorona"}, {"contrast"}),
    ("paika play othello --lang ", {"en", "fr", "mg"}, {"othello"}),
    ("paika best abalone --view m", {"mover"}, {"first"}),
    ("paika table ", {"info", "verify", "query"}, {"play"}),
    ("paika table verify --", {"--memory", "--threads"}, {"--checksums"}),
    ("paika admin --reason log ", {"sessions", "ban"}, {"play"}),
    ("paika admin ban --", {"--reason", "--db"}, {"--theme"}),
    ("paika admin delete ", {"person", "room", "class"}, {"ban"}),
    ("paika completion ", {"bash", "zsh", "fish"}, {"play"}),
    ("paika replay gam", {"game one.txt"}, {"othello"}),
    ("paika serve --tournaments gam", {"games"}, {"game one.txt"}),
    ("paika play --resume --th", {"--theme"}, {"game one.txt"}),
    ("paika perft fanorona:5x5 --thr", {"--threads"}, {"--theme"}),
]


class InShell(unittest.TestCase):
    """The cases in a real shell, in a folder with a file and a folder; what each shell inherits."""

    shell = ""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        root = pathlib.Path(self.folder.name)
        (root / "game one.txt").write_text("")
        (root / "games").mkdir()
        script = run("completion", self.shell)
        self.assertEqual((script.returncode, script.stderr), (0, ""))
        self.script = root / ".paika-completion"
        self.script.write_text(script.stdout)

    def offered(self, line):
        raise NotImplementedError

    def check_cases(self):
        for line, wanted, unwanted in CASES:
            with self.subTest(line):
                offered = self.offered(line)
                self.assertLessEqual(wanted, offered)
                self.assertFalse(unwanted & offered, offered)


@unittest.skipUnless(shutil.which("bash"), "bash is not installed")
class Bash(InShell):
    shell = "bash"

    def offered(self, line):
        # As readline cuts words: at blanks, and around the characters of COMP_WORDBREAKS.
        words = [word for word in re.split(r"\s+|([:=])", line) if word]
        if line.endswith(" "):
            words.append("")
        quoted = " ".join("'" + word + "'" for word in words)
        text = f"""source .paika-completion
COMP_WORDS=({quoted}) COMP_CWORD={len(words) - 1}
_paika
printf '%s\\n' "${{COMPREPLY[@]}}" """
        done = subprocess.run(["bash", "--norc", "-c", text], cwd=self.folder.name, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.splitlines())

    def test_cases(self):
        self.check_cases()
        self.assertEqual(self.offered("paika play --theme=con"), {"contrast"})
        self.assertLessEqual({"contrast", "standard"}, self.offered("paika play --theme="))
        self.assertEqual(self.offered("paika play othello:8"), {""})

    def test_the_tab_key(self):
        """In a terminal, where readline itself cuts the words."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder.name)
            os.environ.update(PS1="ready> ", TERM="dumb", INPUTRC="/dev/null")
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        try:
            os.write(terminal, b"source .paika-completion\n")
            os.write(terminal, b"paika() { printf 'got:%s\\n' \"$@\"; }\n")
            os.write(terminal, b"paika tourn\t--syst\tkno\t\n")
            self.assertIn("got:tournament got:--system got:knockout", self.read(terminal))
        finally:
            os.write(terminal, b"exit\n")
            os.close(terminal)
            os.waitpid(child, 0)

    @staticmethod
    def read(terminal):
        text = ""
        end = time.monotonic() + 30
        while "got:knockout" not in text and time.monotonic() < end:
            if select.select([terminal], [], [], 0.5)[0]:
                text += os.read(terminal, 4096).decode(errors="replace")
        return " ".join(text.split())


@unittest.skipUnless(shutil.which("fish"), "fish is not installed")
class Fish(InShell):
    shell = "fish"

    def offered(self, line):
        text = f"source .paika-completion; complete -C '{line}'"
        environment = {**os.environ, "HOME": self.folder.name, "XDG_CONFIG_HOME": self.folder.name,
                       "PATH": f"{os.path.dirname(PAIKA)}:{os.environ['PATH']}"}
        done = subprocess.run(["fish", "--no-config", "-c", text], cwd=self.folder.name, capture_output=True, text=True,
                              env=environment, check=False)
        self.assertEqual(done.stderr, "")
        return {row.split("\t")[0].replace("\\ ", " ").rstrip("/") for row in done.stdout.splitlines()}

    def test_cases(self):
        self.check_cases()


@unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
class Zsh(InShell):
    shell = "zsh"

    def offered(self, line):
        # Completion works in the line editor alone; its functions are stood in for by ones that print.
        words = line.split(" ")
        quoted = " ".join("'" + word + "'" for word in words)
        text = f"""
compdef() {{ }}
compadd() {{ local -a all; all=("${{(@P)2}}"); print -l -- $all }}
compset() {{ }}
_files() {{ if [[ $1 == -/ ]]; then print -l -- *(/N); else print -l -- *(N); fi }}
_command_names() {{ }}
_describe() {{ local -a all; all=("${{(@P)argv[-1]}}"); print -l -- ${{all%%:*}} }}
source .paika-completion
words=({quoted}) CURRENT={len(words)}
_paika"""
        done = subprocess.run(["zsh", "-f", "-c", text], cwd=self.folder.name, capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        last = words[-1]
        return {row for row in done.stdout.splitlines() if row.startswith(last)}

    def test_cases(self):
        self.check_cases()


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
