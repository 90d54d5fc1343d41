# Building the engine for browsers: build/wasm/engine.wasm, compressed in build/wasm/page, placed in web/dist, where a
# running server finds it. Sourced by tools/web_build.sh.
engine_log=$root/build/wasm/launcher.log

# engine_is_current: whether the built engine is newer than all it is made from. It takes what the program takes; if
# that did not matter, ninja has nothing to do and the stamp is renewed.
engine_is_current() {
  # shellcheck disable=SC2086 # one word a path
  unchanged_since "$root/build/wasm/.stamp" "$root" $program_inputs tools/wasm_build.sh
}

engine_is_placed() { engine_is_current && cmp -s "$root/build/wasm/page/engine.wasm" "$root/web/dist/engine.wasm"; }

# compress_engine: puts the engine and, if there is a node, its compressed forms into build/wasm/page.
compress_engine() {
  dir=$root/build/wasm
  cmp -s "$dir/engine.wasm" "$dir/page/engine.wasm" && [ -f "$dir/page/engine.wasm.br" ] && return
  rm -rf "$dir/page" "$dir/page-new"
  mkdir "$dir/page-new" && cp "$dir/engine.wasm" "$dir/page-new/" || return
  if use_node; then node "$root/web/tools/compress.mjs" "$dir/page-new" || return; fi
  mv "$dir/page-new" "$dir/page"
}

# build_engine: makes the engine current; fails with the reason in $engine_log. Only one build runs at a time, and
# one that was killed at any moment is taken up where it ended.
build_engine() (
  dir=$root/build/wasm
  mkdir -p "$dir" || exit 1
  exec 9>"$root/build/.wasm-lock" </dev/null
  flock -n 9 || {
    say "another build of the engine for browsers is running; waiting for it"
    flock 9
  }
  if engine_is_current; then exit 0; fi
  exec >"$engine_log" 2>&1
  : >"$dir/.stamp-new" # dated before the build reads a source
  # A copied or moved checkout keeps its build folder, which is then of no use.
  fresh=
  if [ -f "$dir/CMakeCache.txt" ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root/src/apps/wasm" "$dir/CMakeCache.txt"; then fresh=--fresh; fi
  cmake -S "$root/src/apps/wasm" -B "$dir" -G Ninja $fresh && ninja -C "$dir" && compress_engine &&
    mv "$dir/.stamp-new" "$dir/.stamp"
)

# copy_engine: into web/dist, by renaming, and the file itself last: see src/server/http/web_files.hpp. The caller has
# the page's lock.
copy_engine() {
  page=$root/build/wasm/page dist=$root/web/dist
  for form in .gz .br ''; do
    if [ -f "$page/engine.wasm$form" ]; then
      cp "$page/engine.wasm$form" "$dist/.engine-new" && mv "$dist/.engine-new" "$dist/engine.wasm$form" || return
    else
      rm -f "$dist/engine.wasm$form"
    fi
  done
}

# place_engine: gives the engine to the page, if there is one; a page that is built later takes it itself.
place_engine() (
  lock_page
  if [ ! -f "$root/web/dist/index.html" ] || engine_is_placed; then exit 0; fi
  copy_engine
)

# ---- Beside a running server ----

# end_with PROCESS: ends this process group when the process has ended.
end_with() {
  while kill -0 "$1" 2>/dev/null; do sleep 2; done
  kill -- "-$$"
}

# engine_job SERVER: builds the engine as long as the server runs, out of everybody's way. It leads its process group.
engine_job() {
  renice -n 19 -p $$ >/dev/null 2>&1 || true
  ionice -c 3 -p $$ 2>/dev/null || true
  end_with "$1" &
  watcher=$!
  sudo_flags=-n # there is nobody to ask for a password
  if ! said=$(need_packages wasm 2>&1); then
    printf '%s\n' "$said" | tail -n 1 >&2
    say "without these packages there is no offline play"
  elif build_engine 2>/dev/null && place_engine; then
    say "offline play is ready"
  elif kill -0 "$1" 2>/dev/null; then # else Ctrl-C ended both, and nothing is wrong
    say "the engine for browsers could not be built, so there is no offline play; $engine_log says why"
  fi
  kill "$watcher"
}
