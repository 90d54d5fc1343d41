#!/usr/bin/env bash
# Tests the program a3 (docs/rules/wildebeest.md, section 7). Usage: a3_test.sh PATH_OF_A3
# Prints what failed and exits with 1 if anything did.
set -u

if [[ $# -ne 1 || ! -x $1 ]]; then
  echo "usage: $0 PATH_OF_A3" >&2
  exit 2
fi
a3=$(realpath "$1")
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

rows=(RNZBOKXBCNR GPPSPJPPPPG ........... '.*.......*.' ........... '.....#.....' ........... '.*.......*.'
  ........... gppspjppppg rnzbokxbcnr)
lines=(W "${rows[@]}" 0 60000 0)

# board [LINE TEXT]...: the initial board file with some lines (counted from 1) replaced.
board() {
  local here=("${lines[@]}")
  while [[ $# -gt 1 ]]; do
    here[$1 - 1]=$2
    shift 2
  done
  printf '%s\n' "${here[@]}"
}

# run NAME [ARGUMENTS]...: runs a3 on standard input in a new folder; sets dir, status and errors.
run() {
  dir=$top/$1
  mkdir "$dir"
  shift
  errors=$(cd "$dir" && "$a3" "$@" 2>&1 >/dev/null)
  status=$?
}
files_in() { find "$1" -mindepth 1 | wc -l; }

# refuses NAME PLACE: bad input on standard input must write nothing, exit with 2 and name PLACE.
refuses() {
  run "$1"
  [[ $status -eq 2 ]] || fail "$1: exit status $status instead of 2"
  [[ $(files_in "$dir") -eq 0 ]] || fail "$1: files were written"
  [[ $errors == *"$2"* ]] || fail "$1: the message does not name '$2': $errors"
}

# 7.2 and 7.3: 30 files, 29 distinct, in the right format.
run initial < <(board 13 007 15 -3)
[[ $status -eq 0 ]] || fail "initial: exit status $status: $errors"
[[ -z $errors ]] || fail "initial: it said $errors"
[[ $(files_in "$dir") -eq 30 ]] || fail "initial: $(files_in "$dir") files instead of 30"
[[ $(cat "$dir"/board.* | wc -l) -eq 450 ]] || fail "initial: not 15 lines in each file"
for i in $(seq 0 29); do
  file=$dir/$(printf 'board.%03d' "$i")
  [[ -f $file ]] || { fail "initial: $file is missing"; continue; }
  [[ $(head -n 1 "$file") == B ]] || fail "$file: the turn letter is not swapped"
  [[ $(sed -n 2,12p "$file" | grep -cxE '[A-Za-z.*#]{11}') -eq 11 ]] || fail "$file: not 11 rows of 11 characters"
  [[ $(tail -n 3 "$file" | tr '\n' ' ') == "007 60000 -3 " ]] || fail "$file: the integers changed"
  [[ $(tail -c 1 "$file" | od -An -c | tr -d ' ') == '\n' ]] || fail "$file: the last line is not ended"
done
distinct=$(md5sum "$dir"/board.* | cut -d' ' -f1 | sort -u | wc -l)
[[ $distinct -eq 29 ]] || fail "initial: $distinct distinct boards instead of 29"

# One board checked byte by byte: the lone Black King of a corner, with Black to move.
empty=(2 ........... 3 ........... 11 ...........)
run corner < <(board 1 B "${empty[@]}" 12 k..........)
expected=$(board "${empty[@]}" 11 k.......... 12 ...........)
[[ $(files_in "$dir") -eq 3 ]] || fail "corner: $(files_in "$dir") files instead of 3"
grep -qxF -- "$(sed -n 11p <<<"$expected")" "$dir"/board.* || fail "corner: no king on a9"
found=0
for file in "$dir"/board.*; do [[ $(cat "$file") == "$expected" ]] && found=1; done
[[ $found -eq 1 ]] || fail "corner: no file is exactly the board with the king on a9"

# 6.2: boards that no game leads to are boards all the same; one without a move has no successor.
run crowded < <(board 2 KKKKKKKKKKK 3 XXXXXXXXXXX 7 .....K.....)
[[ $status -eq 0 && $(files_in "$dir") -gt 0 ]] || fail "crowded: exit status $status, $(files_in "$dir") files"
run nothing < <(board "${empty[@]}" 12 ...........)
[[ $status -eq 0 && $(files_in "$dir") -eq 0 ]] || fail "nothing: exit status $status, $(files_in "$dir") files"

# A spec chooses the options.
pad=("${empty[@]}" 3 ..R........ 9 '.*.......g.' 12 ...........)
run diagonal wildebeest < <(board "${pad[@]}")
[[ $(sed -n 5p "$dir/board.000") == '.g.......*.' ]] || fail "diagonal: the Gorilla is not on b3"
run cycle wildebeest:pads=cycle < <(board "${pad[@]}")
[[ $(sed -n 9p "$dir/board.000") == '.g.......*.' ]] || fail "cycle: the Gorilla is not on b7"
swarm=("${empty[@]}" 2 R.......... 3 ..z........ 12 ...........)
run enter < <(board "${swarm[@]}")
entered=$(files_in "$dir")
run forbid wildebeest:swarm=forbid < <(board "${swarm[@]}")
[[ $(files_in "$dir") -lt $entered ]] || fail "forbid: as many boards as with swarm=enter"

# 7.4: bad input.
refuses nothing-at-all "line 1, column 1" </dev/null
refuses letter "line 1, column 1" < <(board 1 X)
refuses small-letter "line 1, column 1" < <(board 1 b)
refuses two-letters "line 1, column 2" < <(board 1 WB)
refuses unknown "line 4, column 7" < <(board 4 '......?....')
refuses short-row "line 4, column 11" < <(board 4 ..........)
refuses long-row "line 4, column 12" < <(board 4 ............)
refuses no-pad "line 5, column 2" < <(board 5 '.........*.')
refuses wrong-pad "line 4, column 1" < <(board 4 '*..........')
refuses no-jet-pack "line 7, column 6" < <(board 7 ...........)
refuses wrong-jet-pack "line 6, column 6" < <(board 6 '.....#.....')
refuses not-integer "line 13, column 2" < <(board 13 1x)
refuses no-integer "line 14, column 1" < <(board 14 '')
refuses plus "line 15, column 1" < <(board 15 +1)
refuses huge-integer "line 15, column 1" < <(board 15 99999999999999999999)
refuses carriage-returns "line 1, column 2" < <(board | sed 's/$/\r/')
refuses few-lines "line 15, column 1" < <(board | head -n 14)
refuses unended "line 15, column 2" < <(board | head -c -1)
refuses trailing "line 16, column 1" < <(board; echo x)
refuses blank-line "line 16, column 1" < <(board; echo)
refuses too-long "line 1, column 2" < <(head -c 3000000 /dev/zero)
refuses long-line "line 1, column 2" < <(yes W | tr -d '\n' | head -c 10000000)
refuses long-tail "line 16, column 1" < <(board; head -c 3000000 /dev/zero)
refuses one-line "line 1, column 2" < <(echo "W ${rows[*]} 0 60000 0")

# Arguments.
run help --help </dev/null
[[ $status -eq 0 ]] || fail "--help: exit status $status"
for bad in --pads -x othello wildebeest:pads=round; do
  run "argument$bad" "$bad" < <(board)
  [[ $status -eq 2 && $(files_in "$dir") -eq 0 && -n $errors ]] || fail "argument $bad: exit status $status"
done
run two-arguments wildebeest wildebeest < <(board)
[[ $status -eq 2 && $(files_in "$dir") -eq 0 ]] || fail "two arguments: exit status $status"

# A failure half way leaves nothing of this run behind, and nothing of others' removed.
dir=$top/obstacle
mkdir -p "$dir/board.007"
board | (cd "$dir" && "$a3" 2>"$top/obstacle.errors")
status=$?
[[ $status -eq 2 ]] || fail "obstacle: exit status $status instead of 2"
[[ $(ls "$dir") == board.007 ]] || fail "obstacle: left behind: $(ls "$dir" | tr '\n' ' ')"
grep -q board.007 "$top/obstacle.errors" || fail "obstacle: the message does not name board.007"

# What is no board is said as it is.
(cd "$top" && "$a3" <&- 2>"$top/closed.errors")
[[ $? -eq 2 ]] && grep -q "cannot read standard input" "$top/closed.errors" || fail "closed: $(cat "$top/closed.errors")"

# Boards of an earlier run are replaced, and a link of that name is no trap.
dir=$top/again
mkdir -p "$dir"
ln -s board.000 "$dir/board.000"
echo old >"$dir/board.001"
board | (cd "$dir" && "$a3" 2>"$top/again.errors") || fail "again: $(cat "$top/again.errors")"
[[ $(ls "$dir" | wc -l) -eq 30 && $(wc -l <"$dir/board.001") -eq 15 ]] || fail "again: not 30 whole boards"

if [[ $failures -gt 0 ]]; then
  echo "$failures failures"
  exit 1
fi
echo "a3: all tests passed"
