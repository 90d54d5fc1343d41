#!/usr/bin/python3
"""Feeds tools/check_messages.py and tools/update_po.py small trees, good and bad, and expects the right refusals."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import check_messages  # noqa: E402
import po  # noqa: E402
import update_po  # noqa: E402

SOURCE = 'Phrase f() { return phrase("{} is on {}", a, b); }\nauto g() { return translatable("White"); }\n'
HEADER = '# French\nmsgid ""\nmsgstr ""\n"Language: fr\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
FRENCH = HEADER + """
#: src/rules/a.cpp
#, python-brace-format
msgid "{} is on {}"
msgstr "en {1} est {0}"

#: src/rules/a.cpp
msgid "White"
msgstr "Blanc"
"""


def entry(msgid, msgstr):
    return f'\nmsgid "{msgid}"\nmsgstr "{msgstr}"\n'


class CheckMessages(unittest.TestCase):
    def tree(self, folder, files):
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return root

    def faults(self, french=FRENCH, source=SOURCE, **more):
        """The faults of po/fr.po and the source; the template is up to date."""
        with tempfile.TemporaryDirectory() as folder:
            root = self.tree(folder, {"src/rules/a.cpp": source, "po/fr.po": french, **more})
            template = update_po.updated("", check_messages.collect(root)[0], "")
            self.tree(folder, {"po/paika.pot": template})
            return list(check_messages.faults(root))

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

    def test_what_translators_could_not_see_is_refused(self):
        self.refused("a.cpp:3", "blank", source=SOURCE + 'phrase("a ");\n')
        self.refused("a.cpp:3", "one line", source=SOURCE + 'phrase("a\\nb");\n')

    def web(self, page, french=FRENCH):
        return self.faults(french=french, **{"web/src/pages/A.svelte": page})

    def test_texts_of_the_page_are_wanted_too(self):
        found = self.web("<p>{t('Resign')}</p>\n<p>{t(\"It's on {}\", x)}</p>\nconst a = msg('Draw');\n")
        self.assertEqual(len(found), 3, found)
        self.assertIn('"Draw" of web/src/pages/A.svelte:3 is missing', found[0])
        self.assertIn('"It\'s on {}" of web/src/pages/A.svelte:2 is missing', found[1])
        self.assertEqual(self.web("{t('Resign')}", french=FRENCH + entry("Resign", "Abandonner")), [])

    def test_other_names_and_texts_of_the_server_are_none(self):
        self.assertEqual(self.web("get('a'); x.t('b'); $t('c'); t(title); t(`d ${e}`); t('{}', f); t('White');"), [])

    def test_a_missing_phrase_is_named_with_its_place(self):
        self.refused("fr.po:15:", '"Black" of src/rules/a.cpp:3 is missing', source=SOURCE + 'phrase("Black");\n')

    def test_a_dead_phrase_is_refused(self):
        self.refused("fr.po:16:", '"Red" is in no phrase', french=FRENCH + entry("Red", "Rouge"))

    def test_a_template_must_be_there_and_complete(self):
        with tempfile.TemporaryDirectory() as folder:
            root = self.tree(folder, {"src/rules/a.cpp": SOURCE, "po/fr.po": FRENCH})
            self.assertIn("po/paika.pot:1: missing", list(check_messages.faults(root))[0])
            self.tree(folder, {"po/paika.pot": HEADER + entry("White", "")})
            self.assertIn('"{} is on {}" of src/rules/a.cpp:1 is missing', list(check_messages.faults(root))[0])

    def test_a_phrase_is_translated_once(self):
        found = self.faults(french=FRENCH + entry("White", "Blanche"))
        self.assertIn("fr.po:16:", found[0])
        self.assertIn("twice", found[0])

    def test_holes_must_be_the_same(self):
        for bad in ["en {} est", "{} {} {}", "{1} {1}", "{1} {2}", "{} {} }"]:
            found = self.faults(french=FRENCH.replace("en {1} est {0}", bad))
            self.assertIn("fr.po:9:", found[0])
            self.assertIn("2 holes", found[0])

    def test_the_form_of_a_file(self):
        for bad in ["msgctxt \"x\"", "#~ msgid \"x\"", "msgid White", "\"White\"", "msgid \"White\""]:
            self.assertNotEqual(self.faults(french=FRENCH + "\n" + bad + "\n"), [], bad)
        self.assertIn("header", self.faults(french=FRENCH.removeprefix(HEADER))[0])

    @unittest.skipUnless(check_messages.shutil.which("msgfmt"), "gettext is not installed")
    def test_gettext_is_asked_too(self):
        found = "\n".join(self.faults(french=FRENCH.replace('"Blanc"', '"Blanc\\n"')))
        self.assertIn("fr.po:14: 'msgid' and 'msgstr' entries do not both end with", found)

    def test_an_unfinished_entry_is_refused(self):
        self.refused("fr.po:13:", "not translated yet", french=FRENCH.replace("Blanc", ""))
        self.refused("fr.po:14:", "fuzzy", french=FRENCH.replace('msgid "White"', '#, fuzzy\nmsgid "White"'))

    def test_a_file_must_be_utf8(self):
        self.refused("fr.po:1:", "UTF-8", french=FRENCH.encode() + b"# \xff\n")

    def test_texts_are_read_as_they_were_written(self):
        entries = [po.Entry("", "Language: fr\nX: y\n", comments=["French", "", "words"]),
                   po.Entry('say "{}"\\', "tab\tand\nline", references=["a.cpp", "b.cpp"], flags={"fuzzy"})]
        again, faults = po.parse(po.write(entries))
        self.assertEqual(faults, [])
        self.assertEqual([(e.msgid, e.msgstr, e.comments, e.references, e.flags) for e in again],
                         [(e.msgid, e.msgstr, e.comments, e.references, e.flags) for e in entries])
        self.assertEqual(po.parse('msgid ""\n"a "\n"b"\nmsgstr "c "\n"d"\n')[0][0].msgid, "a b")

    def test_update_adds_what_is_missing_and_keeps_the_rest(self):
        with tempfile.TemporaryDirectory() as folder:
            root = self.tree(folder, {"src/rules/a.cpp": SOURCE + 'phrase("Black");\n', "po/mg.po": "",
                                      "po/fr.po": FRENCH.replace("#: src", "# a note\n#: src") + entry("Red", "Rouge")})
            update_po.main([folder])
            french = (root / "po/fr.po").read_text(encoding="utf-8")
            self.assertEqual(french, FRENCH.replace("#: src", "# a note\n#: src")
                             + "\n#: src/rules/a.cpp" + entry("Black", ""))
            self.assertIn('"Language: mg\\n"', (root / "po/mg.po").read_text(encoding="utf-8"))
            self.assertEqual(len(list(check_messages.faults(root))), 1 + 3)
            update_po.main([folder])
            self.assertEqual((root / "po/fr.po").read_text(encoding="utf-8"), french)

    def test_this_repository_passes(self):
        self.assertEqual(list(check_messages.faults(ROOT)), [])


if __name__ == "__main__":
    unittest.main()
