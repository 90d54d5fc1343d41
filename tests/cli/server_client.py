"""A small client of the game server for its tests: processes, requests, streams, web sockets by hand, random players.

Only the standard library is used, and web sockets are written out (RFC 6455), so that a test can also do what no
well-behaved client does. Everything waits for what it needs, at most PATIENCE seconds.
"""

import base64
import contextlib
import hashlib
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import tempfile
import time

PATIENCE = 60.0
MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # of RFC 6455
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


# ---- The server's process ----


class Server:
    """A server on a free port with a folder of its own. restart() goes on with the same database."""

    databases = None  # gives the URL of a new PostgreSQL database; None: each server has a file in its folder

    def __init__(self, program, *options, folder=None, log_level="debug"):
        self.program = program
        self.options = [*options, "--log-level", log_level]
        self.own_folder = folder is None
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="paika server "))
        self.database = self.folder / "games.db"
        # The path is relative, as people give it: whatever the server runs elsewhere must be told the whole one.
        self.where = Server.databases() if Server.databases else self.database.name
        self.log_path = self.folder / "server.log"
        self.process = None
        self.generation = 0  # counts the starts: connections to an earlier one are dead
        self.address = None
        self.start()

    def start(self):
        command = [self.program, "serve", "--listen", "127.0.0.1:0", "--db", self.where, *self.options]
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL,
                                            cwd=self.folder, env=self.environment())
        self.address = address_told(self.process)
        self.generation += 1

    def environment(self):
        """Files that lie beside a database otherwise are in the user's data folder with PostgreSQL."""
        return {**os.environ, "XDG_DATA_HOME": str(self.folder)}

    @property
    def port(self):
        return self.address[1]

    @property
    def origin(self):
        return f"http://{self.address[0]}:{self.address[1]}"

    def kill(self):
        """kill -9: nothing is said and nothing is finished."""
        self.process.kill()
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def stop(self, number=signal.SIGTERM):
        """Ends it gracefully and returns its exit status. It waits some seconds for web sockets that do not answer."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self):
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.stdout.close()

    def restart(self):
        self.start()

    def sql(self, text):
        """Does this to the database behind the server's back; what it says, in psql's unaligned form."""
        with contextlib.closing(sqlite3.connect(self.database)) as database, database:
            return "\n".join("|".join(map(str, row)) for row in database.execute(text))

    def stored_bytes(self):
        """Everything that is stored, once the server has ended."""
        return b"".join(path.read_bytes() for path in self.folder.iterdir() if path.name.startswith("games.db"))

    def log(self):
        return self.log_path.read_text(encoding="utf-8", errors="replace")

    def close(self):
        if self.process.poll() is None:
            self.kill()
        if self.own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def address_told(process):
    """The address in the first line that a server writes."""
    end = time.monotonic() + PATIENCE
    line = b""
    waiting = select.poll()  # select() knows a thousand descriptors
    waiting.register(process.stdout, select.POLLIN)
    while not line.endswith(b"\n"):
        ready = waiting.poll(max(0.0, end - time.monotonic()) * 1000)
        piece = os.read(process.stdout.fileno(), 4096) if ready else b""
        if not piece:
            raise AssertionError(f"the server told no address but {line!r}; status {process.poll()}")
        line += piece
    told = re.search(rb"http://([^/\s]+):(\d+)/", line)
    assert told, f"no address in {line!r}"
    return told.group(1).decode(), int(told.group(2))


# ---- Requests ----


class Answer:
    """A response: status, headers with names in lower case, body."""

    def __init__(self, status, headers, body=b""):
        self.status = status
        self.headers = headers
        self.body = body

    def header(self, name):
        return next((value for key, value in self.headers if key == name), None)

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        return self.json["error"]

    @property
    def code(self):
        return self.json["error"]["code"]

    def cookie(self):
        """The session's secret in Set-Cookie; None if there is none."""
        for key, value in self.headers:
            if key == "set-cookie" and value.startswith("paika_session="):
                return value.split(";")[0].split("=", 1)[1]
        return None

    def __repr__(self):
        return f"Answer({self.status}, {self.body[:300]!r})"


class Gone(Exception):
    """The other side ended the connection without an answer."""


def read_head(file):
    line = file.readline(65536)
    if not line:
        raise Gone("no answer")
    status = int(line.split()[1])
    headers = []
    while True:
        line = file.readline(65536)
        if line in (b"\r\n", b""):
            return status, headers
        key, value = line.decode("latin-1").split(":", 1)
        headers.append((key.lower(), value.strip()))


def read_chunk(file):
    """One chunk of a body; empty at its end, None if the connection broke."""
    line = file.readline(100)
    if not line:
        return None
    size = int(line, 16)
    data = file.read(size)
    file.readline(10)
    return data if len(data) == size else None


def read_answer(file, method="GET"):
    status, headers = read_head(file)
    while 100 <= status < 200 and status != 101:
        status, headers = read_head(file)
    answer = Answer(status, headers)
    if method == "HEAD" or status in (101, 204, 304):
        return answer
    if answer.header("transfer-encoding") == "chunked":
        while chunk := read_chunk(file):
            answer.body += chunk
    elif answer.header("content-length") is not None:
        answer.body = file.read(int(answer.header("content-length")))
    else:
        answer.body = file.read()
    return answer


def connect(server, source=None):
    return socket.create_connection(server.address, timeout=PATIENCE, source_address=source and (source, 0))


class Http:
    """Requests of one client over a connection that is kept."""

    def __init__(self, server, token=None, cookie=None, origin=None, source=None):
        """`source` is the client's own address: 127.0.0.2 is another client than 127.0.0.1."""
        self.server = server
        self.source = source
        self.token = token
        self.cookie = cookie
        self.origin = origin
        self.sock = None
        self.file = None
        self.generation = 0

    def __call__(self, method, path, body=None, headers=()):
        """Sends a request, a body that is not bytes as JSON, and reads the answer."""
        data = self.request_bytes(method, path, body, headers)
        fresh = self.sock is None or self.generation != self.server.generation
        if fresh:
            self.open()
        try:
            answer = self.exchange(data, method)
        except (Gone, ConnectionError):
            if fresh:
                raise
            self.open()  # the server had closed the idle connection
            answer = self.exchange(data, method)
        if (answer.header("connection") or "").lower() == "close":
            self.close()
        return answer

    def get(self, path, **options):
        return self("GET", path, **options)

    def post(self, path, body=None, **options):
        return self("POST", path, body, **options)

    def request_bytes(self, method, path, body=None, headers=()):
        given = {"Host": f"{self.server.address[0]}:{self.server.port}"}
        if self.token:
            given["Authorization"] = f"Bearer {self.token}"
        if self.cookie:
            given["Cookie"] = f"paika_session={self.cookie}"
        if self.origin:
            given["Origin"] = self.origin
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        if data or method in ("POST", "PUT", "DELETE"):
            given["Content-Length"] = str(len(data))
        if data:
            given["Content-Type"] = "application/json"
        given.update(headers)
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in given.items() if v is not None)
        return head.encode("latin-1") + b"\r\n" + data

    def open(self):
        self.close()
        self.sock = connect(self.server, self.source)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.sock.makefile("rb")
        self.generation = self.server.generation

    def exchange(self, data, method):
        self.sock.sendall(data)
        return read_answer(self.file, method)

    def close(self):
        if self.sock is not None:
            self.file.close()
            self.sock.close()
        self.sock = None

    __del__ = close  # for requests in passing


def raw(server, data, timeout=PATIENCE):
    """Sends bytes as they are; the answer, or None if the server only hung up."""
    with socket.create_connection(server.address, timeout=timeout) as sock:
        try:
            sock.sendall(data)
        except ConnectionError:
            pass  # it has seen enough before all was sent; the answer may still be there
        try:
            with sock.makefile("rb") as file:
                return read_answer(file)
        except (Gone, ConnectionError):
            return None


class Stream:
    """The lines of an ND-JSON response as they come."""

    def __init__(self, server, path, token=None, method="GET", body=None, source=None):
        self.sock = connect(server, source)
        self.sock.sendall(Http(server, token=token).request_bytes(method, path, body))
        self.file = self.sock.makefile("rb")
        status, headers = read_head(self.file)
        self.answer = Answer(status, headers)
        self.chunked = self.answer.header("transfer-encoding") == "chunked"
        self.waiting = b""
        self.ended = False

    def line(self):
        """The next line's object; None at the end. Empty lines, which keep it alive, are passed over."""
        while True:
            while b"\n" in self.waiting:
                text, self.waiting = self.waiting.split(b"\n", 1)
                if text.strip():
                    return json.loads(text)
            piece = None if self.ended else read_chunk(self.file) if self.chunked else self.file.read1(65536)
            if not piece:
                self.ended = True
                return None
            self.waiting += piece

    def events(self, stop):
        """The events up to the first for which stop(event) is true."""
        seen = []
        while (line := self.line()) is not None:
            if "event" not in line:
                continue
            seen.append(line["event"])
            if stop(line["event"]):
                return seen
        raise AssertionError(f"the stream ended after {len(seen)} events")

    def close(self):
        self.file.close()
        self.sock.close()


# ---- Web sockets ----


class Closed(Exception):
    """The web socket is closed; `code` is that of the frame, 1006 if there was none."""

    def __init__(self, code, reason=""):
        super().__init__(f"closed with {code} {reason}")
        self.code = code
        self.reason = reason


class NotOpened(Exception):
    def __init__(self, answer):
        super().__init__(repr(answer))
        self.answer = answer


def frame(opcode, data=b"", fin=True, mask=True, reserved=0):
    """A frame as a client sends it."""
    head = bytes([(0x80 if fin else 0) | reserved << 4 | opcode])
    masked = 0x80 if mask else 0
    if len(data) < 126:
        head += bytes([masked | len(data)])
    elif len(data) < 65536:
        head += bytes([masked | 126]) + struct.pack(">H", len(data))
    else:
        head += bytes([masked | 127]) + struct.pack(">Q", len(data))
    if not mask:
        return head + data
    key = os.urandom(4)
    repeated = key * (len(data) // 4 + 1)
    mixed = int.from_bytes(data, "big") ^ int.from_bytes(repeated[:len(data)], "big")
    return head + key + mixed.to_bytes(len(data), "big")


class WebSocket:
    """One web socket. feed() and messages are for loops of one's own, receive() waits."""

    def __init__(self, server, token=None, cookie=None, origin=None, path="/api/socket", headers=(), wait=True,
                 source=None):
        """With wait=False the handshake is only begun, and shake() ends it: so many are opened at once."""
        self.sock = connect(server, source)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.key = base64.b64encode(os.urandom(16)).decode()
        given = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": self.key,
                 "Sec-WebSocket-Version": "13", **dict(headers)}
        self.buffer = bytearray()
        self.messages = []  # received and not yet taken: texts, or Closed
        self.parts = b""    # of a message in fragments
        try:
            self.sock.sendall(Http(server, token, cookie, origin).request_bytes("GET", path, None, given))
            if wait:
                self.shake()
        except BaseException:
            self.sock.close()
            raise

    def shake(self):
        while b"\r\n\r\n" not in self.buffer:
            piece = self.sock.recv(65536)
            if not piece:
                raise Gone("no answer to the handshake")
            self.buffer += piece
        head, rest = bytes(self.buffer).split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        headers = [(k.lower(), v.strip()) for k, v in (line.split(":", 1) for line in lines[1:])]
        answer = Answer(int(lines[0].split()[1]), headers, rest)
        if answer.status != 101:
            missing = int(answer.header("content-length") or 0) - len(rest)
            while missing > 0 and (piece := self.sock.recv(missing)):
                answer.body += piece
                missing -= len(piece)
            raise NotOpened(answer)
        wanted = base64.b64encode(hashlib.sha1((self.key + MAGIC).encode()).digest()).decode()
        assert answer.header("sec-websocket-accept") == wanted, headers
        self.buffer = bytearray()
        self.feed(rest)

    def send_bytes(self, data):
        try:
            self.sock.sendall(data)
        except ConnectionError as error:
            raise Closed(1006, str(error)) from error

    def send_frame(self, opcode, data=b"", **options):
        self.send_bytes(frame(opcode, data, **options))

    def send(self, message):
        self.send_frame(TEXT, (message if isinstance(message, str) else json.dumps(message)).encode())

    def send_in_parts(self, message, parts):
        """One message as `parts` frames with a ping between them."""
        data = json.dumps(message).encode()
        size = max(1, -(-len(data) // parts))
        pieces = [data[i:i + size] for i in range(0, len(data), size)]
        for i, piece in enumerate(pieces):
            self.send_frame(TEXT if i == 0 else 0, piece, fin=i + 1 == len(pieces))
            self.send_frame(PING, b"between")

    def feed(self, data):
        """Takes bytes of the server; whole messages go to self.messages, pings are answered."""
        self.buffer += data
        while (found := self._take_frame()) is not None:
            fin, opcode, payload = found
            if opcode == PING:
                self.send_frame(PONG, payload)
            elif opcode == CLOSE:
                code = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 1005
                self.messages.append(Closed(code, payload[2:].decode()))
                try:
                    self.send_frame(CLOSE, payload[:2])  # both sides say it
                except Closed:
                    pass
            elif opcode in (TEXT, BINARY, 0):
                self.parts += payload
                if fin:
                    self.messages.append(self.parts.decode())  # must be UTF-8
                    self.parts = b""

    def _take_frame(self):
        buffer = self.buffer
        if len(buffer) < 2:
            return None
        assert not buffer[1] & 0x80, "the server masked a frame"
        size, begin = buffer[1] & 0x7f, 2
        if size == 126:
            begin = 4
        elif size == 127:
            begin = 10
        if len(buffer) < begin:
            return None
        if begin > 2:
            size = int.from_bytes(buffer[2:begin], "big")
        if len(buffer) < begin + size:
            return None
        found = bool(buffer[0] & 0x80), buffer[0] & 0x0f, bytes(buffer[begin:begin + size])
        del buffer[:begin + size]
        return found

    def receive(self, timeout=PATIENCE):
        """The next message as JSON; Closed is raised at the end, TimeoutError when nothing comes."""
        end = time.monotonic() + timeout
        while not self.messages:
            self.sock.settimeout(max(0.001, end - time.monotonic()))
            try:
                piece = self.sock.recv(1 << 16)
            except TimeoutError:
                raise TimeoutError(f"no message within {timeout} s") from None
            except ConnectionError as error:
                raise Closed(1006, str(error)) from error
            finally:
                self.sock.settimeout(PATIENCE)
            if not piece:
                raise Closed(1006, "no close frame")
            self.feed(piece)
        message = self.messages.pop(0)
        if isinstance(message, Closed):
            self.messages.append(message)
            raise message
        return json.loads(message)

    def fileno(self):
        return self.sock.fileno()

    def reset(self):
        """Ends the connection with a TCP reset, as if the machine had died."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()

    def close(self):
        """The polite end: frames of both sides; the code of the server's."""
        try:
            self.send_frame(CLOSE, struct.pack(">H", 1000))
            while True:
                self.receive()
        except Closed as closed:
            return closed.code
        finally:
            self.sock.close()
