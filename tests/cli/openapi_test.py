"""docs/openapi.json against the running server: the same paths, the documented statuses, bodies that fit the schemas.

Every operation is called, those of people and rooms in small stories, the others by a table of examples. A body with a
field that the document does not know fails.
usage: openapi_test.py PAIKA-PROGRAM
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from api_document import DOCUMENT, Schema
from room_client import Player, Rules
from server_client import Http, Server, Stream

PAIKA = ""
METHODS = ("get", "post", "put", "delete", "patch", "head", "options")
UNROUTED = {"GET /healthz", "GET /metrics", "GET /api/socket"}  # not in the router's list
PASSWORD = "correct horse battery"
GAMES = ("fanorona", "abalone", "othello", "wildebeest")

STORIES = ("/api/account", "/api/login", "/api/logout", "/api/me", "/api/session", "/api/guests", "/api/players",
           "/api/ratings", "/api/rooms", "/api/position", "/api/games", "/api/demos", "/api/scene", "/api/records",
           "/api/trees", "/api/review", "/api/languages", "/api/messages", "/api/lobby", "/api/classes",
           "/api/tournaments", "/api/tables", "/api/sso", "/api/lti", "/api/explorer",
           "/api/puzzles", "/api/studies")
MEMBERS_ONLY = ("/api/account/password", "/api/classes", "/api/lti", "/api/puzzles", "/api/studies")
SOLVED = "abalone:3x3,captures=1"  # in the blink of an eye
RECORD = "paika-record 1\nspec othello:6x6\nfirst A\nsecond B\nmove %s time=5us\nresult ongoing none\nend\n"
TREE = {"spec": "othello", "players": ["A"], "tags": [["Date", "2026"]],
        "nodes": [{"comment": "x"}, {"parent": 0, "move": "f5", "mark": "!?"}, {"parent": 1, "move": "a1"}]}
# Method, path, status, query, parameters of the path, body; FIRST stands for a legal first turn of Othello.
EXAMPLES = [
    ("GET", "/api/languages", 200, "", {}, None),
    ("GET", "/api/messages/{lang}", 200, "", {"lang": "en"}, None),
    ("GET", "/api/messages/{lang}", 404, "", {"lang": "xx"}, None),
    ("GET", "/api/games", 200, "", {}, None),
    *(("GET", "/api/games/{name}", 200, "", {"name": name}, None) for name in GAMES),
    ("GET", "/api/games/{name}", 404, "", {"name": "chess"}, None),
    *(("GET", "/api/games/{name}/rules", 200, "", {"name": name}, None) for name in GAMES),
    ("GET", "/api/games/{name}/rules", 404, "", {"name": "chess"}, None),
    ("GET", "/api/demos", 200, "", {}, None),
    ("GET", "/api/demos", 200, "?game=fanorona", {}, None),
    ("GET", "/api/demos/{name}", 404, "", {"name": "nothing"}, None),
    *(("GET", "/api/scene", 200, f"?spec={name}", {}, None) for name in GAMES),
    ("GET", "/api/scene", 400, "?spec=chess", {}, None),
    ("GET", "/api/scene", 400, "", {}, None),
    *(("POST", "/api/position", 200, "", {}, {"spec": name}) for name in GAMES),
    ("POST", "/api/position", 200, "", {}, {"spec": "othello:6x6", "moves": ["FIRST"]}),
    ("POST", "/api/position", 400, "", {}, {"spec": "chess"}),
    ("POST", "/api/position", 422, "", {}, {"spec": "othello", "position": "rubbish"}),
    ("POST", "/api/position", 422, "", {}, {"spec": "othello", "moves": ["a1"]}),
    *(("POST", "/api/position/moves", 200, "", {}, {"spec": name, "effects": True, "limit": 5}) for name in GAMES),
    ("POST", "/api/position/moves", 400, "", {}, {"spec": "othello", "limit": -1}),
    ("POST", "/api/position/play", 200, "", {}, {"spec": "othello:6x6", "move": "FIRST"}),
    ("POST", "/api/position/play", 422, "", {}, {"spec": "othello:6x6", "move": "a1"}),
    ("POST", "/api/position/analysis", 200, "", {}, {"spec": "othello:6x6", "depth": 4, "lines": 2}),
    ("POST", "/api/position/analysis", 200, "", {}, {"spec": "wildebeest", "time_ms": 30}),
    ("POST", "/api/position/analysis", 400, "", {}, {"spec": "othello", "time_ms": 10**9}),
    ("POST", "/api/position/values", 200, "", {}, {"spec": SOLVED, "line": True}),
    ("POST", "/api/position/values", 200, "", {}, {"spec": "othello"}),
    ("GET", "/api/tables", 200, "", {}, None),
    *(("GET", "/api/explorer", 200, f"?spec={name}", {}, None) for name in GAMES),
    ("GET", "/api/explorer", 400, "?spec=othello&source=moon", {}, None),
    ("GET", "/api/explorer", 404, "?spec=othello&source=games", {}, None),
    ("GET", "/api/explorer", 422, "?spec=othello&moves=a1", {}, None),
    ("GET", "/api/tables/{file}", 200, "", {"file": "abalone-3x3-captures-1.table"}, None),
    ("GET", "/api/tables/{file}/distances", 200, "", {"file": "abalone-3x3-captures-1.table"}, None),
    ("GET", "/api/tables/{file}", 404, "", {"file": "nothing.table"}, None),
    *(("GET", "/api/position/picture.svg", 200, f"?spec={name}&theme=plain&flip=1", {}, None) for name in GAMES),
    ("GET", "/api/position/picture.svg", 422, "?spec=othello&position=rubbish", {}, None),
    ("POST", "/api/records/read", 200, "", {}, {"text": RECORD % "FIRST"}),
    ("POST", "/api/records/read", 422, "", {}, {"text": RECORD % "a1"}),
    ("POST", "/api/records/write", 200, "", {}, {"spec": "othello:6x6", "moves": ["FIRST"], "players": ["A", "B"]}),
    ("POST", "/api/records/write", 422, "", {}, {"spec": "othello:6x6", "moves": ["a1"]}),
    ("POST", "/api/trees/read", 200, "", {}, {"text": RECORD % "FIRST"}),
    ("POST", "/api/trees/read", 200, "", {}, {"text": '[Game "othello"]\n\n1. f5! {[%arrow a1 b2 red] x} d6 (1... f6) *\n'}),
    ("POST", "/api/trees/read", 200, "", {}, {"tree": TREE}),
    ("POST", "/api/trees/read", 422, "", {}, {"text": "nothing"}),
    ("POST", "/api/trees/read", 400, "", {}, {"tree": {**TREE, "spec": "chess"}}),
    ("POST", "/api/trees/write", 200, "", {}, {"tree": {**TREE, "nodes": TREE["nodes"][:2]}}),
    ("POST", "/api/trees/write", 422, "", {}, {"tree": TREE}),
    ("POST", "/api/trees/write", 400, "", {}, {}),
    ("POST", "/api/review", 200, "", {}, {"spec": "othello:6x6", "moves": ["FIRST"], "time_ms": 50}),
    ("POST", "/api/review", 200, "", {}, {"spec": SOLVED, "moves": ["b1b2"], "time_ms": 50}),
    ("POST", "/api/review", 400, "", {}, {"spec": "othello:6x6", "moves": []}),
    ("POST", "/api/review", 422, "", {}, {"spec": "othello:6x6", "moves": ["a1"]}),
]


class WithDocument(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
        cls.schema = Schema(cls.document)
        tables = tempfile.TemporaryDirectory()
        cls.addClassCleanup(tables.cleanup)
        subprocess.run([PAIKA, "solve", SOLVED, "--no-count", "--tables", tables.name], check=True, capture_output=True)
        cls.server = Server(PAIKA, "--rate-factor", "1000", "--tables", tables.name)
        cls.addClassCleanup(cls.server.close)
        cls.operations = {(method.upper(), path): operation for path, item in cls.document["paths"].items()
                          for method, operation in item.items() if method in METHODS}

    def check(self, method, path, status, answer):
        """The answer is documented for this operation, and what it should be."""
        operation = self.operations[method, path]
        self.assertEqual(answer.status, status, f"{method} {path}: {answer}")
        self.assertIn(str(status), operation["responses"], f"{method} {path} may answer {status}")
        content = operation["responses"][str(status)].get("content", {})
        if not content:
            return
        kind = answer.header("content-type").split(";")[0]
        self.assertIn(kind, content, f"{method} {path}")
        schema = content[kind].get("schema", True)
        if kind == "application/json":
            self.assertEqual(self.schema.faults(answer.json, schema), [], f"{method} {path} {status}")
        elif kind == "application/x-ndjson":
            for line in answer.body.splitlines():
                if line.strip():
                    self.assertEqual(self.schema.faults(json.loads(line), schema), [], f"{method} {path} {status}")


class Paths(WithDocument):
    def test_the_same_as_the_server_has(self):
        told = set(Http(self.server).get("/api/routes").json["routes"])
        written = {f"{method} {path}" for method, path in self.operations}
        self.assertEqual(written - UNROUTED - told, set(), "documented, but not there")
        self.assertEqual(told - written, set(), "there, but not documented")

    def test_the_document_itself(self):
        self.assertEqual(self.document["openapi"], "3.1.0")
        for name, schema in self.document["components"]["schemas"].items():
            for reference in re.findall(r'"\$ref": "([^"]+)"', json.dumps(schema)):
                self.schema.resolve(reference)
            self.assertTrue(re.fullmatch(r"[A-Z]\w+", name), name)
        for (method, path), operation in self.operations.items():
            with self.subTest(f"{method} {path}"):
                self.assertTrue(operation["summary"])
                named = {p["name"] for p in operation.get("parameters", []) if p["in"] == "path"}
                self.assertEqual(named, set(re.findall(r"\{(\w+)\}", path)))
                self.assertTrue(any(status.startswith(("2", "3")) for status in operation["responses"]))
                for status, response in operation["responses"].items():
                    if status.startswith(("4", "5")):
                        self.assertEqual(response["content"]["application/json"]["schema"],
                                         {"$ref": "#/components/schemas/Error"}, status)
                body = operation.get("requestBody")
                if body and "example" in body["content"].get("application/json", {}):
                    content = body["content"]["application/json"]
                    self.assertEqual(self.schema.faults(content["example"], content["schema"]), [])


class Answers(WithDocument):
    def setUp(self):
        self.called = set()
        self.rules = Rules(PAIKA)
        self.addCleanup(self.rules.close)
        start = self.rules.say("othello:6x6", "query position")
        self.first = self.rules.turns("othello:6x6", start)[0]

    def call(self, http, method, path, status, body=None, query="", **params):
        """Calls an operation; its answer, checked."""
        self.called.add((method, path))
        content = self.operations[method, path].get("requestBody", {}).get("content", {}).get("application/json")
        if content and body is not None and status < 400:
            self.assertEqual(self.schema.faults(body, content["schema"], "request"), [], f"{method} {path}")
        target = re.sub(r"\{(\w+)\}", lambda m: str(params[m.group(1)]), path) + query
        answer = http(method, target, body)
        self.check(method, path, status, answer)
        return answer.json if answer.header("content-type") == "application/json" else answer

    def test_people(self):
        page = Http(self.server, origin=self.server.origin)
        for path in ("/healthz", "/metrics", "/api/routes", "/api/chat-presets", "/api/me"):
            self.call(page, "GET", path, 200)
        self.call(page, "POST", "/api/guests", 201)
        answer = page.post("/api/session")
        self.check("POST", "/api/session", 201, answer)
        page.cookie = answer.cookie()
        self.call(page, "POST", "/api/session", 200)
        self.call(page, "GET", "/api/me/games", 200)
        self.call(page, "GET", "/api/me", 200)
        answer = page.post("/api/account", {"name": "Documented", "password": PASSWORD})
        self.check("POST", "/api/account", 201, answer)
        page.cookie = answer.cookie()
        self.call(page, "POST", "/api/account", 409, {"name": "Documented2", "password": PASSWORD})
        self.call(page, "POST", "/api/login", 403, {"name": "Documented", "password": "wrong wrong"})
        self.call(page, "POST", "/api/login", 400, {"name": 5})
        answer = page.post("/api/login", {"name": "documented", "password": PASSWORD})
        self.check("POST", "/api/login", 200, answer)
        page.cookie = answer.cookie()
        self.call(page, "POST", "/api/account/password", 403, {"old": "wrong wrong", "new": PASSWORD})
        self.call(page, "POST", "/api/account/password", 200, {"old": PASSWORD, "new": PASSWORD})
        token = self.call(page, "POST", "/api/account/tokens", 201, {"label": "bot"})
        self.call(page, "POST", "/api/account/tokens", 400, {"label": ""})
        self.call(page, "GET", "/api/account/tokens", 200)
        self.rated_game(page)
        self.call(page, "GET", "/api/me", 200)
        self.call(page, "GET", "/api/account/export", 200)
        self.call(page, "DELETE", "/api/account/tokens/{token}", 200, token=token["id"])
        self.call(page, "DELETE", "/api/account/tokens/{token}", 404, token=token["id"])
        self.call(page, "GET", "/api/players/{name}", 200, name="Documented")
        self.call(page, "GET", "/api/players/{name}", 404, name="Nobody")
        self.call(page, "GET", "/api/players/{name}/games", 200, name="Documented")
        self.call(page, "GET", "/api/players/{name}/games", 400, query="?after=soon", name="Documented")
        self.call(page, "GET", "/api/ratings/{game}", 200, game="othello")
        self.call(page, "GET", "/api/ratings/{game}", 404, game="chess")
        self.call(page, "GET", "/api/account/identities", 200)
        self.call(page, "DELETE", "/api/account/identities/{identity}", 404, identity=1)
        self.call(page, "DELETE", "/api/account", 403, {"password": "wrong wrong"})
        self.call(page, "POST", "/api/logout", 200)
        answer = page.post("/api/login", {"name": "documented", "password": PASSWORD}, headers={"Cookie": None})
        page.cookie = answer.cookie()
        self.call(page, "DELETE", "/api/account", 200, {"password": PASSWORD})
        self.others("/api/account", "/api/login", "/api/logout", "/api/me", "/api/session", "/api/guests", "/api/players",
                    "/api/ratings")

    def rated_game(self, page):
        """With a second member, so that rows have ratings."""
        other = Http(self.server, origin=self.server.origin)
        other.cookie = other.post("/api/session").cookie()
        other.cookie = other.post("/api/account", {"name": "Opponent", "password": PASSWORD}).cookie()
        room = self.call(page, "POST", "/api/rooms", 201, {"spec": "othello:6x6", "rated": True, "listed": True})["room"]
        self.call(other, "POST", "/api/rooms/{id}/join", 200, id=room)
        self.call(other, "POST", "/api/rooms/{id}/say", 200, {"text": "hello"}, id=room)
        stream = Stream(self.server, f"/api/rooms/{room}/stream?since=0")
        self.addCleanup(stream.close)
        self.call(page, "POST", "/api/rooms/{id}/resign", 200, id=room)
        self.lines(stream, "rated")
        self.call(page, "GET", "/api/rooms/{id}", 200, id=room)
        self.call(page, "GET", "/api/rooms", 200, query="?state=ended")

    def lines(self, stream, last):
        """Checks the lines of a stream up to an event."""
        schema = self.operations["GET", "/api/rooms/{id}/stream"]["responses"]["200"]["content"]["application/x-ndjson"]
        while (line := stream.line()) is not None:
            self.assertEqual(self.schema.faults(line, schema["schema"], "line"), [])
            if line.get("event", {}).get("event") == last:
                return line["event"]
        raise AssertionError(f"the stream ended before {last}")

    def test_rooms(self):
        one, two = Player(self.server), Player(self.server)
        room = self.call(one.http, "POST", "/api/rooms", 201, {"spec": "othello:6x6", "side": "first", "clock_ms": 600000,
                                                               "increment_ms": 1000, "listed": True})["room"]
        self.call(one.http, "POST", "/api/rooms", 400, {"spec": "chess"})
        self.call(one.http, "POST", "/api/rooms", 403, {"spec": "othello", "rated": True})
        for state in ("open", "running", "ended"):
            self.call(one.http, "GET", "/api/rooms", 200, query=f"?state={state}")
        self.call(one.http, "GET", "/api/rooms", 400, query="?state=asleep")
        stream = Stream(self.server, f"/api/rooms/{room}/stream")
        self.addCleanup(stream.close)
        self.called.add(("GET", "/api/rooms/{id}/stream"))
        self.call(one.http, "GET", "/api/rooms/{id}/stream", 400, query="?since=x", id=room)
        self.call(one.http, "GET", "/api/rooms/{id}/stream", 404, id="nosuchroom")
        here = {"id": room}
        self.call(one.http, "GET", "/api/rooms/{id}", 200, **here)
        self.call(one.http, "GET", "/api/rooms/{id}/record", 409, **here)
        self.call(two.http, "POST", "/api/rooms/{id}/join", 200, **here)
        self.call(two.http, "POST", "/api/rooms/{id}/join", 404, id="nosuchroom")
        position = self.call(one.http, "GET", "/api/rooms/{id}", 200, **here)["position"]
        turn = self.rules.turns("othello:6x6", position)[0]
        self.call(one.http, "POST", "/api/rooms/{id}/play", 422, {"move": "a1", "id": "1"}, **here)
        self.call(two.http, "POST", "/api/rooms/{id}/play", 403, {"move": turn, "id": "1"}, **here)
        self.call(one.http, "POST", "/api/rooms/{id}/play", 200, {"move": turn, "id": "1", "number": 1}, **here)
        self.call(one.http, "POST", "/api/rooms/{id}/play", 409, {"move": turn, "id": "2", "number": 1}, **here)
        for player, word, what, status in ((one, "offer", "takeback", 200), (two, "decline", "takeback", 200),
                                           (two, "offer", "draw", 200), (two, "decline", "draw", 200),
                                           (one, "agree", "draw", 409)):
            self.call(player.http, "POST", f"/api/rooms/{{id}}/{word}", status, {"what": what}, **here)
        self.call(one.http, "POST", "/api/rooms/{id}/say", 200, {"preset": "hello"}, **here)
        self.call(one.http, "GET", "/api/rooms/{id}/conditional", 200, **here)
        self.call(one.http, "POST", "/api/rooms/{id}/conditional", 409, {"lines": []}, **here)
        self.call(one.http, "GET", "/api/me/games", 200)
        seeker = Player(self.server)
        self.addCleanup(seeker.close)
        seeker.socket.ask("seek", spec="fanorona", clock_ms=60000)
        self.call(one.http, "GET", "/api/lobby", 200)
        self.call(one.http, "POST", "/api/rooms/{id}/say", 400, {"preset": "shout"}, **here)
        turn = self.rules.turns("othello:6x6", self.call(one.http, "GET", "/api/rooms/{id}", 200, **here)["position"])[0]
        self.call(two.http, "POST", "/api/rooms/{id}/play", 200, {"move": turn, "id": "1"}, **here)
        self.call(two.http, "POST", "/api/rooms/{id}/offer", 200, {"what": "takeback"}, **here)
        self.call(one.http, "POST", "/api/rooms/{id}/agree", 200, {"what": "takeback"}, **here)
        self.call(one.http, "POST", "/api/rooms/{id}/abort", 403, **here)
        self.call(one.http, "GET", "/api/rooms/{id}/record", 200, **here)
        self.call(one.http, "POST", "/api/rooms/{id}/resign", 200, **here)
        self.call(one.http, "POST", "/api/rooms/{id}/offer", 200, {"what": "rematch"}, **here)
        self.call(two.http, "POST", "/api/rooms/{id}/agree", 200, {"what": "rematch"}, **here)
        rematch = self.lines(stream, "rematch")["room"]
        self.call(one.http, "GET", "/api/rooms/{id}", 200, **here)
        self.call(two.http, "POST", "/api/rooms/{id}/abort", 200, id=rematch)
        self.call(two.http, "GET", "/api/rooms/{id}", 200, id=rematch)
        timed = self.call(one.http, "POST", "/api/rooms", 201, {"spec": "abalone:3x3", "move_ms": 60000, "engine": 1})
        self.call(one.http, "GET", "/api/rooms/{id}", 200, id=timed["room"])
        self.others("/api/rooms")
        for player in (one, two):
            player.close()

    def others(self, *beginnings):
        """Nothing that begins so was left out."""
        whole = tuple(f"{b}/" for b in beginnings)
        missing = {(m, p) for m, p in self.operations if f"{p}/".startswith(whole)} - self.called
        missing -= {("GET", "/api/rooms/{id}/stream"), ("POST", "/api/account"), ("POST", "/api/login"),
                    ("POST", "/api/session")}
        if "/api/rooms" not in beginnings:
            missing = {(m, p) for m, p in missing if not p.startswith("/api/rooms")}
        self.assertEqual(missing, set())

    def test_positions(self):
        """Everything that needs no room, by the examples above."""
        http = Http(self.server)
        for method, path, status, query, params, body in EXAMPLES:
            with self.subTest(f"{method} {path}{query} {body}"):
                body = json.loads(json.dumps(body).replace("FIRST", self.first))
                self.call(http, method, path, status, body, query, **params)
        for demo in self.call(http, "GET", "/api/demos", 200)["demos"]:
            self.call(http, "GET", "/api/demos/{name}", 200, name=demo["name"])
        self.others("/api/position", "/api/games", "/api/demos", "/api/scene", "/api/records", "/api/languages",
                    "/api/messages")

    def member(self, name):
        http = Http(self.server, origin=self.server.origin)
        self.addCleanup(http.close)
        http.cookie = http.post("/api/session").cookie()
        http.cookie = http.post("/api/account", {"name": name, "password": PASSWORD}).cookie()
        return http

    def test_classes(self):
        teacher, student = self.member("Teacher"), self.member("Student")
        plan = {"name": "Games 101", "spec": "othello:6x6", "move_ms": 1000, "pairs": 1, "deadline_ms": None}
        made = self.call(teacher, "POST", "/api/classes", 201, plan)
        self.call(teacher, "POST", "/api/classes", 400, {"name": "x", "spec": "chess"})
        here = {"class": made["id"]}
        self.call(student, "POST", "/api/classes/join", 404, {"code": "wrong"})
        self.call(student, "POST", "/api/classes/join", 200, {"code": made["code"], "name": "Stu"})
        self.call(teacher, "POST", "/api/classes/{class}/settings", 200, {"uploads_per_day": 1}, **here)
        self.call(student, "POST", "/api/classes/{class}/settings", 403, {"uploads_per_day": 9}, **here)
        self.call(teacher, "POST", "/api/classes/{class}/code", 200, **here)
        bot = {"name": "Shark", "run": "./none", "files": [{"path": "none", "text": "x"}]}
        self.call(student, "POST", "/api/classes/{class}/bots", 400, {"name": "Shark"}, **here)
        self.call(teacher, "POST", "/api/classes/{class}/bots", 403, bot, **here)
        made_bot = self.call(student, "POST", "/api/classes/{class}/bots", 201, bot, **here)["bot"]
        self.call(student, "POST", "/api/classes/{class}/bots", 409, bot, **here)
        for person in (teacher, student):
            self.call(person, "GET", "/api/classes", 200)
            self.call(person, "GET", "/api/classes/{class}", 200, **here)
            self.call(person, "GET", "/api/classes/{class}/bots/{bot}", 200, bot=made_bot, **here)
            self.call(person, "GET", "/api/classes/{class}/bots/{bot}/files", 200, bot=made_bot, **here)
        self.call(student, "GET", "/api/classes/{class}/bots/{bot}", 400, query="?before=x", bot=made_bot, **here)
        self.call(student, "GET", "/api/classes/{class}/games/{game}", 404, game=1, **here)
        for form in ("export.csv", "export.json", "submissions.tar"):
            self.call(teacher, "GET", f"/api/classes/{{class}}/{form}", 200, **here)
            self.call(student, "GET", f"/api/classes/{{class}}/{form}", 403, **here)
        self.call(teacher, "GET", "/api/classes/{class}/lti", 200, **here)
        self.call(teacher, "POST", "/api/classes/{class}/lti/grades", 202, {"by": "points"}, **here)
        self.call(teacher, "DELETE", "/api/classes/{class}/lti/{course}", 404, course=1, **here)
        self.assignments(teacher, student, here)
        self.together(teacher, student, here)
        self.call(student, "GET", "/api/account/export", 200)
        self.call(student, "POST", "/api/classes/{class}/leave", 200, **here)
        self.call(student, "GET", "/api/classes/{class}", 404, **here)
        self.call(teacher, "DELETE", "/api/classes/{class}/members/{account}", 404, account="Student", **here)
        self.call(teacher, "DELETE", "/api/classes/{class}", 200, **here)
        self.others("/api/classes")

    def assignments(self, teacher, student, here):
        all_paths = "/api/classes/{class}/assignments"
        one = all_paths + "/{assignment}"
        tasks = [{"kind": "position", "note": "Well?", "spec": "othello:6x6", "moves": [self.first]},
                 {"kind": "puzzles", "game": "fanorona", "count": 1},
                 {"kind": "game", "spec": "othello:6x6", "level": 1, "clock_ms": 60000}]
        plan = {"title": "Week 1", "text": "Read.", "deadline_ms": 1900000000000, "max_attempts": 3, "tasks": tasks}
        self.call(student, "POST", all_paths, 403, plan, **here)
        self.call(teacher, "POST", all_paths, 400, {"title": "x", "tasks": [{"kind": "essay"}]}, **here)
        made = self.call(teacher, "POST", all_paths, 201, plan, **here)
        this = {**here, "assignment": made["assignment"]}
        self.call(teacher, "POST", one, 200, {"takes_late": False, "tasks": [{"task": 1}, {"task": 2}, {"task": 3}]}, **this)
        attempts, games = one + "/tasks/{task}/attempts", one + "/tasks/{task}/games"
        self.call(student, "POST", attempts, 422, {"move": "a1"}, task=1, **this)
        self.call(student, "POST", attempts, 200, {"move": self.first}, task=1, **this)
        self.call(student, "POST", attempts, 409, {"move": self.first}, task=1, **this)
        self.call(student, "POST", attempts, 404, {"move": self.first}, task=9, **this)
        self.call(student, "POST", games, 201, task=3, **this)
        self.call(student, "POST", games, 200, task=3, **this)
        for person in (teacher, student):
            self.call(person, "GET", all_paths, 200, **here)
            self.call(person, "GET", one, 200, **this)
            self.call(person, "GET", "/api/classes/{class}", 200, **here)
        self.call(teacher, "GET", one + "/progress.csv", 200, **this)
        self.call(student, "GET", one + "/progress.csv", 403, **this)
        self.call(student, "GET", "/api/account/export", 200)
        extra = self.call(teacher, "POST", all_paths, 201, plan, **here)
        self.call(teacher, "DELETE", one, 200, **{**here, "assignment": extra["assignment"]})
        self.call(teacher, "GET", one, 404, **{**here, "assignment": extra["assignment"]})

    def together(self, teacher, student, here):
        board = "/api/classes/{class}/board"
        self.call(student, "GET", board, 200, **here)
        self.call(teacher, "POST", board, 404, {"do": "close"}, **here)
        self.call(teacher, "POST", board, 200, {"do": "open", "spec": "othello:6x6"}, **here)
        self.call(student, "POST", board, 403, {"do": "close"}, **here)
        self.call(teacher, "POST", board, 400, {"do": "dance"}, **here)
        self.call(teacher, "POST", board, 422, {"do": "move", "move": "a1"}, **here)
        self.call(teacher, "POST", board, 409, {"do": "takeback"}, **here)
        for command in ({"do": "move", "move": self.first}, {"do": "mark", "marks": [{"from": "a1", "to": "b2"}]},
                        {"do": "allow", "may_point": True}, {"do": "hand", "account": "Student"}):
            self.call(teacher, "POST", board, 200, command, **here)
        self.call(student, "POST", board, 200, {"do": "point", "from": "a1", "to": "a1"}, **here)
        self.call(student, "GET", board, 200, **here)
        all_paths, one = "/api/classes/{class}/exhibitions", "/api/classes/{class}/exhibitions/{exhibition}"
        self.call(student, "POST", all_paths, 403, {"spec": "othello:6x6"}, **here)
        self.call(teacher, "POST", all_paths, 400, {"spec": "chess"}, **here)
        made = self.call(teacher, "POST", all_paths, 201, {"spec": "othello:6x6", "clock_ms": 60000}, **here)
        self.call(teacher, "POST", all_paths, 409, {"spec": "othello:6x6"}, **here)
        this = {**here, "exhibition": made["exhibition"]}
        self.call(student, "GET", "/api/rooms/{id}", 200, id=made["boards"][0]["room"])
        for person in (teacher, student):
            self.call(person, "GET", all_paths, 200, **here)
            self.call(person, "GET", one, 200, **this)
            self.call(person, "GET", "/api/classes/{class}", 200, **here)
        self.call(student, "DELETE", one, 403, **this)
        self.call(teacher, "DELETE", one, 200, **this)
        self.call(teacher, "GET", one, 404, **this)
    def test_puzzles(self):
        """The first try at a puzzle counts; the server judges it."""
        solver = self.member("Solver")
        mine = self.call(solver, "GET", "/api/puzzles/{game}", 200, game="othello")
        self.assertEqual((mine["rating"]["rating"], mine["rating"]["puzzles"]), (1500, 0))
        rows = (DOCUMENT.parents[1] / "data/puzzles/othello.tsv").read_text().splitlines()
        column = rows[0].split("\t").index("solution")
        solutions = {row.split("\t")[0]: row.split("\t")[column] for row in rows[1:]}
        path, here = "/api/puzzles/{game}/{id}", {"game": "othello", "id": mine["next"]}
        self.call(solver, "POST", path, 422, {"move": "z9"}, **here)
        told = self.call(solver, "POST", path, 200, {"move": solutions[mine["next"]].upper()}, **here)
        self.assertEqual((told["right"], told["counted"], told["before"]), (True, True, 1500))
        self.assertGreater(told["rating"]["rating"], 1500)
        self.assertNotEqual(told["next"], mine["next"])
        again = self.call(solver, "POST", path, 200, {}, **here)
        self.assertEqual((again["right"], again["counted"], again["rating"]), (False, False, told["rating"]))
        failed = self.call(solver, "POST", path, 200, {"move": ""}, game="othello", id=told["next"])
        self.assertEqual((failed["right"], failed["counted"]), (False, True))
        self.assertLess(failed["rating"]["rating"], told["rating"]["rating"])
        self.assertEqual((failed["rating"]["puzzles"], failed["rating"]["solved"]), (2, 1))
        self.call(solver, "POST", path, 404, {}, game="othello", id="none")
        self.call(solver, "POST", path, 400, {"moves": "d3"}, **here)
        self.call(solver, "GET", "/api/puzzles/{game}", 404, game="chess")
        self.assertEqual(self.call(solver, "GET", "/api/account/export", 200)["puzzles"], [failed["rating"]])
        guest = Http(self.server, origin=self.server.origin)
        guest.cookie = guest.post("/api/session").cookie()
        self.call(guest, "GET", "/api/puzzles/{game}", 403, game="othello")
    def test_studies(self):
        owner, editor, stranger = self.member("Author"), self.member("Editor"), Http(self.server)
        tree = '[Game "othello"]\n\n1. f5 d6 {A comment.} *\n'
        made = self.call(owner, "POST", "/api/studies", 201, {"title": "Openings"})
        self.call(owner, "POST", "/api/studies", 400, {"title": ""})
        here = {"study": made["id"]}
        one = "/api/studies/{study}"
        self.call(stranger, "GET", one, 404, **here)
        self.call(owner, "GET", one, 200, **here)
        self.call(owner, "PUT", one, 200, {"access": "public", "version": 1}, **here)
        self.call(owner, "PUT", one, 409, {"title": "Old", "version": 1}, **here)
        self.call(editor, "PUT", one, 403, {"title": "Mine", "version": 2}, **here)
        chapter = self.call(owner, "POST", one + "/chapters", 201, {"title": "One", "tree": tree}, **here)["id"]
        self.call(owner, "POST", one + "/chapters", 400, {"title": "Two", "tree": "1. f5 *"}, **here)
        self.call(editor, "POST", one + "/chapters", 403, {"title": "Two"}, **here)
        self.call(owner, "PUT", one + "/editors/{name}", 200, name="Editor", **here)
        self.call(owner, "PUT", one + "/editors/{name}", 404, name="Nobody", **here)
        self.call(owner, "PUT", one + "/editors/{name}", 409, name="Author", **here)
        there = {"chapter": chapter, **here}
        self.call(stranger, "GET", one + "/chapters/{chapter}", 200, **there)
        self.call(editor, "PUT", one + "/chapters/{chapter}", 200, {"text": "Words.", "version": 1, "place": 0}, **there)
        self.call(editor, "PUT", one + "/chapters/{chapter}", 409, {"text": "Others.", "version": 1}, **there)
        comment = self.call(editor, "POST", one + "/comments", 201, {"text": "Fine!", "chapter": chapter}, **here)["id"]
        self.call(editor, "POST", one + "/comments", 400, {"text": ""}, **here)
        self.call(stranger, "GET", one, 200, **here)
        self.call(stranger, "GET", "/api/studies", 200)
        self.call(stranger, "GET", one + "/export", 200, **here)
        self.call(stranger, "GET", one + "/print", 200, **here)
        self.call(owner, "DELETE", one + "/comments/{comment}", 200, comment=comment, **here)
        self.call(owner, "DELETE", one + "/comments/{comment}", 404, comment=comment, **here)
        self.call(editor, "DELETE", one + "/chapters/{chapter}", 200, **there)
        self.call(editor, "DELETE", one + "/chapters/{chapter}", 404, **there)
        self.call(editor, "DELETE", one + "/editors/{name}", 200, name="Editor", **here)
        self.call(owner, "DELETE", one, 200, **here)
        self.call(owner, "DELETE", one, 404, **here)
        self.others("/api/studies")

    def test_tournaments(self):
        """Without a folder there are none; classes_test.py has some."""
        http, person = Http(self.server), self.member("Watcher")
        cup = {"name": "cup"}
        self.call(http, "GET", "/api/tournaments", 200)
        self.call(http, "GET", "/api/tournaments/{name}", 404, **cup)
        self.call(http, "GET", "/api/tournaments/{name}/games/{game}", 404, game="x", **cup)
        self.call(person, "GET", "/api/tournaments/{name}/games/{game}/log", 404, query="?player=a", game="x", **cup)
        self.others("/api/tournaments")

    def test_sign_on(self):
        """Without providers and platforms; sso_test.py has some and checks all answers too."""
        http, person = Http(self.server), self.member("Signed")
        self.call(http, "GET", "/api/sso", 200)
        self.call(http, "POST", "/api/sso/{provider}/begin", 404, {"return": "/"}, provider="x")
        self.call(http, "GET", "/api/sso/{provider}/callback", 303, provider="x")
        self.call(http, "GET", "/api/sso/arrival", 404)
        self.call(http, "POST", "/api/sso/arrival/account", 404, {"name": "ada"})
        self.call(person, "POST", "/api/sso/arrival/link", 404)
        self.call(http, "GET", "/api/lti/jwks", 200)
        self.call(person, "POST", "/api/lti/enter", 404, {})
        self.call(http, "GET", "/api/lti/login", 303)
        self.call(http, "POST", "/api/lti/login", 303)
        self.call(http, "POST", "/api/lti/launch", 303)
        self.others("/api/sso", "/api/lti")

    def test_nothing_is_left_out(self):
        """A path of a kind that the stories above do not know would not be called."""
        known = ("/healthz", "/metrics", "/api/routes", "/api/chat-presets", *STORIES)
        self.assertEqual({p for _, p in self.operations if not p.startswith(known)}, set())

    def test_errors(self):
        """Whoever is not known, and bodies that are no JSON, are answered as documented, everywhere."""
        stranger, player = Http(self.server), Player(self.server)
        self.addCleanup(player.close)
        for (method, path), operation in self.operations.items():
            target = re.sub(r"\{(\w+)\}", "x", path)
            with self.subTest(f"{method} {path}"):
                if operation.get("security"):
                    self.check(method, path, 401, stranger(method, target))
                content = operation.get("requestBody", {}).get("content", {})
                if "application/json" in content and not path.startswith(MEMBERS_ONLY):
                    for body in (b"{", b"[]", b'{"no such field": 1}'):
                        self.check(method, path, 400, player.http(method, target, body))


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
