# ./paika release [verify]: everything that a release consists of, in build/packages: the source, the npm packages, the
# Debian packages, a Python wheel and SHA256SUMS. All of it is built from the last commit, in
# a tree of its own, and is the same byte for byte wherever it is built again: dates are that of the commit, paths are left
# out. With `verify` it is built a second time and compared: elsewhere, in another time zone, and with other permissions. Each
# place has a cache of compiled files of its own, so that nothing compiled in one gets to the other, and a release that is made
# again compiles only what has changed. (debhelper would hide the user's own cache.)
. "$root/tools/web_build.sh"

# unpack_source OUT TREE: the source tarball, and what is in it unpacked as TREE.
unpack_source() {
  tarball=$1/paika-$version.tar.xz
  git -C "$root" archive --format=tar --prefix="paika-$version/" HEAD | xz -T1 -6 >"$tarball" || return
  rm -rf "$2" && mkdir -p "$2" && tar -xJf "$tarball" -C "$2" --strip-components=1
}

# build_npm OUT TREE: the web app in the tree's web/dist, and the npm packages.
build_npm() {
  (
    root=$2
    . "$root/tools/launcher.sh"
    . "$root/tools/web_build.sh"
    build_page && build_engine && place_engine && build_npm_packages
  ) >&2 && cp "$2/build/npm"/*.tgz "$1/"
}

# build_debian OUT TREE: the Debian packages, in which lintian finds no errors.
build_debian() {
  (cd "$2" && dpkg-buildpackage -b -us -uc -d) >&2 && lintian --allow-root --fail-on error "$2"/../*.changes >&2 &&
    cp "$2"/../*.deb "$1/"
}

# build_wheel OUT TREE: the wheel, linked from what was compiled for the Debian packages.
build_wheel() {
  PAIKA_BUILD=$(echo "$2"/obj-*) \
    /usr/bin/python3 -m pip wheel --quiet --no-deps --no-build-isolation --no-index --wheel-dir "$1" "$2" >&2
}

# make_release OUT PLACE: all of it, built under PLACE, with the cache PLACE-cache.
make_release() {
  export CCACHE_DIR="$2-cache"
  rm -rf "$1" "$2"
  mkdir -p "$1" "$2"
  for part in unpack_source build_npm build_debian build_wheel; do
    say "release: $part"
    "$part" "$1" "$2/paika-$version" || die 3 "$part failed"
  done
  (cd "$1" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%f\n' | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
}

case ${1-} in
  '' | verify) ;;
  *) die 2 "./paika release takes 'verify' or nothing, not '$1'" ;;
esac
[ -z "$(git -C "$root" status --porcelain)" ] ||
  die 2 "a release is built from the last commit, and there are changes that are not in it; git status lists them"
for group in build wasm release; do need_packages $group; done
need_node
version=$(paika_version)
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
out=$root/build/packages
make_release "$out" "$root/build/packages-tree"
if [ "${1-}" = verify ]; then
  say "release: building it again, to compare"
  umask 027
  export TZ=Pacific/Apia
  make_release "$out-again" "$root/build/packages-tree-again"
  diff -r "$out" "$out-again" >&2 || die 1 "the same source gave other files"
  say "release: the same, byte for byte"
fi
cat "$out/SHA256SUMS"
