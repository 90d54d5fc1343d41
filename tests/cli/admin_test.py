"""What operators do: `paika admin`, `paika backup` and `restore`, the health of a server, the systemd unit.

usage: admin_test.py PAIKA-PROGRAM
"""

import configparser
import json
import os
import pathlib
import re
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import unittest

from room_client import Player
from server_client import PATIENCE, Closed, Http, Server

PAIKA = ""
PASSWORD = "correct horse battery staple"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*args, status=0, **options):
    done = subprocess.run([PAIKA, *map(str, args)], capture_output=True, text=True, timeout=PATIENCE, check=False,
                          **options)
    assert done.returncode == status, (args, done)
    return done


class WithServer(unittest.TestCase):
    options = ("--rate-factor", "1000")

    def setUp(self):
        self.server = Server(PAIKA, *self.options)
        self.addCleanup(self.server.close)

    def admin(self, *args, status=0):
        done = run("admin", "--db", self.server.database, "--json", *args, status=status)
        return json.loads(done.stdout) if done.stdout else done.stderr

    def member(self, name):
        http = Http(self.server, origin=self.server.origin)
        self.addCleanup(http.close)
        http.name = name
        http.cookie = http.post("/api/session").cookie()
        answer = http.post("/api/account", {"name": name, "password": PASSWORD})
        self.assertEqual(answer.status, 201, answer)
        http.cookie = answer.cookie()
        return http

    def me(self, http):
        person = http.get("/api/me").json["person"]
        return person and person["name"]

    def login(self, http):
        answer = http.post("/api/login", {"name": http.name, "password": PASSWORD})
        if answer.status == 200:
            http.cookie = answer.cookie()
        return answer


class Admin(WithServer):
    def test_sessions(self):
        anna, bert = self.member("Anna"), self.member("Bert")
        names = [row["name"] for row in self.admin("sessions")["sessions"]]
        self.assertEqual(sorted(names), ["Anna", "Bert"])
        mine = self.admin("sessions", "anna")["sessions"]
        self.assertEqual([row["kind"] for row in mine], ["session"])
        self.assertEqual(self.admin("end-session", mine[0]["id"]), {"ended": 1})
        self.assertEqual((self.me(anna), self.me(bert)), (None, "Bert"))
        token = Http(self.server, token=bert.post("/api/account/tokens", {"label": "bot"}).json["token"])
        self.assertEqual(self.me(token), "Bert")
        self.assertEqual(self.admin("end-all", "Bert"), {"ended": 2})
        self.assertEqual((self.me(bert), self.me(token)), (None, None))
        self.assertEqual(self.login(bert).status, 200)
        self.assertIn("Bert", run("admin", "sessions", "--db", self.server.database).stdout)

    def test_muting(self):
        anna = self.member("Anna")
        room = anna.post("/api/rooms", {"spec": "othello"}).json["room"]
        self.assertEqual(anna.post(f"/api/rooms/{room}/say", {"text": "hello"}).status, 200)
        self.assertTrue(self.admin("mute", "Anna", "--reason", "insults")["muted"])
        answer = anna.post(f"/api/rooms/{room}/say", {"text": "hello"})
        self.assertEqual((answer.status, answer.code), (403, "muted"))
        self.assertFalse(self.admin("unmute", "Anna")["muted"])
        self.assertEqual(anna.post(f"/api/rooms/{room}/say", {"text": "hello"}).status, 200)

    def test_muting_on_a_web_socket(self):
        player = Player(self.server)
        self.addCleanup(player.close)
        room = player.open_room("othello")
        player.socket.watch(room, 0)
        name = player.http.get("/api/me").json["person"]["name"]
        self.admin("mute", name)
        self.assertEqual(player.do(room, "say", text="hello")["error"]["code"], "muted")
        self.admin("unmute", name)
        self.assertIn("accepted", player.do(room, "say", text="hello"))

    def test_banning_a_person(self):
        anna, bert = self.member("Anna"), self.member("Bert")
        room = anna.post("/api/rooms", {"spec": "othello", "side": "first"}).json["room"]
        self.assertEqual(bert.post(f"/api/rooms/{room}/join").status, 200)
        self.assertTrue(self.admin("ban", "Anna")["banned"])
        self.assertIsNone(self.me(anna))
        answer = self.login(anna)
        self.assertEqual((answer.status, answer.code), (403, "banned"))
        self.assertEqual(Http(self.server).get(f"/api/rooms/{room}").json["state"], "ended", "the game was given up")
        self.assertEqual([row["name"] for row in self.admin("people")["people"]], ["Anna"])
        self.assertFalse(self.admin("unban", "Anna")["banned"])
        self.assertEqual(self.login(anna).status, 200)
        self.assertEqual(self.me(anna), "Anna")

    def test_banning_an_address(self):
        player = Player(self.server)
        self.addCleanup(player.drop)
        room = player.open_room("othello")
        player.socket.watch(room, 0)
        self.assertEqual(self.admin("ban", "127.0.0.1")["address"], "127.0.0.1")
        answer = Http(self.server).get("/api/rooms")
        self.assertEqual((answer.status, answer.code), (403, "banned"))
        with self.assertRaises(Closed) as closed:
            player.do(room, "say", text="hello")
        self.assertEqual(closed.exception.code, 1008)
        self.assertEqual(Http(self.server).get("/healthz").status, 200, "monitors are always heard")
        self.server.stop()
        self.server.restart()
        self.assertEqual(Http(self.server).get("/api/rooms").status, 403)
        self.admin("unban", "127.0.0.1")
        self.assertEqual(Http(self.server).get("/api/rooms").status, 200)
        self.assertIn("is not banned", self.admin("unban", "127.0.0.1", status=1)["error"])

    def test_deleting(self):
        anna, bert = self.member("Anna"), self.member("Bert")
        room = anna.post("/api/rooms", {"spec": "othello", "side": "first", "listed": True}).json["room"]
        bert.post(f"/api/rooms/{room}/join")
        self.assertIn("--yes", self.admin("delete", "person", "Anna", status=2))
        self.assertEqual(self.admin("delete", "person", "Anna", "--yes"), {"deleted": "Anna"})
        self.assertIsNone(self.me(anna))
        snapshot = Http(self.server).get(f"/api/rooms/{room}")
        self.assertNotIn(b"Anna", snapshot.body)
        self.assertEqual(Http(self.server).get("/api/players/Anna").status, 404)
        self.assertEqual(self.admin("delete", "room", room, "--yes"), {"deleted": room})
        self.assertEqual(Http(self.server).get(f"/api/rooms/{room}").code, "no_room")
        self.assertIn("there is no room", self.admin("delete", "room", room, "--yes", status=1)["error"])
        self.assertIn("person, room or class", self.admin("delete", "planet", "x", "--yes", status=2))
        made = bert.post("/api/classes", {"name": "Games", "spec": "othello"}).json
        self.assertEqual([row["teacher"] for row in self.admin("classes")["classes"]], ["Bert"])
        self.assertEqual(self.admin("delete", "class", made["id"], "--yes"), {"deleted": made["id"]})
        self.assertEqual(bert.get(f"/api/classes/{made['id']}").status, 404)

    def test_statistics_and_the_record(self):
        self.member("Anna")
        told = self.admin("statistics")
        self.assertEqual(told["people"]["members"], 1)
        self.assertGreaterEqual(told["server"]["connections"], 1)
        self.assertIn("people.members", run("admin", "statistics", "--db", self.server.database).stdout)
        self.assertEqual(self.admin("log"), {"log": []})
        self.admin("mute", "Anna", "--reason", "insults")
        row = self.admin("log")["log"][0]
        self.assertEqual((row["action"], row["subject"], row["reason"]), ("mute", "Anna", "insults"))
        self.assertIn(str(os.getuid()), row["by"])
        logged = [json.loads(line) for line in self.server.log().splitlines()]
        told = [line for line in logged if line["event"] == "operator" and line["action"] == "mute"]
        self.assertEqual(len(told), 1)
        self.assertEqual(told[0]["by"], row["by"])

    def test_without_a_server(self):
        self.member("Anna")
        self.assertEqual(stat.S_IMODE(os.stat(f"{self.server.database}.admin").st_mode), 0o600)
        self.server.stop()
        self.assertFalse(os.path.exists(f"{self.server.database}.admin"))
        self.assertTrue(self.admin("ban", "Anna")["banned"])
        self.assertNotIn("server", self.admin("statistics"))
        self.server.restart()
        self.assertEqual(self.admin("people")["people"][0]["banned"], True)
        self.server.kill()
        self.assertEqual(self.admin("people")["people"][0]["banned"], True, "a crash leaves a socket that nobody hears")

    def test_bad_requests(self):
        self.assertIn("nobody called", self.admin("mute", "Nobody", status=1)["error"])
        self.assertIn("nobody called", run("admin", "--db", self.server.database, "mute", "Nobody", status=1).stderr)
        self.assertIn("there is no session", self.admin("end-session", "*", status=1)["error"])
        for args in ((), ("fly",), ("mute",), ("ban", "x", "--reason", "r" * 501), ("log", "--most", "0")):
            self.assertTrue(run("admin", "--db", self.server.database, *args, status=2).stderr)
        missing = self.server.folder / "missing.db"
        self.assertIn("there is no database", run("admin", "--db", missing, "statistics", status=2).stderr)
        self.assertFalse(missing.exists())


class Teachers(WithServer):
    options = ("--rate-factor", "1000", "--teachers", "approved")

    def test_only_approved_people_open_classes(self):
        anna = self.member("Anna")
        body = {"name": "Games", "spec": "othello"}
        answer = anna.post("/api/classes", body)
        self.assertEqual((answer.status, answer.code), (403, "not_approved"))
        self.assertTrue(self.admin("approve", "Anna")["approved"])
        self.assertEqual(anna.post("/api/classes", body).status, 201)
        self.admin("unapprove", "Anna")
        self.assertEqual(anna.post("/api/classes", body).code, "not_approved")

    def test_the_option(self):
        self.assertIn("anyone or approved", run("serve", "--teachers", "friends", status=2).stderr)


class Health(WithServer):
    def health(self):
        answer = Http(self.server).get("/healthz")
        return answer.status, answer.json

    def wait_for(self, status):
        """The answer once it has this status: it is looked at again every second."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found, body = self.health()
            if found == status:
                return body
            time.sleep(0.1)
        raise AssertionError((found, body))

    def test_a_database_that_is_gone(self):
        self.assertEqual(self.health(), (200, {"ok": True}))
        away = self.server.folder / "away"
        os.rename(self.server.database, away)
        body = self.wait_for(503)
        self.assertFalse(body["ok"])
        self.assertIn("deleted", body["reasons"][0])
        self.assertNotIn(str(self.server.folder), json.dumps(body), "files are nobody's business")
        shutil.copy(away, self.server.database)
        end = time.monotonic() + PATIENCE
        while "replaced" not in self.wait_for(503)["reasons"][0]:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)
        os.rename(away, self.server.database)
        self.assertEqual(self.wait_for(200), {"ok": True})
        self.assertIn("unhealthy", self.server.log())

    def test_a_full_disk(self):
        self.assertEqual(self.health()[0], 200)
        pid = self.server.process.pid
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (16, before[1]))
        self.assertIn("cannot be written", self.wait_for(503)["reasons"][0])
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
        self.wait_for(200)

    def refusal(self, **options):
        return run("serve", "--listen", "127.0.0.1:0", "--db", self.server.database, status=2, **options).stderr

    def test_starting_is_refused(self):
        self.server.stop()

        def full():
            resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

        self.assertIn("cannot be used", self.refusal(preexec_fn=full))
        whole = self.server.database.read_bytes()
        self.server.database.write_bytes(b"")
        said = self.refusal()
        self.assertIn("is empty", said)
        self.assertIn("restore a backup", said)
        self.assertEqual(self.server.database.read_bytes(), b"")
        os.unlink(self.server.database)
        pathlib.Path(f"{self.server.database}-wal").write_bytes(b"events")
        self.assertIn("was deleted or moved", self.refusal())
        os.unlink(f"{self.server.database}-wal")
        self.server.database.write_bytes(whole)
        self.server.database.chmod(0o400)
        options = {}
        if os.getuid() == 0:
            os.chown(self.server.folder, 65534, 65534)
            os.chown(self.server.database, 65534, 65534)
            options = {"user": 65534, "group": 65534, "extra_groups": []}
        self.assertIn("is read-only", self.refusal(**options))


class Backups(WithServer):
    def test_while_the_server_runs(self):
        player = Player(self.server)
        self.addCleanup(player.close)
        room = player.open_room("othello:6x6", engine=1, side="first")
        copy = self.server.folder / "copy.db"
        told = run("backup", self.server.database, copy).stdout
        self.assertIn("1 rooms", told)
        self.assertEqual(stat.S_IMODE(copy.stat().st_mode), 0o600)
        self.assertIn("--force", run("backup", self.server.database, copy, status=2).stderr)
        run("backup", self.server.database, copy, "--force")
        later = player.open_room("othello:6x6", engine=1, side="first")
        self.assertIn("in use by another server", run("restore", copy, self.server.database, status=2).stderr)
        self.assertEqual(Http(self.server).get(f"/api/rooms/{later}").status, 200)
        self.server.stop()
        told = run("restore", copy, self.server.database).stdout
        kept = re.search(r"kept as (.+)", told).group(1)
        self.server.restart()
        self.assertEqual(Http(self.server).get(f"/api/rooms/{room}").status, 200)
        self.assertEqual(Http(self.server).get(f"/api/rooms/{later}").code, "no_room")
        self.server.stop()
        run("restore", kept, self.server.database)
        self.server.restart()
        self.assertEqual(Http(self.server).get(f"/api/rooms/{later}").status, 200)

    def test_a_bad_backup_changes_nothing(self):
        self.server.stop()
        before = self.server.database.read_bytes()
        copy = self.server.folder / "copy.db"
        for content, why in ((b"", "is empty"), (b"nonsense" * 1000, "copy.db"), (before[:5000], "copy.db")):
            copy.write_bytes(content)
            self.assertIn(why, run("restore", copy, self.server.database, status=2).stderr)
            self.assertEqual(self.server.database.read_bytes(), before)
        for args in (("backup", self.server.folder / "none.db", copy, "--force"), ("restore", copy), ("backup",),
                     ("restore", self.server.folder / "none.db", self.server.database),
                     ("backup", self.server.database, self.server.folder)):
            self.assertTrue(run(*args, status=2).stderr)

    def test_a_full_disk_leaves_no_copy(self):
        copy = self.server.folder / "copy.db"

        def full():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        self.assertIn("cannot be copied", run("backup", self.server.database, copy, status=2, preexec_fn=full).stderr)
        self.assertEqual([p.name for p in self.server.folder.iterdir() if p.name.startswith("copy")], [])


class Unit(unittest.TestCase):
    """The systemd unit: no typing errors, no rights that are not needed, nothing that breaks the sandbox of bots."""

    KNOWN = {
        "Unit": {"Description", "Documentation", "After"},
        "Install": {"WantedBy"},
        "Service": {"Type", "EnvironmentFile", "ExecStart", "Restart", "RestartSec", "TimeoutStopSec", "User", "Group",
                    "StateDirectory", "StateDirectoryMode", "UMask", "NoNewPrivileges", "CapabilityBoundingSet",
                    "AmbientCapabilities", "RestrictSUIDSGID", "LockPersonality", "RestrictRealtime", "SystemCallArchitectures",
                    "ProtectSystem", "ProtectHome", "PrivateTmp", "PrivateDevices", "ProtectClock", "ProtectHostname",
                    "ProtectKernelModules", "RemoveIPC", "RestrictAddressFamilies", "Delegate", "MemoryMax", "TasksMax",
                    "LimitNOFILE", "CPUWeight"}}

    def setUp(self):
        self.path = ROOT / "contrib" / "paika.service.in"
        self.unit = configparser.ConfigParser(interpolation=None, strict=True)
        self.unit.optionxform = str
        self.unit.read_string(self.path.read_text(encoding="utf-8"))

    def test_every_key_is_known(self):
        self.assertEqual(set(self.unit.sections()), set(self.KNOWN))
        for section in self.unit.sections():
            self.assertLessEqual(set(self.unit[section]), self.KNOWN[section])

    def test_privileges_are_dropped(self):
        service = self.unit["Service"]
        self.assertEqual((service["User"], service["Group"]), ("paika", "paika"))
        for key in ("NoNewPrivileges", "RestrictSUIDSGID", "PrivateTmp", "Delegate"):
            self.assertEqual(service[key], "yes", key)
        self.assertEqual(service["ProtectSystem"], "strict")
        self.assertEqual(service["CapabilityBoundingSet"], "")

    def test_the_command_is_one_that_there_is(self):
        defaults = (ROOT / "contrib" / "paika.default").read_text(encoding="utf-8")
        options = re.search(r'^PAIKA_OPTIONS="(.*)"$', defaults, re.M)[1]
        words = self.unit["Service"]["ExecStart"].replace("$PAIKA_OPTIONS", options).split()
        self.assertEqual(words[1], "serve")
        options = run("serve", "--help").stdout
        for word in words[2:]:
            if word.startswith("--"):
                self.assertRegex(options, rf"{word}\b")

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd is not installed")
    def test_systemd_agrees(self):
        with tempfile.TemporaryDirectory() as folder:
            text = self.path.read_text(encoding="utf-8").replace("@CMAKE_INSTALL_FULL_BINDIR@/paika", f'"{PAIKA}"')
            text = text.replace("@CMAKE_INSTALL_FULL_SYSCONFDIR@", "/etc")
            text = re.sub(r"^Documentation=.*\n", "", text, flags=re.M)  # pages that are not installed here
            unit = pathlib.Path(folder) / "paika.service"
            unit.write_text(text, encoding="utf-8")
            done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
