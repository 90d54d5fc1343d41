# ./paika coverage: runs the fast tests with gcov's counters; prints a summary and writes
# coverage/index.html with every line.
need_packages build
need_packages test
need_packages check
build coverage all || exit $?
find "$root/build/coverage" -name '*.gcda' -delete
run_tests coverage -LE slow || exit $?
mkdir -p "$root/coverage"
cd "$root" || exit 2
gcovr --root . --filter src/ --exclude-throw-branches --print-summary \
  --html-details coverage/index.html build/coverage
say "see $root/coverage/index.html"
