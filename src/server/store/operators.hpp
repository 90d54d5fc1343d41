// OperatorStore: the part of the store for those who run the server: sessions, marks on people, bans, what was done.
//
// A view of a Store, made where it is needed and used by the same thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/store.hpp"

namespace paika::server {

/// What an operator can say of a person.
enum class Mark : unsigned char { approved, muted, banned };
[[nodiscard]] std::string_view name(Mark mark) noexcept;

/// A session of a browser or a token of a program, known by the first digits of its hash.
struct SessionRow {
  std::string id;
  std::string kind;  // "session" or "token"
  PersonId person = 0;
  std::string name;
  WallTime created = 0;
  WallTime until = 0;  // of a session
  WallTime used = 0;   // of a token; 0: never
};

/// Something that an operator did.
struct OperatorAct {
  WallTime at = 0;
  std::string by;      // the user of the machine
  std::string action;  // "ban"
  PersonId person = 0;
  std::string subject;  // whom or what; "deleted" once the person is gone
  std::string reason;
};

struct StoreCounts {
  std::int64_t members = 0, guests = 0, sessions = 0, tokens = 0, approved = 0, muted = 0, banned = 0,
               banned_addresses = 0;
  std::int64_t open_rooms = 0, running_rooms = 0, ended_rooms = 0;
  std::int64_t classes = 0, bots = 0, bots_waiting = 0, ladder_games = 0;
  std::int64_t bytes = 0;  // of the file
};

/// A class for operators: whose it is, and how much it wants.
struct ClassSummary {
  std::string id;
  std::string name;
  std::string teacher;
  std::string state;
  std::int64_t members = 0, bots_waiting = 0, games = 0;
};

class OperatorStore {
 public:
  explicit OperatorStore(Store& store) : store_(store) {}

  /// The newest first; of one person if one is given. Sessions that have ended are left out.
  [[nodiscard]] std::vector<SessionRow> sessions(std::optional<PersonId> person, WallTime now, int most);
  /// Ends the session or token whose id this is, or begins with it; how many there were. Nothing happens to several.
  int end_session(std::string_view id);
  /// Ends all sessions and tokens of a person; how many.
  int end_all(PersonId person);

  /// A time since when it holds; 0 takes it away. Whoever is banned loses all sessions and tokens.
  void set_mark(PersonId person, Mark mark, WallTime since);
  /// People with a mark, by name.
  [[nodiscard]] std::vector<Person> marked();

  /// A client as client_of() names it. False if nothing changes.
  bool ban_address(std::string_view client, WallTime now);
  bool unban_address(std::string_view client);
  [[nodiscard]] std::vector<std::string> banned_addresses();

  /// With its events. False if there is no such room.
  bool drop_room(const RoomId& room);

  void add_act(const OperatorAct& act);
  /// The newest first.
  [[nodiscard]] std::vector<OperatorAct> acts(int most);

  [[nodiscard]] StoreCounts counts(WallTime now);
  /// Those with most bots waiting first.
  [[nodiscard]] std::vector<ClassSummary> classes(int most);

 private:
  [[nodiscard]] Database& database();
  Store& store_;
};

}  // namespace paika::server
