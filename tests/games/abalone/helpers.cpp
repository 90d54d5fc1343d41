#include "tests/games/abalone/helpers.hpp"

#include <algorithm>

#include "games/abalone/instances.hpp"
#include "rules/perft.hpp"

namespace paika::abalone::testing {

Options options_of(const std::string& spec) {
  const auto options = read_options(spec);
  EXPECT_TRUE(options.has_value()) << spec << ": " << (options ? "" : options.error().message);
  return options.value_or(Options{});
}

Board Game::board(const std::string& position) const {
  const auto read = face_->parse_position(position == "start" ? start() : position);
  EXPECT_TRUE(read.has_value()) << position << ": " << (read ? "" : read.error().message);
  return read ? *read : face_->initial();
}

std::vector<std::string> Game::moves(const std::string& position) const {
  const Board b = board(position);
  std::vector<std::string> out;
  with_rules(options_, [&](const auto& rules) {
    const auto p = rules.from_board(b);
    rules.for_each_turn(p, [&](const auto& m) {
      out.push_back(face_->turn_text(b, rules.to_turn(p, m)));
      return true;
    });
    EXPECT_EQ(rules.count_turns(p), out.size());
  });
  std::sort(out.begin(), out.end());
  return out;
}

bool Game::legal(const std::string& position, const std::string& move) const {
  const auto all = moves(position);
  return std::binary_search(all.begin(), all.end(), move);
}

std::string Game::after(const std::string& position, const std::string& move) const {
  if (!legal(position, move)) return "illegal";
  const Board b = board(position);
  const auto turn = face_->parse_turn(b, move);
  return with_rules(options_, [&](const auto& rules) {
    const auto p = rules.from_board(b);
    return face_->position_text(rules.to_board(rules.play(p, rules.from_turn(p, *turn))));
  });
}

std::string Game::outcome(const std::string& position) const {
  const Outcome o =
      with_rules(options_, [&](const auto& rules) { return rules.outcome(rules.from_board(board(position))); });
  return o.over() ? std::string(name(o.verdict)) + " " + std::string(name(o.reason)) : "ongoing";
}

std::string Game::ending(const std::string& position) const {
  const Board b = board(position);
  const Outcome o = with_rules(options_, [&](const auto& rules) { return rules.outcome(rules.from_board(b)); });
  const Ending e = face_->ending(b, o);
  return e.sentence + " [" + e.clause + "]";
}

std::uint64_t Game::lines(const std::string& position, int depth) const {
  return with_rules(options_,
                    [&](const auto& rules) { return perft(rules, rules.from_board(board(position)), depth); });
}

std::string Game::refusal(const std::string& position, const std::string& move) const {
  const Board b = board(position);
  const auto turn = face_->parse_turn(b, move);
  const auto refusal = turn ? face_->refuse(b, *turn) : turn.error();
  if (!refusal) return "";
  std::string out = refusal->message + " [" + refusal->clause + "]";
  for (const Square s : refusal->squares) out += fmt::format(" {}", face_->coordinates().name(s));
  return out;
}

std::string Game::position_error(const std::string& text) const {
  const auto read = face_->parse_position(text);
  return read ? "" : read.error().message;
}

}  // namespace paika::abalone::testing
