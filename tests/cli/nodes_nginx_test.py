"""nginx in front of three nodes, with the file of the documents, while the leader is killed.

usage: nodes_nginx_test.py PAIKA-PROGRAM
"""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import nodes_test
from room_client import Player, RoomSocket
from server_client import PATIENCE, Gone, Http

ROOT = pathlib.Path(__file__).parents[2]
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
CLIENTS = 6
ANSWERED = {200, 429}  # who says too much is told so by the leader


def documented(page, begin):
    """The block of nginx's configuration in a document that begins so."""
    blocks = re.findall(r"```nginx\n(.*?)```", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.DOTALL)
    return next(block for block in blocks if block.startswith(begin))


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as sock:
        return sock.getsockname()[1]


class Proxy:
    """nginx with what docs/server.md and docs/operations.md say, without TLS, in a folder of its own."""

    def __init__(self, nodes):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="paika-nginx-"))
        self.folder.chmod(0o755)
        self.port = free_port()
        self.address = ("127.0.0.1", self.port)
        self.origin = f"http://127.0.0.1:{self.port}"
        self.generation = 0
        self.config = self.folder / "nginx.conf"
        self.config.write_text(self.text(nodes), encoding="utf-8")
        self.process = subprocess.Popen([NGINX, "-p", self.folder, "-c", self.config], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(self.address).close()
                return
            except ConnectionRefusedError:
                assert self.process.poll() is None and time.monotonic() < deadline, self.log()
                time.sleep(0.05)

    def text(self, nodes):
        upstream = documented("operations.md", "upstream")
        servers = iter(f"127.0.0.1:{node.port}" for node in nodes)
        upstream = re.sub(r"10\.0\.0\.\d:7420", lambda _: next(servers), upstream)
        server = documented("server.md", "server")
        server = re.sub(r"listen 443 ssl;", f"listen {self.address[0]}:{self.port};", server)
        server = re.sub(r"\n *ssl_.*", "", server)
        server = re.sub(r"proxy_pass http://\S+;", "proxy_pass http://paika;", server)
        return (f"daemon off; pid {self.folder}/pid; error_log {self.folder}/error.log; worker_processes 1;\n"
                "events { worker_connections 1000; }\n"
                f"http {{ access_log off; client_body_temp_path {self.folder}/body; proxy_temp_path {self.folder}/proxy;\n"
                f"fastcgi_temp_path {self.folder}/f; uwsgi_temp_path {self.folder}/u; scgi_temp_path {self.folder}/s;\n"
                f"{upstream}\n{server}}}\n")

    def log(self):
        path = self.folder / "error.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def close(self):
        self.process.terminate()
        self.process.wait(PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)


class Talker:
    """Says something in a room of its own, again and again, and notes what was answered and when."""

    def __init__(self, proxy):
        self.player = Player(proxy)
        self.room = self.player.open_room("othello:6x6")
        self.answers = []  # (when it was asked, status; 0: the connection was cut)
        self.accepted = 0
        self.ended = False
        self.thread = threading.Thread(target=self.talk, daemon=True)
        self.thread.start()

    def talk(self):
        while not self.ended:
            asked = time.monotonic()
            try:
                status = self.player.command(self.room, "say", text="hello").status
            except (Gone, OSError):
                status = 0
            self.accepted += status == 200
            self.answers.append((asked, status))
            time.sleep(0.02)

    def close(self):
        self.ended = True
        self.thread.join()
        self.player.close()


@unittest.skipIf(NGINX is None, "install nginx-light (tools/packages.txt) to test nodes behind nginx")
class BehindNginx(nodes_test.Nodes):
    def test_leaders_are_killed_under_requests_and_web_sockets(self):
        group = self.group(3, "--behind-proxy")
        proxy = Proxy(group.nodes)
        self.addCleanup(proxy.close)
        talkers = [Talker(proxy) for _ in range(CLIENTS)]
        for talker in talkers:
            self.addCleanup(talker.close)
        for _ in range(2):
            self.kill_leader(group, proxy, talkers)
        for talker in talkers:
            talker.close()
            events = Http(proxy).get(f"/api/rooms/{talker.room}").json
            self.assertGreaterEqual(events["number"], talker.accepted, "what was accepted is there")

    def kill_leader(self, group, proxy, talkers):
        sockets = [RoomSocket(proxy, token=talker.player.token) for talker in talkers]
        for sock, talker in zip(sockets, talkers):
            sock.watch(talker.room)
        time.sleep(1)
        leader = group.leader
        leader.kill()
        killed = time.monotonic()
        group.nodes.remove(leader)
        group.wait_for_leader()
        served = time.monotonic()
        time.sleep(1)
        for sock, talker in zip(sockets, talkers):
            sock.sock.close()
            again = RoomSocket(proxy, token=talker.player.token)  # at once, through any node
            again.watch(talker.room)
            again.sock.close()
        for talker in talkers:
            failed = [status for asked, status in talker.answers if killed - 0.5 <= asked <= served and status not in ANSWERED]
            self.assertLessEqual(len(failed), 2, f"{failed}: only what was on its way is lost\n{proxy.log()[-3000:]}")
            later = {status for asked, status in talker.answers if asked > served}
            self.assertLessEqual(later, ANSWERED, proxy.log()[-3000:])


if __name__ == "__main__":
    nodes_test.PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
