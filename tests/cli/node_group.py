"""Several servers on one database, to a test as one server that cannot be killed; and a line that can be cut."""

import datetime
import json
import select
import signal
import socket
import threading
import time

from server_client import PATIENCE, Gone, Http, Server


def moment(text):
    """Seconds since 1970 of a time in a log."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class NodePort:
    """The address of a node for other nodes, where it also reports its state."""

    def __init__(self, port):
        self.address = ("127.0.0.1", port)
        self.port = port
        self.generation = 0


class Node(Server):
    def __init__(self, program, url, *options, log_level="info"):
        self.url = url
        super().__init__(program, "--node", "127.0.0.1:0", *options, log_level=log_level)

    def start(self):
        self.where = self.url
        self.said = self.log_path.stat().st_size if self.log_path.exists() else 0
        super().start()
        self.node_port = NodePort(self.wait_for("node_started")["port"])

    def events(self):
        """What it has logged since its last start."""
        with open(self.log_path, encoding="utf-8", errors="replace") as log:
            log.seek(self.said)
            return [json.loads(line) for line in log if line.startswith("{") and line.endswith("\n")]

    def wait_for(self, event, seconds=PATIENCE, after=0, of=None):
        """The first such event, with these values, among those after the first `after`."""
        deadline = time.monotonic() + seconds
        while True:
            found = [line for line in self.events()[after:] if line["event"] == event and (of or {}).items() <= line.items()]
            if found:
                return found[0]
            assert time.monotonic() < deadline, f"no {event} after {seconds} s: {self.events()[after:]}"
            time.sleep(0.02)

    def metric(self, name):
        for line in Http(self.node_port).get("/metrics").body.decode().splitlines():
            if line.startswith(f"paika_node_{name} "):
                return int(line.split()[1])
        raise AssertionError(f"no metric {name}")

    @property
    def leads(self):
        return self.metric("leads") == 1


class NodeGroup:
    """Clients take the nodes in turn. kill() ends the leader in the way `how` says, restart() has it back as one who
    follows, when another one leads."""

    def __init__(self, program, url, count, *options, log_level="info"):
        self.program = program
        self.nodes = [Node(program, url, *options, log_level=log_level) for _ in range(count)]
        self.how = "kill"
        self.database = None  # a Cluster that is killed with the leader
        self.ended = None  # the node that was killed last
        self.generation = 0
        self.taken = 0
        self.takeovers = []  # seconds without a leader
        self.killed_at = 0.0
        self.wait_for_leader()

    @property
    def alive(self):
        return [node for node in self.nodes if node is not self.ended]

    @property
    def address(self):
        """Of a paused leader nobody would ever hear, so clients have the others then."""
        able = [node for node in self.alive if self.how != "pause" or not node.leads]
        self.taken += 1
        return able[self.taken % len(able)].address

    @property
    def port(self):
        return self.alive[0].port

    @property
    def leader(self):
        return next((node for node in self.alive if node.leads), None)

    def wait_for_leader(self):
        """Until all who are there serve; the one who leads."""
        deadline = time.monotonic() + PATIENCE
        while not (leader := self.leader):
            assert time.monotonic() < deadline, [node.log()[-2000:] for node in self.nodes]
            time.sleep(0.01)
        for node in self.alive:
            while not self.is_served_by(node):
                assert time.monotonic() < deadline
                time.sleep(0.01)
        return leader

    @staticmethod
    def is_served_by(node):
        try:
            return Http(node).get("/healthz").status == 200
        except (Gone, ConnectionError):  # it was on its way to the last leader
            return False

    def kill(self):
        self.ended = self.leader
        self.killed_at = time.monotonic()
        if self.database:
            self.database.kill()
        if self.how == "pause":
            self.ended.process.send_signal(signal.SIGSTOP)
        elif self.how == "stop":
            assert self.ended.stop() == 0
        else:
            self.ended.kill()

    def restart(self):
        if self.database:
            self.database.start()
        self.wait_for_leader()
        self.takeovers.append(time.monotonic() - self.killed_at)
        if self.how == "pause":
            known = len(self.ended.events())
            self.ended.process.send_signal(signal.SIGCONT)
            self.ended.wait_for("leads_no_more", after=known)
        else:
            self.ended.start()
        self.ended = None
        self.generation += 1

    def started_between(self):
        """The moments between which the clock of the one who leads went on."""
        behind = time.time() - time.monotonic()
        leader = self.leader
        leader.wait_for("leads")
        leads = [line for line in leader.events() if line["event"] == "leads"][-1]
        began = moment(leads["time"]) - leads["clock_runs_ms"] / 1000 - behind
        return [began - 0.001, began + 0.001]  # times in logs are cut to milliseconds

    def close(self):
        for node in self.nodes:
            node.close()


class Line:
    """A way to a PostgreSQL over TCP, which can be cut as by a network that loses everything: nobody hears of it."""

    def __init__(self, cluster):
        self.target = str(cluster.folder / ".s.PGSQL.5432")
        self.folder = cluster.folder
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.limit = None  # (text, count): a connection ends when the server has said the text so many times
        self.is_whole = threading.Event()
        self.is_whole.set()
        self.ended = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while not self.ended:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def url(self, url):
        """Of a database of the cluster, by this way."""
        return url.replace(f"host={self.folder}", f"host=127.0.0.1&port={self.listener.getsockname()[1]}")

    def break_after(self, text, count):
        """Each connection from now on ends when the server has said the text so many times."""
        self.limit = (text, count)

    def _pass(self, client):
        said, limit = b"", self.limit
        server = socket.socket(socket.AF_UNIX)
        self.is_whole.wait()
        try:
            server.connect(self.target)
            while not self.ended:
                ready, _, _ = select.select([client, server], [], [], 0.5)
                self.is_whole.wait()
                for one in ready:
                    data = one.recv(65536)
                    if not data:
                        return
                    (server if one is client else client).sendall(data)
                    if limit and one is server:
                        said += data
                        if said.count(limit[0]) >= limit[1]:
                            return
        except OSError:
            pass
        finally:
            client.close()
            server.close()

    def cut(self):
        self.is_whole.clear()

    def mend(self):
        self.is_whole.set()

    def close(self):
        self.ended = True
        self.mend()
        self.listener.close()
