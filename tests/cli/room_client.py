"""Clients of the game server that know rooms: web sockets with events, guests who play, legal moves."""

import subprocess
import time

from server_client import PATIENCE, Http, WebSocket


class RoomSocket(WebSocket):
    """A web socket that knows rooms: answers apart from events, and events without gaps."""

    def __init__(self, server, **options):
        super().__init__(server, **options)
        self.refs = 0
        self.events = {}     # by room, in the order of their numbers
        self.snapshots = {}  # by room
        self.presence = {}   # by room, the last told
        self.last = {}       # by room, the number of the last event

    def take(self, message):
        """Files a message under what it is; the message itself if it is an answer."""
        if "event" in message:
            room, event = message["room"], message["event"]
            if room in self.last:
                assert event["number"] == self.last[room] + 1, f"{event} came after number {self.last[room]}"
            self.last[room] = event["number"]
            self.events.setdefault(room, []).append(event)
        elif "snapshot" in message:
            self.snapshots[message["room"]] = message["snapshot"]
            self.last[message["room"]] = message["snapshot"]["number"]
        elif "presence" in message:
            self.presence[message["room"]] = message["presence"]
        else:
            return message
        return None

    def ask(self, do, **fields):
        """Sends a command and waits for its answer: {"accepted": …}, {"error": …}, …"""
        self.refs += 1
        self.send({"do": do, "ref": self.refs, **fields})
        return self.answer_to(self.refs)

    def answer_to(self, ref):
        while True:
            answer = self.take(self.receive())
            if answer is not None and answer.get("ref") == ref:
                return answer

    def watch(self, room, since=None):
        fields = {} if since is None else {"since": since}
        if since is not None:
            self.last[room] = since
        else:
            self.last.pop(room, None)
        answer = self.ask("watch", room=room, **fields)
        assert answer.get("watching") == room, answer
        return answer

    def wait(self, room, test, timeout=PATIENCE):
        """The first event of the room for which test(event) is true, received already or not."""
        end = time.monotonic() + timeout
        looked = 0
        while True:
            events = self.events.get(room, [])
            for event in events[looked:]:
                if test(event):
                    return event
            looked = len(events)
            self.take(self.receive(max(0.001, end - time.monotonic())))

    def wait_for(self, room, kind, **fields):
        return self.wait(room, lambda e: e["event"] == kind and all(e.get(k) == v for k, v in fields.items()))

    def wait_number(self, room, number):
        return self.wait(room, lambda e: e["number"] >= number)


# ---- People and rules ----


class Player:
    """A guest with a token: requests, and a web socket when it is first needed."""

    def __init__(self, server, source=None):
        self.server = server
        self.source = source
        answer = Http(server, source=source).post("/api/guests")
        assert answer.status == 201, answer
        self.name = answer.json["person"]["name"]
        self.token = answer.json["token"]
        self.http = Http(server, token=self.token, source=source)
        self._socket = None

    @property
    def socket(self):
        if self._socket is None:
            self._socket = RoomSocket(self.server, token=self.token, source=self.source)
        return self._socket

    def drop(self):
        """Forgets the socket; the next one is new."""
        if self._socket is not None:
            self._socket.sock.close()
        self._socket = None

    def open_room(self, spec, **fields):
        """Where there is a clock it runs at once, unless "grace_ms" is given."""
        if "move_ms" in fields or "clock_ms" in fields:
            fields = {"grace_ms": 0, **fields}
        answer = self.http.post("/api/rooms", {"spec": spec, **fields})
        assert answer.status == 201, answer
        return answer.json["room"]

    def command(self, room, word, **fields):
        """Over HTTP."""
        return self.http.post(f"/api/rooms/{room}/{word}", fields)

    def do(self, room, word, **fields):
        """Over the web socket."""
        return self.socket.ask(word, room=room, **fields)

    def snapshot(self, room):
        return self.http.get(f"/api/rooms/{room}").json

    def close(self):
        self.drop()
        self.http.close()


def events_of(server, room, since=0):
    """The events that a room has now, read by a web socket of their own."""
    number = Http(server).get(f"/api/rooms/{room}").json["number"]
    sock = RoomSocket(server)
    try:
        sock.watch(room, since)
        if number > since:
            sock.wait_number(room, number)
        return sock.events.get(room, [])
    finally:
        sock.sock.close()


class Rules:
    """The legal turns of positions, from one engine process a spec."""

    def __init__(self, program):
        self.program = program
        self.engines = {}

    def say(self, spec, *lines):
        """Tells the engine and returns its next line."""
        if spec not in self.engines:
            self.engines[spec] = subprocess.Popen([self.program, "engine", "--game", spec, "--settings", "hash=1"],
                                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        engine = self.engines[spec]
        engine.stdin.write("".join(line + "\n" for line in lines).encode())
        engine.stdin.flush()
        told = engine.stdout.readline().decode().rstrip("\n")
        assert told.startswith("response"), told
        return told[len("response"):].strip()

    def turns(self, spec, position):
        return self.say(spec, f"position text {position}", "query moves").split(" ")

    def after(self, spec, position, turn):
        """The position after a turn."""
        return self.say(spec, f"position text {position} moves {turn}", "query position")

    def close(self):
        for engine in self.engines.values():
            engine.stdin.close()
            engine.wait(PATIENCE)
            engine.stdout.close()
        self.engines = {}


def percentile(values, percent):
    """The value that so many percent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else 0.0
