# ./paika bench [perft|random|endings|regret|probes|engine] [ARGS…]: the benchmarks, all or one; ARGS go to its program.
# ./paika bench build [ROW …]: what building costs, in a scratch clone (tools/bench_build.py).
need_packages build
if [ "${1-}" = build ]; then
  shift
  need_packages wasm
  . "$root/tools/web_build.sh"
  use_node || need_packages web
  exec /usr/bin/python3 -B "$root/tools/bench_build.py" "$@"
fi
build release all || exit $?
bin=$root/build/release/bin
[ -x "$bin/paika_bench" ] || die 2 "this checkout builds no benchmarks ($bin/paika_bench)"
case ${1-} in
  '') "$bin/paika_bench" && "$bin/endings_bench" && exec "$bin/paika" bench ;;
  perft) shift && exec "$bin/paika_bench" "$@" ;;
  random) shift && exec "$bin/random_games_bench" "$@" ;;
  endings) shift && exec "$bin/endings_bench" "$@" ;;
  regret) shift && exec "$bin/regret_bench" "$@" ;;
  probes) shift && exec "$bin/probes_bench" "$@" ;;
  engine) shift && exec "$bin/paika" bench "$@" ;;
  *) exec "$bin/paika" bench "$@" ;;
esac
