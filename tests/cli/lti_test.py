"""LTI 1.3 as teachers and attackers meet it: launches out of a course, and grades.

usage: lti_test.py PAIKA-PROGRAM
"""

import pathlib
import sqlite3
import time
import unittest
import urllib.parse

from sso_case import BASE, Browser, WithSso
from server_client import PATIENCE
from sso_servers import LTI, MEMBERSHIP, WRONG_TOKENS


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


if __name__ == "__main__":
    unittest.main()
