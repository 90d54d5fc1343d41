# ./paika check: everything about the source that no test of the program sees. All steps run, even
# after one failed, and the last line says which did.
need_packages build
need_packages check
cd "$root" || exit 2
python=/usr/bin/python3
failed=

# step NAME COMMAND…
step() {
  say "check: $1"
  name=$1
  shift
  "$@" </dev/null || failed="$failed $name"
}

check_format() {
  find src tests bench \( -name '*.hpp' -o -name '*.cpp' \) -print0 | xargs -0 -r clang-format-19 --dry-run -Werror
}

check_clang() { build clang all && $python tools/run_tidy.py build/clang; }

step tools $python -B -m unittest discover -q -s tests/tools
step layers $python tools/check_layers.py
step texts $python tools/check_text.py
step format check_format
step clang check_clang
[ -z "$failed" ] || die 1 "check failed:$failed"
say "check: all good"
