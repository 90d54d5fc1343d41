// Samples: positions with the score the game came to, as selfplay writes and train.py reads them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "games/othello/patterns.hpp"

namespace paika::othello {

/// 24 bytes in a file, numbers with the low byte first: own, opponent, the counts, the score in discs
/// for the mover, and the low 16 bits of the game's number (games, not positions, are held out for
/// validation: the positions of one game are too alike).
struct Sample {
  static constexpr std::size_t bytes = 24;
  WordPair board;
  Counts counts;
  std::int8_t score = 0;
  std::uint16_t game = 0;
};

inline void append_number(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xff);
}

inline void append_sample(std::string& out, const Sample& s) {
  append_number(out, s.board.own, 8);
  append_number(out, s.board.opponent, 8);
  for (const std::uint8_t count : s.counts.values) out += static_cast<char>(count);
  out += static_cast<char>(s.score);
  append_number(out, s.game, 2);
}

[[nodiscard]] inline std::uint64_t read_number(std::string_view text, std::size_t at, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(text[at + i]);
  return value;
}

/// Requires Sample::bytes bytes.
[[nodiscard]] inline Sample read_sample(std::string_view text) {
  Sample s;
  s.board = {read_number(text, 0, 8), read_number(text, 8, 8)};
  for (std::size_t i = 0; i < s.counts.values.size(); ++i) s.counts.values[i] = static_cast<std::uint8_t>(text[16 + i]);
  s.score = static_cast<std::int8_t>(text[21]);
  s.game = static_cast<std::uint16_t>(read_number(text, 22, 2));
  return s;
}

}  // namespace paika::othello
