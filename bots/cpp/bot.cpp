// A first bot in C++: plays every game by asking the referee for the legal turns. docs/write-a-bot.md explains it.
// Build it by: g++ -std=c++17 -O2 -o bot bot.cpp
#include <cstddef>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::mt19937 chance(1);  // the same seed, the same games

// std::endl flushes: a line in a buffer is heard by nobody.
void say(const std::string& line) { std::cout << line << std::endl; }

// Asks the referee; the answer is one line: response MOVE MOVE ...
std::vector<std::string> legal_turns() {
  say("query moves");
  std::string line;
  std::getline(std::cin, line);
  std::istringstream words(line);
  std::vector<std::string> turns;
  std::string word;
  words >> word;  // "response"
  while (words >> word) {
    if (word != "...") turns.push_back(word);  // very long lists end in ...
  }
  return turns;
}

// Put your thinking here. position: the words after `position`; limits: the words after `go`.
std::string choose(const std::string& /*position*/, const std::vector<std::string>& turns,
                   const std::string& /*limits*/) {
  return turns[std::uniform_int_distribution<std::size_t>(0, turns.size() - 1)(chance)];
}

}  // namespace

int main() {
  std::string position = "startpos";
  std::string line;
  while (std::getline(std::cin, line)) {  // the input ends when the referee is done with us
    std::istringstream input(line);
    std::string command;
    std::string words;
    input >> command >> std::ws;
    std::getline(input, words);
    if (command == "ugi") {
      say("id name Starter in C++");
      say("ugiok");
    }
    if (command == "isready") say("readyok");
    if (command == "position") position = words;  // the whole game so far: startpos moves MOVE MOVE ...
    if (command == "go") say("bestmove " + choose(position, legal_turns(), words));
    if (command == "quit") break;
  }
}
