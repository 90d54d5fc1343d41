#!/usr/bin/env bash
# Learns the weights of Black & White's patterns for one size of board: plays games, then fits.
#
# usage: recipe.sh BIN OUT SIZE SECONDS
#   BIN      the folder with paika_tune_othello_selfplay and paika_tune_othello_layout
#   OUT      a folder; othello-8x8.weights (or 6x6, 10x10) is written there, log.txt tells the story
#   SIZE     6, 8 or 10
#   SECONDS  for the games; the fit takes a minute with a GPU
# Environment: THREADS (all cores), SEED (1), DEPTH and EXACT_FROM (by size), PYTHON (python3), DATA (a folder for the
# samples; OUT/samples), PENALTY (what train.py tries).
set -euo pipefail

if [ $# -ne 4 ]; then
  sed -n '4,10p' "$0" | cut -c3-
  exit 2
fi
bin=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
size=$3
seconds=$4
case $size in
  6) depth=4 exact_from=14 step=16 penalty=5:10,2:5,20:20 ;;
  8) depth=6 exact_from=16 step=8 penalty=10:10,3:10,10:40,30:30 ;;
  10) depth=4 exact_from=8 step=24 penalty=10:20,3:20,30:60 ;;
  *) echo "recipe.sh: there are patterns for the sizes 6, 8 and 10, not for $size" >&2; exit 2 ;;
esac
depth=${DEPTH:-$depth}
exact_from=${EXACT_FROM:-$exact_from}
penalty=${PENALTY:-$penalty}
threads=${THREADS:-$(nproc)}
seed=${SEED:-1}
python=${PYTHON:-python3}
data=${DATA:-$out/samples}
here=$(dirname "$(realpath "$0")")
mkdir -p "$data"

layout=$data/layout-$size.json
"$bin/paika_tune_othello_layout" --size "$size" > "$layout"
"$python" "$here/train.py" --layout "$layout" --check | tee -a "$out/log.txt"

# A tiny run first: what does not work must show at once, not after all the games.
"$bin/paika_tune_othello_selfplay" --size "$size" --games 200 --seed 99 --depth 1 --exact-from 8 --threads "$threads" \
  --out "$data/try.bin" > /dev/null
"$python" "$here/train.py" --layout "$layout" --out "$data/try.weights" --steps 5 "$data/try.bin" > /dev/null
rm -f "$data/try.bin" "$data/try.weights"

note=$("$bin/paika_tune_othello_selfplay" --size "$size" --seed "$seed" --games 99999999 --seconds "$seconds" \
  --threads "$threads" --depth "$depth" --exact-from "$exact_from" --out "$data/samples-$size.bin")
echo "$note" | tee -a "$out/log.txt"
"$python" "$here/train.py" --layout "$layout" --penalty "$penalty" --step "$step" --note "selfplay: $note" \
  --held-out "$data/held-out-$size.bin" --out "$out/othello-${size}x$size.weights" "$data/samples-$size.bin" |
  tee -a "$out/log.txt"
