# Building the engine as WebAssembly: web/engine/engine.wasm, from which the page takes it. Sourced by
# tools/web_build.sh, after tools/launcher.sh.

# wasm_sources: the files and folders that the module is made from.
wasm_sources() {
  for path in base board rules games search engine play server/api server/http apps/wasm; do
    printf '%s\n' "$root/src/$path"
  done
  printf '%s\n' "$root/data" "$root/docs/rules" "$root/cmake" "$root/tools/wasm_build.sh"
}

# build_wasm: makes the module current; fails, with the reason said, if that cannot be done.
build_wasm() (
  dir=$root/build/wasm
  log=$dir/launcher.log
  need_packages build && need_packages wasm || exit 1
  mkdir -p "$dir" "$root/web/engine" || exit 1
  exec 9>"$root/build/.wasm-lock" </dev/null >&2
  flock 9 # two builds at once take turns
  say "building the engine for the browser…"
  # A copied or moved checkout keeps its build folder, which is then of no use.
  fresh=
  if [ -f "$dir/CMakeCache.txt" ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root/src/apps/wasm" "$dir/CMakeCache.txt"; then fresh=--fresh; fi
  { cmake -S "$root/src/apps/wasm" -B "$dir" -G Ninja $fresh && ninja -C "$dir"; } >"$log" 2>&1 || {
    cat "$log"
    exit 1
  }
  cmp -s "$dir/engine.wasm" "$root/web/engine/engine.wasm" || cp "$dir/engine.wasm" "$root/web/engine/engine.wasm"
)
