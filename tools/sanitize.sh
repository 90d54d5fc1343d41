# ./paika sanitize [asan|tsan|all|quick]: the tests under sanitizers; fails if any does.
#   asan   all fast tests, under the address and undefined-behaviour sanitizers
#   tsan   the C++ tests of what has threads (search, solver, server, tournament), under the thread sanitizer
#   all    both, the default
#   quick  the C++ tests of asan
case ${1:-all} in
  asan | tsan | quick) runs=$1 ;;
  all) runs="asan tsan" ;;
  *) die 2 "unknown sanitizer '$1': use asan, tsan, all or quick" ;;
esac
need_packages build
need_packages test

sanitize() {
  case $1 in
    asan) build asan all && run_tests asan -LE slow ;;
    tsan) build tsan threaded_programs && run_tests tsan -L threads -LE slow ;;
    quick) build asan test_programs && run_tests asan -L cpp -LE slow ;;
  esac
}

failed=
for run in $runs; do
  sanitize "$run" || failed="$failed $run"
done
[ -z "$failed" ] || die 1 "failed under:$failed"
