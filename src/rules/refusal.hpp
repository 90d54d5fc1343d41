// Refusal: why a turn is not legal: a sentence, the clause that forbids it, the squares concerned.
#pragma once

#include <string>
#include <vector>

#include "base/phrase.hpp"
#include "board/square.hpp"

namespace paika {

struct Refusal {
  Phrase message;               // a sentence without the clause: "b2 is frozen: White could push it to b1"
  std::string clause;           // the clause's number in docs/rules/<game>.md: "4.2"
  std::vector<Square> squares;  // what a screen would mark

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

}  // namespace paika
