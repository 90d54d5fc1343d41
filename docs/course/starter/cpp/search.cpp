// Assignment 2: for each line with a position and a depth, prints its value and a best move.
#include <iostream>
#include <string>

struct Answer {
  int value = 0;
  std::string move = "pass";
};

/// Put your work here: the value for the side to move, `depth` moves ahead, and a move ("pass" if it must).
Answer best(const std::string& /*squares*/, char /*side*/, int /*depth*/) { return {}; }

int main() {
  std::string squares;
  char side = 'X';
  int depth = 0;
  while (std::cin >> squares >> side >> depth) {
    const Answer answer = best(squares, side, depth);
    std::cout << answer.value << ' ' << answer.move << std::endl;
  }
}
