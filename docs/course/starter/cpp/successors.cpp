// Assignment 1: prints every position that can follow the one on standard input.
#include <iostream>
#include <string>
#include <vector>

struct Position {
  std::string squares;
  char side = 'X';
};

/// Put your work here: the positions after each move.
std::vector<Position> successors(const Position& /*position*/) { return {}; }

int main() {
  Position position;
  std::cin >> position.squares >> position.side;
  for (const Position& after : successors(position)) std::cout << after.squares << ' ' << after.side << '\n';
}
