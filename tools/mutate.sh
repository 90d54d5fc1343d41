# ./paika mutate N [--seed S] [--in PATH…] [--tests REGEX] [--jobs J]: plants N random faults in copies of sources, and lists
# those that no test notices; see tools/mutate.py. Fails if fewer than 90 % are noticed.
need_packages build
need_packages test
# shellcheck disable=SC2086 # two targets, two words
build release $program || exit $?
exec nice -n 10 /usr/bin/python3 -B "$root/tools/mutate.py" "$@"
