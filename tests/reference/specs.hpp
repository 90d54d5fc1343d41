// The reference game of a spec string, which must be well-formed; options may come in any order.
#pragma once

#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/reference/reference.hpp"

namespace paika_reference {

/// A spec in pieces: "abalone:5x4,must,captures=3" has the numbers 5 and 4 and two options.
struct Spec {
  explicit Spec(const std::string& text) : game(text.substr(0, text.find(':'))) {
    if (game.size() == text.size()) return;
    std::istringstream list(text.substr(game.size() + 1));
    for (std::string word; std::getline(list, word, ',');) {
      const bool is_size = word.front() >= '0' && word.front() <= '9';
      if (is_size) before_x = std::stoi(word);
      if (is_size) after_x = std::stoi(word.substr(word.find('x') + 1));
      if (!is_size) options.push_back(word);
    }
  }

  std::string game;
  int before_x = 0;
  int after_x = 0;
  std::vector<std::string> options;
};

inline std::runtime_error unknown(const Spec& spec, const std::string& word) {
  return std::runtime_error("the reference of " + spec.game + " knows no " + word);
}

inline FanoronaOptions fanorona_options(const Spec& spec) {
  FanoronaOptions options{spec.before_x, spec.after_x, true, -1};
  for (const std::string& word : spec.options) {
    if (word == "classic") {
      options.sacrifice = false;
      options.limit = 0;
    } else if (word == "sacrifice=off") {
      options.sacrifice = false;
    } else if (word.starts_with("limit=")) {
      options.limit = std::stoi(word.substr(6));
    } else {
      throw unknown(spec, word);
    }
  }
  return options;
}

inline AbaloneOptions abalone_options(const Spec& spec) {
  AbaloneOptions options;
  options.rows = spec.before_x;
  options.cols = spec.after_x;
  for (const std::string& word : spec.options) {
    if (word == "misere") {
      options.misere = true;
    } else if (word == "must") {
      options.must = true;
    } else if (word == "freeze" || word == "freeze=strict") {
      options.freeze = AbaloneOptions::Freeze::strict;
    } else if (word == "freeze=initiator") {
      options.freeze = AbaloneOptions::Freeze::initiator;
    } else if (word.starts_with("captures=")) {
      options.captures = std::stoi(word.substr(9));
    } else {
      throw unknown(spec, word);
    }
  }
  return options;
}

inline WildebeestOptions wildebeest_options(const Spec& spec) {
  WildebeestOptions options;
  for (const std::string& word : spec.options) {
    if (word == "pads=cycle") {
      options.pads_cycle = true;
    } else if (word == "swarm=forbid") {
      options.swarm_forbid = true;
    } else if (word == "poison=once") {
      options.poison_once = true;
    } else if (word == "serpent=survives") {
      options.serpent_survives = true;
    } else {
      throw unknown(spec, word);
    }
  }
  return options;
}

inline std::unique_ptr<ReferenceGame> make_game(const std::string& text) {
  const Spec spec(text);
  if (spec.game == "fanorona") return make_fanorona(fanorona_options(spec));
  if (spec.game == "abalone") return make_abalone(abalone_options(spec));
  if (spec.game == "othello") return make_othello({spec.before_x});
  if (spec.game == "wildebeest") return make_wildebeest(wildebeest_options(spec));
  throw std::runtime_error("no reference of " + text);
}

}  // namespace paika_reference
