"""What the tests of single sign-on share: a server with a provider and a platform, and browsers that go between them."""

import itertools
import pathlib
import shutil
import tempfile
import unittest
import urllib.parse

from api_document import Document
from server_case import PAIKA
from server_client import Http, Server
from sso_servers import LTI, Platform, Provider

BASE = "https://play.example.org"  # what browsers call the server; the tests know where it really is
PASSWORD = "correct horse battery staple"
counter = itertools.count(1)
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
