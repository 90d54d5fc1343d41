# ./paika tune ARGS…: builds the programs that fit weights (tools/tune/README.md) and runs the one for linear
# evaluations, paika_tune, with ARGS.
need_packages build
# A build of the release preset must include the program.
# shellcheck disable=SC2086 # two targets, two words
build release $program tune || exit $?
exec "$root/build/release/bin/paika_tune" "$@"
