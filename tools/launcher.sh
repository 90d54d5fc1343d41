# What the scripts share: messages, packages, building. Sourced with $root set; POSIX sh.
# Everything said here goes to stderr, and no step reads stdin.

say() { printf 'paika: %s\n' "$*" >&2; }

# die STATUS MESSAGE…
die() {
  status=$1
  shift
  say "$*"
  exit "$status"
}

# ---- Packages (tools/packages.txt) ----

# package_state GROUP: "NAME VERSION WANTED-PREFIX" for each package of the group; VERSION is "-"
# for one that is not installed.
package_state() {
  wanted=$(sed -n "/^\[$1\]/,/^\[/ s/^\([a-z][^ ]*\)  *\([^ ]*\).*/\1 \2/p" "$root/tools/packages.txt")
  {
    # shellcheck disable=SC2046 # one word a package name
    dpkg-query -W -f '${Package} ${db:Status-Status} ${Version}\n' \
      $(printf '%s\n' "$wanted" | cut -d ' ' -f 1) 2>/dev/null || true
    printf '\n%s\n' "$wanted"
  } | awk '
    /^$/ { listing = 1; next }
    !listing { if ($2 == "installed") have[$1] = $3; next }
    { print $1, ($1 in have ? have[$1] : "-"), $2 }'
}

# missing_packages GROUP: what apt-get would have to install, as NAME=PREFIX* words.
missing_packages() { package_state "$1" | awk '$2 == "-" { printf "%s=%s* ", $1, $3 }'; }

# reason_for GROUP NAME: the comment behind a package.
reason_for() { sed -n "/^\[$1\]/,/^\[/ s/^$2  *[^ ]*  *# \(.*\)/(\1)/p" "$root/tools/packages.txt"; }

# need_packages GROUP: installs what is missing of a group; asks nothing, does nothing if all is there.
need_packages() {
  command -v dpkg-query >/dev/null ||
    die 2 "this is not a Debian system: install what tools/packages.txt lists under [$1], then use cmake --preset"
  package_state "$1" | while read -r name version prefix; do
    case $version in
      - | "$prefix"*) ;;
      *) say "note: $name $version is installed; $prefix is what we tried" ;;
    esac
  done
  packages=$(missing_packages "$1")
  [ -n "$packages" ] || return 0

  as_root=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      die 2 "these packages are missing, and installing them takes root or sudo: $packages"
    as_root="sudo ${sudo_flags-}"
  fi
  set -f # the stars in the versions are for apt-get, not for the shell
  say "installing from Debian what is missing:"
  for package in $packages; do say "  $package $(reason_for "$1" "${package%%=*}")"; done
  $as_root env DEBIAN_FRONTEND=noninteractive sh -fc '
    apt-get -o DPkg::Lock::Timeout=600 update
    apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "$@"' sh $packages </dev/null >&2 ||
    die 2 "could not install $packages; the versions are those of Debian 12"
  set +f
  mkdir -p "$root/build" && : >"$root/build/.installed" # builds configured before look again for what is there now
}

# ---- Building ----

# cpu_arch [CPUINFO]: the -march to build for; empty means the build's own choice (x86-64-v3 on
# x86-64), which a processor without its instructions could not run. PAIKA_ARCH overrules it.
cpu_arch() {
  if [ -n "${PAIKA_ARCH-}" ]; then
    printf '%s\n' "$PAIKA_ARCH"
    return
  fi
  [ "$(uname -m)" = x86_64 ] || return 0
  flags="$(grep -m 1 "^flags" "${1:-/proc/cpuinfo}" || true) "
  for flag in avx2 bmi1 bmi2 fma f16c movbe abm; do
    case $flags in
      *" $flag "*) ;;
      *)
        echo x86-64
        return
        ;;
    esac
  done
}

# configure PRESET ARCH: runs cmake when the preset was never configured, before packages were installed, for another
# processor, or in another place (a copied or moved checkout keeps its build folder, which is then of no use).
configure() {
  cache=$root/build/$1/CMakeCache.txt
  configured=$root/build/$1/build.ninja
  fresh=
  if [ -f "$configured" ]; then
    if ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
      fresh=--fresh
    elif grep -qxF "PAIKA_ARCH:STRING=$2" "$cache" && [ ! "$root/build/.installed" -nt "$configured" ]; then
      return 0
    fi
  fi
  (cd "$root" && cmake --preset "$1" $fresh "-DPAIKA_ARCH:STRING=$2") && touch "$configured"
}

# build PRESET TARGET…: configures if needed and builds. Two builds of one preset take turns. A build of the
# release preset must include the program: its stamp (see is_current) says that the program is current.
build() (
  preset=$1
  shift
  for tool in cmake ninja flock; do
    command -v $tool >/dev/null || die 2 "$tool is not installed; ./paika setup installs all that is needed"
  done
  dir=$root/build/$preset
  { mkdir -p "$dir" && [ -w "$dir" ]; } 2>/dev/null || die 2 "cannot write to $dir"
  exec 9>"$dir/.lock" </dev/null >&2
  flock -n 9 || {
    say "another build is running; waiting for it"
    flock 9
    if [ "$*" = "$program" ] && is_current; then exit 0; fi
  }

  log=$dir/launcher.log
  arch=$(cpu_arch)
  printf '%s\n%s\n' "$root" "$arch" >"$dir/.stamp-new" # dated before the build reads a source
  say "building ($preset)…"
  configure "$preset" "$arch" >"$log" 2>&1 || {
    cat "$log"
    die 3 "configuring failed; if a package is missing, ./paika setup installs it"
  }
  cd "$dir" || exit 2
  if [ -t 2 ]; then
    ninja "$@" || die 3 "the build failed"
  else
    ninja "$@" >>"$log" 2>&1 || {
      cat "$log"
      die 3 "the build failed"
    }
  fi
  mv .stamp-new .stamp
)

program="paika a3"

# What the program is made from, embedded files included (cmake/data.cmake), and what decides how.
# tests/tools/test_launcher.py compares this list with what the build really reads.
program_inputs="src cmake data po docs/rules CMakeLists.txt CMakePresets.json tests/CMakeLists.txt bench/CMakeLists.txt tools/launcher.sh"

# unchanged_since STAMP FOLDER PATH…: whether none of the paths under the folder is newer than the stamp. Folders
# count too: a file added, removed or renamed leaves its folder's date newer. A path that is not there does not count.
unchanged_since() {
  stamp=$1 folder=$2
  shift 2
  [ -f "$stamp" ] || return 1
  for path do
    shift
    [ ! -e "$folder/$path" ] || set -- "$@" "$folder/$path"
  done
  [ -z "$(find "$@" -newer "$stamp" -print -quit)" ]
}

# is_current: whether the release build of the program is newer than all it is made from.
#
# Even a ninja with nothing to do takes a noticeable time, so it is not asked: the stamp's date is the
# moment just before the last good build began, and one find looks for anything changed since. What find
# sees need not matter to the program; then ninja has nothing to do and the stamp is renewed. The stamp's
# text guards against a copied checkout and a changed PAIKA_ARCH.
is_current() {
  stamp=$root/build/release/.stamp
  [ -f "$stamp" ] && [ -x "$root/build/release/bin/paika" ] && [ -x "$root/build/release/bin/a3" ] || return 1
  { read -r stamp_root && read -r stamp_arch; } <"$stamp" || return 1
  [ "$stamp_root" = "$root" ] && [ "${PAIKA_ARCH:-$stamp_arch}" = "$stamp_arch" ] || return 1
  # shellcheck disable=SC2086 # one word a path
  unchanged_since "$stamp" "$root" $program_inputs
}

# build_program: makes build/release/bin/paika and a3 current, without the tests. On a bare machine that
# begins with installing what a build needs.
build_program() {
  if is_current; then return 0; fi
  need_packages build
  # shellcheck disable=SC2086 # two targets, two words
  build release $program || exit $?
}

# run_tests PRESET CTEST-ARGS…: its last line is ctest's own summary. Tests wait half of their time, for clocks and for
# other programs, so twice as many run as there are processors.
run_tests() {
  preset=$1
  shift
  ctest --test-dir "$root/build/$preset" --output-on-failure -j$((2 * $(nproc))) "$@"
}
