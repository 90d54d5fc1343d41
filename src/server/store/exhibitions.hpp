// ExhibitionStore: the part of the store about simultaneous exhibitions of classes. A view of a Store, used by its
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/classes.hpp"
#include "server/store/store.hpp"

namespace paika::server {

struct ExhibitionRow {
  std::string id;
  ClassId class_id;
  std::string spec;  // canonical
  int level = 0;     // of the engine; 0: the teacher plays
  WallTime created = 0;
};

/// A game of an exhibition as its room has it.
struct ExhibitionGame {
  PersonId person = 0;  // the member
  std::string name;     // in the class; the account's of somebody who has left it
  RoomId room;
  RoomState state = RoomState::running;
  bool is_first = false;  // the member plays first
  std::string verdict;    // "ongoing" until it has ended
  std::string reason;
  int turns = 0;
  std::string to_move;  // "first" or "second" while it goes on
};

class ExhibitionStore {
 public:
  explicit ExhibitionStore(Store& store) : store_(store) {}

  void add(const ExhibitionRow& row);
  void add_game(std::string_view id, const RoomId& room, PersonId person);
  [[nodiscard]] std::optional<ExhibitionRow> find(std::string_view class_id, std::string_view id);
  /// The newest first.
  [[nodiscard]] std::vector<ExhibitionRow> of_class(std::string_view class_id);
  /// By the names of the members.
  [[nodiscard]] std::vector<ExhibitionGame> games(const ExhibitionRow& row);
  /// How many games of a class's exhibitions go on.
  [[nodiscard]] std::int64_t count_running(std::string_view class_id);
  /// The rooms stay.
  void drop(std::string_view id);

 private:
  [[nodiscard]] Database& database();
  Store& store_;
};

}  // namespace paika::server
