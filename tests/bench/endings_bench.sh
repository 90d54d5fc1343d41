# endings_bench.sh PROGRAM: endings_bench reads a file of endings and says by its exit status whether the scores are right.
set -u
bench=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
board=OOOOOOOXOOOOOOXXOOXXOOOXOOXOOOXXOOOOOOXXOOXOOOOXOOOOOXXXO---X---
expect() { # STATUS TEXT ARGS…
  local status=$1 text=$2
  shift 2
  "$bench" "$@" >"$folder/out" 2>&1
  local found=$?
  if [ "$found" != "$status" ] || ! grep -q -- "$text" "$folder/out"; then
    echo "endings_bench $*: status $found, expected $status and \"$text\":"
    cat "$folder/out"
    exit 1
  fi
}
echo "$board X" >"$folder/plain.obf"
expect 0 '1 positions' --file "$folder/plain.obf" --hash 2
score=$(sed -n 's/^line .* empty, \([+-][0-9]*\) by \([a-h][1-8]\),.*/\2:\1/p' "$folder/out")
echo "$board X; $score;" >"$folder/right.obf"
expect 0 ' 0 of the scores' --file "$folder/right.obf" --hash 2 --threads 2
echo "$board X; ${score%%:*}:-62;" >"$folder/wrong.obf"
expect 1 'WRONG: the file says -62' --file "$folder/wrong.obf" --hash 2
echo 'rubbish X' >"$folder/bad.obf"
expect 2 'line 1: ' --file "$folder/bad.obf"
expect 2 'cannot be read' --file "$folder/none.obf"
expect 2 'threads' --threads 0
