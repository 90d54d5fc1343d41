"""The class protocols as students meet them: Fanorona over TCP, programs that read board files, NBoard.

usage: class_protocols_test.py PAIKA-PROGRAM
"""

import json
import os
import pathlib
import re
import shlex
import socket
import subprocess
import tempfile
import threading
import unittest

from class_programs import Script, run
from server_case import PAIKA


class Server:
    """`paika fanorona-server` on a port of its own."""

    def __init__(self, *args):
        self.process = subprocess.Popen([PAIKA, "fanorona-server", "--port", "0", *args], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.port = int(re.search(rb":(\d+)\s*$", self.process.stdout.readline()).group(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def finish(self):
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out.decode(), err.decode()


def class_form(turn):
    """c2c3A,d3W as the class writes it: A 3 2 3 3 + W 3 3 4 3."""
    def number(point):
        return f"{ord(point[0]) - ord('a') + 1} {point[1:]}"
    if turn[0] == "S":
        return f"S {number(turn[1:])}"
    steps, at = [], None
    for step in turn.split(","):
        points = re.findall(r"[a-m]\d+", step)
        start = at or points[0]
        at = points[-1]
        letter = step[-1] if step[-1] in "AW" else "P"
        steps.append(f"{letter} {number(start)} {number(at)}")
    return " + ".join(steps)


def legal_turns(spec, turns):
    args = [word for turn in turns for word in ("--play", turn)]
    done = run("moves", spec, *args, "--json")
    assert done.returncode == 0, done.err
    return [move["move"] for move in json.loads(done.out)["moves"]]


class Peer:
    """A program of the class: says and hears messages over a connection, in its own style."""

    def __init__(self, connection, style="line"):
        self.connection, self.style, self.heard = connection, style, b""
        connection.settimeout(10)

    def say(self, *messages):
        if self.style == "byte":
            for byte in "".join(message + "\n" for message in messages).encode():
                self.connection.sendall(bytes([byte]))
            return
        if self.style == "glued":
            self.connection.sendall("".join(messages).encode())
        elif self.style == "padded":
            self.connection.sendall(b"".join(message.encode().ljust(1024, b"\0") for message in messages))
        else:
            end = {"line": "\n", "cr": "\r", "nul": "\0", "blank": " ", "dos": "\r\n"}[self.style]
            self.connection.sendall("".join(message + end for message in messages).encode())

    def hear(self):
        """The next line; None at the end."""
        while b"\n" not in self.heard:
            more = self.connection.recv(4096)
            if not more:
                self.connection.close()
                return None
            self.heard += more
        line, self.heard = self.heard.split(b"\n", 1)
        return line.decode()

    def hear_all(self):
        lines = []
        while (line := self.hear()) is not None:
            lines.append(line)
        return lines


def greeted(port, style="line"):
    peer = Peer(socket.create_connection(("localhost", port)), style)
    assert peer.hear() == "WELCOME"
    info = peer.hear().split()
    assert info[0] == "INFO"
    peer.say("READY")
    assert peer.hear() == "BEGIN"
    return peer, info


def play_on(peer, spec, withdraw="W"):
    """Plays the first legal turn until the server ends the game; gives its last word and the turns."""
    turns = []
    while True:
        line = peer.hear()
        if line in ("WINNER", "LOSER", "TIE"):
            return line, turns
        if line == "OK":
            continue
        legal = legal_turns(spec, turns)
        turns.append(next(turn for turn in legal if class_form(turn) == line))
        legal = legal_turns(spec, turns)
        if not legal:
            peer.say("OK")
            continue
        turns.append(legal[0])
        peer.say("OK", class_form(legal[0]).replace("W", withdraw))


class FanoronaGames(unittest.TestCase):
    def test_whole_games_between_ours(self):
        for size, limit, colour in (("9x5", "2000", "white"), ("3x3", "500", "black"), ("13x13", "3000", "black")):
            with self.subTest(size), Server("--size", size, "--time-ms", limit, "--colour", colour, "--games", "1",
                                            "--player", "engine:nodes=30,hash=1") as server, \
                    tempfile.TemporaryDirectory() as folder:
                record = pathlib.Path(folder, "games.txt")
                client = run("fanorona-client", "localhost", str(server.port), "--player", "engine:nodes=20,hash=1",
                             "--record", str(record))
                status, out, err = server.finish()
                self.assertEqual((client.returncode, status, client.err, err), (0, 0, "", ""), client.out + out)
                self.assertIn(f"{size}, {'Black' if colour == 'white' else 'White'} plays here, {limit} ms", client.out)
                end = re.search(r"game: (\d+ moves: .*)", client.out).group(1)
                self.assertIn(end, out)
                self.assertIn(f"spec fanorona:{size}", record.read_text())

    def test_peers_that_cut_messages_in_their_own_way(self):
        styles = ("line", "cr", "nul", "blank", "dos", "glued", "padded", "byte")
        with Server("--size", "3x3", "--player", "engine:nodes=20,hash=1", "--games", str(len(styles))) as server:
            for style in styles:
                with self.subTest(style):
                    peer, info = greeted(server.port, style)
                    self.assertEqual(info, ["INFO", "3", "3", "B", "0"])
                    self.assertIn(play_on(peer, "fanorona:3x3", "R" if style == "cr" else "W")[0],
                                  ("WINNER", "LOSER", "TIE"))
                    self.assertIsNone(peer.hear(), "the server hangs up")
            status, out, err = server.finish()
            self.assertEqual((status, err), (0, ""), out)
            self.assertEqual(out.count("moves:"), len(styles))

    def test_bad_moves_and_what_comes_after(self):
        with Server("--size", "5x5", "--colour", "black", "--time-ms", "400", "--games", "7",
                    "--player", "engine:nodes=20,hash=1") as server:
            def first_move(*says):
                peer, _ = greeted(server.port)
                for message in says:
                    peer.say(message)
                return peer
            self.assertEqual(first_move("A 1 1 5 5").hear_all(), ["ILLEGAL", "LOSER"])
            self.assertEqual(first_move("A 3 2 3 3 9").hear_all(), ["ILLEGAL", "LOSER"])
            self.assertEqual(first_move("good morning").hear_all(), ["ILLEGAL", "LOSER"])
            self.assertEqual(first_move().hear_all(), ["TIME", "LOSER"])
            peer = first_move("A 3 2 3 3")
            self.assertEqual(peer.hear(), "OK")
            self.assertTrue(peer.hear().startswith(("A", "W", "P", "S")))
            peer.connection.close()
            flood = first_move()
            try:
                for _ in range(100):
                    flood.connection.sendall(b"x" * 100_000)
                self.assertIn("LOSER", flood.hear_all())
            except (ConnectionResetError, BrokenPipeError):
                flood.connection.close()
            # Somebody who is not a player does not count as a game, and nobody waits for him.
            stranger = socket.create_connection(("localhost", server.port))
            stranger.sendall(b"GET / HTTP/1.0\r\n\r\n")
            stranger.close()
            peer = first_move("A 3 2 3 3")
            self.assertEqual(peer.hear(), "OK")
            peer.hear()
            peer.say("OK", "WINNER")
            peer.hear_all()
            status, out, err = server.finish()
            self.assertEqual(status, 1, "some games broke off")
            games = [line for line in out.splitlines() if line.startswith("game")]
            self.assertEqual(len(games), 7, out)
            for line, words in zip(games, ("illegal move", "illegal move", "answer not understood", "out of time",
                                           "hung up", "far too much", "the client said WINNER")):
                self.assertIn(words, line)
            self.assertIn("does not start a game: waiting for READY: it hung up", err)

    def test_moves_are_shown_and_every_message_on_request(self):
        with Server("--size", "3x3", "--time-ms", "5000", "--games", "1", "--player", "engine:nodes=20,hash=1",
                    "--trace") as server:
            client = run("fanorona-client", "localhost", str(server.port), "--player", "engine:nodes=20,hash=1")
            _, out, _ = server.finish()
        moves = re.findall(r"(?m)^(\d+)\. (White|Black) (\S+)$", client.out)
        self.assertEqual([int(move[0]) for move in moves], list(range(1, len(moves) + 1)))
        self.assertIn(f"game: {len(moves)} moves", client.out)
        self.assertEqual(moves, re.findall(r"(?m)^(\d+)\. (White|Black) (\S+)$", out), "both ends see the same game")
        self.assertNotIn("> ", client.out, "only on request")
        for line in ("> WELCOME", "> INFO 3 3 B 5000", "< READY", "> BEGIN", "< OK"):
            self.assertIn(line + "\n", out)
        self.assertRegex(out, r"(?m)^> [AWPS] \d")
        self.assertRegex(out, r"(?m)^< [AWPS] \d")

    def test_a_silent_peer_brings_the_hint_of_full_chains(self):
        for option, hint in (((), True), (("--full-chains",), False)):
            with Server("--size", "5x5", "--patience-s", "1", "--games", "1", "--player", "engine:nodes=20,hash=1",
                        *option) as server:
                peer, _ = greeted(server.port)
                peer.hear()
                peer.hear_all()
                _, out, _ = server.finish()
                self.assertIn("did not answer in time", out)
                self.assertEqual("--full-chains" in out, hint, out)

    def test_ipv6(self):
        try:
            socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        except OSError:
            self.skipTest("no IPv6 here")
        with Server("--size", "1x1", "--host", "::1", "--games", "1") as server:
            done = run("fanorona-client", "::1", str(server.port))
            self.assertEqual(done.returncode, 0, done.err)
            self.assertIn("0 moves", done.out)


class OtherServers(unittest.TestCase):
    """Our client against servers of others."""

    def client_of(self, serve, player="engine:nodes=20,hash=1", **more):
        listener = socket.create_server(("127.0.0.1", 0))
        heard = []

        def work():
            connection, _ = listener.accept()
            with connection:
                serve(Peer(connection), heard)

        thread = threading.Thread(target=work)
        thread.start()
        done = run("fanorona-client", "127.0.0.1", str(listener.getsockname()[1]), "--player", player,
                   **more)
        thread.join()
        listener.close()
        return done, heard

    def test_glued_and_padded_greetings(self):
        for greeting in (b"WELCOMEINFO 3 3 W 5000", b"WELCOME\0" + b"\0" * 1016 + b"INFO 3 3 W 5000".ljust(1024, b"\0"),
                         b"WELCOME INFO 3 3 W 5000 ", b"hello\nWELCOME\rINFO 3 3 W 5000\r"):
            def serve(peer, heard):
                peer.connection.sendall(greeting)
                heard.append(peer.hear())
                peer.connection.sendall(b"BEGIN")
                heard.append(peer.hear())
                peer.connection.sendall(b"TIME EXPIREDLOSER")
                heard.extend(peer.hear_all())
            done, heard = self.client_of(serve)
            self.assertEqual(heard[0], "READY")
            self.assertRegex(heard[1], r"^[AWPS] \d")
            self.assertEqual(heard[2:], [])
            self.assertEqual(done.returncode, 0, done.err)
            self.assertIn("White ran out of time: Black wins. (the server said TIME)", done.out)

    def test_a_draw_that_the_server_says(self):
        def serve(peer, heard):
            peer.say("WELCOME", "INFO 3 3 W 0")
            peer.hear()
            peer.say("BEGIN")
            peer.hear()
            peer.say("OK", "DRAW")
            heard.extend(peer.hear_all())
        done, _ = self.client_of(serve)
        self.assertEqual(done.returncode, 0)
        self.assertIn("Draw", done.out)

    def test_a_server_that_cheats_is_late_or_leaves(self):
        def cheat(peer, heard):
            peer.say("WELCOME", "INFO 3 3 B 0")
            peer.hear()
            peer.say("BEGIN", "A 1 1 3 3")
            heard.extend(peer.hear_all())

        def late(peer, heard):
            peer.say("WELCOME", "INFO 3 3 B 200")
            peer.hear()
            peer.say("BEGIN")
            heard.extend(peer.hear_all())

        def leave(peer, heard):
            peer.say("WELCOME", "INFO 3 3 B 0")
            heard.append(peer.hear())
            peer.say("BEGIN", "A 1 1")
            peer.connection.shutdown(socket.SHUT_WR)
            heard.extend(peer.hear_all())

        done, heard = self.client_of(cheat)
        self.assertEqual(heard, ["ILLEGAL", "LOSER"])
        self.assertIn("the server (White) loses: illegal move", done.out)
        done, heard = self.client_of(late)
        self.assertEqual(heard, ["TIME", "LOSER"])
        self.assertIn("the server (White) loses: out of time", done.out)
        done, heard = self.client_of(leave)
        self.assertEqual(done.returncode, 1)
        self.assertIn('it hung up after "A 1 1', done.out)

    def test_a_person_plays(self):
        def serve(peer, heard):
            peer.say("WELCOME", "INFO 3 3 W 0")
            peer.hear()
            peer.say("BEGIN")
            heard.append(peer.hear())
            peer.say("OK", "P 3 3 3 3")
            heard.extend(peer.hear_all())
        done, heard = self.client_of(serve, player="human", input=b"z9\nSa1\n")
        self.assertIn("White to move, that is you", done.out)
        self.assertIn('"z9"', done.out)
        self.assertEqual(heard, ["S 1 1", "ILLEGAL", "LOSER"])

    def test_a_person_is_left_alone(self):
        def serve(peer, heard):
            peer.say("WELCOME", "INFO 3 3 W 0")
            peer.hear()
            peer.say("BEGIN")
        reading, writing = os.pipe()
        done, _ = self.client_of(serve, player="human", stdin=reading)
        os.close(reading)
        os.close(writing)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the other side hung up", done.out)

    def test_bad_input(self):
        for args, words in ((("fanorona-server", "--size", "4x4"), "--size"),
                            (("fanorona-server", "--colour", "red"), "--colour"),
                            (("fanorona-server", "--player", "nobody"), "is not a player"),
                            (("fanorona-server", "--host", "no.such.host.invalid"), "there is no host"),
                            (("fanorona-client", "localhost", "1"), "cannot connect"),
                            (("fanorona-client", "localhost", "0"), "PORT")):
            done = run(*args)
            self.assertEqual(done.returncode, 2, args)
            self.assertIn(words, done.err)


BOARD_BOT = """
    import subprocess, sys, tempfile, pathlib
    text = open(sys.argv[1]).read() if len(sys.argv) > 1 else sys.stdin.read()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([A3], input=text.encode(), cwd=folder, check=True)
        boards = [path.read_text() for path in sorted(pathlib.Path(folder).glob("board.*"))]
        answer = [board for board in boards if "K" in board and "k" in board][0]
    (open(sys.argv[2], "w") if len(sys.argv) > 2 else sys.stdout).write(answer)
"""


class Programs(unittest.TestCase):
    """Programs of the class protocols in matches."""

    def match(self, *args, ms="5000"):
        done = run("match", *args, "--games", "2", "--openings", "0", "--balance", "0", "--time-ms", ms, "--json")
        self.assertEqual(done.returncode, 0, done.err)
        return json.loads(done.out)

    def test_board_files(self):
        with Script(BOARD_BOT) as command:
            told = self.match("wildebeest", f"board-file:{command}", f"board-files:{command} {{in}} {{out}}",
                              "--max-moves", "12")
            for side in ("a", "b"):
                self.assertEqual(sum(told[side]["failures"].values()), 0, told)
                self.assertGreater(told[side]["moves"], 1)

    def test_chatter_before_a_board_is_passed_over(self):
        with Script(BOARD_BOT.replace(".write(answer)", ".write('Thinking...\\nvalue 12\\n\\n' + answer)")) as command:
            told = self.match("wildebeest", f"board-file:{command}", "engine:nodes=10,time=400ms", "--max-moves", "6")
            self.assertEqual(sum(told["a"]["failures"].values()), 0, told)
        with Script("print('Thinking...'); print('W')") as command:
            told = self.match("wildebeest", f"board-file:{command}", "engine:nodes=10,time=400ms")
            self.assertIn('begins with \"Thinking...\"', told["last_failure"])

    def test_a_program_has_a_second_by_default(self):
        with Script(BOARD_BOT) as command:
            done = run("match", "wildebeest", f"board-file:{command}", "engine:nodes=10", "--games", "2", "--max-moves", "4",
                       "--balance", "0", "--margin-ms", "9000", "--json")
            self.assertEqual(json.loads(done.out)["a"]["limits"], "time=1s", done.err)
            self.assertEqual(json.loads(done.out)["b"]["limits"], "nodes=10")
        help_text = run("match", "--help").out
        for word in ("bot:", "board-file:", "board-files:", "nboard:", "1000"):
            self.assertIn(word, help_text)

    def test_board_programs_that_fail(self):
        for text, how in (("import sys; print(sys.stdin.read(), end='')", "illegal"), ("print('hello')", "protocol"),
                          ("import os; os.abort()", "crash"), ("import time; time.sleep(60)", "time"),
                          ("while True: print('x' * 1000)", "flood")):
            with self.subTest(how), Script(text) as command:
                told = self.match("wildebeest", f"board-file:{command}", "engine:nodes=10,time=400ms", ms="700")
                self.assertEqual(told["a"]["failures"][how], 2, told["a"])

    def test_nboard(self):
        told = self.match("othello:6x6", f"nboard:{shlex.quote(PAIKA)} engine --protocol nboard --settings hash=1",
                          "engine:nodes=20,hash=1", "--depth", "2")
        self.assertEqual(sum(told["a"]["failures"].values()), 0, told)
        self.assertGreater(told["a"]["moves"], 20)

    def test_nboard_programs_are_told_a_depth(self):
        # Some play at no depth but one they were told, and say so to whoever listens.
        with Script(SHY_NBOARD) as program:
            told = self.match("othello:6x6", f"nboard:{program}", "engine:nodes=20,hash=1", "--each", "clock=60s")
            self.assertEqual(sum(told["a"]["failures"].values()), 0, told)
            self.assertGreater(told["a"]["moves"], 20)
            told = self.match("othello:6x6", f"nboard:{program} never", "engine:nodes=20,hash=1", ms="200")
            self.assertEqual(told["a"]["failures"]["time"], 2, told)
            self.assertIn("warning Must pick a depth", json.dumps(told))

    def test_bad_input(self):
        for player, words in (("nboard:x", "which is for Othello"), ("board-file:", "names no program"),
                              ("board-files:x", "{in}")):
            done = run("match", "wildebeest", player, "engine")
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.err)


SHY_NBOARD = """
    import subprocess, sys
    engine = subprocess.Popen([PAIKA, "engine", "--protocol", "nboard", "--settings", "hash=1"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    def answer(last):
        for line in engine.stdout:
            print(line, end="", flush=True)
            if line.startswith(last):
                return
    deep = False
    for line in sys.stdin:
        if line.startswith("set depth"):
            deep = len(sys.argv) < 2
            line = "set depth 2\\n"
        if line.startswith("go") and not deep:
            print('warning Must pick a depth', flush=True)
            continue
        engine.stdin.write(line)
        if line.startswith("ping"):
            answer("pong")
        if line.startswith("go"):
            answer("===")
"""

if __name__ == "__main__":
    unittest.main()
