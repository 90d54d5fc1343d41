// What all tests of Fanorona need: a game from its spec, positions from text, turns as text.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "games/fanorona/instances.hpp"

namespace paika::fanorona::testing {

/// The options of a spec that must be right.
inline Options options_of(const std::string& spec) {
  const auto options = read_options(spec);
  if (!options) ADD_FAILURE() << spec << ": " << options.error().message;
  return options.value_or(Options{});
}

/// A game to ask: the face, and the fast half through text.
class Game {
 public:
  explicit Game(const std::string& spec) : options_(options_of(spec)), face_(make_face(options_)) {}

  [[nodiscard]] const GameFace& face() const { return *face_; }

  [[nodiscard]] Board board(const std::string& text) const {
    const auto read = face_->parse_position(text);
    if (!read) ADD_FAILURE() << text << ": " << read.error().message;
    return read.value_or(face_->initial());
  }
  [[nodiscard]] std::string text(const Board& board) const { return face_->position_text(board); }
  /// The message that refuses a position text, or "" if it is accepted.
  [[nodiscard]] std::string position_error(const std::string& text) const {
    const auto read = face_->parse_position(text);
    return read ? "" : read.error().message;
  }

  [[nodiscard]] Turn turn(const std::string& text) const {
    const auto read = face_->parse_turn(face_->initial(), text);
    if (!read) ADD_FAILURE() << text << ": " << read.error().message;
    return read.value_or(Turn{});
  }
  [[nodiscard]] Refusal turn_error(const std::string& text) const {
    const auto read = face_->parse_turn(face_->initial(), text);
    return read ? Refusal{} : read.error();
  }

  /// The texts of all legal turns, sorted.
  [[nodiscard]] std::vector<std::string> turns(const std::string& position) const {
    std::vector<std::string> texts;
    with_rules(options_, [&](const auto& rules) {
      const Board b = board(position);
      const auto p = rules.from_board(b);
      rules.for_each_turn(p, [&](const auto& m) {
        texts.push_back(face_->turn_text(b, rules.to_turn(p, m)));
        return true;
      });
    });
    std::sort(texts.begin(), texts.end());
    return texts;
  }
  /// The legal turns that capture.
  [[nodiscard]] std::vector<std::string> captures(const std::string& position) const {
    auto texts = turns(position);
    std::erase_if(texts, [](const std::string& t) { return t.back() != 'A' && t.back() != 'W'; });
    return texts;
  }
  [[nodiscard]] bool is_legal(const std::string& position, const std::string& move) const {
    const auto all = turns(position);
    return std::find(all.begin(), all.end(), move) != all.end();
  }

  /// The position after a legal turn, by the fast half.
  [[nodiscard]] std::string after(const std::string& position, const std::string& move) const {
    std::string result;
    with_rules(options_, [&](const auto& rules) {
      const auto p = rules.from_board(board(position));
      result = text(rules.to_board(rules.play(p, rules.from_turn(p, turn(move)))));
    });
    return result;
  }
  [[nodiscard]] Outcome outcome(const std::string& position) const {
    Outcome result;
    with_rules(options_, [&](const auto& rules) { result = rules.outcome(rules.from_board(board(position))); });
    return result;
  }
  /// The refusal of a move given as text; an empty one if it is legal.
  [[nodiscard]] Refusal refusal(const std::string& position, const std::string& move) const {
    return face_->refuse(board(position), turn(move)).value_or(Refusal{});
  }
  /// The names of the squares of a refusal, in order.
  [[nodiscard]] std::string squares(const Refusal& refusal) const {
    std::string names;
    for (const Square s : refusal.squares) {
      if (!names.empty()) names += ' ';
      names += face_->coordinates().name(s);
    }
    return names;
  }

 private:
  Options options_;
  std::unique_ptr<GameFace> face_;
};

using Texts = std::vector<std::string>;

inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "\"" << part << "\" is not in \"" << text << "\"";
}

}  // namespace paika::fanorona::testing
