# ./paika web: builds the web app into web/dist, with the engine for browsers; the server then shows it. With
# PAIKA_WITHOUT_WASM=1 without the engine, which takes minutes.
# ./paika web test [all | WORDS…]: its tests: style and types, units, and a real browser against a real server. Of those in the
# browser a quick choice, those whose names have one of the WORDS, or all of them with the engine in the browser, which
# takes a quarter of an hour.
# ./paika web test packages: the npm packages alone, built, installed from their tarballs and used by Node and by a page.
. "$root/tools/web_build.sh"

build_page_and_engine() {
  page_is_current || say "building the web app…"
  build_page || exit 3
  if [ -n "${PAIKA_WITHOUT_WASM-}" ] || engine_is_placed; then return 0; fi
  need_packages build
  need_packages wasm
  say "building the engine for browsers…"
  build_engine && place_engine || {
    cat "$engine_log" >&2
    die 3 "the engine for browsers could not be built"
  }
}

test_npm_packages() {
  build_npm_packages && (cd "$root/web" && node e2e/packages.mjs "$root/build/npm" "$root/build/release/bin/paika")
}

test_web() {
  need_packages build
  need_packages test
  need_packages browser
  # shellcheck disable=SC2086 # two targets, two words
  build release $program paika_five || exit $?
  if [ "${1-}" = packages ]; then
    unset PAIKA_WITHOUT_WASM # the packages have the engine in them
    build_page_and_engine
    need_node
    test_npm_packages
    exit
  fi
  case ${1-} in
    all) shift ;;
    '')
      PAIKA_WITHOUT_WASM=1
      set -- quick
      ;;
  esac
  build_page_and_engine
  need_node
  cd "$root/web" || exit 2
  npm run --silent check && npm test --silent || exit 1
  if [ -z "${PAIKA_WITHOUT_WASM-}" ]; then
    npm run --silent native && test_npm_packages || exit 1
  fi
  node e2e/run.mjs "$root/build/release/bin/paika" "$@"
}

if [ "${1-}" = test ]; then
  shift
  test_web "$@"
else
  build_page_and_engine
  say "ready: $root/web/dist"
fi
