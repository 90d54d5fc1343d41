#!/bin/sh
# Runs a test as an ordinary user where the tests run as root: what a sandbox holds must not depend on who starts it.
# Everybody else runs the test as it is anyway, and is told that it is left out.
#
# usage: as_ordinary_user.sh PROGRAM [ARG…]
if [ "$(id -u)" != 0 ]; then
  echo "skipped: these tests already run as an ordinary user"
  exit 0
fi
user=65534
as_user() { setpriv --reuid="$user" --regid="$user" --clear-groups --inh-caps=-all --bounding-set=-all -- "$@"; }
as_user true 2>/dev/null || { echo "skipped: this root may not become an ordinary user"; exit 0; }
for path in "$@"; do
  case $path in /*) as_user test -r "$path" || { echo "skipped: an ordinary user cannot read $path"; exit 0; } ;; esac
done
home=$(mktemp -d) || exit 1
trap 'rm -rf "$home"' EXIT
chown "$user:$user" "$home"
export HOME="$home" XDG_DATA_HOME="$home/data" XDG_STATE_HOME="$home/state"
cd "$home" || exit 1
as_user "$@"
