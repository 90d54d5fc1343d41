#!/bin/sh
# Tries the Debian packages as their users do, in a clean Debian 12:
#
#   tools/debian_in_chroot.sh BASE-FOLDER PACKAGE-FOLDER
#
# BASE-FOLDER is the root of a minimal Debian 12 (debootstrap --variant=minbase bookworm BASE-FOLDER), which stays as it is:
# all changes go into a layer over it that ends with the trial. PACKAGE-FOLDER has the .deb files, as build/packages has.
# apt-get takes everything else from where this machine takes its packages. Each step says what it shows; the first that
# fails ends the trial. Takes root.
set -eu
top=$(readlink -f -- "$(dirname -- "$0")/..")
[ $# -eq 2 ] && [ -d "$1/usr" ] && ls "$2"/paika_*.deb >/dev/null || {
  echo "usage: tools/debian_in_chroot.sh BASE-FOLDER PACKAGE-FOLDER" >&2
  exit 2
}
[ "$(id -u)" = 0 ] || {
  echo "debian_in_chroot: this takes root" >&2
  exit 2
}
if [ -z "${PAIKA_TRIAL-}" ]; then
  PAIKA_TRIAL=$(mktemp -d)
  export PAIKA_TRIAL
  status=0
  unshare --mount --pid --fork "$0" "$@" || status=$?
  rm -rf "$PAIKA_TRIAL"
  exit $status
fi

say() { printf '\ndebian_in_chroot: %s\n' "$*" >&2; }
inside() {
  chroot "$root" /usr/bin/env -i HOME=/tmp/home LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
    sh -euc "$1"
}
install() { inside "apt-get install -y --no-install-recommends $*" >"$log" 2>&1 || { cat "$log" >&2 && exit 1; }; }

root=$PAIKA_TRIAL/root log=$PAIKA_TRIAL/log
mkdir "$root" "$PAIKA_TRIAL/upper" "$PAIKA_TRIAL/work"
mount -t tmpfs tmpfs "$PAIKA_TRIAL/upper" 2>/dev/null && mkdir "$PAIKA_TRIAL/upper/upper" "$PAIKA_TRIAL/upper/work"
mount -t overlay overlay -o "lowerdir=$(readlink -f -- "$1"),upperdir=$PAIKA_TRIAL/upper/upper,workdir=$PAIKA_TRIAL/upper/work" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mkdir "$root/packages" "$root/examples"
cp -- "$2"/*.deb "$root/packages/"
cp -- "$top"/examples/*.c "$root/examples/"
rm -rf "$root/etc/apt/sources.list"
cp -- /etc/apt/sources.list.d/debian.sources "$root/etc/apt/sources.list.d/"
inside 'apt-get update' >"$log" 2>&1 || { cat "$log" >&2 && exit 1; }

say "apt install ./paika_*.deb, and a whole game by typed moves"
install '/packages/paika_*.deb'
printf 'f5\nd6\nc5\nf4\ne7\nf6\ng5\ne6\ne3\n' >"$root/moves" # the shortest game that ends
inside 'paika play othello --second human <moves | grep -A 1 "^The game is over; moves played: 9"'
inside 'paika perft "fanorona:9x5,sacrifice=off" 5 | grep -x "5 431852"'
inside 'for file in bash-completion/completions/paika zsh/vendor-completions/_paika fish/vendor_completions.d/paika.fish; do
  test -s /usr/share/$file; done; bash -n /usr/share/bash-completion/completions/paika'

say "apt install ./paika-server_*.deb, systemd-analyze verify, and the server as its user"
install systemd man-db curl '/packages/paika-server_*.deb'
inside 'systemd-analyze verify /lib/systemd/system/paika.service && systemd-analyze security --offline=true paika.service | tail -n 1'
inside 'test "$(stat -c "%U %G %a" /var/lib/paika)" = "paika paika 700"'
inside '. /etc/default/paika
  cd / && setpriv --reuid=paika --regid=paika --clear-groups paika serve --db /var/lib/paika/games.db $PAIKA_OPTIONS >/tmp/log 2>&1 &
  server=$!
  for i in $(seq 100); do grep -q "^Paika is at" /tmp/log && break; sleep 0.1; done
  cat /tmp/log
  curl -fsS http://127.0.0.1:7420/ | grep -o "<title>.*</title>"
  curl -fsS -o /tmp/engine.wasm http://127.0.0.1:7420/engine.wasm
  du -h /tmp/engine.wasm
  curl -fsS -H "Content-Type: application/json" -d "{\"spec\":\"othello\",\"move\":\"d3\"}" \
    http://127.0.0.1:7420/api/position/play | grep -o "\"position\":\"[^\"]*\""
  paika admin --db /var/lib/paika/games.db statistics | head -n 3
  kill "$server" && wait "$server" && stat -c "%n %U %a" /var/lib/paika/games.db'

say "libpaika-dev: the examples by pkg-config and by CMake"
install gcc libc6-dev cmake make pkgconf '/packages/libpaika1_*.deb' '/packages/libpaika-dev_*.deb'
inside 'cd /examples && for source in *.c; do
    cc -std=c99 -Wall -Wextra -Werror $source $(pkg-config --cflags --libs paika) -o by-pkg-config
    ./by-pkg-config othello:6x6 nodes=50,hash=1 2>/dev/null | tail -n 1
    printf "cmake_minimum_required(VERSION 3.25)\nproject(example C)\nfind_package(paika 0.1 REQUIRED)\nadd_executable(example %s)
      target_link_libraries(example PRIVATE paika::paika)\n" $source >CMakeLists.txt
    cmake -B build >/dev/null && cmake --build build >/dev/null && build/example fanorona:3x3 nodes=50,hash=1 2>/dev/null | tail -n 1
  done'

say "python3-paika"
install '/packages/python3-paika_*.deb'
inside "python3 -c \"import paika; assert paika.perft('fanorona:9x5,sacrifice=off', 5) == 431852; print(paika.__version__, paika.__file__)\""
inside 'python3 -m paika othello | head -n 5'

say "apt purge leaves nothing"
inside 'apt-get purge -y paika paika-server libpaika1 libpaika-dev python3-paika' >"$log" 2>&1 || { cat "$log" >&2 && exit 1; }
left=$(inside 'dpkg -l | grep paika || true; grep paika /etc/passwd /etc/group /etc/shadow || true
  find / -xdev -name "*paika*" ! -path "/packages/*" ! -path "/tmp/*" ! -path "/var/cache/man/*"')
[ -z "$left" ] || {
  printf 'debian_in_chroot: this is left:\n%s\n' "$left" >&2
  exit 1
}
say "all of it works"
