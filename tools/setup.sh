# ./paika setup: installs what is missing, then configures and builds everything of the release preset.
need_packages build
need_packages test
build release all || exit $?
say "ready: $root/build/release/bin/paika; start it with ./paika"
