// Looking at single turns of a reference game, and reading the specs of Fanorona and Abalone, for tests.
#pragma once

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/reference/reference.hpp"

namespace paika_reference {

/// The move texts of all legal turns; a turn listed twice shows up twice.
inline std::multiset<std::string> turns(const ReferenceGame& game, const std::string& position) {
  std::multiset<std::string> texts;
  for (const Successor& s : game.successors(position)) texts.insert(s.turn);
  return texts;
}

/// The position after the turn, or "illegal".
inline std::string after(const ReferenceGame& game, const std::string& position, const std::string& turn) {
  for (const Successor& s : game.successors(position)) {
    if (s.turn == turn) return s.position;
  }
  return "illegal";
}

/// The words of a spec without the game's name: "5x3", "sacrifice=off", …
inline std::vector<std::string> spec_words(const std::string& spec) {
  std::vector<std::string> words;
  std::istringstream list(spec.substr(spec.find(':') + 1));
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

/// The options of "fanorona:5x3,sacrifice=off,limit=0" (columns x rows), which must be well-formed.
inline FanoronaOptions fanorona_options(const std::string& spec) {
  FanoronaOptions options;
  const std::vector<std::string> words = spec_words(spec);
  options.cols = std::stoi(words.front());
  options.rows = std::stoi(words.front().substr(words.front().find('x') + 1));
  for (const std::string& word : words) {
    if (word == "sacrifice=off") options.sacrifice = false;
    if (word.starts_with("limit=")) options.limit = std::stoi(word.substr(6));
  }
  return options;
}

/// The options of "abalone:5x4,captures=2,misere,freeze,must" (rows x columns), which must be well-formed.
inline AbaloneOptions abalone_options(const std::string& spec) {
  AbaloneOptions options;
  const std::vector<std::string> words = spec_words(spec);
  options.rows = std::stoi(words.front());
  options.cols = std::stoi(words.front().substr(words.front().find('x') + 1));
  for (const std::string& word : words) {
    if (word.starts_with("captures=")) options.captures = std::stoi(word.substr(9));
    if (word == "misere") options.misere = true;
    if (word == "freeze" || word == "freeze=strict") options.freeze = AbaloneOptions::Freeze::strict;
    if (word == "freeze=initiator") options.freeze = AbaloneOptions::Freeze::initiator;
    if (word == "must") options.must = true;
  }
  return options;
}

}  // namespace paika_reference
