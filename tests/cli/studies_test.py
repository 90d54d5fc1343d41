"""Studies of the server as their readers, editors and strangers meet them.

usage: studies_test.py PAIKA-PROGRAM
"""

import subprocess
import sys
import unittest

from server_client import Http, Server

PAIKA = ""
PASSWORD = "correct horse battery"
# Moves on a large board, whose picture has 28 KB.
LINE = "a98a99 b99c98 a97a98 c98d98 a96a97 d98e98 a95a96 e98f98 a94a95 f98g98 a93a94 g98h98 a92a93 h98i98 a91a92 i98j98 a90a91 j98k98 a89a90 k98l98".split()
TREE = '[Game "othello"]\n[Result "*"]\n\n1. f5 {<b>First.</b>} d6 (1... f6 2. e6) 2. c3! *\n'


class Studies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(PAIKA, "--rate-factor", "100")

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def member(self, name):
        http = Http(self.server, origin=self.server.origin)
        http.cookie = http.post("/api/session").cookie()
        answer = http.post("/api/account", {"name": name, "password": PASSWORD})
        self.assertEqual(answer.status, 201, answer)
        http.cookie = answer.cookie()
        return http

    def people(self):
        """An owner, an editor and somebody else, with names of this test alone."""
        test = self.id().rsplit("_", maxsplit=1)[-1]
        return [self.member(role + test) for role in ("Own", "Ed", "Some")], "Ed" + test

    def study(self, owner, access="private"):
        answer = owner.post("/api/studies", {"title": "A study", "access": access})
        self.assertEqual(answer.status, 201, answer)
        return f"/api/studies/{answer.json['id']}"

    def test_who_may_read_and_write(self):
        (owner, editor, other), editor_name = self.people()
        guest = Http(self.server)
        path = self.study(owner)
        chapter = owner.post(f"{path}/chapters", {"title": "One", "text": "Words", "tree": TREE}).json["id"]
        place = f"{path}/chapters/{chapter}"
        for page in (path, place, f"{path}/export", f"{path}/print"):
            for reader in (guest, other, editor):
                self.assertEqual(reader.get(page).status, 404, page)
            self.assertEqual(owner.get(page).status, 200, page)
        self.assertEqual(other.post(f"{path}/comments", {"text": "hello"}).status, 404)
        self.assertEqual(owner("PUT", f"{path}/editors/{editor_name}").json, {"editors": [editor_name]})
        self.assertEqual(editor.get(path).json["edits"], True)
        self.assertEqual(editor("PUT", path, {"title": "Mine", "version": 1}).status, 403)
        self.assertEqual(editor("DELETE", path).status, 403)
        self.assertEqual(owner("PUT", path, {"access": "link", "version": 1}).status, 200)
        self.assertEqual(guest.get(path).status, 200)
        self.assertNotIn(path, [f"/api/studies/{row['id']}" for row in guest.get("/api/studies").json["public"]])
        for stranger, status in ((guest, 401), (other, 403)):
            self.assertEqual(stranger("PUT", place, {"text": "x", "version": 1}).status, status)
            self.assertEqual(stranger("DELETE", place).status, status)
            self.assertEqual(stranger("PUT", f"{path}/editors/{editor_name}").status, status)
            self.assertEqual(stranger.post(f"{path}/chapters", {"title": "x"}).status, status)
        self.assertEqual(owner("PUT", path, {"access": "public", "version": 2}).status, 200)
        self.assertIn(path, [f"/api/studies/{row['id']}" for row in guest.get("/api/studies").json["public"]])
        comment = other.post(f"{path}/comments", {"text": "hello"})
        self.assertEqual(comment.status, 201)
        self.assertEqual(editor("DELETE", f"{path}/comments/{comment.json['id']}").status, 403)
        self.assertEqual(other("DELETE", f"{path}/comments/{comment.json['id']}").status, 200)
        self.assertEqual(owner("DELETE", path).status, 200)
        self.assertEqual(owner.get(path).status, 404)

    def test_no_update_is_lost(self):
        (owner, editor, _), editor_name = self.people()
        path = self.study(owner)
        owner("PUT", f"{path}/editors/{editor_name}")
        place = f"{path}/chapters/{owner.post(f'{path}/chapters', {'title': 'One'}).json['id']}"
        first = owner("PUT", place, {"text": "of the owner", "version": 1})
        self.assertEqual((first.status, first.json["version"], first.json["title"]), (200, 2, "One"))
        late = editor("PUT", place, {"text": "of the editor", "version": 1})
        self.assertEqual((late.status, late.code), (409, "stale"))
        self.assertEqual(late.error["chapter"]["text"], "of the owner")
        self.assertEqual(owner.get(place).json["text"], "of the owner")
        self.assertEqual(editor("PUT", place, {"text": "of both", "version": 2}).status, 200)
        self.assertEqual(owner("PUT", place, {"text": "without a version"}).status, 409)

    def test_the_order_of_chapters(self):
        (owner, _, _), _ = self.people()
        path = self.study(owner)
        ids = [owner.post(f"{path}/chapters", {"title": title}).json["id"] for title in "abc"]
        self.assertEqual(owner("PUT", f"{path}/chapters/{ids[2]}", {"version": 1, "place": 0}).status, 200)
        self.assertEqual([row["title"] for row in owner.get(path).json["chapters"]], ["c", "a", "b"])

    def test_export_and_print(self):
        (owner, _, _), _ = self.people()
        path = self.study(owner)
        owner.post(f"{path}/chapters", {"title": "One <i>", "text": "Some words.\n\nMore <words>.", "tree": TREE})
        owner.post(f"{path}/chapters", {"title": "Two", "tree": '[Game "abalone"]\n\n*\n'})
        text = owner.get(f"{path}/export").body.decode()
        again = subprocess.run([PAIKA, "convert", "-"], input=text, capture_output=True, text=True, check=False)
        self.assertEqual((again.returncode, again.stdout), (0, text))
        self.assertIn('[Chapter "Two"]', text)
        self.assertIn("(1... f6 2. e6)", text)
        page = owner.get(f"{path}/print")
        html = page.body.decode()
        self.assertIn("frame-ancestors 'none'", page.header("content-security-policy"))
        self.assertEqual(html.count("<figure>"), 4)  # two starts, a move with a comment, the end of the line
        self.assertIn("One &lt;i&gt;", html)
        for danger in ("<b>First", "<words>", "<script", "http://localhost"):
            self.assertNotIn(danger, html)

    def test_a_page_of_large_boards_stays_small(self):
        (owner, _, _), _ = self.people()
        path = self.study(owner)
        moves = " ".join(f"{n}. {a} {{x}} {b} {{x}}" for n, (a, b) in enumerate(zip(LINE[::2], LINE[1::2]), 1))
        tree = f'[Game "abalone:99x26"]\n[Result "*"]\n\n{moves} *\n'
        for _ in range(12):
            self.assertEqual(owner.post(f"{path}/chapters", {"title": "x", "tree": tree}).status, 201)
        html = owner.get(f"{path}/print").body
        self.assertLess(len(html), 6 << 20)
        self.assertEqual(html.count(b"<h2>"), 12)

    def test_limits(self):
        (owner, _, _), _ = self.people()
        path = self.study(owner)
        for chapter in ({"title": "x" * 81}, {"title": "x", "text": "x" * 30_001}, {"title": "x", "tree": "rubbish"},
                        {"title": "x", "tree": TREE + "\n" + TREE}, {"text": "no title"}, {"title": "x", "cake": 1}):
            self.assertEqual(owner.post(f"{path}/chapters", chapter).status, 400, chapter)
        self.assertEqual(owner.post(f"{path}/comments", {"text": "x" * 2001}).status, 400)
        self.assertEqual(owner.post(f"{path}/comments", {"text": "x", "chapter": 999_999}).status, 404)
        for _ in range(64):
            self.assertEqual(owner.post(f"{path}/chapters", {"title": "x", "text": "x" * 30_000}).status, 201)
        self.assertEqual(owner.post(f"{path}/chapters", {"title": "x"}).code, "too_many")

    def test_it_goes_with_its_owner(self):
        (owner, _, other), _ = self.people()
        path = self.study(owner, "public")
        self.assertEqual(other.get(path).status, 200)
        self.assertEqual(owner("DELETE", "/api/account", {"password": PASSWORD}).status, 200)
        self.assertEqual(other.get(path).status, 404)


if __name__ == "__main__":
    PAIKA = sys.argv.pop(1)
    unittest.main()
