// Assignment 4: for each line with a position, prints its value with perfect play and a move that keeps it.
#include <iostream>
#include <string>

struct Answer {
  int value = 0;
  std::string move = "pass";
};

/// Put your work here: by how many pawns the side to move wins (negative: loses), and a move.
Answer solve(const std::string& /*squares*/, char /*side*/) { return {}; }

int main() {
  std::string squares;
  char side = 'X';
  while (std::cin >> squares >> side) {
    const Answer answer = solve(squares, side);
    std::cout << answer.value << ' ' << answer.move << std::endl;
  }
}
