#!/usr/bin/env python3
"""A program that speaks GTP (GRhino's gtp-rhino) as a bot for `paika match othello`: translates between the two.

Usage: gtp_bot.py COMMAND [ARGUMENT…], e.g. bot:python3 bench/peers/gtp_bot.py /usr/games/gtp-rhino --level=5
The time that a turn may take is not passed on: GTP's Othello programs think to a depth of their own.
"""

import subprocess
import sys


def say(line):
    print(line, flush=True)


class Gtp:
    """The other program, and the turns it knows of."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.played = None

    def ask(self, command):
        """Sends a command; the answer without its '='. Answers end at an empty line."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if not line.strip():
                break
            lines.append(line.strip())
        if not lines or not lines[0].startswith("="):
            sys.exit(f"{command}: {' '.join(lines) or 'no answer'}")
        return lines[0][1:].strip()

    def play_up_to(self, turns):
        """Brings its board to the position after `turns`, from where it stands if it has seen their beginning."""
        if self.played is None or turns[: len(self.played)] != self.played:
            self.ask("boardsize 8")
            self.ask("clear_board")
            self.played = []
        for turn in turns[len(self.played):]:
            if turn != "pass":  # GRhino passes for whoever has to, and knows no word for it
                self.ask(f"play {self.colour()} {turn}")
            self.played.append(turn)

    def colour(self):
        return "white" if len(self.played) % 2 else "black"

    def answer(self):
        turn = self.ask(f"genmove {self.colour()}").lower()
        self.played.append(turn)
        return turn


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    other = Gtp(sys.argv[1:])
    turns = []
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["ugi"]:
            say(f"id name {other.ask('name')} {other.ask('version')}")
            say("ugiok")
        elif words[:1] == ["isready"]:
            say("readyok")
        elif words[:2] == ["position", "startpos"]:
            turns = words[3:]
        elif words[:1] == ["position"]:
            sys.exit("games are played from the start only")
        elif words[:1] == ["go"]:
            other.play_up_to(turns)
            say(f"bestmove {other.answer()}")
        elif words[:1] == ["quit"]:
            break


if __name__ == "__main__":
    main()
