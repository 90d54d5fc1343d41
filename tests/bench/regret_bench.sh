# regret_bench.sh PROGRAM POSITIONS: regret_bench finds that the middle game of Black & White gives little away, makes
# positions that it reads again, answers positions, and refuses what it cannot read.
set -u
bench=$1
positions=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
expect() { # STATUS TEXT ARGS…
  local status=$1 text=$2
  shift 2
  "$bench" "$@" >"$folder/out" 2>&1 </dev/null
  local found=$?
  if [ "$found" != "$status" ] || ! grep -q -- "$text" "$folder/out"; then
    echo "regret_bench $*: status $found, expected $status and \"$text\":"
    cat "$folder/out"
    exit 1
  fi
}
expect 0 '20000 nodes' --file "$positions" --nodes 20000 --hash 2
# 0.952 with this engine. A change of the search that gives away more on purpose records a new bound here, with the reason
# in its commit.
lost=$(sed -n 's/.* nodes: \([0-9.]*\) discs lost.*/\1/p' "$folder/out")
awk -v lost="$lost" 'BEGIN { exit !(lost < 1.00) }' || { echo "$lost discs lost with 20000 nodes"; exit 1; }
"$bench" --make --empties 10 --positions 2 --hash 2 >"$folder/made" || exit 1
expect 0 ' nodes: ' --file "$folder/made" --nodes 500 --each --hash 2
"$bench" --make --empties 40 --depth 2 --positions 1 --hash 2 >"$folder/made" || exit 1
expect 0 ' nodes: ' --file "$folder/made" --nodes 500 --off table --hash 2
answer=$(printf 'new game 0\n%s 500\n' "$(head -n 1 "$folder/made" | cut -c 1-66)" | "$bench" --answer --hash 2)
case $answer in
  [a-h][1-8]' '*) ;;
  *) echo "--answer answers \"$answer\""; exit 1 ;;
esac
for limit in 500x -500 0 s 0s -0.1s 0.1xs; do
  echo "$(head -n 1 "$folder/made" | cut -c 1-66) $limit" | "$bench" --answer --hash 2 >"$folder/out" 2>&1
  [ $? = 2 ] && grep -q 'not a position and a limit' "$folder/out" || { echo "--answer accepts the limit $limit"; exit 1; }
done
echo 'rubbish X; a1:+2' >"$folder/bad"
expect 2 'line 1 is not a position' --file "$folder/bad"
expect 2 'no positions can be read' --file "$folder/none"
expect 2 'no feature called' --file "$folder/made" --off nothing
expect 2 'empties' --make --empties 3
expect 2 'nodes' --file "$positions" --nodes 0
expect 2 'nodes' --file "$positions" --nodes -5
expect 2 'excludes' --make --file "$positions"
expect 2 'excludes' --make --answer
