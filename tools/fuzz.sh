# ./paika fuzz [SECONDS [TARGET…]]: runs each target of the fuzz program, or those that are named, for SECONDS, 60 by
# default, on all cores. What is kept where: tools/fuzz.py; its folder is build/fuzz.
case ${1-60} in
  *[!0-9]* | '') die 2 "'$1' is not a number of seconds" ;;
esac
need_packages build
need_packages check
build fuzz fuzz_program || exit $?
[ $# -gt 0 ] || set -- 60
exec /usr/bin/python3 -B "$root/tools/fuzz.py" "$root/build/fuzz/bin/fuzz_program" "$root/build/fuzz" "$@"
