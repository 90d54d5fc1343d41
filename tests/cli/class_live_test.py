"""A class together: the board that the teacher shows, live, and simultaneous exhibitions.

usage: class_live_test.py PAIKA-PROGRAM
"""

import sqlite3
import time
import unittest

from assignments_test import WithServer
from class_case import PASSWORD
from server_client import PATIENCE, Http, WebSocket


class Live(WithServer):
    def socket(self, http):
        socket = WebSocket(self.server, cookie=http.cookie, origin=self.server.origin)
        self.addCleanup(socket.close)
        return socket


class Boards(Live):
    def do(self, http, here, command, **fields):
        answer = http.post(f"{here}/board", {"do": command, **fields})
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def watching(self, http, here):
        socket = self.socket(http)
        socket.send({"do": "watch_board", "class": here.rsplit("/", 1)[1], "ref": 1})
        self.assertEqual(self.next(socket, "watching")["watching"], here.rsplit("/", 1)[1])
        return socket

    def next(self, socket, key):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            message = socket.receive()
            if key in message or "error" in message:
                return message
        raise AssertionError(f"no {key}")

    def test_everybody_sees_what_the_teacher_shows(self):
        student, late = self.member(), self.member()
        teacher, here = self.classroom(student, late)
        self.assertEqual(self.page(student, f"{here}/board"), {"version": 0, "open": False})
        socket = self.watching(student, here)
        self.assertFalse(self.next(socket, "board")["board"]["open"])
        opened = self.do(teacher, here, "open", spec="othello:6x6")
        self.assertEqual(self.next(socket, "board")["board"], opened)
        self.assertTrue(self.page(student, here)["board_open"])
        moved = self.do(teacher, here, "move", move="B3")
        self.assertEqual((moved["moves"], moved["at"]), (["b3"], 1))
        self.assertEqual(self.next(socket, "board")["board"]["position"], moved["position"])
        marked = self.do(teacher, here, "mark", marks=[{"from": "a1", "to": "c3"}, {"from": "d4", "to": "d4"}])
        self.assertEqual(len(self.next(socket, "board")["board"]["marks"]), 2)
        back = self.do(teacher, here, "go", at=0)
        self.assertEqual((back["marks"], back["position"], back["moves"]), ([], opened["position"], ["b3"]))
        self.assertGreater(back["version"], marked["version"])
        # Another move from an earlier position takes the place of those that followed.
        other = self.do(teacher, here, "move", move="c2")
        self.assertEqual((other["moves"], other["at"]), (["c2"], 1))
        self.assertEqual(self.do(teacher, here, "takeback")["moves"], [])
        self.refused(teacher.post(f"{here}/board", {"do": "takeback"}), 409, "no_move")
        # Who comes later has all of it.
        self.assertEqual(self.next(self.watching(late, here), "board")["board"], self.page(teacher, f"{here}/board"))
        free = self.do(teacher, here, "open", spec="othello:6x6", position="X" * 34 + "O- X")
        self.assertEqual(free["moves"], [])
        self.do(teacher, here, "move", move="f6")
        self.refused(teacher.post(f"{here}/board", {"do": "move", "move": "a1"}), 409, "over")
        self.assertEqual(self.do(teacher, here, "close")["open"], False)
        self.refused(teacher.post(f"{here}/board", {"do": "move", "move": "a1"}), 404, "no_board")

    def test_the_move_is_handed_to_a_student(self):
        student, other = self.member(), self.member()
        teacher, here = self.classroom(student, other)
        self.do(teacher, here, "open", spec="fanorona:3x3")
        moves = student.post("/api/position/moves", {"spec": "fanorona:3x3"}).json["moves"]
        play = {"do": "move", "move": moves[0]["move"]}
        self.refused(student.post(f"{here}/board", play), 403, "not_yours")
        handed = self.do(teacher, here, "hand", account=student.name)
        self.assertEqual(handed["mover"], {"account": student.name, "name": f"Student {student.name}"})
        self.refused(other.post(f"{here}/board", play), 403, "not_yours")
        self.refused(student.post(f"{here}/board", {**play, "version": handed["version"] - 1}), 409, "stale")
        played = self.do(student, here, "move", move=moves[0]["move"], version=handed["version"])
        self.assertEqual((played["at"], played["mover"]), (1, None))
        self.refused(student.post(f"{here}/board", play), 403, "not_yours")
        self.refused(teacher.post(f"{here}/board", {"do": "hand", "account": "Nobody"}), 404, "no_member")
        self.do(teacher, here, "hand", account=student.name)
        self.assertIsNone(self.do(teacher, here, "hand", account=None)["mover"])
        self.refused(student.post(f"{here}/board", {"do": "point", "from": "a1", "to": "b2"}), 403, "may_not_point")
        self.do(teacher, here, "allow", may_point=True)
        for http in (student, other, student):
            pointed = self.do(http, here, "point", **{"from": "a1", "to": "b2"})
        self.assertEqual([p["name"] for p in pointed["pointers"]], [f"Student {other.name}", f"Student {student.name}"])
        # Who is erased points no more.
        self.do(teacher, here, "hand", account=student.name)
        student("DELETE", "/api/account", {"password": PASSWORD})
        with sqlite3.connect(self.server.database) as database:
            texts = [row[0] for row in database.execute("SELECT state FROM class_boards")]
        self.assertFalse(any(student.name in text for text in texts))

    def test_bad_commands(self):
        teacher, here = self.classroom()
        path = f"{here}/board"
        self.refused(teacher.post(path, {"do": "open", "spec": "chess"}), 400, "bad_request")
        self.refused(teacher.post(path, {"do": "open", "spec": "othello", "position": "rubbish"}), 422, "bad_position")
        self.do(teacher, here, "open", spec="othello:6x6")
        self.assertIn("a1", self.refused(teacher.post(path, {"do": "move", "move": "a1"}), 422, "illegal"))
        for body in ({"do": "dance"}, {}, {"do": "go", "at": 1}, {"do": "go", "at": -1}, {"do": "mark", "marks": 1},
                     {"do": "mark", "marks": [{"from": "z9", "to": "a1"}]}, {"do": "mark", "marks": [{"from": "a1"}]},
                     {"do": "mark", "marks": [{"from": "a1", "to": "a1"}] * 51}, {"do": "move", "move": ""},
                     {"do": "allow", "may_point": "yes"}, {"do": "move", "move": "b3", "by": "me"}):
            self.refused(teacher.post(path, body), 400, "bad_request")

    def test_only_the_class_sees_it(self):
        student, outsider = self.member(), self.member()
        teacher, here = self.classroom(student)
        self.do(teacher, here, "open", spec="othello:6x6")
        guest = Http(self.server, origin=self.server.origin)
        self.addCleanup(guest.close)
        guest.cookie = guest.post("/api/session").cookie()
        for http in (outsider, guest):
            self.refused(http.get(f"{here}/board"), 404, "no_class")
            socket = self.socket(http)
            socket.send({"do": "watch_board", "class": here.rsplit("/", 1)[1], "ref": 1})
            self.assertEqual(self.next(socket, "watching")["error"]["code"], "no_class")
        self.refused(outsider.post(f"{here}/board", {"do": "close"}), 404, "no_class")
        self.refused(guest.post(f"{here}/board", {"do": "close"}), 403, "members_only")
        for command in ("open", "close", "go", "takeback", "mark", "hand", "allow"):
            self.refused(student.post(f"{here}/board", {"do": command, "spec": "othello"}), 403, "teacher_only")
        # Who is removed from the class hears no more of it.
        socket = self.watching(student, here)
        self.next(socket, "board")
        self.assertEqual(teacher("DELETE", f"{here}/members/{student.name}").status, 200)
        self.do(teacher, here, "move", move="b3")
        socket.send({"do": "ping", "ref": 2})
        self.assertEqual(socket.receive(), {"pong": True, "ref": 2})

    def test_a_restart_forgets_nothing(self):
        teacher, here = self.classroom()
        self.do(teacher, here, "open", spec="othello:6x6")
        shown = self.do(teacher, here, "move", move="b3")
        self.server.kill()
        self.server.restart()
        teacher.close()
        teacher.origin = self.server.origin
        self.assertEqual(self.page(teacher, f"{here}/board"), shown)


class Exhibitions(Live):
    def room(self, http, room):
        return self.page(http, f"/api/rooms/{room}")

    def test_the_teacher_against_all(self):
        students = [self.member() for _ in range(3)]
        teacher, here = self.classroom(*students)
        path = f"{here}/exhibitions"
        begun = teacher.post(path, {"spec": "othello:6x6", "clock_ms": 600_000, "increment_ms": 5_000})
        self.assertEqual(begun.status, 201, begun)
        shown = begun.json
        this = f"{path}/{shown['exhibition']}"
        self.assertEqual(len(shown["boards"]), 3)
        self.assertEqual((shown["host"], shown["level"], shown["score"]["running"]), (teacher.name, None, 3))
        for student in students:
            seen = self.page(student, this)
            own = next(b for b in seen["boards"] if b["mine"])
            self.assertEqual(own["name"], f"Student {student.name}")
            room = self.room(student, own["room"])
            self.assertEqual([s["who"]["name"] for s in room["seats"]], [teacher.name, student.name])
            # The exhibitor has half as much again for each further board.
            self.assertEqual((room["left"]["first"]["game_ms"], room["left"]["second"]["game_ms"]), (1_200_000, 600_000))
            self.assertEqual(self.page(student, here)["exhibition"]["mine"], own["room"])
        self.refused(teacher.post(path, {"spec": "othello"}), 409, "running")
        rooms = [b["room"] for b in shown["boards"]]
        self.assertEqual(teacher.post(f"/api/rooms/{rooms[0]}/play", {"move": "b3", "id": "1"}).status, 200)
        seen = self.page(teacher, this)["boards"]
        self.assertEqual([b["to_move"] for b in seen], ["second", "first", "first"])
        order = sorted(students, key=lambda s: f"Student {s.name}".lower())
        order[0].post(f"/api/rooms/{rooms[0]}/resign")
        teacher.post(f"/api/rooms/{rooms[1]}/resign")
        self.assertEqual(order[2].post(f"/api/rooms/{rooms[2]}/offer", {"what": "draw"}).status, 200)
        self.assertEqual(teacher.post(f"/api/rooms/{rooms[2]}/agree", {"what": "draw"}).status, 200)
        ended = self.page(students[0], this)
        self.assertEqual(ended["score"], {"wins": 1, "draws": 1, "losses": 1, "running": 0})
        self.assertEqual([b["result"] for b in ended["boards"]], ["win", "loss", "draw"])
        self.assertEqual(teacher("DELETE", this).json, {"dropped": True})
        self.assertEqual(self.page(teacher, path), {"exhibitions": []})
        self.assertEqual(self.room(teacher, rooms[0])["state"], "ended")

    def test_the_engine_against_some(self):
        students = [self.member() for _ in range(3)]
        teacher, here = self.classroom(*students)
        plan = {"spec": "othello:6x6", "level": 1, "side": "alternate", "accounts": [s.name for s in students[:2]]}
        shown = teacher.post(f"{here}/exhibitions", plan).json
        self.assertEqual((shown["host"], shown["level"], len(shown["boards"])), ("Paika, level 1", 1, 2))
        self.assertEqual({b["seat"] for b in shown["boards"]}, {"first", "second"})
        for board in shown["boards"]:
            room = self.room(teacher, board["room"])
            engines = [s["who"].get("engine") for s in room["seats"]]
            self.assertEqual(sorted(engines, key=str), [1, None])
            self.assertFalse(room["takebacks"])
        self.assertIsNone(self.page(students[2], here)["exhibition"]["mine"])
        end = time.monotonic() + PATIENCE  # the engine begins where it is first
        while time.monotonic() < end:
            boards = self.page(teacher, f"{here}/exhibitions/{shown['exhibition']}")["boards"]
            if any(b["moves"] == 1 for b in boards):
                break
            time.sleep(0.1)
        self.assertTrue(all(b["to_move"] == b["seat"] for b in boards), boards)

    def test_who_may(self):
        student, outsider = self.member(), self.member()
        teacher, here = self.classroom(student)
        path = f"{here}/exhibitions"
        plan = {"spec": "othello:6x6"}
        self.refused(student.post(path, plan), 403, "teacher_only")
        self.refused(outsider.post(path, plan), 404, "no_class")
        guest = Http(self.server, origin=self.server.origin)
        self.addCleanup(guest.close)
        guest.cookie = guest.post("/api/session").cookie()
        self.refused(guest.post(path, plan), 403, "members_only")
        self.refused(teacher.post(path, {**plan, "accounts": [outsider.name]}), 404, "no_member")
        for body in ({"spec": "chess"}, {**plan, "level": 15}, {**plan, "side": "left"}, {**plan, "accounts": []},
                     {**plan, "increment_ms": 5}, {**plan, "clock_ms": 0}, {**plan, "position": "rubbish"}):
            self.refused(teacher.post(path, body), 400, "bad_request")
        alone, empty = self.classroom()
        self.refused(alone.post(f"{empty}/exhibitions", plan), 409, "nobody")
        this = f"{path}/{teacher.post(path, plan).json['exhibition']}"
        for read in (path, this):
            self.refused(outsider.get(read), 404, "no_class")
            self.refused(guest.get(read), 404, "no_class")
        self.refused(student("DELETE", this), 403, "teacher_only")
        self.refused(outsider("DELETE", this), 404, "no_class")
        self.refused(alone.get(this.replace(here, empty)), 404, "no_exhibition")
        self.refused(alone("DELETE", this.replace(here, empty)), 404, "no_exhibition")


if __name__ == "__main__":
    unittest.main()
