# ./paika test [CTEST-ARGS…]: setup, then the fast tests. The status is ctest's.
need_packages build
need_packages test
build release all || exit $?
run_tests release -LE slow "$@"
