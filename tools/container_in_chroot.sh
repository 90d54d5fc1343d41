#!/bin/sh
# Replays the last stage of the Containerfile in a chroot, for machines without podman:
#
#   tools/container_in_chroot.sh BASE-FOLDER DEB
#
# BASE-FOLDER is the root of a minimal Debian 12 (debootstrap --variant=minbase bookworm BASE-FOLDER), which is changed. Every
# RUN of the stage runs in it; then the command of the stage runs as the user of the stage with the root read-only and
# nothing else of the machine, and must answer. Says how large the root is; more than 150 MB is an error. Takes root.
set -eu
top=$(dirname -- "$(readlink -f -- "$0")")/..
limit_mb=150
[ $# -eq 2 ] && [ -d "$1/usr" ] && [ -f "$2" ] || {
  echo "usage: tools/container_in_chroot.sh BASE-FOLDER DEB" >&2
  exit 2
}
[ "$(id -u)" = 0 ] || {
  echo "container_in_chroot: this takes root" >&2
  exit 2
}
base=$(readlink -f -- "$1")
# The lines after the last FROM, each instruction on one, without the mounts: the folder is copied here.
steps=$(sed '1,/^FROM.*AS build/d' "$top/Containerfile" | sed '1,/^FROM/d' |
  sed -e ':join' -e '/\\$/{N;s/\\\n *//;b join' -e '}' -e 's/^RUN --mount=[^ ]*/RUN/')

# inside COMMAND: as `RUN` does, in a mount namespace of its own, so that nothing stays mounted.
inside() {
  unshare --mount --pid --fork sh -euc '
    mount -t proc proc "$1/proc"
    exec chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -euc "$2"' sh "$base" "$1"
}

# Debian's slim image, for which the folder stands, has neither manuals nor translations, and its dpkg installs none.
cat >"$base/etc/dpkg/dpkg.cfg.d/slim" <<EOF
path-exclude /usr/share/doc/*
path-include /usr/share/doc/*/copyright
path-exclude /usr/share/locale/*
path-exclude /usr/share/man/*
EOF
find "$base/usr/share/doc" "$base/usr/share/locale" "$base/usr/share/man" ! -type d ! -name copyright -delete

mkdir -p "$base/packages"
cp -- "$2" "$base/packages/"
printf '%s\n' "$steps" | sed -n 's/^RUN //p' >"$base/packages.steps"
while IFS= read -r step; do
  echo "container_in_chroot: RUN $step" >&2
  inside "$step" </dev/null >&2
done <"$base/packages.steps"
rm -r "$base/packages.steps" "$base/packages"

size_mb=$(du -sxm --exclude=proc "$base" | cut -f 1)
echo "container_in_chroot: $size_mb MB"
[ "$size_mb" -le "$limit_mb" ] || {
  echo "container_in_chroot: more than $limit_mb MB" >&2
  exit 1
}

# The command of the stage, as its user, without the network of the machine; the root is read-only, the volume is not.
user=$(printf '%s\n' "$steps" | sed -n 's/^USER //p')
command=$(printf '%s\n' "$steps" | sed -n 's/^\(ENTRYPOINT\|CMD\) \[\(.*\)\]$/\2/p' | tr -d '",' | tr '\n' ' ')
unshare --mount --pid --net --fork sh -euc '
  base=$1
  ip link set lo up 2>/dev/null || true
  mount --bind "$base" "$base"
  mount -t proc proc "$base/proc"
  mount -t tmpfs tmpfs "$base/tmp"
  mount -t tmpfs -o "uid=$(chroot "$base" id -u "$2"),mode=700" tmpfs "$base/var/lib/paika"
  mount -o remount,bind,ro "$base"
  chroot --userspec="$2:$2" "$base" sh -c "! touch /usr/x 2>/dev/null && ! touch /x 2>/dev/null" ||
    { echo "container_in_chroot: the root can be written" >&2; exit 1; }
  chroot --userspec="$2:$2" "$base" $3 >"$base/tmp/log" 2>&1 &
  for i in $(seq 100); do
    grep -q "^Paika is at" "$base/tmp/log" && break
    sleep 0.1
  done
  cat "$base/tmp/log"
  grep -q "^Paika is at" "$base/tmp/log"
  python3 -c "
import re, urllib.request
page = urllib.request.urlopen(\"http://127.0.0.1:7420/\").read().decode()
print(re.search(\"<title>.*</title>\", page)[0], len(page), \"bytes\")"
  test -f "$base/var/lib/paika/games.db"' sh "$base" "$user" "$command"
echo "container_in_chroot: it runs, as $user, with a root that is read-only"
