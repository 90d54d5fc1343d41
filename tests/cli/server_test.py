"""`paika serve` as players meet it: whole games by link, drops and returns, offers, clocks, the engine.

usage: server_test.py PAIKA-PROGRAM
"""

import json
import random
import re
import socket
import time
import unittest

from game_case import SEATS, WithGames
from room_client import events_of
from server_client import PING, TEXT, Http, WebSocket, frame

# White's c3 may take e1 (c3d2A) and go on to take b2 (c3d2A,c2A); a step to e2 or d3 takes nothing.
CHAIN = ".b.../...../..w../.b.../w...b w 1"


class WholeGames(WithGames):
    def play_out(self, players, room, spec, seed, most):
        """Random legal turns to the end; given up after `most`."""
        chance = random.Random(seed)
        event = players[0].socket.wait_for(room, "begun")
        for number in range(1, most + 1):
            seat = SEATS.index(event["to_move"])
            turn = chance.choice(self.rules.turns(spec, event["position"]))
            answer = players[seat].do(room, "play", move=turn, id=f"t{number}", number=number)
            self.assertIn("accepted", answer)
            before = event
            event = players[seat].socket.wait_number(room, answer["accepted"]["number"])
            self.assertEqual((event["event"], event["move"], event["seat"], event["text"], event["id"]),
                             ("move", number, SEATS[seat], turn, f"t{number}"))
            if not spec.startswith("wildebeest"):  # whose positions tell the time
                self.assertEqual(event["position"], self.rules.after(spec, before["position"], turn))
            self.assertTrue(event["effects"])
            self.assertTrue(event["steps"])
            if event["over"]:
                return number
        self.assertIn("accepted", players[0].do(room, "resign"))
        return most

    def one_game(self, spec, seed, most=120):
        watcher = self.room_socket()
        first, second = self.player(), self.player()
        opened = first.http.post("/api/rooms", {"spec": spec, "side": "first"})
        self.assertEqual(opened.status, 201, opened)
        room = opened.json["room"]
        self.assertEqual(opened.json["path"], f"/room/{room}")
        self.assertRegex(room, r"^[A-Za-z0-9]{8,}$")
        watcher.watch(room, 0)
        lines = self.stream(f"/api/rooms/{room}/stream?since=0")
        first.socket.watch(room, 0)
        self.assertIn("accepted", second.do(room, "join"))
        second.socket.watch(room, 0)
        turns = self.play_out((first, second), room, spec, seed, most)

        def is_end(event):
            return event["event"] == "ended"
        told = [sock.events[room] for sock in (first.socket, second.socket, watcher) if sock.wait(room, is_end)]
        told.append(lines.events(is_end))
        for other in told[1:]:
            self.assertEqual(told[0], other, "everybody is told the same")
        self.assertEqual([e["number"] for e in told[0]], list(range(1, len(told[0]) + 1)))
        self.assertEqual([e["event"] for e in told[0][:3]], ["created", "joined", "begun"])
        self.assertEqual(sum(e["event"] == "move" for e in told[0]), turns)
        times = [e["at_us"] for e in told[0]]
        self.assertEqual(times, sorted(times))
        self.check_after(room, told[0])
        return told[0][-1]

    def check_after(self, room, events):
        """A game that has ended, as those see it who come later."""
        self.assertEqual(events_of(self.server, room), events)
        http = Http(self.server)
        self.addCleanup(http.close)
        snapshot = http.get(f"/api/rooms/{room}").json
        turns = [e["text"] for e in events if e["event"] == "move"]
        self.assertEqual((snapshot["state"], snapshot["number"]), ("ended", len(events)))
        self.assertEqual([t["text"] for t in snapshot["moves"]], turns)
        self.assertEqual(snapshot["result"], events[-1])
        record = http.get(f"/api/rooms/{room}/record")
        self.assertEqual(record.status, 200)
        self.assertTrue(record.header("content-type").startswith("text/plain"))
        lines = record.body.decode().splitlines()
        self.assertEqual([line.split()[1] for line in lines if line.startswith("move ")], turns)
        self.assertIn(f"result {events[-1]['verdict']} {events[-1]['reason']}", lines)

    def test_every_game_by_link(self):
        for spec, seed in (("othello:6x6", 1), ("fanorona:3x3", 2), ("fanorona:5x5", 3), ("abalone:3x3", 4),
                           ("abalone:4x4", 5)):
            with self.subTest(spec):
                self.assertNotEqual(self.one_game(spec, seed)["verdict"], "ongoing")

    def test_wildebeest_shortened(self):
        ended = self.one_game("wildebeest", 6, most=12)
        self.assertNotEqual(ended["verdict"], "ongoing")

    def test_messages_in_parts(self):
        """A message may come in many frames, with pings between them."""
        players, room = self.table("othello:6x6")
        sock = players[0].socket
        turn = self.rules.turns("othello:6x6", players[0].snapshot(room)["position"])[0]
        sock.send_in_parts({"do": "play", "room": room, "move": turn, "id": "parts", "ref": [1, {"a": None}]}, 9)
        answer = sock.answer_to([1, {"a": None}])
        self.assertEqual(answer["accepted"]["repeated"], False)
        sock.send_frame(PING, b"x" * 125)
        self.assertEqual(sock.ask("ping"), {"pong": True, "ref": sock.refs})
        self.assertEqual(sock.close(), 1000)
        players[0].drop()

    def test_presence(self):
        players, room = self.table("othello:6x6")
        watcher = self.room_socket()
        watcher.watch(room)
        while watcher.presence.get(room) != {"first": True, "second": True, "watchers": 3}:
            watcher.take(watcher.receive())
        players[1].drop()
        while watcher.presence[room] != {"first": True, "second": False, "watchers": 2}:
            watcher.take(watcher.receive())


class DropsAndReturns(WithGames):
    def cut(self, player, message, way):
        """Sends a message in some way and is gone before the answer."""
        sock = player.socket
        whole = frame(TEXT, message)
        if way == "reset":
            sock.send_bytes(whole)
            sock.reset()
        elif way == "half":
            sock.send_bytes(whole[:len(whole) // 2])
            sock.reset()
        else:
            sock.send_bytes(whole)
            sock.sock.close()
        player.drop()

    def test_in_mid_move(self):
        """Whoever goes after sending a turn and comes back with the same id has played it once, in every way to go."""
        spec = "othello:6x6"
        players, room = self.table(spec)
        watcher = self.room_socket()
        watcher.watch(room, 0)
        event = watcher.wait_for(room, "begun")
        ways = ["reset", "half", "close", "http"]
        for number in range(1, 21):
            mover = players[SEATS.index(event["to_move"])]
            turn = self.rules.turns(spec, event["position"])[0]
            known = mover.socket.last[room] if mover._socket else watcher.last[room]
            body = {"move": turn, "id": f"id {number}", "number": number}
            way = ways[number % len(ways)]
            if way == "http":
                with socket.create_connection(self.server.address) as sock:
                    sock.sendall(mover.http.request_bytes("POST", f"/api/rooms/{room}/play", body))
            else:
                self.cut(mover, json.dumps({"do": "play", "room": room, **body}).encode(), way)
            mover.drop()
            mover.socket.watch(room, known)
            answer = mover.do(room, "play", **body)
            event = watcher.wait_for(room, "move", move=number)
            self.assertEqual(answer["accepted"]["number"], event["number"])
            if way == "half":
                self.assertFalse(answer["accepted"]["repeated"])
            again = mover.command(room, "play", **body)
            self.assertEqual(again.json, {"number": event["number"], "repeated": True})
            mover.socket.wait_number(room, event["number"])
            missed = mover.socket.events[room]
            self.assertEqual(missed[-1], event)
            self.assertEqual([e["number"] for e in missed], list(range(known + 1, event["number"] + 1)))
            if event["over"]:
                break
        turns = [e for e in events_of(self.server, room) if e["event"] == "move"]
        self.assertEqual([e["id"] for e in turns], [f"id {n + 1}" for n in range(len(turns))])

    def test_since_beyond_the_end_is_a_snapshot(self):
        players, room = self.table("othello:6x6")
        players[0].socket.wait_for(room, "begun")
        sock = self.room_socket()
        sock.ask("watch", room=room, since=10_000)
        sock.ask("ping")
        self.assertEqual(sock.snapshots[room]["number"], players[0].socket.last[room])
        stream = self.stream(f"/api/rooms/{room}/stream")
        line = stream.line()
        self.assertEqual((line["room"], line["snapshot"]["room"]), (room, room))

    def test_watching_again_and_again(self):
        """However often and fast a client says watch and leave: every event comes once, or not at all."""
        (first, second), room = self.table("othello:6x6")
        sock = WebSocket(self.server, token=first.token)
        self.addCleanup(sock.sock.close)
        # In one go, so that the room waits for the disk while the others are read.
        say = {"do": "say", "room": room, "preset": "hello"}
        watch = {"do": "watch", "room": room, "since": 0}
        sock.send_bytes(b"".join(frame(TEXT, json.dumps(m).encode()) for m in (say, watch, watch, watch)))
        second.socket.wait_for(room, "chat")
        self.assertIn("accepted", second.do(room, "say", preset="thanks"))
        numbers = []
        preset = None
        while preset != "thanks":
            message = sock.receive()
            if "event" in message:
                numbers.append(message["event"]["number"])
                preset = message["event"].get("preset")
        sock.send({"do": "ping", "ref": "end"})
        while (message := sock.receive()).get("ref") != "end":
            if "event" in message:
                numbers.append(message["event"]["number"])
        last = numbers[-1]
        self.assertEqual(numbers.count(last), 1, f"the last event came {numbers.count(last)} times: {numbers}")
        other = self.room_socket(token=first.token)
        other.send_bytes(b"".join(frame(TEXT, json.dumps(m).encode()) for m in (say, watch, {"do": "leave", "room": room})))
        other.ask("ping")
        self.assertIn("accepted", second.do(room, "say", preset="bye"))
        first.socket.wait(room, lambda e: e.get("preset") == "bye")
        other.ask("ping")
        self.assertNotIn("bye", [e.get("preset") for e in other.events.get(room, [])], "left, but still told")
        for _ in range(60):
            self.assertIn("watching", other.ask("watch", room=room), "one room is one room, however often it is named")

    def test_numbers_and_ids(self):
        players, room = self.table("othello:6x6")
        first, second = players
        turns = self.rules.turns("othello:6x6", first.snapshot(room)["position"])
        self.refused(first.do(room, "play", move=turns[0], id="a", number=2), "stale")
        self.refused(second.do(room, "play", move=turns[0], id="a"), "not_yours")
        one = first.do(room, "play", move=turns[0], id="a", number=1)["accepted"]
        # The same id with another turn: it is the first that counts.
        two = first.do(room, "play", move=turns[1], id="a", number=1)["accepted"]
        self.assertEqual(two, {"number": one["number"], "repeated": True})
        self.refused(first.do(room, "play", move=turns[1], id="b", number=1), "stale")
        # Ids are each player's own.
        turns = self.rules.turns("othello:6x6", first.snapshot(room)["position"])
        self.assertFalse(second.do(room, "play", move=turns[0], id="a", number=2)["accepted"]["repeated"])
        stranger = self.player()
        self.refused(stranger.do(room, "play", move=turns[0], id="a"), "not_yours")
        self.refused(stranger.do(room, "join"), "taken")
        self.refused(stranger.do("nosuchroom", "play", move="a1", id="a"), "no_room")
        self.assertEqual(stranger.command("nosuchroom", "join").status, 404)


class Chains(WithGames):
    def test_an_illegal_second_step(self):
        """A chain is checked whole: a legal first step does not save an illegal second one."""
        players, room = self.table("fanorona:5x5", position=CHAIN)
        first = players[0]
        before = first.snapshot(room)
        self.assertEqual(before["position"], CHAIN)
        for turn in ("c3d2A,e2A", "c3d2A,d3A", "c3d2A,c3W", "c3d2A,c2W", "c3d2A,c2A,c1A"):
            with self.subTest(turn):
                answer = first.command(room, "play", move=turn, id="chain " + turn)
                self.assertEqual((answer.status, answer.code), (422, "illegal"), answer)
                self.assertRegex(answer.error["clause"], r"^\d")
                self.assertIn("fanorona", answer.error.get("rules") or answer.error.get("document"))
                self.assertIsInstance(answer.error["squares"], list)
                self.refused(first.do(room, "play", move=turn, id="chain " + turn), "illegal")
        after = first.snapshot(room)
        for key in ("number", "position", "moves", "to_move", "state"):
            self.assertEqual(before[key], after[key], key)
        # A refused id is not used up, and the chain that is legal may be played by it.
        event = self.play(players, room, ["c3d2A,c2A"])
        self.assertEqual(event["text"], "c3d2A,c2A")
        self.assertEqual(event["position"], ".b.../...../...../..w../w.... b 2")

    def test_rubbish_turns(self):
        players, room = self.table("fanorona:5x5")
        before = players[0].snapshot(room)
        for turn in ("z9z9", "c2c3A," * 300, "\u0000", "c2 c3 A é", "'; DROP TABLE events; --", "-", "pass", "c2c3A,"):
            answer = players[0].command(room, "play", move=turn, id="r")
            self.assertIn(answer.status, (400, 422), turn)
            self.assertIn(answer.code, ("illegal", "bad_request"), turn)
        for fields in ({"id": "x"}, {"move": "c2c3A"}, {"move": 5, "id": "x"}, {"move": "c2c3A", "id": "x" * 65},
                       {"move": "c" * 2001, "id": "x"}, {"move": "c2c3A", "id": "x", "number": "1"},
                       {"move": "c2c3A", "id": "x", "number": 0}, {"move": "c2c3A", "id": "x", "hurry": True}):
            answer = players[0].command(room, "play", **fields)
            self.assertEqual((answer.status, answer.code), (400, "bad_request"), fields)
        after = players[0].snapshot(room)
        self.assertEqual((before["number"], before["position"]), (after["number"], after["position"]))


class Offers(WithGames):
    def setUp(self):
        (self.first, self.second), self.room = self.table("othello:6x6")
        self.players = (self.first, self.second)

    def legal(self):
        return self.rules.turns("othello:6x6", self.first.snapshot(self.room)["position"])[0]

    def test_draw(self):
        self.refused(self.second.do(self.room, "agree", what="draw"), "no_offer")
        self.assertIn("accepted", self.first.do(self.room, "offer", what="draw"))
        self.second.socket.wait_for(self.room, "offered", what="draw", seat="first")
        self.assertEqual(self.second.snapshot(self.room)["offers"], [{"what": "draw", "seat": "first"}])
        self.assertIn("accepted", self.second.do(self.room, "decline", what="draw"))
        self.first.socket.wait_for(self.room, "declined", what="draw", seat="second")
        self.refused(self.first.do(self.room, "offer", what="draw"), "too_often")
        self.assertIn("accepted", self.second.do(self.room, "offer", what="draw"))
        self.assertIn("accepted", self.first.do(self.room, "agree", what="draw"))
        ended = self.second.socket.wait_for(self.room, "ended")
        self.assertEqual((ended["verdict"], ended["reason"]), ("draw", "agreed"))
        for word, fields in (("play", {"move": "a1", "id": "late"}), ("resign", {}), ("offer", {"what": "draw"}),
                             ("abort", {})):
            self.refused(self.first.do(self.room, word, **fields), "over")
        self.refused(self.first.do(self.room, "offer", what="peace"), "bad_request")

    def test_a_turn_withdraws_the_offer(self):
        self.assertIn("accepted", self.second.do(self.room, "offer", what="draw"))
        self.play(self.players, self.room, [self.legal()])
        self.second.socket.wait_for(self.room, "withdrawn", what="draw", seat="second")
        self.refused(self.first.do(self.room, "agree", what="draw"), "no_offer")

    def test_takeback(self):
        start = self.first.snapshot(self.room)["position"]
        self.refused(self.first.do(self.room, "offer", what="takeback"), "no_move")
        self.play(self.players, self.room, [self.legal()])
        after_one = self.first.snapshot(self.room)["position"]
        self.play(self.players, self.room, [self.legal()])
        self.assertIn("accepted", self.second.do(self.room, "offer", what="takeback"))
        self.assertIn("accepted", self.first.do(self.room, "agree", what="takeback"))
        back = self.second.socket.wait_for(self.room, "taken_back")
        self.assertEqual((back["moves"], back["position"], back["to_move"]), (1, after_one, "second"))
        self.play(self.players, self.room, [self.legal()])
        self.assertIn("accepted", self.first.do(self.room, "offer", what="takeback"))
        self.assertIn("accepted", self.second.do(self.room, "agree", what="takeback"))
        back = self.second.socket.wait(self.room, lambda e: e["event"] == "taken_back" and e["moves"] == 2)
        self.assertEqual((back["position"], back["to_move"]), (start, "first"))
        self.assertEqual(self.first.snapshot(self.room)["moves"], [])

    def test_resign_and_rematch(self):
        self.refused(self.first.do(self.room, "offer", what="rematch"), "not_over")
        self.assertIn("accepted", self.first.do(self.room, "resign"))
        ended = self.second.socket.wait_for(self.room, "ended")
        self.assertEqual((ended["verdict"], ended["reason"]), ("second_wins", "resigned"))
        self.assertIn("accepted", self.second.do(self.room, "offer", what="rematch"))
        self.assertIn("accepted", self.first.do(self.room, "agree", what="rematch"))
        told = self.second.socket.wait_for(self.room, "rematch")
        next_room = told["room"]
        self.assertEqual(self.first.socket.wait_for(self.room, "rematch"), told)
        self.assertEqual(self.first.snapshot(self.room)["rematch"], next_room)
        snapshot = self.first.snapshot(next_room)
        self.assertEqual(snapshot["state"], "running")
        self.assertEqual([s["who"]["name"] for s in snapshot["seats"]], [self.second.name, self.first.name],
                         "the sides are exchanged")
        self.refused(self.first.do(next_room, "play", move=self.legal(), id="x"), "not_yours")
        for player in self.players:
            player.socket.watch(next_room, 0)
        self.play((self.second, self.first), next_room, [self.rules.turns("othello:6x6", snapshot["position"])[0]])

    def test_abort(self):
        self.play(self.players, self.room, [self.legal()])
        self.refused(self.first.do(self.room, "abort"), "not_yours")
        self.assertIn("accepted", self.second.do(self.room, "abort"))
        ended = self.first.socket.wait_for(self.room, "ended")
        self.assertEqual((ended["verdict"], ended["reason"]), ("ongoing", "abandoned"))

    def test_abort_of_an_open_room(self):
        room = self.first.open_room("othello:6x6", listed=True)
        listed = self.first.http.get("/api/rooms?state=open").json["rooms"]
        self.assertIn(room, [row["room"] for row in listed])
        self.refused(self.second.do(room, "abort"), "not_yours")
        self.refused(self.first.do(room, "play", move="a1", id="x"), "not_begun")
        self.assertEqual(self.first.http.get(f"/api/rooms/{room}/record").code, "not_begun")
        self.assertIn("accepted", self.first.do(room, "abort"))
        self.refused(self.second.do(room, "join"), "over")
        listed = self.first.http.get("/api/rooms?state=open").json["rooms"]
        self.assertNotIn(room, [row["room"] for row in listed])

    def test_chat(self):
        presets = self.first.http.get("/api/chat-presets").json["presets"]
        self.assertIn("hello", presets)
        self.assertIn("accepted", self.first.do(self.room, "say", preset="hello"))
        told = self.second.socket.wait_for(self.room, "chat")
        self.assertEqual((told["preset"], told["who"]["name"], told["who"]["seat"]), ("hello", self.first.name, "first"))
        nasty = "<script>alert('x')</script> \" \\ ' ; DROP TABLE rooms;-- \U0001f600 {{7*7}} %s é"
        self.assertIn("accepted", self.first.do(self.room, "say", text=nasty))
        self.assertEqual(self.second.socket.wait(self.room, lambda e: "text" in e and e["event"] == "chat")["text"], nasty)
        self.assertEqual(self.first.snapshot(self.room)["chat"][-1]["text"], nasty)
        for fields in ({"preset": "insult"}, {"text": ""}, {"text": "a", "preset": "hello"}, {"text": "x" * 501}, {},
                       {"text": "two\nlines"}, {"text": "\u202eturned"}, {"text": 7}):
            self.refused(self.first.do(self.room, "say", **fields), "bad_request")
        for _ in range(3):
            self.assertIn("accepted", self.first.do(self.room, "say", preset="thanks"))
        error = self.refused(self.first.do(self.room, "say", preset="thanks"), "too_often")
        self.assertGreater(error["retry_after_ms"], 0)
        self.assertLessEqual(error["retry_after_ms"], 10_000)
        over_http = self.first.command(self.room, "say", preset="thanks")
        self.assertEqual((over_http.status, over_http.code), (429, "too_often"))
        self.assertGreaterEqual(int(over_http.header("retry-after")), 1)
        self.assertIn("accepted", self.second.do(self.room, "say", preset="bye"), "others may still speak")
        watcher = self.player()
        watcher.socket.watch(self.room)
        self.assertIn("accepted", watcher.do(self.room, "say", text="I only watch"))


class Clocks(WithGames):
    def test_the_flag_ends_the_game(self):
        (first, second), room = self.table("othello:6x6", move_ms=300)
        begun = first.socket.wait_for(room, "begun")
        self.assertEqual(begun["left"]["first"]["move_ms"], 300)
        ended = second.socket.wait_for(room, "ended")
        self.assertEqual((ended["verdict"], ended["reason"]), ("second_wins", "time"))
        used = ended["at_us"] - begun["at_us"]
        self.assertGreater(used, 300_000)
        self.assertEqual(ended["left"]["first"]["move_ms"], 0)
        turn = self.rules.turns("othello:6x6", begun["position"])[0]
        self.refused(first.do(room, "play", move=turn, id="x"), "late")
        self.assertEqual(first.command(room, "play", move=turn, id="x").code, "late")
        self.refused(second.do(room, "play", move=turn, id="x"), "over")
        self.assertEqual(events_of(self.server, room)[-1], ended, "nothing is accepted after a flag")

    def test_claims_about_time_are_not_asked(self):
        """A client with a wrong clock gains nothing."""
        (first, second), room = self.table("othello:6x6", move_ms=700)
        begun = first.socket.wait_for(room, "begun")
        turn = self.rules.turns("othello:6x6", begun["position"])[0]
        for claim in ({"time_us": 1}, {"at_us": begun["at_us"]}, {"left": begun["left"]}, {"time_ms": -5000}):
            self.refused(first.do(room, "play", move=turn, id="claim", **claim), "bad_request")
        second.socket.wait_for(room, "ended", reason="time")
        headers = {"Date": "Thu, 01 Jan 1970 00:00:00 GMT", "X-Request-Start": "0", "Age": "100000"}
        answer = first.http.post(f"/api/rooms/{room}/play", {"move": turn, "id": "claim"}, headers=headers)
        self.assertEqual((answer.status, answer.code), (409, "late"))

    def test_flag_and_turn_in_one_order(self):
        """Turns around the moment of the flag: each is either in time or refused, and nothing follows a flag."""
        games = []
        for i in range(12):
            players, room = self.table("othello:6x6", move_ms=400)
            begun = players[1].socket.wait_for(room, "begun")
            games.append((time.monotonic() + 0.394 + i * 0.001, players, room))
        turn = self.rules.turns("othello:6x6", begun["position"])[0]
        accepted = late = 0
        for due, players, room in games:
            time.sleep(max(0.0, due - time.monotonic()))
            answer = players[0].do(room, "play", move=turn, id="edge")
            events = events_of(self.server, room)
            turns = [e for e in events if e["event"] == "move"]
            if "accepted" in answer:
                accepted += 1
                self.assertLessEqual(turns[0]["time_us"], 400_000)
            else:
                late += 1
                self.refused(answer, "late")
                self.assertEqual(turns, [])
                self.assertEqual(events[-1]["reason"], "time")
        self.assertEqual(accepted + late, len(games))

    def test_a_clock_for_the_game(self):
        (first, second), room = self.table("othello:6x6", clock_ms=60_000, increment_ms=2_000)
        event = first.socket.wait_for(room, "begun")
        self.assertEqual(first.snapshot(room)["clock"], {"base_ms": 60_000, "increment_ms": 2_000})
        left = {"first": 60_000, "second": 60_000}
        for _ in range(6):
            mover = event["to_move"]
            turn = self.rules.turns("othello:6x6", event["position"])[0]
            event = self.play((first, second), room, [turn])
            left[mover] += 2_000 - event["time_us"] / 1000
            self.assertAlmostEqual(event["left"][mover]["game_ms"], left[mover], delta=5)
            self.assertGreaterEqual(event["time_us"], 0)
        snapshot = first.snapshot(room)
        self.assertLessEqual(snapshot["left"][event["to_move"]]["game_ms"], event["left"][event["to_move"]]["game_ms"])
        self.assertAlmostEqual(snapshot["left"]["second"]["game_ms"], event["left"]["second"]["game_ms"], delta=2_000)

    def test_plans_that_make_no_sense(self):
        player = self.player()
        for plan in ({"move_ms": 0}, {"move_ms": 1000, "clock_ms": 1000}, {"increment_ms": 5}, {"clock_ms": -1},
                     {"move_ms": 1.5}, {"move_ms": "1000"}, {"move_ms": 1e30}, {"side": "white"}, {"engine": 0},
                     {"engine": 15}, {"rated": "yes"}, {"spec": "chess"}, {"spec": ""}, {"spec": "othello:5x5"},
                     {"position": "rubbish"}, {"colour": "first"}, {"spec": 8}, {"spec": "othello" * 1000}):
            answer = player.http.post("/api/rooms", {"spec": "othello", **plan})
            self.assertEqual((answer.status, answer.code), (400, "bad_request"), plan)
        answer = player.http.post("/api/rooms", {"spec": "othello", "rated": True})
        self.assertEqual((answer.status, answer.code), (403, "members_only"))


class Engine(WithGames):
    def game(self, spec, level, seed, most=60):
        """A bot that uses requests and a stream of lines alone."""
        chance = random.Random(seed)
        bot = self.player()
        room = bot.open_room(spec, engine=level, side="first" if seed % 2 else "second")
        own = "first" if seed % 2 else "second"
        stream = self.stream(f"/api/rooms/{room}/stream?since=0", token=bot.token)
        played = engine_turns = 0
        while True:
            line = stream.line()
            self.assertIsNotNone(line, "the stream ended")
            event = line.get("event")
            if event is None:
                continue
            if event["event"] == "ended":
                break
            if event["event"] == "move":
                engine_turns += event["seat"] != own
            if event["event"] in ("begun", "move") and event["to_move"] == own and not event.get("over"):
                if played == most:
                    self.assertEqual(bot.command(room, "resign").status, 200)
                    continue
                played += 1
                turn = chance.choice(self.rules.turns(spec, event["position"]))
                answer = bot.command(room, "play", move=turn, id=str(played))
                self.assertEqual(answer.status, 200, answer)
        self.assertGreater(engine_turns, 0)
        seats = bot.snapshot(room)["seats"]
        engine = next(s["who"] for s in seats if s["who"]["seat"] != own)
        self.assertEqual((engine["name"], engine["engine"]), (f"Paika, level {level}", level))
        self.assertNotEqual(event["reason"], "time")

    def test_levels(self):
        for spec, level, seed in (("othello:6x6", 1, 1), ("othello:6x6", 3, 2), ("fanorona:3x3", 2, 3),
                                  ("fanorona:5x5", 1, 4), ("abalone:3x3", 1, 5), ("wildebeest", 1, 6)):
            with self.subTest(spec, level=level):
                self.game(spec, level, seed, most={"wildebeest": 4, "fanorona:5x5": 8, "abalone:3x3": 8}.get(spec, 40))

    def test_offers_to_the_engine(self):
        bot = self.player()
        room = bot.open_room("othello:6x6", engine=1, side="first", move_ms=60_000)
        bot.socket.watch(room, 0)
        start = bot.socket.wait_for(room, "begun")["position"]
        turn = self.rules.turns("othello:6x6", start)[0]
        self.assertIn("accepted", bot.do(room, "play", move=turn, id="1"))
        self.assertIn("accepted", bot.do(room, "offer", what="draw"))
        bot.socket.wait_for(room, "declined", what="draw", seat="second")
        bot.socket.wait_for(room, "move", seat="second")
        self.assertIn("accepted", bot.do(room, "offer", what="takeback"))
        back = bot.socket.wait_for(room, "taken_back")
        self.assertEqual((back["position"], back["to_move"], back["moves"]), (start, "first", 2))
        self.assertIn("accepted", bot.do(room, "play", move=turn, id="2"))
        bot.socket.wait(room, lambda e: e["event"] == "move" and e["seat"] == "second" and e["number"] > back["number"])
        self.assertIn("accepted", bot.do(room, "resign"))
        self.assertIn("accepted", bot.do(room, "offer", what="rematch"))
        room = bot.socket.wait_for(room, "rematch")["room"]
        bot.socket.watch(room, 0)
        bot.socket.wait_for(room, "move", seat="first")


class Operations(WithGames):
    def test_health(self):
        http = Http(self.server)
        answer = http.get("/healthz")
        self.assertEqual((answer.status, answer.json), (200, {"ok": True}))
        # Whatever name a probe uses.
        self.assertEqual(http.get("/healthz", headers={"Host": "probe.internal"}).status, 200)
        http.close()

    def metrics(self):
        text = Http(self.server).get("/metrics")
        self.assertEqual(text.status, 200)
        self.assertTrue(text.header("content-type").startswith("text/plain"))
        values, kinds = {}, {}
        for line in text.body.decode().splitlines():
            if line.startswith("# TYPE "):
                _, _, name, kind = line.split()
                self.assertIn(kind, ("gauge", "counter", "histogram"))
                kinds[name] = kind
                parts = ("_bucket", "_sum", "_count") if kind == "histogram" else ()
                kinds.update({name + part: "part of a histogram" for part in parts})
            elif line.startswith("#"):
                self.assertRegex(line, r"^# HELP paika_\w+ .+$")
            else:
                found = re.fullmatch(r"(paika_[a-z_]+)(\{[^}]*\})? ([-+0-9.e]+)", line)
                self.assertTrue(found, line)
                values[found.group(1)] = float(found.group(3))
                self.assertIn(found.group(1), kinds)
        for name, kind in kinds.items():
            self.assertEqual(name.endswith("_total"), kind == "counter", name)
        return values

    def test_metrics(self):
        before = self.metrics()
        players, room = self.table("othello:6x6")
        self.play(players, room, [self.rules.turns("othello:6x6", players[0].snapshot(room)["position"])[0]])
        after = self.metrics()
        for name, least in (("moves_total", 1), ("rooms_opened_total", 1), ("games_running", 1), ("sockets", 2),
                            ("messages_in_total", 3), ("commits_total", 2), ("requests_total", 3)):
            self.assertGreaterEqual(after["paika_" + name] - before["paika_" + name], least, name)
        self.assertGreater(after["paika_resident_bytes"], 1_000_000)


if __name__ == "__main__":
    unittest.main()
