# ./paika slow [CTEST-ARGS…]: the tests labelled slow, which take minutes.
need_packages build
need_packages test
need_packages bots
build release all || exit $?
run_tests release -L slow "$@"
