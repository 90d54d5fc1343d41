"""Single sign-on by OpenID Connect, as people and attackers meet it, and the file that configures it.

usage: sso_test.py PAIKA-PROGRAM
"""

import json
import pathlib
import sqlite3
import subprocess
import tempfile
import unittest
import urllib.parse

from server_case import PAIKA
from server_client import PATIENCE, Server
from sso_case import BASE, PASSWORD, Browser, WithSso, counter, local
from sso_servers import Provider, WRONG_TOKENS, make_certificate



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
    unittest.main()
