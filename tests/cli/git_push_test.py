"""Handing in by `git push`, with real git: a student's way from nothing to a ranked bot, and what must be refused.

usage: git_push_test.py PAIKA-PROGRAM
"""

import base64
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import zlib
import hashlib
import struct

from class_case import PASSWORD, WithMembers
from server_case import PAIKA
from server_client import PATIENCE, Http, Server

BOTS = pathlib.Path(__file__).resolve().parent.parent.parent / "bots"
ZEROS = "0" * 40

WRONG = """import sys
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "ugi": print("ugiok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "go": print("bestmove z9", flush=True)
"""


class Pushed:
    """What came of a git command."""

    def __init__(self, process):
        self.status = process.returncode
        self.text = process.stdout + process.stderr

    def __repr__(self):
        return f"Pushed({self.status}, {self.text})"


def with_login(url, name, token):
    return url.replace("://", f"://{name}:{token}@")


class Repository:
    """A student's repository, with a configuration of its own."""

    def __init__(self, case, url, name, token):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="paika push "))
        clean_up = case.addClassCleanup if isinstance(case, type) else case.addCleanup
        clean_up(shutil.rmtree, self.home, ignore_errors=True)
        self.folder = self.home / "work"
        self.folder.mkdir()
        self.url = with_login(url, name, token)
        self.login = base64.b64encode(f"{name}:{token}".encode()).decode()
        self.git("init", "-q", "-b", "main")

    def git(self, *words, check=True, stdin=None, folder=None):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1",
                       "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", "GIT_AUTHOR_NAME": "S", "GIT_AUTHOR_EMAIL": "s@x",
                       "GIT_COMMITTER_NAME": "S", "GIT_COMMITTER_EMAIL": "s@x"}
        done = subprocess.run(["git", *words], cwd=folder or self.folder, env=environment, check=False,
                              input=stdin, capture_output=True, text=True, errors="replace", timeout=2 * PATIENCE)
        if check:
            assert done.returncode == 0, f"git {words}: {done.stdout}{done.stderr}"
        return Pushed(done)

    def commit(self, files, message="work"):
        for path, text in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").text.strip()

    def push(self, *what):
        return self.git("push", self.url, *(what or ("main",)), check=False)

    def object(self, kind, content):
        """Writes an object as it is, without git's own checks; its name."""
        whole = f"{kind} {len(content)}\0".encode() + content
        name = hashlib.sha1(whole).hexdigest()
        file = self.folder / ".git/objects" / name[:2] / name[2:]
        file.parent.mkdir(exist_ok=True)
        if not file.exists():
            file.write_bytes(zlib.compress(whole))
        return name

    def tree(self, *entries):
        """A tree of (mode, name, object)."""
        return self.object("tree", b"".join(f"{mode} {name}".encode() + b"\0" + bytes.fromhex(what)
                                            for mode, name, what in entries))

    def commit_tree(self, tree, parent=None):
        lines = [f"tree {tree}", *([f"parent {parent}"] if parent else []), "author S <s@x> 1700000000 +0000",
                 "committer S <s@x> 1700000000 +0000", "", "made by hand", ""]
        name = self.object("commit", "\n".join(lines).encode())
        self.git("update-ref", "refs/heads/main", name)
        return name


@unittest.skipUnless(shutil.which("git"), "git is not installed")
class WithServer(WithMembers):
    def member(self, name=None):
        http = super().member(name)
        http.token = http.post("/api/account/tokens", {"label": "git"}).json["token"]
        return http

    def found(self, teacher, **settings):
        body = {"name": "Games 101", "spec": "othello:6x6", "move_ms": 2000, "pairs": 1, "house_bots": False,
                "uploads_per_day": 100, **settings}
        answer = teacher.post("/api/classes", body)
        self.assertEqual(answer.status, 201, answer)
        return answer.json

    def student(self, made, name=None):
        http = self.member(name)
        self.assertEqual(http.post("/api/classes/join", {"code": made["code"]}).status, 200)
        return http

    def url(self, made, http=None):
        return f"{self.server.origin}/git/{made['id']}" + (f"/{http.name}" if http else "")

    def repository(self, made, http):
        return Repository(self, self.url(made), http.name, http.token)

    def page(self, http, made):
        answer = http.get(f"/api/classes/{made['id']}")
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def on_disk(self, made):
        """The folder of the class's repositories, and everything in it."""
        folder = pathlib.Path(f"{self.server.database}.git") / made["id"]
        return folder, sorted(str(p.relative_to(folder)) for p in folder.rglob("*")) if folder.exists() else []

    def head_of(self, repository):
        return repository.git("ls-remote", repository.url).text

    def refused(self, pushed, *texts):
        self.assertNotEqual(pushed.status, 0, pushed)
        for text in texts:
            self.assertIn(text, pushed.text)

    def left_as_it_was(self, made, before):
        after = self.on_disk(made)[1]
        self.assertEqual([p for p in after if p not in before], [], "something was left behind")

    def until(self, what, why):
        end = time.monotonic() + PATIENCE
        while not what():
            self.assertLess(time.monotonic(), end, why)
            time.sleep(0.1)


class Students(WithServer):
    def test_from_nothing_to_a_ranked_bot(self):
        teacher = self.member()
        made = self.found(teacher, house_bots=True)
        anna = self.student(made)
        self.assertEqual(self.page(anna, made)["git"], f"/git/{made['id']}")
        # A clone of what is empty, the starter bot, and a push.
        mine = self.repository(made, anna)
        shutil.rmtree(mine.folder)
        cloned = mine.git("clone", mine.url, "work", folder=mine.home)
        self.assertIn("empty repository", cloned.text)
        first = mine.commit({"bot.py": (BOTS / "python/bot.py").read_text(), ".gitignore": "*.pyc\n",
                             "hooks/pre-receive": "#!/bin/sh\ntouch /tmp/never\n",
                             "bot.json": '{"name": "Shark", "run": "python3 bot.py", "build": "echo built it"}'})
        pushed = mine.push()
        self.assertEqual(pushed.status, 0, pushed)
        for text in ("Shark: number 1", "$ echo built it", "built it", "moving first", "moving second", "accepted"):
            self.assertIn(f"remote: {text}" if text in ("built it", "$ echo built it") else text, pushed.text)
        page = self.page(anna, made)
        self.assertEqual([(b["name"], b["state"]) for b in page["mine"]], [("Shark", "accepted")])
        self.assertIn(anna.name, [s["owner"] for s in page["standings"]])
        self.until(lambda: self.page(anna, made)["ladder"]["games"] > 1, "no game was played")
        files = anna.get(f"/api/classes/{made['id']}/bots/{page['mine'][0]['bot']}/files").json["files"]
        self.assertEqual([f["path"] for f in files], ["bot.json", "bot.py", "hooks/pre-receive"])
        # The next version; what follows is by its files alone.
        (mine.folder / "bot.json").unlink()
        better = (BOTS / "python/bot.py").read_text() + "# better\n"
        second = mine.commit({"bot.py": better})
        pushed = mine.push("HEAD:main")
        self.assertEqual(pushed.status, 0, pushed)
        bots = self.page(anna, made)["mine"]
        self.assertEqual([(b["name"], b["state"], b["run"]) for b in bots],
                         [(anna.name, "accepted", "python3 bot.py"), ("Shark", "replaced", "python3 bot.py")])
        # Everybody who may gets it back.
        self.assertIn(second, self.head_of(mine))
        other = self.repository(made, anna)
        other.git("clone", "-q", other.url, "again", folder=other.home)
        self.assertIn(first, other.git("log", "--format=%H", folder=other.home / "again").text)
        theirs = Repository(self, self.url(made, anna), teacher.name, teacher.token)
        theirs.git("clone", "-q", theirs.url, "of anna", folder=theirs.home)
        self.assertEqual((theirs.home / "of anna/bot.py").read_text(), better)

    def test_a_bot_that_fails_is_refused_with_the_reason(self):
        made = self.found(self.member())
        bert = self.student(made)
        mine = self.repository(made, bert)
        mine.commit({"bot.py": WRONG})
        pushed = mine.push()
        self.refused(pushed, "lost by illegal", "bestmove z9", "refused: the bot did not pass",
                     "pre-receive hook declined")
        self.assertEqual(self.head_of(mine).strip(), "")
        mine.commit({"bot.json": '{"run": "python3 bot.py", "build": "echo the reason; exit 3"}'})
        self.refused(mine.push(), "remote: the reason", "building it failed", "did not pass")
        self.assertEqual([b["state"] for b in self.page(bert, made)["mine"]], ["refused", "refused"])
        self.assertEqual(self.page(bert, made)["standings"], [])
        for text, reason in (("{", "bot.json: "), ('{"runs": "x"}', "runs"), ('{"run": 1}', '"run"')):
            mine.commit({"bot.json": text})
            self.refused(mine.push(), reason)
        (mine.folder / "bot.json").unlink()
        (mine.folder / "bot.py").unlink()
        mine.commit({"readme.txt": "hello"})
        self.refused(mine.push(), "how is the bot started?")
        # What was amended after all that is taken: nothing of it was.
        mine.git("checkout", "-q", "--orphan", "fresh")
        mine.commit({"bot.py": (BOTS / "python/bot.py").read_text()})
        self.assertEqual(mine.push("fresh:main").status, 0)

    def test_what_the_class_does_not_take(self):
        teacher = self.member()
        made = self.found(teacher, uploads_per_day=1)
        carl = self.student(made)
        mine = self.repository(made, carl)
        mine.commit({"bot.py": WRONG})
        self.refused(mine.push(), "lost by")
        self.refused(mine.push(), "remote: you have submitted 1 bots in 24 hours")
        teacher.post(f"/api/classes/{made['id']}/settings", {"uploads_per_day": 100, "deadline_ms": 1})
        self.refused(mine.push(), "deadline of the class has passed")
        teacher.post(f"/api/classes/{made['id']}/settings", {"state": "locked"})
        self.refused(mine.push(), "the class is locked")
        self.assertEqual(mine.git("ls-remote", mine.url).text, "")


class Strangers(WithServer):
    def test_nobody_elses(self):
        teacher = self.member()
        made = self.found(teacher)
        dora, emil, stranger = self.student(made), self.student(made), self.member()
        mine = self.repository(made, dora)
        mine.commit({"bot.py": (BOTS / "python/bot.py").read_text()})
        self.assertEqual(mine.push().status, 0)
        before = self.on_disk(made)[1]

        def tried(name, token, url, *words):
            url = with_login(url, name, token.replace(" ", "%20"))
            return mine.git(*(words or ("ls-remote",)), url, *(("main",) if words == ("push",) else ()), check=False)

        own, of_dora = self.url(made), self.url(made, dora)
        for name, token in ((dora.name, "wrong"), (dora.name, PASSWORD), (dora.name, emil.token),
                            (emil.name, dora.token)):
            self.refused(tried(name, token, own), "Authentication failed")
            self.refused(tried(name, token, own, "push"))
        self.refused(tried(stranger.name, stranger.token, own), "not found")
        self.refused(tried(emil.name, emil.token, of_dora), "only the teacher")
        self.refused(tried(stranger.name, stranger.token, of_dora), "not found")
        self.refused(tried(teacher.name, teacher.token, of_dora, "push"), "only its owner pushes")
        self.refused(tried(teacher.name, teacher.token, own, "push"), "no member of this class")
        self.refused(tried(teacher.name, teacher.token, self.url(made, emil)), "not found")
        self.assertEqual(tried(emil.name, emil.token, own).text, "", "one's own is empty, not another's")
        self.left_as_it_was(made, [*before, *[p for p in self.on_disk(made)[1] if not p.startswith(before[0])]])

    def test_paths_that_are_none(self):
        made = self.found(self.member())
        http = self.student(made)
        login = base64.b64encode(f"{http.name}:{http.token}".encode()).decode()
        bare = Http(self.server)
        self.addCleanup(bare.close)
        own = f"/git/{made['id']}"
        for path in ("/HEAD", "/config", "/objects/info/packs", "/info/refs", "/info/refs?service=git-upload-archive",
                     "/..%2f..%2fgames.db", "/../games.db/info/refs?service=git-upload-pack", "/%2e%2e/HEAD"):
            answer = bare("GET", own + path, headers={"Authorization": f"Basic {login}"})
            self.assertIn(answer.status, (400, 403, 404), path)
        self.assertEqual(bare.get(own + "/info/refs?service=git-upload-pack").status, 401)
        self.assertIn("Basic", bare.get(own + "/info/refs?service=git-upload-pack").header("www-authenticate"))
        # A password that browsers would send by themselves counts nowhere else.
        elsewhere = bare("GET", f"/api/classes/{made['id']}", headers={"Authorization": f"Basic {login}"})
        self.assertEqual(elsewhere.status, 401)

    def test_it_goes_with_its_owner(self):
        teacher = self.member()
        made, other = self.found(teacher), self.found(teacher)
        fred, gina = self.student(made), self.student(made)
        gina.post("/api/classes/join", {"code": other["code"]})
        for where, who in ((made, fred), (made, gina), (other, gina)):
            self.head_of(self.repository(where, who))
        folder = self.on_disk(made)[0]
        self.assertEqual(len(list(folder.glob("*.git"))), 2)
        fred.post(f"/api/classes/{made['id']}/leave")
        self.until(lambda: len(list(folder.glob("*.git"))) == 1, "the repository of who has left is still there")
        teacher("DELETE", f"/api/classes/{made['id']}")
        self.until(lambda: not folder.exists(), "the repositories of the class are still there")
        folder = self.on_disk(other)[0]
        self.assertEqual(len(list(folder.glob("*.git"))), 1)
        self.assertEqual(gina("DELETE", "/api/account", {"password": PASSWORD}).status, 200)
        self.until(lambda: not list(folder.glob("*.git")), "the repository of the deleted account is still there")


class Hostile(WithServer):
    """A push of each kind is refused, leaves nothing, and the next honest one is taken."""

    made = None

    def setUp(self):
        # All of them push to one repository, whose owner has handed in one good bot.
        kind = type(self)
        if kind.made is None:
            kind.made = self.found(self.member())
            kind.name, kind.token = (http := self.student(self.made)).name, http.token
            kind.cookie = http.cookie
            kind.mine = Repository(kind, self.url(self.made), kind.name, kind.token)
            kind.good = self.mine.commit({"bot.py": (BOTS / "python/bot.py").read_text()})
            pushed = self.mine.push()
            self.assertEqual(pushed.status, 0, pushed)
            kind.before = self.on_disk(self.made)[1]
            kind.bot = self.mine.git("rev-parse", "HEAD:bot.py").text.strip()
            kind.blob = self.mine.object("blob", b"x")
        self.mine.git("checkout", "-q", "-f", "-B", "main", self.good)

    def tearDown(self):
        self.assertEqual(self.head_of(self.mine), f"{self.good}\tHEAD\n{self.good}\trefs/heads/main\n")
        self.left_as_it_was(self.made, self.before)
        http = Http(self.server, cookie=self.cookie, origin=self.server.origin)
        self.addCleanup(http.close)
        bots = self.page(http, self.made)["mine"]
        self.assertEqual([b["state"] for b in bots], ["accepted"], "nothing of it was handed in")

    def pushed_tree(self, *entries):
        entries = sorted([("100644", "bot.py", self.bot), *entries], key=lambda e: e[1])
        self.mine.commit_tree(self.mine.tree(*entries), self.good)
        return self.mine.push()

    def test_links_and_submodules(self):
        target = self.mine.object("blob", b"/etc/passwd")
        self.refused(self.pushed_tree(("120000", "link", target)), '"link" is a symbolic link')
        self.refused(self.pushed_tree(("160000", "sub", self.good)), '"sub" is a submodule')
        modules = self.mine.object("blob", b'[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch /tmp/never\n')
        self.refused(self.pushed_tree(("100644", ".gitmodules", modules), ("160000", "x", self.good)))

    def test_path_tricks(self):
        hook = self.mine.object("blob", b"#!/bin/sh\ntouch /tmp/never\n")
        hooks = self.mine.tree(("100755", "pre-receive", hook))
        inner = self.mine.tree(("40000", "hooks", hooks), ("100644", "config", self.blob))
        for name in (".git", ".GIT", "..", ".", "GIT~1"):
            self.refused(self.pushed_tree(("40000", name, inner)))
        for name in ("a\\b", "a\nb", "a;b", "-\x01", "\u00e9", "con:x", "x" * 100):
            self.refused(self.pushed_tree(("100644", name, self.blob)), "refused: the path")
        self.refused(self.pushed_tree(("100644", "a/b", self.blob)))  # a slash within a name
        self.refused(self.pushed_tree(("100644", "twice", self.blob), ("100644", "twice", self.blob)))
        deep = self.blob
        for level in range(10):
            deep = self.mine.tree(("100644" if level == 0 else "40000", f"d{level}", deep))
        self.refused(self.pushed_tree(("40000", "deep", deep)), "more than 8 parts")

    def test_too_many_and_too_large(self):
        many = [("100644", f"f{i:04}", self.blob) for i in range(201)]
        self.refused(self.pushed_tree(*many), "at most 200 files")
        large = self.mine.object("blob", os.urandom((1 << 20) + 1))
        self.refused(self.pushed_tree(("100644", "large", large)), "more than 1048576 bytes")
        # A tree that unfolds to more files than there are atoms.
        bomb = self.blob
        for level in range(40):
            bomb = self.mine.tree(*[("100644" if level == 0 else "40000", f"t{i}", bomb) for i in range(10)])
        self.refused(self.pushed_tree(("40000", "bomb", bomb)), "cannot be listed")
        # A file that unfolds to 2 GiB, in a pack of 2 MB.
        pack = zlib.compressobj(9)
        whole = b"".join(pack.compress(bytes(1 << 20)) for _ in range(2048)) + pack.flush()
        self.refused(self.raw_push(self.pack([(3, 2 << 30, whole)])))
        # A pack that is larger than a push may be.
        noise = self.mine.object("blob", os.urandom(9 << 20))
        self.refused(self.pushed_tree(("100644", "noise", noise)), "pack exceeds maximum allowed size")

    def test_references(self):
        for name in ("refs/heads/other", "refs/tags/v1", "refs/notes/x", "refs/pull/1/head", "HEAD", "refs/heads/../x"):
            self.refused(self.mine.push(f"{self.good}:{name}"))
        self.mine.commit({"more.txt": "x"})
        self.refused(self.mine.push("main", "main:refs/heads/other"), "only the branch main is taken")
        self.refused(self.mine.push("main", "main:refs/tags/v1"), "only the branch main is taken")
        self.refused(self.mine.push(":main"), "main cannot be deleted")
        self.mine.git("tag", "-a", "-m", "x", "annotated")
        annotated = self.mine.git("rev-parse", "annotated").text.strip()
        self.refused(self.raw_push(self.objects(annotated), new=annotated), "main must be a commit")
        # Ten thousand at once.
        lines = [f"{ZEROS} {self.good} refs/heads/b{i}" for i in range(10000)]
        lines[0] += "\0report-status side-band-64k agent=hostile"
        commands = "".join(f"{len(line) + 4:04x}{line}" for line in lines) + "0000"
        pushed = self.post(commands.encode() + self.pack([]))
        self.refused(pushed, "only the branch main is taken", "b9999 pre-receive hook declined")

    def test_other_histories(self):
        self.mine.git("commit", "-q", "--amend", "--allow-empty", "-m", "changed")
        self.refused(self.mine.push(), "non-fast-forward")
        self.refused(self.mine.push("--force", "main"), "what was pushed before must stay")
        self.mine.git("checkout", "-q", "--orphan", "alone")
        self.mine.commit({"x.py": "x"})
        self.refused(self.mine.push("--force", "alone:main"), "what was pushed before must stay")
        self.mine.git("checkout", "-q", "-f", "main")
        # A commit whose parent nobody has.
        self.mine.commit_tree(self.mine.tree(("100644", "bot.py", self.bot)), "1" * 40)
        self.refused(self.raw_push(self.objects("HEAD", alone=True), new="HEAD"))

    def test_damaged_objects(self):
        tree = self.mine.tree(("100644", "bot.py", self.bot))
        for text in (f"tree {tree}\nparent {self.good}\nauthor x\n\nx\n", f"tree {self.blob}\n\n", "", "nonsense"):
            self.mine.git("update-ref", "refs/heads/main", self.good)
            name = self.mine.object("commit", text.encode())
            self.refused(self.raw_push(self.pack([(1, len(text), zlib.compress(text.encode()))]), new=name))
        self.refused(self.raw_push(b"PACK nonsense" * 100))
        self.refused(self.raw_push(self.pack([(2, 5, b"not deflated")])))

    # ---- Bodies by hand ----

    def objects(self, *names, alone=False):
        """A pack with what these need, or with them alone."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.mine.home)}
        ids = "".join(self.mine.git("rev-parse", n).text for n in names)
        words = ["git", "pack-objects", "--stdout", "-q", *([] if alone else ["--revs"])]
        return subprocess.run(words, cwd=self.mine.folder, env=environment, input=ids.encode(), check=True,
                              capture_output=True).stdout

    @staticmethod
    def pack(objects):
        """A pack of (kind, size, deflated bytes)."""
        body = b"PACK" + struct.pack(">II", 2, len(objects))
        for kind, size, content in objects:
            first, size = kind << 4 | size & 15, size >> 4
            head = bytearray()
            while size:
                head.append(first | 128)
                first, size = size & 127, size >> 7
            body += bytes([*head, first]) + content
        return body + hashlib.sha1(body).digest()

    def raw_push(self, pack, new=None, headers=None):
        """A push as it goes over the wire; its status is 0 if the reference was taken."""
        if new is None:
            new = "1" * 40
        elif len(new) != 40:
            new = self.mine.git("rev-parse", new).text.strip()
        line = f"{self.good} {new} refs/heads/main\0report-status side-band-64k agent=hostile\n"
        return self.post(f"{len(line) + 4:04x}{line}0000".encode() + pack, headers)

    def post(self, body, headers=None):
        http = Http(self.server)
        self.addCleanup(http.close)
        path = f"/git/{self.made['id']}/git-receive-pack"
        answer = http("POST", path, body, headers={
            "Authorization": f"Basic {self.mine.login}", "Content-Type": "application/x-git-receive-pack-request",
            **(headers or {})})
        taken = answer.status == 200 and b"ok refs/heads/main" in answer.body
        return Pushed(subprocess.CompletedProcess([], 0 if taken else 1, answer.body.decode("utf-8", "replace"),
                                                  str(answer.status)))

    def test_bodies(self):
        self.refused(self.post(b""))
        self.refused(self.post(b"zzzz"))
        self.refused(self.post(b"0000"))
        self.refused(self.raw_push(b"", headers={"Content-Encoding": "gzip"}), "415")
        self.refused(self.raw_push(b"", headers={"Content-Type": "text/plain"}), "415")
        # One that never ends: nothing is read beyond the limit.
        with socket.create_connection(self.server.address, timeout=PATIENCE) as line:
            line.sendall(f"POST /git/{self.made['id']}/git-receive-pack HTTP/1.1\r\nHost: localhost\r\n"
                         f"Authorization: Basic {self.mine.login}\r\nContent-Length: {1 << 40}\r\n"
                         "Content-Type: application/x-git-receive-pack-request\r\n\r\n".encode())
            self.assertIn(b" 413 ", line.recv(4096))
        # One that stops in the middle, and its client goes.
        with socket.create_connection(self.server.address, timeout=PATIENCE) as line:
            body = f"00b0{self.good} ".encode()
            line.sendall(f"POST /git/{self.made['id']}/git-receive-pack HTTP/1.1\r\nHost: localhost\r\n"
                         f"Authorization: Basic {self.mine.login}\r\nTransfer-Encoding: chunked\r\n"
                         "Content-Type: application/x-git-receive-pack-request\r\n\r\n".encode()
                         + f"{len(body):x}\r\n".encode() + body + b"\r\n")
        # Without a login nothing of the body is read at all.
        with socket.create_connection(self.server.address, timeout=PATIENCE) as line:
            line.sendall(f"POST /git/{self.made['id']}/git-receive-pack HTTP/1.1\r\nHost: localhost\r\n"
                         "Content-Length: 1000000\r\nExpect: 100-continue\r\n\r\n".encode())
            self.assertIn(b" 401 ", line.recv(4096))


@unittest.skipUnless(shutil.which("bwrap"), "bubblewrap is not installed")
class WithoutGit(WithServer):
    """A server on a machine without git says so, and all else works."""

    @classmethod
    def setUpClass(cls):
        hidden = ["bwrap", "--die-with-parent", "--dev-bind", "/", "/"]
        for path in ("/usr/bin/git", "/usr/local/bin/git"):
            if os.path.lexists(path):
                hidden += ["--ro-bind", "/dev/null", path]
        if subprocess.run([*hidden, "true"], capture_output=True, check=False).returncode != 0:
            raise unittest.SkipTest("bubblewrap does not work here")
        folder = tempfile.mkdtemp(prefix="paika without git ")
        cls.addClassCleanup(shutil.rmtree, folder)
        program = pathlib.Path(folder) / "paika"
        program.write_text(f"#!/bin/sh\nexec {' '.join(hidden)} '{os.path.abspath(PAIKA)}' \"$@\"\n")
        program.chmod(0o755)
        cls.server = Server(str(program), "--rate-factor", "1000", "--weak-sandbox")
        cls.addClassCleanup(cls.server.close)

    def test_it_says_so(self):
        made = self.found(self.member())
        jana = self.student(made)
        self.assertIsNone(self.page(jana, made)["git"])
        mine = self.repository(made, jana)
        mine.commit({"bot.py": "x"})
        self.refused(mine.push(), "503")
        answer = Http(self.server).get(f"/git/{made['id']}/info/refs?service=git-receive-pack")
        self.assertEqual(answer.status, 503)
        self.assertIn(b"git is not installed", answer.body)
        self.assertIn(b"page of the class", answer.body)
        self.assertEqual(self.on_disk(made)[1], [])


class Waiting(WithServer):
    SLOW = '{"run": "python3 bot.py", "build": "echo begun; sleep 5; echo done"}'

    def test_two_at_once_and_live_output(self):
        made = self.found(self.member())
        hans = self.student(made)
        mine, other = self.repository(made, hans), self.repository(made, hans)
        for one in (mine, other):
            one.commit({"bot.py": (BOTS / "python/bot.py").read_text(), "bot.json": self.SLOW})
        words = ["git", "push", mine.url, "main"]
        with subprocess.Popen(words, cwd=mine.folder, stderr=subprocess.PIPE, text=True,
                              env={"PATH": os.environ["PATH"], "HOME": str(mine.home), "LC_ALL": "C"}) as first:
            seen = ""
            while "remote: begun" not in seen:
                line = first.stderr.readline()
                self.assertTrue(line, seen)
                seen += line
            self.assertNotIn("remote: done", seen, "it is told as it happens")
            self.refused(other.push(), "another push to this repository is under way")
            rest = first.stderr.read()
        self.assertEqual(first.returncode, 0, seen + rest)
        self.assertIn("accepted", rest)
        self.assertEqual([b["state"] for b in self.page(hans, made)["mine"]], ["accepted"])

    def test_a_server_that_ends_takes_nothing(self):
        server = Server(PAIKA, "--rate-factor", "1000", "--weak-sandbox")
        self.addCleanup(server.close)
        self.server = server
        made = self.found(self.member())
        ines = self.student(made)
        mine = self.repository(made, ines)
        mine.commit({"bot.py": (BOTS / "python/bot.py").read_text(),
                     "bot.json": '{"run": "python3 bot.py", "build": "echo begun; sleep 30"}'})
        result = []
        pushing = threading.Thread(target=lambda: result.append(mine.push()))
        pushing.start()
        self.until(lambda: [b["state"] for b in self.page(ines, made)["mine"]] == ["building"], "it is not built")
        server.kill()
        pushing.join()
        self.refused(result[0])
        server.restart()
        again = Http(server, origin=server.origin)
        self.addCleanup(again.close)
        again.cookie = ines.cookie
        self.until(lambda: [b["state"] for b in self.page(again, made)["mine"]] == ["refused"], "it was not refused")
        folder, _ = self.on_disk(made)
        self.until(lambda: not list(folder.rglob("tmp_objdir*")), "the quarantine is still there")
        mine.url = with_login(self.url(made), ines.name, ines.token)
        self.assertEqual(mine.git("ls-remote", mine.url).text, "")


if __name__ == "__main__":
    unittest.main()
