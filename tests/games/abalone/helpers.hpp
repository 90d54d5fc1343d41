// What the Abalone tests share: a game of a spec with both of its halves, speaking text only.
#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "games/abalone/game.hpp"

namespace paika::abalone::testing {

/// The options of a spec that must be good.
[[nodiscard]] Options options_of(const std::string& spec);

/// A game for tests: everything goes in and comes out as text. Requires good specs and positions.
class Game {
 public:
  explicit Game(const std::string& spec) : options_(options_of(spec)), face_(make_face(options_)) {}

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] const GameFace& face() const { return *face_; }
  [[nodiscard]] std::string start() const { return face_->position_text(face_->initial()); }
  [[nodiscard]] Board board(const std::string& position) const;

  /// The fast half's legal moves, sorted.
  [[nodiscard]] std::vector<std::string> moves(const std::string& position) const;
  [[nodiscard]] bool legal(const std::string& position, const std::string& move) const;
  /// The fast half's position after a move; "illegal" if it is not legal.
  [[nodiscard]] std::string after(const std::string& position, const std::string& move) const;
  /// "ongoing", or verdict and reason: "first_wins captures".
  [[nodiscard]] std::string outcome(const std::string& position) const;
  /// The ending in words with its clause: "Black wins: … [3.1]".
  [[nodiscard]] std::string ending(const std::string& position) const;
  [[nodiscard]] std::uint64_t lines(const std::string& position, int depth) const;
  /// "message [clause] squares", the squares separated by blanks; "" if the face finds it legal.
  [[nodiscard]] std::string refusal(const std::string& position, const std::string& move) const;
  /// The error of a bad position; "" if it is accepted.
  [[nodiscard]] std::string position_error(const std::string& text) const;

 private:
  Options options_;
  std::unique_ptr<GameFace> face_;
};

}  // namespace paika::abalone::testing
