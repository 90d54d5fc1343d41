# ./paika bench [ARGS…]: the benchmarks; ARGS go to the benchmark program.
need_packages build
build release all || exit $?
bench=$root/build/release/bin/paika_bench
[ -x "$bench" ] || die 2 "this checkout builds no benchmarks ($bench)"
exec "$bench" "$@"
