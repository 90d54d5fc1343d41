# ./paika web: builds the web app into web/dist, which the server then shows; ./paika alone does so too.
# ./paika web test [all | WORDS…]: its tests: style and types, units, and a real browser against a real server. Of those in the
# browser a quick choice, those whose names have one of the WORDS, or all of them with the engine in the browser, which
# takes a quarter of an hour.
. "$root/tools/web_build.sh"

test_web() {
  need_packages build
  need_packages browser
  build release paika || exit $?
  case ${1-} in
    all) shift ;;
    '')
      PAIKA_WITHOUT_WASM=1
      set -- quick
      ;;
  esac
  build_web || exit 3
  # A page without the engine for the browser is good for these tests only: the next start makes a whole one.
  [ -f "$root/web/engine/engine.wasm" ] || touch -d @0 "$root/web/dist/index.html"
  cd "$root/web" || exit 2
  npm run --silent check && npm test --silent || exit 1
  [ -n "${PAIKA_WITHOUT_WASM-}" ] || npm run --silent native || exit 1
  node e2e/run.mjs "$root/build/release/bin/paika" "$@"
}

if [ "${1-}" = test ]; then
  shift
  test_web "$@"
else
  build_web || exit 3
  say "ready: $root/web/dist"
fi
