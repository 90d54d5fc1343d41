# ./paika [serve ARGS…]: builds the program and the page side by side, starts the server when both are there, and builds
# the engine for browsers while it runs. The page says that offline play is not ready yet, and uses the engine as soon
# as it is there. Ctrl-C ends all of it; the next start goes on where this one ended.
. "$root/tools/web_build.sh"
page_log=$root/build/web.log
page_build= # the process group that builds the page

# needs_page ARGS…: help needs none, and --web names another.
needs_page() {
  for word do
    case $word in -h | --help | --web | --web=*) return 1 ;; esac
  done
}

# in_group FUNCTION ARGS…: runs a function of these scripts as the leader of a new process group, so that it can be
# ended with everything it has started. Ctrl-C does not reach it.
in_group() {
  exec setsid sh -uc 'root=$1; shift; . "$root/tools/launcher.sh"; . "$root/tools/web_build.sh"; "$@"' sh "$root" "$@"
}

# begin_page: what the build says goes to a log, because ninja writes its progress over its last line.
begin_page() {
  if page_is_current; then return 0; fi
  use_node || (need_packages web) || true # before the build, whose output would hide a question for a password
  mkdir -p "$root/build"
  say "building the web app…"
  in_group build_page </dev/null >"$page_log" 2>&1 &
  page_build=$!
}

end_page() { [ -z "$page_build" ] || kill -- "-$page_build" 2>/dev/null || true; }

# finish_page: waits for the page. Without the network it cannot be built, and programs do not need it.
finish_page() {
  if [ -n "$page_build" ] && ! wait "$page_build"; then
    cat "$page_log" >&2
    say "the server shows the page that was built before, or a plain one"
  fi
  page_build=
  if [ -f "$root/web/dist/index.html" ]; then export PAIKA_WEB="$root/web/dist"; fi
}

# begin_engine: leaves the engine to a process that is no child of the server, which this shell becomes ($$).
begin_engine() {
  if [ -n "${PAIKA_WITHOUT_WASM-}" ] || [ -z "${PAIKA_WEB-}" ] || engine_is_placed; then return 0; fi
  say "building the engine for browsers in the background; offline play is not ready yet"
  (in_group engine_job $$ </dev/null >/dev/null &)
}

if needs_page "$@"; then
  trap end_page EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  begin_page
  build_program
  finish_page
  begin_engine
else
  build_program
fi
exec "$root/build/release/bin/paika" "$@"
