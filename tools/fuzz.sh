# ./paika fuzz [SECONDS]: runs each fuzz program (build/fuzz/tests/fuzz_*) for SECONDS, 60 by default.
# Inputs start from the target's own seeds (tests/fuzz/targets.cpp); what libFuzzer finds interesting stays
# in build/fuzz/corpus/NAME for the next time. An input that breaks a program is kept in build/fuzz/found.
seconds=${1:-60}
case $seconds in
  *[!0-9]*) die 2 "'$seconds' is not a number of seconds" ;;
esac
need_packages build
need_packages check
build fuzz fuzzers || exit $?
mkdir -p "$root/build/fuzz/found"
failed=
count=0
for fuzzer in "$root"/build/fuzz/tests/fuzz_*; do
  [ -x "$fuzzer" ] || continue
  count=$((count + 1))
  name=$(basename "$fuzzer")
  corpus=$root/build/fuzz/corpus/$name
  mkdir -p "$corpus"
  say "$name for $seconds s"
  PAIKA_FUZZ_CORPUS=$corpus "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$root/build/fuzz/found/$name-" "$corpus" || failed="$failed $name"
done
[ "$count" -gt 0 ] || die 1 "no fuzz program was built"
[ -z "$failed" ] || die 1 "failed:$failed; the inputs are in $root/build/fuzz/found"
say "$count fuzz programs found nothing"
