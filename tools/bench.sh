# ./paika bench [perft|endings|engine] [ARGS…]: the benchmarks, all or one; ARGS go to its program.
need_packages build
build release all || exit $?
bin=$root/build/release/bin
[ -x "$bin/paika_bench" ] || die 2 "this checkout builds no benchmarks ($bin/paika_bench)"
case ${1-} in
  '') "$bin/paika_bench" && "$bin/endings_bench" && exec "$bin/paika" bench ;;
  perft) shift && exec "$bin/paika_bench" "$@" ;;
  endings) shift && exec "$bin/endings_bench" "$@" ;;
  engine) shift && exec "$bin/paika" bench "$@" ;;
  *) exec "$bin/paika" bench "$@" ;;
esac
