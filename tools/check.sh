# ./paika check [all]: everything about the source that no test of the program sees. clang-tidy takes
# seconds per file, so it reads only what was changed last in src, bench and tools (a header through a source that
# includes it), without its static analyzer, and some more gets clang's warnings alone; with `all` everything, tests
# included, is read in full. All steps run, even after one failed, and the last line says which did.
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
  find src tests bench tools python \( -name '*.hpp' -o -name '*.cpp' \) -print0 | xargs -0 -r clang-format-19 --dry-run -Werror
}

case ${1-} in
  '') preset=clang tidied="--quick build/clang /src/ /bench/ /tools/" ;;
  all) preset=clang-all tidied=build/clang-all ;;
  *) die 2 "./paika check takes 'all' or nothing, not '$1'" ;;
esac

# shellcheck disable=SC2086 # words, not one
check_clang() { build $preset src/data.cpp && $python tools/run_tidy.py $tidied; }

step tools $python -B -m unittest discover -q -s tests/tools
step layers $python tools/check_layers.py
step texts $python tools/check_text.py
step messages $python tools/check_messages.py
step clauses $python tools/check_clauses.py
step format check_format
step clang check_clang
[ -z "$failed" ] || die 1 "check failed:$failed"
say "check: all good"
