# ./paika sanitize [asan|tsan|all]: the fast tests under the address and undefined-behaviour
# sanitizers, under the thread sanitizer, or (the default) both. Fails if either does.
case ${1:-all} in
  asan | tsan) presets=$1 ;;
  all) presets="asan tsan" ;;
  *) die 2 "unknown sanitizer '$1': use asan, tsan or all" ;;
esac
need_packages build
failed=
for preset in $presets; do
  build "$preset" all && run_tests "$preset" -LE slow || failed="$failed $preset"
done
[ -z "$failed" ] || die 1 "failed under:$failed"
