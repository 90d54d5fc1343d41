"""Many games at once on a server that is killed again and again: what was accepted must be there, once, on time.

The swarm plays random legal turns in all its games over web sockets, two for each game, and remembers everything it
was told. After a kill it reads every room anew and compares.
"""

import json
import random
import selectors
import time

from room_client import Player, RoomSocket, Rules, events_of
from server_client import Closed

SPECS = ["othello:6x6", "fanorona:5x5", "abalone:4x4", "fanorona:3x3", "wildebeest", "abalone:3x3"]
CLOCK_MS = 3_600_000


class Game:
    """One game as its two clients have seen it."""

    def __init__(self, players, spec, room):
        self.players = players
        self.spec = spec
        self.room = room
        self.events = []     # all that were seen, by number
        self.accepted = {}   # id: number of the event, as answered
        self.pending = None  # the play message that was sent and not seen as an event
        self.due = 0.0       # when the next turn is to be played
        self.snapshot = None  # the room as it stood after the last restart, when it was asked for and when it came

    @property
    def over(self):
        return bool(self.events) and any(e["event"] == "ended" for e in self.events[-3:])

    def standing(self):
        """The position and whose turn it is (0 or 1), if the game goes on."""
        for event in reversed(self.events):
            if event["event"] == "ended" or event.get("over"):  # its end may not have come yet
                return None
            if "position" in event:
                return event["position"], ["first", "second"].index(event["to_move"])
        return None

    def take(self, event):
        number = event["number"]
        if number <= len(self.events):
            assert self.events[number - 1] == event, f"two forms of one event: {self.events[number - 1]} and {event}"
            return False
        assert number == len(self.events) + 1, f"{self.room}: event {number} came after {len(self.events)}"
        self.events.append(event)
        if self.pending and event.get("id") == self.pending["id"]:
            self.pending = None
        return True


class Swarm:
    def __init__(self, server, count, seed, think=0.1):
        self.server = server
        self.rules = Rules(server.program)
        self.random = random.Random(seed)
        self.think = think
        self.games = []
        self.finished = []
        self.sockets = {}  # (game, seat): RoomSocket
        self.selector = selectors.DefaultSelector()
        self.turns = 0
        self.ahead = float("inf")  # our time less the server's, in seconds, by the quickest event so far
        people = [(Player(server), Player(server)) for _ in range(count)]
        for i, players in enumerate(people):
            self.games.append(self.open_game(players, SPECS[i % len(SPECS)]))
        self.connect(self.games)

    # ---- Rooms and connections ----

    def open_game(self, players, spec):
        room = players[0].open_room(spec, side="first", clock_ms=CLOCK_MS, increment_ms=0)
        answer = players[1].command(room, "join")
        assert answer.status == 200, answer
        return Game(players, spec, room)

    def open_sockets(self, games):
        """New sockets for games, all handshakes under way at once."""
        for game in games:
            for seat in (0, 1):
                self.forget(game, seat)
                self.sockets[game, seat] = RoomSocket(self.server, token=game.players[seat].token, wait=False)
        for game in games:
            for seat in (0, 1):
                sock = self.sockets[game, seat]
                sock.shake()
                self.selector.register(sock, selectors.EVENT_READ, (game, seat))

    def connect(self, games):
        self.open_sockets(games)
        for game in games:
            for seat in (0, 1):
                self.sockets[game, seat].send({"do": "watch", "room": game.room, "since": len(game.events)})

    def break_connections(self, count):
        """Both players of some games lose their connections and come back; what had no answer is sent again."""
        games = self.random.sample(self.games, min(count, len(self.games)))
        self.connect(games)
        for game in games:
            if game.pending:
                self.sockets[game, game.pending["seat"]].send(game.pending["message"])

    def forget(self, game, seat):
        sock = self.sockets.pop((game, seat), None)
        if sock is None:
            return
        try:
            self.selector.unregister(sock)
        except (KeyError, ValueError):
            pass
        sock.sock.close()

    # ---- Playing ----

    def run(self, seconds):
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            for game in list(self.games):
                if game.over:
                    self.replace(game)
                elif game.pending is None and game.due <= now:
                    self.play(game)
            self.read(min(0.01, max(0.0, end - time.monotonic())))

    def replace(self, game):
        for seat in (0, 1):
            self.forget(game, seat)
        self.finished.append(game)
        fresh = self.open_game(game.players, game.spec)
        self.games[self.games.index(game)] = fresh
        self.connect([fresh])

    def play(self, game):
        standing = game.standing()
        if standing is None:
            return
        position, seat = standing
        turn = self.random.choice(self.rules.turns(game.spec, position))
        name = f"{len(game.events)}-{self.random.randrange(1 << 30)}"
        message = {"do": "play", "room": game.room, "move": turn, "id": name, "ref": name}
        game.pending = {"id": name, "seat": seat, "move": turn, "message": message}
        self.sockets[game, seat].send(message)

    def read(self, timeout):
        for key, _ in self.selector.select(timeout):
            game, seat = key.data
            sock = self.sockets.get((game, seat))
            if sock is None:
                continue
            try:
                piece = sock.sock.recv(1 << 18)
            except ConnectionError:
                piece = b""
            if not piece:
                self.forget(game, seat)
                continue
            try:
                sock.feed(piece)
            except Closed:
                pass  # a ping that can no longer be answered
            messages, sock.messages = sock.messages, []
            for message in messages:
                if not isinstance(message, Closed):
                    self.take(game, json.loads(message))

    def take(self, game, message):
        if "event" in message:
            event = message["event"]
            if game.take(event):
                self.ahead = min(self.ahead, time.monotonic() - event["at_us"] / 1e6)
                self.turns += event["event"] == "move"
                game.due = time.monotonic() + self.random.random() * self.think
        elif "accepted" in message:
            assert game.accepted.setdefault(message["ref"], message["accepted"]["number"]) == \
                message["accepted"]["number"], message
        else:
            assert "error" not in message, message

    # ---- Killing ----

    def kill_and_compare(self, meanwhile=lambda: None):
        """kill -9, restart, and what is found compared with what was told; then it goes on. Returns figures."""
        while self.ahead == float("inf"):  # a slow machine: the server's time is not known before it has said something
            self.run(0.05)
        for game in self.games:  # some turns are on their way when it happens
            if game.pending is None and self.random.random() < 0.3:
                self.play(game)
        time.sleep(self.random.random() * 0.01)
        kills = [time.monotonic()]
        self.server.kill()
        kills.append(time.monotonic())
        while self.selector.get_map():  # what was sent before the kill counts as told
            self.read(1)
        served = [moment - self.ahead for moment in kills]  # the server's time when it ended was between these
        meanwhile()
        starts = [time.monotonic()]
        self.server.restart()
        starts.append(time.monotonic())
        served_again = getattr(self.server, "started_between", lambda: starts)()
        self.ahead = float("inf")
        unanswered = sum(game.pending is not None for game in self.games)
        stored = self.read_anew()
        applied = sum(self.compare(game, stored[game]) for game in self.games)
        error = max(self.clock_error(game, served, served_again) for game in self.games)
        for game in self.games:
            if game.pending:  # what had no answer is sent again
                self.sockets[game, game.pending["seat"]].send(game.pending["message"])
        return {"unanswered": unanswered, "applied": applied, "clock_error_ms": error * 1000,
                "restart_ms": (starts[1] - starts[0]) * 1000}

    def read_anew(self):
        """The events of every game as they are stored, by its first player; the second one gets the room as it stands."""
        self.open_sockets(self.games)
        stored, asked = {}, {}
        for game in self.games:
            self.sockets[game, 0].watch(game.room, 0)
            asked[game] = time.monotonic()
            self.sockets[game, 1].send({"do": "watch", "room": game.room})
        for game in self.games:
            first, second = self.sockets[game, 0], self.sockets[game, 1]
            while game.room not in second.snapshots:
                second.take(second.receive())
            game.snapshot = second.snapshots.pop(game.room), asked[game], time.monotonic()
            while first.last[game.room] < game.snapshot[0]["number"]:  # long games come in pages
                first.take(first.receive())
            stored[game] = first.events.pop(game.room, [])
        return stored

    def compare(self, game, stored):
        """Checks a room's stored events against those seen; 1 if a turn without an answer was applied."""
        assert stored[:len(game.events)] == game.events, f"{game.room}: what was told has changed or is gone"
        assert [e["number"] for e in stored] == list(range(1, len(stored) + 1)), f"{game.room}: gaps"
        ids = [e["id"] for e in stored if e["event"] == "move"]
        assert len(ids) == len(set(ids)), f"{game.room}: a turn was doubled"
        for name, number in game.accepted.items():
            assert number <= len(stored) and stored[number - 1].get("id") == name, f"{game.room}: {name} was lost"
        applied = 0
        for event in stored[len(game.events):]:
            assert event["event"] != "move" or game.pending and event["id"] == game.pending["id"], \
                f"{game.room}: a turn that nobody played: {event}"
            applied += event["event"] == "move"
            game.take(event)
        return applied

    @staticmethod
    def clock_error(game, served, starts):
        """By how many seconds the clock of the side to move differs from what was measured here."""
        if game.standing() is None:
            return 0.0
        snapshot, asked, received = game.snapshot
        event = next(e for e in reversed(game.events) if "left" in e)
        left = event["left"][snapshot["to_move"]]["game_ms"] / 1000
        used = [moment - event["at_us"] / 1e6 for moment in served]  # before the kill
        # The server's time goes on somewhere between its start and the line with its address.
        most = left - used[0] - (asked - starts[1])
        least = left - used[1] - (received - starts[0])
        found = snapshot["left"][snapshot["to_move"]]["game_ms"] / 1000
        return max(0.0, found - most, least - found)

    def check_finished(self):
        """Every game that has ended is still what it was."""
        for game in self.finished:
            assert events_of(self.server, game.room)[:len(game.events)] == game.events, game.room

    def close(self):
        for game, seat in list(self.sockets):
            self.forget(game, seat)
        self.selector.close()
        for game in self.games:
            for player in game.players:
                player.close()
        self.rules.close()
