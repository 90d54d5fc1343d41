#!/usr/bin/python3
"""Feeds tools/check_messages.py small trees, good and bad, and expects the right refusals."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import check_messages  # noqa: E402

SOURCE = 'Phrase f() { return phrase("{} is on {}", a, b); }\nauto g() { return translatable("White"); }\n'
FRENCH = "# French\n\n{} is on {}\n= en {2} est {1}\n\nWhite\n= Blanc\n"


class CheckMessages(unittest.TestCase):
    def tree(self, folder, files):
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return root

    def faults(self, french=FRENCH, source=SOURCE, **more):
        with tempfile.TemporaryDirectory() as folder:
            files = {"src/rules/a.cpp": source, "data/messages/fr.messages": french, **more}
            return list(check_messages.faults(self.tree(folder, files)))

    def refused(self, *parts, **tree):
        found = self.faults(**tree)
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])

    def patterns(self, source):
        with tempfile.TemporaryDirectory() as folder:
            return list(check_messages.collect(self.tree(folder, {"src/a.cpp": source}))[0])

    def test_a_complete_file_is_fine(self):
        self.assertEqual(self.faults(), [])

    def test_literals_are_joined_and_escapes_undone(self):
        self.assertEqual(self.patterns('x(phrase(\n  "say \\"{}\\" "\n  "or \\\\", y))'), ['say "{}" or \\'])
        self.assertEqual(self.patterns("""translatable<2>("{}'s Rook on {}")"""), ["{}'s Rook on {}"])

    def test_comments_literals_members_and_other_names_are_no_calls(self):
        self.assertEqual(self.patterns('// phrase("a")\n/* phrase("b")\n*/ auto s = "phrase(\\"c\\")"; rephrase("d");'
                                       ' p.translatable(); q->phrase(1); char c = \'"\'; phrase("e");'), ["e"])
        self.assertEqual(self.patterns('auto u = "https://x"; phrase("f"); auto r = R"(phrase("g"))";'), ["f"])
        self.assertEqual(self.patterns("int n = 1'000'000; phrase(\"h\"); int m = 2'000;"), ["h"])

    def test_a_call_without_a_literal_is_refused(self):
        self.refused("src/rules/a.cpp:3", "literal", source=SOURCE + "auto h = phrase(text);\n")

    def test_what_a_message_file_cannot_hold_is_refused(self):
        self.refused("a.cpp:3", "blank", source=SOURCE + 'phrase("a ");\n')
        self.refused("a.cpp:3", "# or =", source=SOURCE + 'phrase("# a");\n')
        self.refused("a.cpp:3", "one line", source=SOURCE + 'phrase("a\\nb");\n')

    def web(self, page, french=FRENCH):
        return self.faults(french=french, **{"web/src/pages/A.svelte": page})

    def test_texts_of_the_page_are_wanted_too(self):
        found = self.web("<p>{t('Resign')}</p>\n<p>{t(\"It's on {}\", x)}</p>\nconst a = msg('Draw');\n")
        self.assertEqual(len(found), 3, found)
        self.assertIn('"Draw" of web/src/pages/A.svelte:3 is missing', found[0])
        self.assertIn('"It\'s on {}" of web/src/pages/A.svelte:2 is missing', found[1])
        self.assertEqual(self.web("{t('Resign')}", french=FRENCH + "\nResign\n= Abandonner\n"), [])

    def test_other_names_and_texts_of_the_server_are_none(self):
        self.assertEqual(self.web("get('a'); x.t('b'); $t('c'); t(title); t(`d ${e}`); t('{}', f); t('White');"), [])

    def test_a_missing_phrase_is_named_with_its_place(self):
        self.refused("fr.messages:8:", '"Black" of src/rules/a.cpp:3 is missing', source=SOURCE + 'phrase("Black");\n')

    def test_a_dead_phrase_is_refused(self):
        self.refused("fr.messages:9:", '"Red" is in no phrase', french=FRENCH + "\nRed\n= Rouge\n")

    def test_a_phrase_is_translated_once(self):
        self.refused("fr.messages:8:", "twice", french=FRENCH + "White\n= Blanche\n")

    def test_holes_must_be_the_same(self):
        for bad in ["en {} est", "{} {} {}", "{1} {1}", "{1} {3}", "{0} {1}", "{} {} }"]:
            self.refused("fr.messages:3:", "2 holes", french=FRENCH.replace("en {2} est {1}", bad))

    def test_pairs_of_lines(self):
        self.refused("fr.messages:8:", "without its English", french=FRENCH + "= Rouge\n")
        found = self.faults(french=FRENCH.replace("= Blanc\n", ""))
        self.assertEqual(len(found), 2, found)
        self.assertIn("fr.messages:6:", found[0])
        self.assertIn("no translation", found[0])

    def test_an_unfinished_entry_is_refused(self):
        self.refused("fr.messages:6:", "not translated yet", french=FRENCH.replace("Blanc", "?"))

    def test_a_file_must_be_utf8(self):
        self.refused("fr.messages:1:", "UTF-8", french=FRENCH.encode() + b"# \xff\n")

    def test_a_language_that_nobody_can_choose_is_refused(self):
        known = {"src/base/catalogue.cpp": 'codes = {"en", "mg"};\n'}
        with tempfile.TemporaryDirectory() as folder:
            root = self.tree(folder, {"src/a.cpp": SOURCE, "data/messages/fr.messages": FRENCH, **known})
            found = list(check_messages.faults(root))
        self.assertEqual(len(found), 1, found)
        self.assertIn("languages()", found[0])

    def test_add_writes_what_is_missing_to_be_filled_in(self):
        with tempfile.TemporaryDirectory() as folder:
            root = self.tree(folder, {"src/rules/a.cpp": SOURCE + 'phrase("Black");\n',
                                      "data/messages/fr.messages": FRENCH, "data/messages/mg.messages": ""})
            check_messages.add_missing(root)
            french = (root / "data/messages/fr.messages").read_text(encoding="utf-8")
            self.assertEqual(french, FRENCH + "\n# ---- src/rules/a.cpp\n\nBlack\n= ?\n")
            self.assertEqual(len(list(check_messages.faults(root))), 1 + 3)
            before = french
            check_messages.add_missing(root)
            self.assertEqual((root / "data/messages/fr.messages").read_text(encoding="utf-8"), before)

    def test_this_repository_passes(self):
        self.assertEqual(list(check_messages.faults(ROOT)), [])


if __name__ == "__main__":
    unittest.main()
