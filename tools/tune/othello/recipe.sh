#!/usr/bin/env bash
# Learns the weights of Black & White in rounds: play games with the weights so far, train, again.
#
# usage: recipe.sh SELFPLAY OUT MINUTES [ROUNDS] [START-WEIGHTS]
#   SELFPLAY       the program paika_tune_othello_selfplay
#   OUT            a folder; othello.weights there is always the newest, log.txt tells the story
#   MINUTES        for everything; the last round is the longest
#   ROUNDS         3 unless given
#   START-WEIGHTS  play the first round with these; else with the plain evaluation
# Environment: THREADS (all cores), SEED (1), PYTHON (python3), DATA (a folder for the samples; OUT/samples).
set -euo pipefail

if [ $# -lt 3 ]; then
  sed -n '4,10p' "$0" | cut -c3-
  exit 2
fi
selfplay=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
minutes=$3
rounds=${4:-3}
weights=${5:-}
threads=${THREADS:-$(nproc)}
seed=${SEED:-1}
python=${PYTHON:-python3}
data=${DATA:-$out/samples}
here=$(dirname "$(realpath "$0")")
mkdir -p "$data"
started=$(date +%s)
all=$((minutes * 60))

log() { echo "$*" | tee -a "$out/log.txt"; }
left() { echo $((all - ($(date +%s) - started))); }

layout=$data/layout.json
"$selfplay" --layout "$layout"
"$python" "$here/train.py" --layout "$layout" --check | tee -a "$out/log.txt"

# A tiny run first: what does not work must show at once, not after all the games.
"$selfplay" --games 300 --seed 99 --depth 1 --exact-from 8 --threads "$threads" --out "$data/try.bin" >/dev/null
"$python" "$here/train.py" --layout "$layout" --out "$data/try.weights" --steps 20 "$data/try.bin" >/dev/null
"$selfplay" --weights "$data/try.weights" --measure "$data/try.bin" >/dev/null
log "the tiny run works, $(left) s left"

# The last round plays for 60 % of the time left to it and trains in the rest; earlier ones take 20 % for each.
samples=()
for ((round = 1; round <= rounds; ++round)); do
  after=$((rounds - round))
  if ((after == 0)); then
    seconds=$(($(left) * 60 / 100)) depth=${LAST_DEPTH:-6} exact=16 ridge=(15 60) share=85
  else
    seconds=$(($(left) * 20 / 100)) depth=$((3 + round)) exact=14 ridge=(30) share=20
  fi
  file=$data/round$round.bin
  game=$((round * 100000000))
  note=$("$selfplay" --seed "$seed" --first-game $game --games 99999999 --seconds "$seconds" --threads "$threads" \
    --depth "$depth" --exact-from "$exact" --out "$file" ${weights:+--weights "$weights"})
  log "round $round: $note"
  # Samples of the first round come from weak play: they start the next round and are then left out.
  if ((round <= 2)) && [ -z "${5:-}" ]; then samples=(); fi
  samples+=("$file")
  "$python" "$here/train.py" --layout "$layout" --out "$out/round$round.weights" --ridge "${ridge[@]}" --seed "$seed" \
    --seconds $(($(left) * share / 100)) \
    --note "tools/tune/othello/recipe.sh, round $round of $rounds" --note "$note" "${samples[@]}" |
    tee -a "$out/log.txt"
  weights=$out/round$round.weights
  cp "$weights" "$out/othello.weights"
  log "round $round done, $(left) s left"
done
"$selfplay" --weights "$out/othello.weights" --measure "$file" | tee -a "$out/log.txt"
rm -f "$data/try.bin" "$data/try.weights"
