#include "play/query.hpp"

#include <fmt/format.h>

namespace paika::play {

namespace {

/// More turns than this are not listed in one line.
constexpr std::size_t max_listed_turns = 10'000;

std::string_view result_word(const Outcome& outcome) {
  switch (outcome.verdict) {
    case Verdict::ongoing: return "none";
    case Verdict::first_wins: return "p1win";
    case Verdict::second_wins: return "p2win";
    case Verdict::draw: return "draw";
  }
  return "none";
}

std::string turns_line(const Session& session) {
  std::string line = "response";
  std::size_t count = 0;
  session.for_each_turn([&](const ListedTurn& turn) {
    if (count++ == max_listed_turns) {
      line += " ...";
      return false;
    }
    line += " " + turn.text;
    return true;
  });
  return line;
}

}  // namespace

std::optional<std::string> answer_query(const Session& session, std::string_view words) {
  if (words == "gameover") return fmt::format("response {}", session.outcome().over());
  if (words == "result") return fmt::format("response {}", result_word(session.outcome()));
  if (words == "p1turn") return fmt::format("response {}", session.board().to_move == Player::first);
  if (words == "moves") return turns_line(session);
  if (words == "position") return fmt::format("response {}", session.position_text());
  return std::nullopt;
}

}  // namespace paika::play
