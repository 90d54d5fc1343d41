#!/usr/bin/python3
"""Shows that the naming rules of .clang-tidy are on: bad names are reported, good ones are not.

Needs clang-tidy-19, which ./paika check installs; without it the tests are skipped.
"""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Each bad name stands at the end of its line's comment.
BAD = """\
namespace BadSpace {            // BadSpace
struct bad_struct {             // bad_struct
  int BadField = 0;             // BadField
};
class BadMembers {
 public:
  int BadMethod() const { return value; }  // BadMethod
 private:
  int value = 0;                // value
};
enum class bad_enum { one };    // bad_enum
enum class GoodEnum { BadOne }; // BadOne
using bad_alias = int;          // bad_alias
template <class bad_param>      // bad_param
void BadFunction(bad_param BadArgument) {  // BadFunction BadArgument
  int BadLocal = 0;             // BadLocal
  BadLocal = static_cast<int>(BadArgument) + BadLocal;
}
constexpr int kBadConstant = 1; // kBadConstant
int BadGlobal = kBadConstant;   // BadGlobal
template <class T>
concept bad_concept = sizeof(T) > 1;  // bad_concept
}
#define bad_macro 1             // bad_macro
"""

GOOD = """\
namespace good_space {
struct GoodStruct {
  int good_field = 0;
};
class GoodClass {
 public:
  [[nodiscard]] int value() const { return value_; }

 private:
  int value_ = 0;
  static constexpr int most_ = 1;
};
enum class GoodEnum { one, two_three };
using GoodAlias = int;
template <class T>
concept GoodConcept = sizeof(T) > 1;
template <GoodConcept Word, int Cols>
Word good_function(Word word) {
  constexpr Word one = 1;
  return static_cast<Word>(word + one + Cols);
}
template <int d>
int good_direction() {
  return d;
}
inline constexpr int good_constant = 1;
}  // namespace good_space
#define PAIKA_GOOD_MACRO 1
"""


@unittest.skipUnless(shutil.which("clang-tidy-19"), "clang-tidy-19 is not installed")
class Naming(unittest.TestCase):
    def reported(self, text):
        """The names that clang-tidy complains about."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "names.cpp"
            source.write_text(text, encoding="utf-8")
            rules = f"--config-file={ROOT / '.clang-tidy'}"
            command = ["clang-tidy-19", "--quiet", rules, str(source), "--", "-std=c++20"]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
        names = set(re.findall(r"invalid case style for [\w ]+ '(\w+)'", run.stdout))
        self.assertEqual(run.returncode != 0, bool(names), run.stdout)
        return names

    def test_bad_names_are_reported(self):
        comments = [line.split("//")[1] for line in BAD.splitlines() if "//" in line]
        wanted = {name for comment in comments for name in comment.split()}
        self.assertEqual(self.reported(BAD), wanted)

    def test_good_names_are_not(self):
        self.assertEqual(self.reported(GOOD), set())


if __name__ == "__main__":
    unittest.main()
