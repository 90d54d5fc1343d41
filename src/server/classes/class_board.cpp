#include "server/classes/class_board.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"
#include "engine/registry.hpp"
#include "play/start.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

constexpr std::size_t max_board_moves = 300;
constexpr std::size_t max_marks = 50;
constexpr std::size_t max_pointers = 100;
constexpr std::size_t max_board_position = 2000;  // bytes

using Changed = std::optional<Response>;  // nothing if it was done

Response bad_command(const Error& error) { return bad_request(error); }

Result<std::unique_ptr<Session>> session_of(const ClassBoard& board) {
  const std::string& position = board.positions.at(board.at);
  const auto game = open_game_for(board.spec, position);
  if (!game) return tl::unexpected(game.error());
  return play::start_at(**game, position);
}

/// What was drawn belongs to the position that was shown.
void show(ClassBoard& board, std::size_t at) {
  board.at = at;
  board.marks.clear();
  board.pointers.clear();
}

Changed open_board(ClassBoard& board, const Json& command) {
  if (const auto known = only_fields(command, {"do", "spec", "position"}); !known) return bad_command(known.error());
  const auto spec = text_field(command, "spec", "");
  if (!spec) return bad_command(spec.error());
  const auto position = text_field(command, "position", "");
  if (!position) return bad_command(position.error());
  if (position->size() > max_board_position) return bad_command({R"("position" is too long)"});
  const auto game = position->empty() ? open_game(*spec) : open_game_for(*spec, *position);
  if (!game) return bad_command(game.error());
  const auto session = play::start_at(**game, *position);
  if (!session) return error_response(422, "bad_position", session.error().message);
  board.open = true;
  board.spec = (*game)->notation().spec();
  board.positions = {(*session)->position_text()};
  board.moves.clear();
  board.mover = 0;
  board.mover_name.clear();
  board.mover_account.clear();
  show(board, 0);
  return std::nullopt;
}

Changed play_move(ClassBoard& board, const Json& command) {
  if (const auto known = only_fields(command, {"do", "move", "version"}); !known) return bad_command(known.error());
  const auto move = text_field(command, "move", "");
  if (!move) return bad_command(move.error());
  if (move->empty() || move->size() > max_turn_text) return bad_command({R"("move" must be a move)"});
  const auto version = number_field(command, "version", 0, 0, std::int64_t{1} << 53);
  if (!version) return bad_command(version.error());
  if (*version != 0 && static_cast<std::uint64_t>(*version) != board.version) {
    return error_response(409, "stale", "the board has changed meanwhile");
  }
  if (board.at >= max_board_moves) {
    return error_response(409, "too_many_moves", fmt::format("a board has at most {} moves", max_board_moves));
  }
  const auto session = session_of(board);
  if (!session) return error_response(500, "internal", session.error().message);
  if ((*session)->outcome().over()) return error_response(409, "over", "the game is over in this position");
  const Notation& notation = (*session)->notation();
  const Board before = (*session)->board();
  const auto turn = (*session)->try_play(*move);
  if (!turn) {
    Json details = refusal_json(notation, turn.error());
    const auto message = details["message"].get<std::string>();
    details.erase("message");
    return error_response(422, "illegal", message, details);
  }
  board.moves.resize(board.at);
  board.positions.resize(board.at + 1);
  board.moves.push_back(notation.turn_text(before, *turn));
  board.positions.push_back((*session)->position_text());
  board.mover = 0;  // one move was asked for
  board.mover_name.clear();
  board.mover_account.clear();
  show(board, board.moves.size());
  return std::nullopt;
}

Changed go_to(ClassBoard& board, const Json& command) {
  if (const auto known = only_fields(command, {"do", "at"}); !known) return bad_command(known.error());
  const auto at = number_field(command, "at", 0, 0, static_cast<std::int64_t>(board.moves.size()));
  if (!at) return bad_command(at.error());
  show(board, static_cast<std::size_t>(*at));
  return std::nullopt;
}

Changed take_back(ClassBoard& board) {
  if (board.at == 0) return error_response(409, "no_move", "there is no move to take back");
  board.moves.resize(board.at - 1);
  board.positions.resize(board.at);
  show(board, board.at - 1);
  return std::nullopt;
}

bool is_square(const Coordinates& coordinates, std::string_view text) {
  const auto square = coordinates.read(text);
  return square && text.empty() && coordinates.contains(*square);
}

Result<BoardMark> read_mark(const Json& object, const Notation& notation) {
  BoardMark mark;
  for (const auto& [field, square] : {std::pair("from", &mark.from), std::pair("to", &mark.to)}) {
    auto text = text_field(object, field, "");
    if (!text) return tl::unexpected(text.error());
    if (!is_square(notation.coordinates(), *text))
      return fail(R"("{}" must be a square, not {})", field, in_quotes(*text));
    *square = std::move(*text);
  }
  return mark;
}

Changed set_marks(ClassBoard& board, const Json& command, const Notation& notation) {
  if (const auto known = only_fields(command, {"do", "marks"}); !known) return bad_command(known.error());
  const Json list = command.value("marks", Json());
  if (!list.is_array() || list.size() > max_marks) {
    return bad_command({fmt::format(R"("marks" must be a list of at most {} marks)", max_marks)});
  }
  std::vector<BoardMark> marks;
  for (const Json& one : list) {
    auto mark = read_mark(one, notation);
    if (!mark) return bad_command(mark.error());
    if (std::find(marks.begin(), marks.end(), *mark) == marks.end()) marks.push_back(std::move(*mark));
  }
  board.marks = std::move(marks);
  if (board.marks.empty()) board.pointers.clear();
  return std::nullopt;
}

Changed point(ClassBoard& board, const Json& command, const BoardCaller& caller, const Notation& notation) {
  if (const auto known = only_fields(command, {"do", "from", "to"}); !known) return bad_command(known.error());
  if (!board.may_point) return error_response(403, "may_not_point", "the teacher does not let the class point now");
  auto mark = read_mark(command, notation);
  if (!mark) return bad_command(mark.error());
  std::erase_if(board.pointers, [&](const BoardPointer& one) { return one.person == caller.person; });
  if (board.pointers.size() >= max_pointers) board.pointers.erase(board.pointers.begin());
  board.pointers.push_back({caller.person, caller.name, std::move(*mark)});
  return std::nullopt;
}

Changed hand(ClassBoard& board, const Json& command, const FindMember& member_named) {
  if (const auto known = only_fields(command, {"do", "account"}); !known) return bad_command(known.error());
  const auto account = text_field(command, "account", "");
  if (!account) return bad_command(account.error());
  if (account->empty()) {
    board.mover = 0;
    board.mover_name.clear();
    board.mover_account.clear();
    return std::nullopt;
  }
  const auto member = member_named(*account);
  if (!member) return error_response(404, "no_member", "there is no such member in this class");
  board.mover = member->person;
  board.mover_name = member->name;
  board.mover_account = member->account;
  return std::nullopt;
}

Changed allow(ClassBoard& board, const Json& command) {
  if (const auto known = only_fields(command, {"do", "may_point"}); !known) return bad_command(known.error());
  const auto may = flag_field(command, "may_point", true);
  if (!may) return bad_command(may.error());
  board.may_point = *may;
  if (!board.may_point) board.pointers.clear();
  return std::nullopt;
}

Changed apply_open(ClassBoard& board, const std::string& word, const Json& command, const BoardCaller& caller,
                   const FindMember& member_named) {
  const auto game = open_game_for(board.spec, board.positions.at(board.at));
  if (!game) return error_response(500, "internal", game.error().message);
  const Notation& notation = (*game)->notation();
  const bool moves = caller.teacher || (board.mover != 0 && board.mover == caller.person);
  if (word == "move" && moves) return play_move(board, command);
  if (word == "point" && !caller.teacher) return point(board, command, caller, notation);
  if (!caller.teacher) {
    if (word == "move") return error_response(403, "not_yours", "it is not your move");
    return error_response(403, "teacher_only", "only the teacher of the class may do that");
  }
  if (word == "go") return go_to(board, command);
  if (word == "takeback") return take_back(board);
  if (word == "mark") return set_marks(board, command, notation);
  if (word == "hand") return hand(board, command, member_named);
  if (word == "allow") return allow(board, command);
  if (word == "close") {
    board.open = false;
    return std::nullopt;
  }
  return bad_command(
      {fmt::format("there is no command {}: valid are open, close, move, go, takeback, mark, hand, allow"
                   " and point",
                   in_quotes(word))});
}

Json mark_json(const BoardMark& mark) { return {{"from", mark.from}, {"to", mark.to}}; }

}  // namespace

Entered<ClassBoard> apply_to_board(ClassBoard board, const Json& command, const BoardCaller& caller,
                                   const FindMember& member_named) {
  const auto word = text_field(command, "do", "");
  if (!word) return tl::unexpected(bad_request(word.error()));
  Changed refused;
  if (*word == "open") {
    refused = caller.teacher ? open_board(board, command)
                             : error_response(403, "teacher_only", "only the teacher of the class may do that");
  } else if (!board.open) {
    refused = error_response(404, "no_board", "the teacher shows no board now");
  } else {
    refused = apply_open(board, *word, command, caller, member_named);
  }
  if (refused) return tl::unexpected(std::move(*refused));
  ++board.version;
  return board;
}

Json board_json(const ClassBoard& board) {
  Json json = {{"version", board.version}, {"open", board.open}};
  if (!board.open) return json;
  json["spec"] = board.spec;
  json["start"] = board.positions.front();
  json["moves"] = board.moves;
  json["at"] = board.at;
  json["position"] = board.positions.at(board.at);
  json["marks"] = Json::array();
  for (const BoardMark& mark : board.marks) json["marks"].push_back(mark_json(mark));
  json["pointers"] = Json::array();
  for (const BoardPointer& pointer : board.pointers) {
    Json one = mark_json(pointer.mark);
    one["name"] = pointer.name;
    json["pointers"].push_back(std::move(one));
  }
  json["may_point"] = board.may_point;
  json["mover"] = board.mover == 0 ? Json(nullptr) : Json{{"account", board.mover_account}, {"name", board.mover_name}};
  return json;
}

std::string board_text(const ClassBoard& board) {
  Json json = {{"version", board.version},
               {"open", board.open},
               {"spec", board.spec},
               {"positions", board.positions},
               {"moves", board.moves},
               {"at", board.at},
               {"may_point", board.may_point},
               {"mover", board.mover},
               {"mover_name", board.mover_name},
               {"mover_account", board.mover_account},
               {"marks", Json::array()},
               {"pointers", Json::array()}};
  for (const BoardMark& mark : board.marks) json["marks"].push_back(mark_json(mark));
  for (const BoardPointer& pointer : board.pointers) {
    Json one = mark_json(pointer.mark);
    one["person"] = pointer.person;
    one["name"] = pointer.name;
    json["pointers"].push_back(std::move(one));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ClassBoard stored_board(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  ClassBoard board;
  if (!json.is_object()) return board;
  const auto mark_of = [](const Json& one) { return BoardMark{one.value("from", ""), one.value("to", "")}; };
  board.version = json.value("version", std::uint64_t{0});
  board.open = json.value("open", false);
  board.spec = json.value("spec", "");
  board.positions = json.value("positions", std::vector<std::string>());
  board.moves = json.value("moves", std::vector<std::string>());
  board.at = json.value("at", std::size_t{0});
  board.may_point = json.value("may_point", false);
  board.mover = json.value("mover", PersonId{0});
  board.mover_name = json.value("mover_name", "");
  board.mover_account = json.value("mover_account", "");
  for (const Json& one : json.value("marks", Json::array())) board.marks.push_back(mark_of(one));
  for (const Json& one : json.value("pointers", Json::array())) {
    board.pointers.push_back({one.value("person", PersonId{0}), one.value("name", ""), mark_of(one)});
  }
  const bool whole = board.positions.size() == board.moves.size() + 1 && board.at <= board.moves.size();
  if (!whole) board.open = false;
  return board;
}

}  // namespace paika::server
