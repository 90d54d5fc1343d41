#include "engine/json.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/diagram.hpp"
#include "engine/engine.hpp"
#include "engine/module.hpp"
#include "engine/move_value.hpp"

namespace paika {

namespace {

Json option_json(const OptionInfo& option) {
  Json json{{"key", option.key}, {"standard", option.standard}, {"meaning", option.meaning}};
  if (option.values.empty()) {
    json["takes"] = "number";
  } else {
    json["takes"] = option.values;
  }
  if (!option.bare.empty()) json["bare"] = option.bare;
  return json;
}

Json square_json(const Notation& notation, const std::optional<Square>& square) {
  return square ? Json(notation.coordinates().name(*square)) : Json(nullptr);
}

}  // namespace

Json to_json(const GameInfo& info) {
  Json json{{"name", info.name}, {"aliases", info.aliases}, {"title", info.title}, {"summary", info.summary}};
  json["sizes"] = info.size_form.empty() ? Json(nullptr) : Json(info.size_form);
  json["standard_size"] = info.standard_size;
  const auto module = find_module(info.name);
  json["suggested_sizes"] = module ? Json((*module)->suggested_sizes) : Json::array();
  json["recommended"] = module && !(*module)->recommended.empty() ? Json((*module)->recommended) : Json(info.name);
  json["options"] = Json::array();
  for (const auto& option : info.options) json["options"].push_back(option_json(option));
  json["presets"] = Json::array();
  for (const auto& preset : info.presets) json["presets"].push_back({{"key", preset.key}, {"meaning", preset.meaning}});
  json["examples"] = info.examples;
  return json;
}

Json grid_json(const Notation& notation, const Board& board) {
  Json rows = Json::array();
  for (int row = 0; row < board.cells.rows(); ++row) {
    std::string line;
    for (int col = 0; col < board.cells.cols(); ++col) line += notation.glyph(board.cells[{col, row}]);
    rows.push_back(line);
  }
  return rows;
}

Json turn_json(const Notation& notation, const Turn& turn) {
  Json steps = Json::array();
  for (const Step& step : turn) {
    Json json{{"step", name(step.kind)}};
    if (has_square(step.kind)) json["square"] = notation.coordinates().name(step.square);
    steps.push_back(json);
  }
  return steps;
}

Json effects_json(const Notation& notation, const std::vector<Effect>& effects) {
  Json list = Json::array();
  for (const Effect& e : effects) {
    list.push_back({{"effect", name(e.kind)},
                    {"stage", e.stage},
                    {"piece", std::string(1, notation.glyph(e.piece))},
                    {"from", square_json(notation, e.from)},
                    {"to", square_json(notation, e.to)},
                    {"cause", square_json(notation, e.cause)},
                    {"clause", e.clause}});
    if (e.count != 0) list.back()["count"] = e.count;
  }
  return list;
}

Json refusal_json(const Notation& notation, const Refusal& refusal) {
  Json squares = Json::array();
  for (const Square s : refusal.squares) squares.push_back(notation.coordinates().name(s));
  return {{"message", refusal.message.english()},
          {"clause", refusal.clause},
          {"rules", rules_document(notation)},
          {"squares", squares}};
}

Json outcome_json(const Notation& notation, const Board& board, const Outcome& outcome) {
  Json json{{"verdict", name(outcome.verdict)}, {"reason", name(outcome.reason)}};
  if (outcome.over()) {
    const Ending ending = notation.ending(board, outcome);
    json["sentence"] = ending.sentence.english();
    json["clause"] = ending.clause;
  }
  return json;
}

Json value_json(const MoveValue& value) {
  Json json{{"value", name(value.kind)}};
  if (value.measure == Measure::discs) {
    json["discs"] = value.amount;
  } else if (value.kind != ValueKind::draw && value.measure == Measure::turns) {
    json[value.kind == ValueKind::win ? "win_in" : "loss_in"] = value.amount;
  }
  return json;
}

Json value_json(Value value) { return value_json(move_value(value)); }

Json score_json(int score) {
  if (is_win(score)) return {{"win_in", plies_to(score)}};
  if (is_loss(score)) return {{"loss_in", plies_to(score)}};
  if (is_won(score) || is_lost(score)) return {{"value", is_won(score) ? "win" : "loss"}};
  return {{"score", score / 100.0}};
}

Json line_json(const InfoLine& line) {
  Json json = score_json(line.score);
  json["exact"] = line.exact;
  json["at_most"] = line.at_most;
  if (line.book) json["book"] = score_json(*line.book);
  json["moves"] = line.texts;
  return json;
}

Json session_json(const Session& session) {
  const Notation& notation = session.notation();
  const Board board = session.board();
  const std::uint64_t turns = session.count_turns_up_to(many_turns + 1);
  return {{"spec", notation.spec()},
          {"position", notation.position_text(board)},
          {"grid", grid_json(notation, board)},
          {"to_move", notation.player_name(board.to_move)},
          {"key", fmt::format("{:016x}", session.key())},
          {"legal_moves", std::min(turns, many_turns)},
          {"more_moves", turns > many_turns},
          {"outcome", outcome_json(notation, board, session.outcome())}};
}

}  // namespace paika
