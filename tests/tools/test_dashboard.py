"""contrib/grafana.json shows only what the server measures."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).parents[2]


def measured():
    """The names in src/server/metrics.cpp, those of the work queues in src/server/server.cpp with both their endings, and
    those of nodes in src/server/net/forwarder.cpp."""
    source = (ROOT / "src/server/metrics.cpp").read_text(encoding="utf-8")
    names = set(re.findall(r'(?:gauge|counter)\(text, "(\w+)"', source))
    names |= set(re.findall(r'(?:add|family)\(text, "\w+", "(\w+)"', source))
    names |= set(re.findall(r'"(jobs_\w+_total)"', source))
    names |= {f"{name}_bucket" for name in re.findall(r'histogram\(text, "(\w+)"', source)}
    queues = re.findall(r'\{"(\w+)", "[^"]+", counts\(', (ROOT / "src/server/server.cpp").read_text(encoding="utf-8"))
    names |= {f"{queue}_{what}" for queue in queues for what in ("running", "waiting")}
    forwarder = (ROOT / "src/server/net/forwarder.cpp").read_text(encoding="utf-8")
    return names | of_nodes(forwarder)


def of_nodes(source):
    return set(re.findall(r"# TYPE paika_(node_\w+) ", source))


class Dashboard(unittest.TestCase):
    def test_every_metric_is_one_of_the_server(self):
        dashboard = json.loads((ROOT / "contrib/grafana.json").read_text(encoding="utf-8"))
        shown = set()
        for panel in dashboard["panels"]:
            for target in panel["targets"]:
                found = re.findall(r"\bpaika_(\w+)", target["expr"])
                self.assertTrue(found, panel["title"])
                shown |= set(found)
        self.assertGreater(len(shown), 20)
        self.assertEqual(shown - measured(), set())
        nodes = of_nodes((ROOT / "src/server/net/forwarder.cpp").read_text(encoding="utf-8"))
        self.assertTrue(nodes)
        self.assertEqual(nodes - shown, set(), "of nodes all are shown")


if __name__ == "__main__":
    unittest.main()
