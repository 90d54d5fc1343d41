// Samples: positions with what they turned out to be worth, as selfplay writes and train.py reads them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace paika::othello {

/// What a sample's score is worth.
enum class SampleKind : std::uint8_t {
  searched,  // there is none: only the value of a search
  played,    // the score of the game, after good play from here on
  exact      // the score of perfect play
};

/// In a file, numbers with the low byte first: own, opponent (8 bytes for each word of a set), the number of placings
/// of either side, the score in discs for the mover, the kind, the value of a search and the evaluation that was played
/// with in hundredths of a disc, and the low 16 bits of the game's number (games, not positions, are held out for
/// validation: the positions of one game are too alike).
template <class Set>
struct Sample {
  static constexpr std::size_t bytes = 2 * sizeof(Set::words) + 10;
  Set own;
  Set opponent;
  std::uint8_t placings = 0;
  std::uint8_t opponent_placings = 0;
  std::int8_t score = 0;
  SampleKind kind = SampleKind::exact;
  std::int16_t searched = 0;
  std::int16_t evaluated = 0;
  std::uint16_t game = 0;
};

inline void append_number(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xff);
}

template <class Set>
void append_sample(std::string& out, const Sample<Set>& s) {
  for (const std::uint64_t word : s.own.words) append_number(out, word, 8);
  for (const std::uint64_t word : s.opponent.words) append_number(out, word, 8);
  append_number(out, s.placings, 1);
  append_number(out, s.opponent_placings, 1);
  append_number(out, static_cast<std::uint8_t>(s.score), 1);
  append_number(out, static_cast<std::uint8_t>(s.kind), 1);
  append_number(out, static_cast<std::uint16_t>(s.searched), 2);
  append_number(out, static_cast<std::uint16_t>(s.evaluated), 2);
  append_number(out, s.game, 2);
}

/// The reverse. Requires Sample<Set>::bytes bytes; more are left alone.
template <class Set>
[[nodiscard]] Sample<Set> read_sample(std::string_view text) {
  std::size_t at = 0;
  const auto number = [&](std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(text[at + i]);
    at += bytes;
    return value;
  };
  Sample<Set> s;
  for (std::uint64_t& word : s.own.words) word = number(8);
  for (std::uint64_t& word : s.opponent.words) word = number(8);
  s.placings = static_cast<std::uint8_t>(number(1));
  s.opponent_placings = static_cast<std::uint8_t>(number(1));
  s.score = static_cast<std::int8_t>(number(1));
  s.kind = static_cast<SampleKind>(number(1));
  s.searched = static_cast<std::int16_t>(number(2));
  s.evaluated = static_cast<std::int16_t>(number(2));
  s.game = static_cast<std::uint16_t>(number(2));
  return s;
}

}  // namespace paika::othello
