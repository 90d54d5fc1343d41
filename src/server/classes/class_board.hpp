// ClassBoard: the board on which a teacher shows something to a class: a position, moves that were tried from it,
// marks.
//
// It turns commands into a new state, as a value: where it is stored and who is told is not known here
// (server/classes/boards_api.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json.hpp"
#include "server/classes/class_access.hpp"

namespace paika::server {

/// An arrow, or a circle where it ends where it begins.
struct BoardMark {
  std::string from;
  std::string to;

  friend bool operator==(const BoardMark&, const BoardMark&) = default;
};

/// Where a member points.
struct BoardPointer {
  PersonId person = 0;
  std::string name;
  BoardMark mark;
};

struct ClassBoard {
  std::uint64_t version = 0;  // grows with every change
  bool open = false;
  std::string spec;
  std::vector<std::string> positions;  // the start, and the one after each move
  std::vector<std::string> moves;
  std::size_t at = 0;            // so many moves are played in what is shown
  std::vector<BoardMark> marks;  // of the teacher
  std::vector<BoardPointer> pointers;
  bool may_point = false;  // members may point
  PersonId mover = 0;      // the member who plays the next move; 0: the teacher does
  std::string mover_name;
  std::string mover_account;
};

/// As it is stored.
[[nodiscard]] std::string board_text(const ClassBoard& board);
/// Again from that; a closed board if it is none.
[[nodiscard]] ClassBoard stored_board(std::string_view text);
/// As everybody in the class sees it.
[[nodiscard]] Json board_json(const ClassBoard& board);

/// Does what somebody asks ("do" and its fields) and counts the version up; the response says why not. `member_named`
/// finds a member by account: whom the teacher hands the move.
struct BoardCaller {
  PersonId person = 0;
  std::string name;  // in the class
  bool teacher = false;
};
using FindMember = std::function<std::optional<MemberRow>(const std::string& account)>;
[[nodiscard]] Entered<ClassBoard> apply_to_board(ClassBoard board, const Json& command, const BoardCaller& caller,
                                                 const FindMember& member_named);

}  // namespace paika::server
