"""Single sign-on as people, teachers and attackers meet it: OpenID Connect, LTI 1.3 launches and grades.

usage: sso_test.py PAIKA-PROGRAM
"""

import itertools
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

from openapi_test import DOCUMENT, Schema
from server_client import Http, PATIENCE, Server
from sso_servers import LTI, MEMBERSHIP, Platform, Provider, WRONG_TOKENS, make_certificate

PAIKA = ""
BASE = "https://play.example.org"  # what browsers call the server; the tests know where it really is
PASSWORD = "correct horse battery staple"
counter = itertools.count(1)


class Document:
    """docs/openapi.json: every answer that the tests get is what it says."""

    def __init__(self):
        document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
        self.schema = Schema(document)
        self.operations = [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), method.upper(), operation)
                           for path, item in document["paths"].items() for method, operation in item.items()]
        self.operations.sort(key=lambda row: row[0].pattern.count("[^/]+"))  # plain words go first

    def check(self, method, path, answer):
        operation = next(o for pattern, m, o in self.operations if m == method and pattern.fullmatch(path))
        response = operation["responses"].get(str(answer.status))
        assert response, f"{method} {path} answers {answer}, which is not documented"
        content = response.get("content", {}).get("application/json")
        faults = self.schema.faults(answer.json, content["schema"]) if content else []
        assert not faults, f"{method} {path} {answer}: {faults}"


document = Document()


class Browser:
    """A browser with its cookies, as far as the flows need one. It does not follow redirects by itself."""

    def __init__(self, server):
        self.http = Http(server, origin=server.origin)
        self.cookies = {}

    def send(self, method, path, body=None, headers=(), from_other_site=False):
        given = dict(headers)
        # A form that a page of another site posts brings the cookies that are meant for that, and no others.
        sent = {name: value for name, (value, lax) in self.cookies.items() if not (from_other_site and lax)}
        if sent:
            given["Cookie"] = "; ".join(f"{name}={value}" for name, value in sent.items())
        if from_other_site:
            given["Origin"] = "https://platform.example.org"
        answer = self.http(method, path, body, headers=given)
        if b"wrong_origin" not in answer.body:  # which every operation may answer
            document.check(method, path.partition("?")[0], answer)
        for key, value in answer.headers:
            if key == "set-cookie":
                name, _, rest = value.partition("=")
                self.cookies[name] = (rest.split(";")[0], "SameSite=None" not in value)
        return answer

    def get(self, path):
        return self.send("GET", path)

    def post(self, path, body=None, **options):
        return self.send("POST", path, {} if body is None else body, **options)

    def form(self, path, fields):
        """As a page of the platform posts it."""
        return self.send("POST", path, urllib.parse.urlencode(fields).encode(),
                         {"Content-Type": "application/x-www-form-urlencoded"}, from_other_site=True)

    def who(self):
        person = self.get("/api/me").json["person"]
        return person and person["name"]


def local(location):
    """A path of ours in a redirect."""
    assert location.startswith(BASE), location
    return location[len(BASE):]


class WithSso(unittest.TestCase):
    """A server with a provider and a platform."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="paika sso "))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.provider = Provider(BASE + "/api/sso/school/callback")
        cls.addClassCleanup(cls.provider.close)
        cls.platform = Platform(BASE + "/")
        cls.addClassCleanup(cls.platform.close)
        secret = cls.folder / "school.secret"
        secret.write_text(Provider.secret + "\n")
        secret.chmod(0o600)
        cls.config = cls.folder / "sso.toml"
        cls.config.write_text(f"""
base_url = "{BASE}"
[[provider]]
id = "school"
name = "School account"
issuer = "{cls.provider.url}"
client_id = "{Provider.client}"
client_secret_file = "school.secret"
[[platform]]
id = "moodle"
name = "Moodle"
issuer = "{cls.platform.url}"
client_id = "{Platform.client}"
deployments = ["{Platform.deployment}"]
auth_url = "{cls.platform.url}/auth"
token_url = "{cls.platform.url}/token"
jwks_url = "{cls.platform.url}/jwks"
""")
        cls.server = Server(PAIKA, "--rate-factor", "1000", "--sso", str(cls.config))
        cls.addClassCleanup(cls.server.close)
        cls.platform.tool = cls.server.origin + "/api/lti/jwks"

    def setUp(self):
        self.provider.make_token = self.platform.make_token = None
        self.provider.faults.clear()
        self.platform.faults.clear()

    def refused(self, answer, status, code):
        self.assertEqual((answer.status, answer.code), (status, code), answer)

    def to_error(self, answer, code):
        self.assertEqual((answer.status, answer.header("location")), (303, f"/welcome?error={code}"), answer)

    def member(self):
        browser = Browser(self.server)
        self.assertEqual(browser.post("/api/session").status, 201)
        answer = browser.post("/api/account", {"name": f"Member{next(counter)}", "password": PASSWORD})
        self.assertEqual(answer.status, 201, answer)
        return browser

    # ---- OpenID Connect ----

    def at_provider(self, browser, subject, **options):
        """Goes to the provider; the path with which it sends the browser back."""
        self.provider.person = {"sub": subject, "preferred_username": f"{subject}@example.org"}
        answer = browser.post("/api/sso/school/begin", options)
        self.assertEqual(answer.status, 200, answer)
        location = urllib.parse.urlsplit(answer.json["location"])
        status, back = self.provider.do_get(location.path, dict(urllib.parse.parse_qsl(location.query)))
        self.assertEqual(status, 302)
        return local(back)

    def sign_in(self, browser, subject, **options):
        return browser.get(self.at_provider(browser, subject, **options))

    def new_account(self, subject, name):
        browser = Browser(self.server)
        self.assertEqual(self.sign_in(browser, subject).header("location"), "/welcome")
        self.assertEqual(browser.post("/api/sso/arrival/account", {"name": name}).status, 201)
        self.assertEqual(browser.who(), name)
        return browser

    # ---- LTI ----

    def at_platform(self, browser, **changes):
        """The platform's login; the query with which Paika sends the browser to the platform."""
        fields = {"iss": self.platform.url, "login_hint": "7", "target_link_uri": BASE + "/",
                  "client_id": Platform.client, "lti_message_hint": "a.b.c", **changes}
        answer = browser.form("/api/lti/login", fields)
        self.assertEqual(answer.status, 303, answer)
        location = answer.header("location")
        self.assertTrue(location.startswith(self.platform.url + "/auth?"), location)
        query = dict(urllib.parse.parse_qsl(location.partition("?")[2]))
        expected = {"response_type": "id_token", "response_mode": "form_post", "prompt": "none", "scope": "openid",
                    "client_id": Platform.client, "redirect_uri": BASE + "/api/lti/launch", "login_hint": "7",
                    "lti_message_hint": "a.b.c"}
        self.assertEqual({name: query[name] for name in expected}, expected)
        return query

    def launch(self, browser, person, role="Learner", **changes):
        query = self.at_platform(browser)
        claims = self.platform.launch_claims(query, person, role, **changes)
        return browser.form("/api/lti/launch", {"id_token": self.platform.issue(claims), "state": query["state"]})

    def arrive(self, person, role="Learner", name=None, **changes):
        """Launches somebody and gives them an account if they have none; the browser."""
        browser = Browser(self.server)
        answer = self.launch(browser, person, role, **changes)
        self.assertEqual((answer.status, answer.header("location")), (303, "/welcome"), answer)
        if not browser.get("/api/sso/arrival").json["known"]:
            name = name or f"Person{next(counter)}"
            self.assertEqual(browser.post("/api/sso/arrival/account", {"name": name}).status, 201)
        return browser

    def linked_class(self, context):
        """A course whose teacher has linked a class; the teacher's browser, the class, and what launches say."""
        changes = {LTI + "context": {"id": context, "title": "Games 101"}}
        teacher = self.arrive(f"teacher-{context}", "Instructor", **changes)
        row = teacher.post("/api/classes", {"name": "Games", "spec": "othello:6x6"}).json
        offered = teacher.get("/api/sso/arrival").json["launch"]
        self.assertEqual((offered["role"], offered["class"], offered["course"]), ("teacher", None, "Games 101"))
        self.assertEqual(offered["classes"], [{"id": row["id"], "name": "Games"}])
        self.refused(teacher.post("/api/lti/enter"), 409, "not_linked")
        answer = teacher.post("/api/lti/enter", {"class": row["id"]})
        self.assertEqual((answer.status, answer.json), (200, {"class": row["id"]}))
        return teacher, row["id"], changes


class OpenIdConnect(WithSso):
    def test_first_login_makes_an_account_without_a_password(self):
        browser = Browser(self.server)
        self.assertEqual(browser.get("/api/sso").json, {"providers": [{"id": "school", "name": "School account"}]})
        answer = self.sign_in(browser, "ada.lovelace")
        self.assertEqual((answer.status, answer.header("location")), (303, "/welcome"))
        self.assertIsNone(browser.who())
        arrival = browser.get("/api/sso/arrival").json
        self.assertEqual((arrival["provider"], arrival["suggested_name"], arrival["known"], arrival["launch"]),
                         ("School account", "ada-lovelace", False, None))
        self.refused(browser.post("/api/sso/arrival/account", {"name": "admin"}), 400, "bad_request")
        self.assertEqual(browser.post("/api/sso/arrival/account", {"name": "ada"}).status, 201)
        self.assertEqual(browser.who(), "ada")
        self.refused(browser.post("/api/sso/arrival/account", {"name": "ada2"}), 404, "no_arrival")  # used once
        known = browser.get("/api/account/identities").json
        self.assertFalse(known["password"])
        self.assertEqual([row["provider"] for row in known["identities"]], ["School account"])
        exported = browser.get("/api/account/export").json["identities"]
        self.assertEqual([(row["issuer"], row["subject"]) for row in exported], [(self.provider.url, "ada.lovelace")])
        # No password logs in, not even the empty one.
        self.refused(browser.post("/api/login", {"name": "ada", "password": "x"}), 403, "wrong_password")
        # The second login knows the person, in another browser too, and goes where it was meant to.
        other = Browser(self.server)
        answer = self.sign_in(other, "ada.lovelace", **{"return": "/classes?a=b"})
        self.assertEqual(answer.header("location"), "/classes?a=b")
        self.assertEqual(other.who(), "ada")
        self.assertEqual(self.provider.faults, [])

    def test_a_guest_keeps_the_games(self):
        browser = Browser(self.server)
        browser.post("/api/session")
        room = browser.post("/api/rooms", {"spec": "othello:6x6", "engine": 1, "side": "first"}).json["room"]
        self.sign_in(browser, "guest-before")
        browser.post("/api/sso/arrival/account", {"name": "GuestBefore"})
        games = browser.get("/api/players/GuestBefore/games").json["games"]
        self.assertEqual([row["room"] for row in games], [room])

    def test_names_and_addresses_link_nobody(self):
        """Whoever chooses the same name at the provider is somebody else."""
        self.new_account("victim", "Victim")
        attacker = Browser(self.server)
        self.provider.person = {"sub": "attacker", "preferred_username": "Victim", "email": "victim@example.org"}
        back = attacker.post("/api/sso/school/begin").json["location"]
        location = urllib.parse.urlsplit(back)
        _, back = self.provider.do_get(location.path, dict(urllib.parse.parse_qsl(location.query)))
        self.assertEqual(attacker.get(local(back)).header("location"), "/welcome")
        self.refused(attacker.post("/api/sso/arrival/account", {"name": "victim"}), 409, "name_taken")
        self.assertIsNone(attacker.who())

    def test_linking_and_unlinking(self):
        browser = self.member()
        name = browser.who()
        answer = self.sign_in(browser, "linked", link=True, **{"return": f"/players/{name}"})
        self.assertEqual(answer.header("location"), f"/players/{name}")
        known = browser.get("/api/account/identities").json
        self.assertTrue(known["password"])
        other = Browser(self.server)
        self.sign_in(other, "linked")
        self.assertEqual(other.who(), name)
        # Nobody takes an identity from somebody else.
        thief = self.member()
        self.to_error(self.sign_in(thief, "linked", link=True), "taken")
        path = f"/api/account/identities/{known['identities'][0]['id']}"
        self.refused(thief.send("DELETE", path), 404, "no_identity")
        self.assertEqual(browser.send("DELETE", path).json, {"dropped": True})
        self.assertEqual((browser.who(), other.who()), (name, None))  # who came in by it is out
        self.assertEqual(browser.get("/api/account/identities").json["identities"], [])
        self.assertEqual(self.sign_in(other, "linked").header("location"), "/welcome")

    def test_linking_needs_the_session_that_began_it(self):
        browser = self.member()
        back = self.at_provider(browser, "left", link=True)
        browser.post("/api/logout")
        self.to_error(browser.get(back), "expired")
        self.refused(Browser(self.server).post("/api/sso/school/begin", {"link": True}), 403, "members_only")

    def test_the_only_way_to_log_in_stays(self):
        browser = self.new_account("only", "OnlyWay")
        identity = browser.get("/api/account/identities").json["identities"][0]["id"]
        self.refused(browser.send("DELETE", f"/api/account/identities/{identity}"), 409, "only_login")
        # A session that has just begun may choose a first password, and then the identity may go.
        answer = browser.post("/api/account/password", {"old": "", "new": PASSWORD})
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual(browser.send("DELETE", f"/api/account/identities/{identity}").status, 200)
        self.assertEqual(Browser(self.server).post("/api/login", {"name": "OnlyWay", "password": PASSWORD}).status, 200)

    def test_an_old_session_without_a_password_must_sign_in_again(self):
        browser = self.new_account("old-session", "OldSession")
        with sqlite3.connect(self.server.database, timeout=PATIENCE) as database:
            database.execute("UPDATE sessions SET created = created - 3600000"
                             " WHERE person = (SELECT id FROM people WHERE name = 'OldSession')")
        database.close()
        self.refused(browser.post("/api/account/password", {"old": "", "new": PASSWORD}), 403, "sign_in_again")
        self.refused(browser.send("DELETE", "/api/account", {"password": ""}), 403, "sign_in_again")
        self.sign_in(browser, "old-session")
        self.assertEqual(browser.send("DELETE", "/api/account", {"password": ""}).status, 200)
        self.assertEqual(self.sign_in(browser, "old-session").header("location"), "/welcome")  # nothing is left of it

    def test_wrong_tokens_are_refused(self):
        for name, make in WRONG_TOKENS.items():
            with self.subTest(name):
                browser = Browser(self.server)
                self.provider.make_token = make
                self.to_error(self.sign_in(browser, "wrong"), "failed")
                self.assertIsNone(browser.who())
                self.refused(browser.get("/api/sso/arrival"), 404, "no_arrival")
        self.provider.make_token = None
        self.assertEqual(self.sign_in(Browser(self.server), "wrong").header("location"), "/welcome")

    def test_a_state_is_used_once_and_in_one_browser(self):
        browser = Browser(self.server)
        back = self.at_provider(browser, "once")
        self.to_error(Browser(self.server).get(back), "expired")  # another browser, without the cookie
        self.to_error(browser.get(back), "expired")  # used up by that
        back = self.at_provider(browser, "once")
        self.assertEqual(browser.get(back).header("location"), "/welcome")
        self.to_error(browser.get(back), "expired")
        self.to_error(browser.get("/api/sso/school/callback?code=x&state=invented"), "expired")
        self.to_error(browser.get("/api/sso/school/callback"), "expired")

    def test_a_nonce_answers_one_request(self):
        """A token of an earlier login, issued again, is refused."""
        kept = []
        self.provider.make_token = lambda key, claims: kept.append(key.token(claims)) or kept[0]
        self.assertEqual(self.sign_in(Browser(self.server), "replay").header("location"), "/welcome")
        self.to_error(self.sign_in(Browser(self.server), "replay"), "failed")

    def test_what_the_provider_says_in_the_address(self):
        browser = Browser(self.server)
        back = self.at_provider(browser, "mixed")
        self.to_error(browser.get(back.replace(urllib.parse.quote_plus(self.provider.url), "https%3A%2F%2Fevil.example")),
                      "failed")  # an answer that another provider has sent
        state = urllib.parse.parse_qs(self.at_provider(browser, "mixed").partition("?")[2])["state"][0]
        self.to_error(browser.get(f"/api/sso/school/callback?error=access_denied&state={state}"), "denied")
        state = urllib.parse.parse_qs(self.at_provider(browser, "mixed").partition("?")[2])["state"][0]
        self.to_error(browser.get(f"/api/sso/school/callback?code=invented&state={state}"), "failed")

    def test_no_way_leads_to_other_servers(self):
        browser = Browser(self.server)
        for path in ("https://evil.example.org", "//evil.example.org", "/\\evil.example.org", "javascript:alert(1)",
                     "classes", "", "/a b", "/\r\nX: y"):
            with self.subTest(path):
                self.refused(browser.post("/api/sso/school/begin", {"return": path}), 400, "bad_request")
        self.refused(browser.post("/api/sso/nowhere/begin"), 404, "no_provider")
        # And no page of others begins or ends a login.
        answer = browser.post("/api/sso/school/begin", {}, headers={"Origin": "https://evil.example.org"})
        self.refused(answer, 403, "wrong_origin")

    def test_banned_people_stay_out(self):
        browser = self.new_account("banned", "Banned")
        subprocess.run([PAIKA, "admin", "--db", self.server.database, "ban", "Banned"], check=True, capture_output=True)
        self.assertIsNone(browser.who())
        self.to_error(self.sign_in(Browser(self.server), "banned"), "banned")

    def test_a_provider_that_does_not_answer(self):
        secret = self.folder / "dead.toml"
        secret.write_text(f'base_url = "{BASE}"\n[[provider]]\nid = "dead"\nname = "Dead"\n'
                          'issuer = "http://127.0.0.1:9"\nclient_id = "x"\n')
        server = Server(PAIKA, "--sso", str(secret))
        self.addCleanup(server.close)
        self.refused(Browser(server).post("/api/sso/dead/begin"), 502, "provider_unreachable")
        self.assertIn("provider_unreachable", server.log())

    def start_of(self, provider, **more):
        """What a server answers to a login by this provider."""
        path = self.folder / f"other{next(counter)}.toml"
        lines = [f'base_url = "{BASE}"', *(f'{key} = "{value}"' for key, value in more.items()), "[[provider]]",
                 'id = "school"', 'name = "School"', f'issuer = "{provider.url}"', 'client_id = "x"']
        path.write_text("\n".join(lines))
        server = Server(PAIKA, "--sso", str(path))
        self.addCleanup(server.close)
        return Browser(server).post("/api/sso/school/begin"), server

    def test_a_provider_is_believed_by_its_certificate(self):
        certificate, key = make_certificate(self.folder)
        provider = Provider("")
        self.addCleanup(provider.close)
        provider.encrypt(certificate, key)
        answer, server = self.start_of(provider)
        self.refused(answer, 502, "provider_unreachable")
        self.assertIn("certificate", server.log())
        answer, _ = self.start_of(provider, ca_file=certificate)
        self.assertTrue(answer.json["location"].startswith(provider.url), answer)

    def test_strange_answers_of_a_provider(self):
        for configuration in ({"issuer": "https://other.example.org"}, {"token_endpoint": "http://example.org/token"},
                              {"jwks_uri": None}, {"padding": "x" * 300_000}):
            with self.subTest(str(configuration)[:60]):
                provider = Provider("")
                self.addCleanup(provider.close)
                provider.configuration = configuration
                self.refused(self.start_of(provider)[0], 502, "provider_unreachable")

    def test_cookies_of_a_flow(self):
        answer = Browser(self.server).post("/api/sso/school/begin")
        cookie = answer.header("set-cookie")
        for part in ("paika_flow_", "HttpOnly", "SameSite=Lax", "Secure", "Path=/api/sso", "Max-Age=600"):
            self.assertIn(part, cookie)
        self.assertNotIn(cookie.split("=")[1].split(";")[0], answer.json["location"])


class Keys(WithSso):
    def test_rotated_keys_are_fetched_and_invented_ones_are_no_flood(self):
        self.assertEqual(self.sign_in(Browser(self.server), "rotated").header("location"), "/welcome")
        self.provider.rotate("ES256")
        self.assertEqual(self.sign_in(Browser(self.server), "rotated").header("location"), "/welcome")
        before = self.provider.hits["/jwks"]
        self.provider.make_token = lambda key, claims: key.token(claims, {"kid": f"invented-{next(counter)}"})
        for _ in range(30):
            self.to_error(self.sign_in(Browser(self.server), "rotated"), "failed")
        self.assertLessEqual(self.provider.hits["/jwks"] - before, 4)
        self.provider.make_token = None
        self.assertEqual(self.sign_in(Browser(self.server), "rotated").header("location"), "/welcome")


class Launches(WithSso):
    def test_a_course_becomes_a_class(self):
        teacher, row, changes = self.linked_class("course-7")
        # The next launch of the teacher finds the class at once.
        again = self.arrive("teacher-course-7", "Instructor", **changes)
        self.assertEqual(again.who(), teacher.who())
        self.assertEqual(again.post("/api/lti/enter").json, {"class": row})
        student = self.arrive("student-1", **changes)
        self.assertEqual(student.post("/api/lti/enter").json, {"class": row})
        self.refused(student.post("/api/lti/enter"), 404, "no_launch")  # used once
        page = student.get(f"/api/classes/{row}").json
        self.assertEqual(page["class"]["role"], "member")
        members = teacher.get(f"/api/classes/{row}").json["members"]
        self.assertEqual([member["name"] for member in members], ["Student student-1"])
        courses = teacher.get(f"/api/classes/{row}/lti").json["courses"]
        self.assertEqual([(c["title"], c["platform"], c["learners"], c["takes_grades"]) for c in courses],
                         [("Games 101", "Moodle", 1, True)])
        self.refused(student.get(f"/api/classes/{row}/lti"), 403, "teacher_only")
        self.refused(student.send("DELETE", f"/api/classes/{row}/lti/{courses[0]['course']}"), 403, "teacher_only")
        self.assertEqual(teacher.send("DELETE", f"/api/classes/{row}/lti/{courses[0]['course']}").status, 200)
        self.assertEqual(teacher.get(f"/api/classes/{row}/lti").json, {"courses": [], "grades": []})
        self.assertEqual(self.platform.faults, [])

    def test_who_may_link_what(self):
        changes = {LTI + "context": {"id": "unlinked"}}
        student = self.arrive("early", **changes)
        self.refused(student.post("/api/lti/enter"), 409, "not_linked")
        own = student.post("/api/classes", {"name": "Mine", "spec": "othello:6x6"}).json["id"]
        self.refused(student.post("/api/lti/enter", {"class": own}), 409, "not_linked")  # a learner links nothing
        teacher = self.arrive("linker", "Instructor", **changes)
        self.refused(teacher.post("/api/lti/enter", {"class": own}), 404, "no_class")  # not a class of others
        # A launch of somebody else in a browser where another account is logged in changes nothing for that account.
        stranger = self.member()
        self.launch(stranger, "never-seen", **changes)
        self.assertFalse(stranger.get("/api/sso/arrival").json["mine"])
        self.refused(stranger.post("/api/lti/enter"), 403, "not_you")
        # It may be linked to that account, if the person says so.
        self.assertEqual(stranger.post("/api/sso/arrival/link").json, {"linked": True})
        self.refused(stranger.post("/api/lti/enter"), 409, "not_linked")

    def test_second_teachers_become_members_and_locked_classes_stay_locked(self):
        teacher, row, changes = self.linked_class("locked-course")
        second = self.arrive("second-teacher", "Instructor", **changes)
        self.assertEqual(second.post("/api/lti/enter").json, {"class": row})
        self.assertEqual(second.get(f"/api/classes/{row}").json["class"]["role"], "member")
        self.assertEqual(teacher.get(f"/api/classes/{row}/lti").json["courses"][0]["learners"], 0)
        self.assertEqual(teacher.post(f"/api/classes/{row}/settings", {"state": "locked"}).status, 200)
        self.refused(self.arrive("too-late", **changes).post("/api/lti/enter"), 409, "locked")
        self.assertEqual(self.arrive("second-teacher", "Instructor", **changes).post("/api/lti/enter").status, 200)

    def test_wrong_tokens_are_refused(self):
        for name, make in WRONG_TOKENS.items():
            with self.subTest(name):
                self.platform.make_token = make
                browser = Browser(self.server)
                self.to_error(self.launch(browser, "wrong"), "failed")
                self.refused(browser.get("/api/sso/arrival"), 404, "no_arrival")

    def test_wrong_launches_are_refused(self):
        wrong = {
            "another version": {LTI + "version": "1.1"},
            "another message": {LTI + "message_type": "LtiDeepLinkingRequest"},
            "another deployment": {LTI + "deployment_id": "other"},
            "no deployment": {LTI + "deployment_id": None},
            "another target": {LTI + "target_link_uri": "https://evil.example.org/"},
            "a target that looks like ours": {LTI + "target_link_uri": BASE + ".evil.example.org/"},
            "no course": {LTI + "context": None},
            "an observer": {LTI + "roles": [MEMBERSHIP + "Mentor"]},
            "a role elsewhere": {LTI + "roles": ["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"]},
            "roles that are no list": {LTI + "roles": MEMBERSHIP + "Learner"},
        }
        for name, changes in wrong.items():
            with self.subTest(name):
                self.to_error(self.launch(Browser(self.server), "wrong", **changes), "failed")

    def test_a_launch_is_used_once_and_in_one_browser(self):
        browser = Browser(self.server)
        query = self.at_platform(browser)
        token = self.platform.issue(self.platform.launch_claims(query, "once", "Learner"))
        fields = {"id_token": token, "state": query["state"]}
        self.to_error(Browser(self.server).form("/api/lti/launch", fields), "launch_expired")  # without its cookie
        self.to_error(browser.form("/api/lti/launch", fields), "launch_expired")
        query = self.at_platform(browser)
        fields = {"id_token": self.platform.issue(self.platform.launch_claims(query, "once", "Learner")),
                  "state": query["state"]}
        self.assertEqual(browser.form("/api/lti/launch", fields).header("location"), "/welcome")
        self.to_error(browser.form("/api/lti/launch", fields), "launch_expired")
        # The token again, with a state of its own: its nonce was another's.
        query = self.at_platform(browser)
        self.to_error(browser.form("/api/lti/launch", {**fields, "state": query["state"]}), "failed")
        self.to_error(browser.form("/api/lti/launch", {"error": "login_required", "state": "x"}), "launch_expired")

    def test_only_known_platforms_begin(self):
        browser = Browser(self.server)
        fields = {"iss": self.platform.url, "login_hint": "7", "target_link_uri": BASE + "/"}
        self.to_error(browser.form("/api/lti/login", {**fields, "iss": "https://evil.example.org"}), "platform")
        self.to_error(browser.form("/api/lti/login", {**fields, "client_id": "another"}), "platform")
        self.to_error(browser.form("/api/lti/login", {**fields, "target_link_uri": "https://evil.example.org/"}), "failed")
        answer = browser.get("/api/lti/login?" + urllib.parse.urlencode(fields))  # by GET as well, without a client
        self.assertTrue(answer.header("location").startswith(self.platform.url + "/auth?"), answer)
        cookie = answer.header("set-cookie")
        for part in ("SameSite=None", "Secure", "HttpOnly", "Path=/api/lti"):
            self.assertIn(part, cookie)
        self.assertIn("frame-ancestors 'none'", answer.header("content-security-policy"))
        # Other routes take no forms of others.
        self.refused(browser.form("/api/lti/enter", {"class": "x"}), 403, "wrong_origin")

    # ---- Grades ----

    def class_with_students(self, context, *students, **options):
        teacher, row, changes = self.linked_class(context)
        for student in students:
            browser = self.arrive(student, **changes, **options)
            self.assertEqual(browser.post("/api/lti/enter").status, 200)
        return teacher, row

    def wait_for_grades(self, teacher, row, state):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            grades = teacher.get(f"/api/classes/{row}/lti").json["grades"]
            if grades and all(grade["state"] == state for grade in grades):
                return grades
            time.sleep(0.05)
        self.fail(f"not all are {state}: {grades} {self.platform.faults}")

    def give_bot(self, row, student, wins, draws, losses):
        """Puts a bot on the ladder as if it had been checked and had played."""
        with sqlite3.connect(self.server.database, timeout=PATIENCE) as database:
            database.execute(
                "INSERT INTO bots (class, person, number, name, protocol, build, run, files, state, report, created,"
                " value, deviation, volatility, wins, draws, losses) SELECT ?, person, 1, 'Shark', 'ugi', '', 'x', '[]',"
                " 'accepted', '', 0, 1500, 50, 0.06, ?, ?, ? FROM identities WHERE subject = ?",
                (row, wins, draws, losses, student))
        database.close()

    def test_grades_reach_the_grade_book(self):
        teacher, row = self.class_with_students("graded", "student-a", "student-b")
        self.give_bot(row, "student-a", 3, 1, 4)
        self.platform.scores.clear()
        self.refused(teacher.post(f"/api/classes/{row}/lti/grades", {"by": "luck"}), 400, "bad_request")
        answer = teacher.post(f"/api/classes/{row}/lti/grades", {"by": "check"})
        self.assertEqual((answer.status, answer.json), (202, {"waiting": 2}))
        grades = self.wait_for_grades(teacher, row, "sent")
        self.assertEqual([(g["name"], g["given"], g["maximum"]) for g in grades],
                         [("Student student-a", 100, 100), ("Student student-b", 0, 100)])
        self.assertEqual({(path, score["userId"], score["scoreGiven"]) for path, score in self.platform.scores},
                         {("/columns/1", "student-a", 100), ("/columns/1", "student-b", 0)})
        first = {score["userId"]: score["timestamp"] for _, score in self.platform.scores}
        self.platform.scores.clear()
        teacher.post(f"/api/classes/{row}/lti/grades", {"by": "points"})
        self.wait_for_grades(teacher, row, "sent")
        score = next(score for _, score in self.platform.scores if score["userId"] == "student-a")
        self.assertEqual((score["scoreGiven"], score["scoreMaximum"]), (43.8, 100))
        self.assertIn("3 won, 1 drawn, 4 lost", score["comment"])
        self.assertGreater(score["timestamp"], first["student-a"])
        self.assertEqual(self.platform.faults, [])

    def test_a_busy_platform_is_tried_again_and_a_refusal_is_shown(self):
        teacher, row = self.class_with_students("busy", "student-c", "student-gone")
        self.platform.fail_next = 1
        teacher.post(f"/api/classes/{row}/lti/grades")
        end = time.monotonic() + PATIENCE
        while True:
            grades = {g["name"]: g for g in teacher.get(f"/api/classes/{row}/lti").json["grades"]}
            states = (grades["Student student-c"]["state"], grades["Student student-gone"]["state"])
            if states == ("sent", "failed"):
                break
            self.assertLess(time.monotonic(), end, grades)
            time.sleep(0.1)
        self.assertIn("status 404", grades["Student student-gone"]["error"])
        self.assertEqual(grades["Student student-c"]["tries"] + grades["Student student-gone"]["tries"], 3)

    def test_a_column_is_made_where_the_link_has_none(self):
        self.platform.with_column = False
        self.addCleanup(setattr, self.platform, "with_column", True)
        self.platform.columns.clear()
        self.platform.scores.clear()
        teacher, row = self.class_with_students("no-column", "student-d", "student-e")
        teacher.post(f"/api/classes/{row}/lti/grades")
        self.wait_for_grades(teacher, row, "sent")
        self.assertEqual([(c["label"], c["scoreMaximum"]) for c in self.platform.columns.values()], [("Games", 100)])
        self.assertEqual({path for path, _ in self.platform.scores}, {"/columns/2"})

    def test_grades_go_to_the_platform_alone(self):
        """An address of another server in a launch is not used, however well the launch is signed."""
        endpoint = {"scope": self.platform.scopes, "lineitem": self.provider.url + "/columns/1",
                    "lineitems": self.provider.url + "/columns"}
        claim = {"https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": endpoint}
        changes = {LTI + "context": {"id": "elsewhere", "title": "Elsewhere"}, **claim}
        teacher = self.arrive("teacher-elsewhere", "Instructor", **changes)
        row = teacher.post("/api/classes", {"name": "Games", "spec": "othello:6x6"}).json["id"]
        teacher.post("/api/lti/enter", {"class": row})
        self.arrive("student-f", **changes).post("/api/lti/enter")
        self.assertFalse(teacher.get(f"/api/classes/{row}/lti").json["courses"][0]["takes_grades"])
        teacher.post(f"/api/classes/{row}/lti/grades")
        grade = self.wait_for_grades(teacher, row, "failed")[0]
        self.assertIn("offers no column", grade["error"])
        self.assertNotIn("/columns", "".join(self.provider.hits))

    def test_grades_that_wait_outlive_the_server(self):
        teacher, row = self.class_with_students("restart", "student-g")
        self.platform.fail_next = 1
        teacher.post(f"/api/classes/{row}/lti/grades")
        self.server.kill()
        self.server.restart()
        self.platform.tool = self.server.origin + "/api/lti/jwks"
        teacher.http.origin = self.server.origin
        self.wait_for_grades(teacher, row, "sent")

    def test_the_private_keys_are_private_and_stay(self):
        path = pathlib.Path(f"{self.server.database}.lti-keys")
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        keys = Browser(self.server).get("/api/lti/jwks").json["keys"]
        self.assertEqual([sorted(key) for key in keys], [["alg", "e", "kid", "kty", "n", "use"]])


class Configuration(unittest.TestCase):
    GOOD = 'base_url = "https://play.example.org"\n'
    PROVIDER = '[[provider]]\nid = "a"\nname = "A"\nissuer = "https://login.example.org"\nclient_id = "x"\n'

    def complaint(self, text, *files):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "sso.toml"
            path.write_text(text)
            for name, mode in files:
                (path.parent / name).write_text("secret")
                (path.parent / name).chmod(mode)
            done = subprocess.run([PAIKA, "serve", "--listen", "127.0.0.1:0", "--db", path.parent / "games.db", "--sso",
                                   path], capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 2, done)
        return done.stderr

    def test_mistakes_are_named(self):
        good, provider = self.GOOD, self.PROVIDER
        for text, expected in (
                ("", "the file lacks base_url"),
                ("base_url = 7", "base_url must be a text"),
                ("a = [", "this is not TOML"),
                (good.replace("https", "http"), "must begin with https://"),
                (good.replace("org", "org/path"), "the address of this server alone"),
                (good + "nonsense = 1", "has no \"nonsense\""),
                (good + "[provider]\nid = 'a'", "write [[provider]]"),
                (good + provider.replace("client_id", "client-id"), "lacks client_id"),
                (good + provider + "colour = 'red'", "[[provider]] has no \"colour\""),
                (good + provider.replace('"a"', '"A b"'), "small letters"),
                (good + provider.replace("https", "http"), "must begin with https://"),
                (good + provider + provider, "two have the id"),
                (good + provider + 'scope = "profile"', "scope must contain openid"),
                (good + provider + 'client_secret_file = "none"', "there is no file"),
                (good + 'ca_file = "/nowhere"', "ca_file: there is no file"),
                (good + "[[platform]]\nid = 'm'", "[[platform]] lacks name")):
            with self.subTest(expected):
                self.assertIn(expected, self.complaint(text))
        self.assertIn("chmod 600", self.complaint(good + provider + 'client_secret_file = "s"', ("s", 0o644)))

    def test_without_a_file_there_is_none(self):
        server = Server(PAIKA)
        self.addCleanup(server.close)
        browser = Browser(server)
        self.assertEqual(browser.get("/api/sso").json, {"providers": []})
        self.assertEqual(browser.get("/api/lti/jwks").json, {"keys": []})
        self.assertEqual(json.loads(browser.post("/api/sso/google/begin").body)["error"]["code"], "no_provider")


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
