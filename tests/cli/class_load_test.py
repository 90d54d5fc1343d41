"""A whole class hands in at once: how long bots wait to be checked, and that games go on meanwhile.

A small class by default; the figures of docs/performance.md are from PAIKA_CLASS=60,3,2000 (students, bots of each,
games of the ladder).
usage: class_load_test.py PAIKA-PROGRAM
"""

import os
import statistics
import sys
import threading
import time
import unittest

from server_client import Http, Server

PAIKA = ""
PASSWORD = "correct horse battery staple"
STUDENTS, BOTS, GAMES = (int(n) for n in os.environ.get("PAIKA_CLASS", "6,2,40").split(","))
LONGEST = float(os.environ.get("PAIKA_CLASS_TIME", "1500"))  # seconds; a test that takes longer fails
SHORT_QUEUE = 2  # bots ahead

# Plays the first legal move; after four moves or more at the beginning, which only games of the ladder have, it takes
# its time.
BOT = """import sys, time
pause = 0
new = True
for line in sys.stdin:
    words = line.split()
    word = words[0] if words else ""
    if word == "ugi": print("ugiok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "position" and new:
        new = False
        pause = %(pause)s if "moves" in words and len(words) - words.index("moves") > 4 else 0
    elif word == "go":
        print("query moves", flush=True)
        moves = sys.stdin.readline().split()[1:]
        time.sleep(pause)
        print("bestmove", moves[%(which)s %% len(moves)], flush=True)
    elif word == "quit": break
"""


def bot(number, pause=0):
    return {"name": f"Bot {number}", "run": "python3 bot.py",
            "files": [{"path": "bot.py", "text": BOT % {"pause": pause, "which": number}}]}


class WithServer(unittest.TestCase):
    def begin(self, workers):
        server = Server(PAIKA, "--rate-factor", "1000", "--weak-sandbox", "--ladder-workers", str(workers))
        self.addCleanup(server.close)
        return server

    def person(self, server, name):
        http = Http(server, origin=server.origin)
        self.addCleanup(http.close)
        http.cookie = http.post("/api/session").cookie()
        http.cookie = http.post("/api/account", {"name": name, "password": PASSWORD}).cookie()
        return http

    def found(self, teacher, **settings):
        answer = teacher.post("/api/classes", {"name": "Large", "spec": "othello:6x6", "house_bots": False, "pairs": 50,
                                               **settings})
        self.assertEqual(answer.status, 201, answer)
        return answer.json

    def hand_in(self, http, made, number, pause=0):
        answer = http.post(f"/api/classes/{made['id']}/bots", bot(number, pause))
        self.assertEqual(answer.status, 201, answer)
        return answer.json["bot"]

    def state(self, http, made, one):
        return http.get(f"/api/classes/{made['id']}/bots/{one}").json["bot"]["state"]

    def games(self, http, made):
        return http.get(f"/api/classes/{made['id']}").json["ladder"]

    def until(self, what, why):
        end = time.monotonic() + LONGEST
        while not what():
            self.assertLess(time.monotonic(), end, why)
            time.sleep(0.2)


class LongGames(WithServer):
    def test_a_long_game_makes_room_for_a_bot_that_waits(self):
        server = self.begin(1)
        teacher = self.person(server, "Teacher")
        made = self.found(teacher, move_ms=10_000)
        students = [self.person(server, f"Student{i}") for i in range(3)]
        for student in students:
            student.post("/api/classes/join", {"code": made["code"]})
        for i, student in enumerate(students[:2]):
            slow = self.hand_in(student, made, i, pause=5)
            self.until(lambda: self.state(student, made, slow) == "accepted", "the slow bot was not accepted")
        # A game of about 28 moves of 5 s begins, on the only worker.
        self.until(lambda: (self.games(teacher, made)["doing"] or {}).get("what") == "playing", "they do not play")
        third = self.hand_in(students[2], made, 2)
        self.until(lambda: self.state(students[2], made, third) == "accepted", "it waits for the game")
        self.assertEqual(self.games(teacher, made)["games"], 0, "the game has made room for it")


class WholeClass(WithServer):
    def test_a_class_hands_in(self):
        server = self.begin(2)
        teacher = self.person(server, "Teacher")
        made = self.found(teacher, move_ms=1000, uploads_per_day=BOTS)
        students = [self.person(server, f"Student{i}") for i in range(STUDENTS)]
        for student in students:
            self.assertEqual(student.post("/api/classes/join", {"code": made["code"]}).status, 200)
        begun = time.monotonic()
        waits, lock = [], threading.Lock()

        def work(i, student):
            # Everybody hands in over and over, as a class does in an afternoon: the next one after a look at the last.
            for number in range(BOTS):
                ahead = self.games(student, made)["waiting"]
                at = time.monotonic()
                one = self.hand_in(student, made, i + number)
                checked = None
                while (state := self.state(student, made, one)) not in ("accepted", "refused", "replaced"):
                    if state != "waiting" and checked is None:
                        checked = time.monotonic()
                    self.assertLess(time.monotonic() - begun, LONGEST)
                    time.sleep(0.3)
                end = time.monotonic()
                with lock:
                    waits.append((ahead, (checked or end) - at, end - at, state))

        threads = [threading.Thread(target=work, args=pair) for pair in enumerate(students)]
        for i, thread in enumerate(threads):
            thread.start()
            time.sleep(60.0 / STUDENTS)  # within the same minute
        for thread in threads:
            thread.join()
        handed_in = time.monotonic() - begun
        self.assertEqual(len(waits), STUDENTS * BOTS)
        self.assertEqual({state for *_, state in waits} - {"accepted", "replaced"}, set())
        during = self.games(teacher, made)["games"]
        # One more, who comes alone while the ladder plays.
        late = self.person(server, "Late")
        late.post("/api/classes/join", {"code": made["code"]})
        lone = []
        for number in range(BOTS):
            at = time.monotonic()
            one = self.hand_in(late, made, number)
            self.until(lambda: self.state(late, made, one) != "waiting", "it is not checked")
            lone.append(time.monotonic() - at)
            self.until(lambda: self.state(late, made, one) == "accepted", "it was not accepted")
        self.until(lambda: self.games(teacher, made)["games"] >= GAMES, "the games were not played")
        took = time.monotonic() - begun
        failures = [g for g in teacher.get(f"/api/classes/{made['id']}").json["games"] if g["failure"]]
        self.assertEqual(failures, [], "honest bots lose by the rules alone")
        short = [wait for ahead, wait, _, _ in waits if ahead <= SHORT_QUEUE] + lone
        every = [wait for _, wait, _, _ in waits]
        print(f"\n{STUDENTS} students, {len(waits)} bots handed in and checked in {handed_in:.0f} s, {during} games "
              f"meanwhile; {self.games(teacher, made)['games']} games in {took:.0f} s.\n"
              f"Wait for the check to begin: median {statistics.median(every):.1f} s, longest {max(every):.1f} s; with at "
              f"most {SHORT_QUEUE} ahead ({len(short)} of them): median {statistics.median(short):.1f} s, longest "
              f"{max(short):.1f} s.", file=sys.stderr)


if __name__ == "__main__":
    PAIKA = sys.argv.pop(1)
    unittest.main()
