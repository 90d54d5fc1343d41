#!/usr/bin/python3
"""Feeds tools/check_layers.py small trees, good and bad, and expects the right refusals."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_layers  # noqa: E402


class CheckLayers(unittest.TestCase):
    def faults(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return list(check_layers.faults(root))

    def refused(self, files, *parts):
        found = self.faults(files)
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])

    def test_downwards_and_sideways_are_fine(self):
        self.assertEqual(
            self.faults({
                "src/base/text.hpp": "#include <string>\n",
                "src/base/check.cpp": "#include <cstdio>\n",
                "src/rules/board.hpp": '#include "base/text.hpp"\n',
                "src/games/othello/rules.cpp": '#include "games/othello/bits.hpp"\n#include "rules/board.hpp"\n',
                "src/games/othello/bits.hpp": "",
                "src/engine/game.hpp": "#include <thread>\n#include <nlohmann/json.hpp>\n",
                "src/instances/othello/module.hpp": '#include "engine/game.hpp"\n#include "games/othello/bits.hpp"\n',
                "src/instances/games.cpp": '#include "instances/othello/module.hpp"\n',
                "tests/unit/test_board.cpp":
                    '#include <fstream>\n#include "rules/board.hpp"\n#include "tests/unit/help.hpp"\n',
                "tests/unit/test_grid.cpp": '#include "help.hpp"\n',
                "tests/unit/help.hpp": "",
                "tests/reference/othello.cpp": '#include "tests/reference/reference.hpp"\n#include "reference.hpp"\n',
                "tests/reference/reference.hpp": "",
            }),
            [])

    def test_upwards_is_refused_with_its_line(self):
        self.refused({"src/base/text.hpp": '// text\n#include "rules/board.hpp"\n', "src/rules/board.hpp": ""},
                     "src/base/text.hpp:2:", "base lies below rules")

    def test_each_layer_is_below_the_next(self):
        def inside(layer):
            return f"{layer}/othello" if layer == "games" else layer
        for low, high in zip(check_layers.LAYERS, check_layers.LAYERS[1:]):
            self.refused({f"src/{inside(low)}/a.hpp": f'#include "{inside(high)}/b.hpp"\n',
                          f"src/{inside(high)}/b.hpp": ""}, f"{low} lies below {high}")

    def test_a_game_includes_no_other_game(self):
        self.refused({"src/games/abalone/a.cpp": '# include "games/othello/b.hpp"\n', "src/games/othello/b.hpp": ""},
                     "abalone must not include the game othello")

    def test_layers_for_every_game_name_none(self):
        for layer in ["search", "engine", "play", "protocols", "tournament", "server"]:
            self.refused({f"src/{layer}/a.hpp": '#include "games/othello/b.hpp"\n', "src/games/othello/b.hpp": ""},
                         f"{layer} works for every game")
        self.refused({"src/play/a.hpp": '#include "instances/othello/b.hpp"\n', "src/instances/othello/b.hpp": ""},
                     "play works for every game")

    def test_a_module_is_of_one_game(self):
        for folder in ["games", "instances"]:
            self.refused({"src/instances/abalone/a.cpp": f'#include "{folder}/othello/b.hpp"\n',
                          f"src/{folder}/othello/b.hpp": ""}, "abalone must not include what is othello's")

    def test_reference_includes_nothing_of_src(self):
        self.refused({"tests/reference/a.cpp": '#include "rules/board.hpp"\n', "src/rules/board.hpp": ""},
                     "independent")
        self.refused({"tests/reference/a.cpp": '#include "src/rules/board.hpp"\n', "src/rules/board.hpp": ""},
                     "independent")

    def test_src_includes_nothing_of_tests(self):
        self.refused({"src/rules/a.cpp": '#include "tests/unit/help.hpp"\n', "tests/unit/help.hpp": ""},
                     "outside src")

    def test_pure_layers_have_no_input_output_threads_or_json(self):
        for header in ["<iostream>", "<fstream>", "<thread>", "<cstdio>", "<nlohmann/json.hpp>", '"nlohmann/json.hpp"']:
            for layer in ["base", "board", "rules", "games/othello"]:
                self.refused({f"src/{layer}/a.cpp": f"#include {header}\n"}, f"src/{layer}/a.cpp:1", "no input, output")

    def test_a_name_that_leads_nowhere_is_refused(self):
        self.refused({"src/rules/a.cpp": '#include "board.hpp"\n', "src/rules/board.hpp": ""}, "no such file")

    def test_files_outside_the_layers_are_refused(self):
        self.refused({"src/misc/a.cpp": ""}, "in no layer")
        self.refused({"src/games/common.hpp": ""}, "a game has its own folder")

    def test_links_go_downwards(self):
        tree = {"src/games/othello/a.cpp": "", "src/CMakeLists.txt": (
            "paika_layer(paika_base base fmt::fmt)\n"
            "paika_layer(paika_rules rules paika_base)\n"
            "foreach(game othello)\n  paika_layer(paika_${game} games/${game} paika_rules)\nendforeach()\n"
            "paika_layer(paika_engine engine\n  paika_rules Threads::Threads)\n")}
        self.assertEqual(self.faults(tree), [])
        tree["src/CMakeLists.txt"] += "paika_layer(paika_board board paika_engine)\n"
        self.refused(tree, "paika_board links paika_engine", "board lies below engine")

    def test_this_repository_passes(self):
        self.assertEqual(list(check_layers.faults(pathlib.Path(__file__).resolve().parents[2])), [])


if __name__ == "__main__":
    unittest.main()
