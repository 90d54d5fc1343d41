#include "server/rooms/conditional.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/json.hpp"
#include "server/rooms/room.hpp"

namespace paika::server {

namespace {

Result<std::vector<std::string>> checked_line(const Session& from, const std::vector<std::string>& line,
                                              std::size_t number) {
  if (line.empty() || line.size() % 2 != 0) return fail("line {} must end with a move of yours", number);
  if (line.size() > max_conditional_moves) {
    return fail("line {} has {} moves; at most {} are allowed", number, line.size(), max_conditional_moves);
  }
  const auto session = from.clone();
  const Player opponent = session->board().to_move;
  std::vector<std::string> canonical;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const Board board = session->board();
    const auto where = [&] { return fmt::format("line {}, move {}, {}", number, i + 1, in_quotes(line[i])); };
    if (line[i].size() > max_turn_text) return fail("{}: a move has at most {} bytes", where(), max_turn_text);
    const auto turn = session->read_turn(line[i]);
    if (!turn) return fail("{}: {}", where(), refusal_sentence(session->notation(), turn.error()));
    if ((board.to_move == opponent) != (i % 2 == 0)) {
      return fail("{}: a player moves twice there; conditional moves end before that", where());
    }
    canonical.push_back(session->notation().turn_text(board, *turn));
    session->play(*turn);
  }
  return canonical;
}

}  // namespace

Result<ConditionalLines> checked_lines(const Session& session, const ConditionalLines& lines) {
  if (lines.size() > max_conditional_lines) {
    return fail("there are {} lines; at most {} are allowed", lines.size(), max_conditional_lines);
  }
  ConditionalLines checked;
  std::map<std::vector<std::string>, std::string> answers;  // to all moves before
  for (const auto& line : lines) {
    auto canonical = checked_line(session, line, checked.size() + 1);
    if (!canonical) return tl::unexpected(canonical.error());
    std::vector<std::string> before;
    for (std::size_t i = 0; i < canonical->size(); ++i) {
      const std::string& move = (*canonical)[i];
      if (i % 2 == 1 && answers.emplace(before, move).first->second != move) {
        return fail("line {}, move {}: another line answers {} there", checked.size() + 1, i + 1,
                    in_quotes(answers[before]));
      }
      before.push_back(move);
    }
    checked.push_back(std::move(*canonical));
  }
  return checked;
}

std::optional<std::string> answer_to(ConditionalLines& lines, std::string_view move) {
  std::erase_if(lines, [&](const auto& line) { return line.size() < 2 || line.front() != move; });
  if (lines.empty()) return std::nullopt;
  std::string answer = lines.front()[1];
  for (auto& line : lines) line.erase(line.begin(), line.begin() + 2);
  std::erase_if(lines, [](const auto& line) { return line.empty(); });
  return answer;
}

std::string conditional_text(const ConditionalLines& lines) { return Json(lines).dump(); }

ConditionalLines read_conditional(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_array()) return {};
  ConditionalLines lines;
  for (const Json& line : json) {
    if (!line.is_array()) return {};
    auto& moves = lines.emplace_back();
    for (const Json& move : line) {
      if (!move.is_string()) return {};
      moves.push_back(move.get<std::string>());
    }
  }
  return lines;
}

}  // namespace paika::server
