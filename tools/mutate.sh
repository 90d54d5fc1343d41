# ./paika mutate N [--seed S] [--in PATH…] [--tests REGEX]: plants N random faults in a copy of the tree, one at a time, and
# lists those that no test notices; see tools/mutate.py. Fails if fewer than 90 % are noticed.
need_packages build
exec nice -n 10 /usr/bin/python3 -B "$root/tools/mutate.py" "$@"
