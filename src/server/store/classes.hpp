// ClassStore: the part of the store about classes: members, the bots they hand in, the ladder's games and ratings.
//
// A view of a Store, made where it is needed and used by the same thread. A bot's files are kept as text in the form in
// which they came (server/classes/bot_files.hpp) and nothing here looks into them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "play/glicko.hpp"
#include "server/store/store.hpp"

namespace paika::server {

using ClassId = std::string;
using BotId = std::int64_t;
using LadderGameId = std::int64_t;

enum class ClassState : unsigned char {
  open,      // people join and hand in bots
  locked,    // nobody does; the ladder goes on
  archived,  // nothing happens any more
};
[[nodiscard]] std::string_view name(ClassState state) noexcept;
[[nodiscard]] std::optional<ClassState> class_state(std::string_view word) noexcept;

struct ClassRow {
  ClassId id;
  std::string name;
  PersonId teacher = 0;
  std::string teacher_name;
  std::string spec;          // canonical
  int turn_ms = 1000;        // for each turn of a bot
  int memory_mb = 512;       // of a bot, all its processes together
  int uploads_per_day = 10;  // of one member
  int pairs = 10;            // so many times two games are played by each two bots
  WallTime deadline = 0;     // after it no bot is taken; 0: none
  std::string code;          // who knows it may join
  ClassState state = ClassState::open;
  WallTime created = 0;
};

struct MemberRow {
  PersonId person = 0;
  std::string account;
  std::string name;  // in this class
  WallTime joined = 0;
};

enum class BotState : unsigned char {
  waiting,   // to be built and checked
  building,  // under way; begun anew after a restart
  checking,
  accepted,  // plays on the ladder; at most one for each member
  refused,   // the report says why
  replaced,  // was accepted, until a later one of its owner was
};
[[nodiscard]] std::string_view name(BotState state) noexcept;

/// The protocol of house bots: our engine with the settings that `run` names.
inline constexpr std::string_view house_protocol = "house";

struct BotRow {
  BotId id = 0;
  ClassId class_id;
  PersonId person = 0;
  std::string owner;  // the member's name in the class
  int number = 0;     // of its owner's bots in this class, from 1
  std::string name;
  std::string protocol = "ugi";
  std::string build;  // a command for the shell; empty: nothing to build
  std::string run;
  BotState state = BotState::waiting;
  std::string report;  // what building and checking said
  WallTime created = 0;
  play::Rating rating;
  int wins = 0, draws = 0, losses = 0;

  [[nodiscard]] int games() const { return wins + draws + losses; }
  /// It belongs to the class, not to a member: an opponent of known strength.
  [[nodiscard]] bool house() const { return protocol == house_protocol; }
};

/// A game of the ladder that is over.
struct LadderGameRow {
  LadderGameId id = 0;
  ClassId class_id;
  std::array<BotId, 2> bots{};        // by the order in which they move; 0: it was erased
  std::array<std::string, 2> names;   // "NAME (OWNER)", as they are now; only read
  std::array<PersonId, 2> persons{};  // only read
  std::int64_t pair = 0;              // counted in the class; both games of a pair have the same opening
  int leg = 1;                        // 1 or 2
  std::string verdict;                // name(Verdict)
  std::string reason;
  std::string failure;   // the name of what the loser lost by; empty: by the rules
  std::string evidence;  // what the failure was about
  int turns = 0;
  std::string record;               // play::record_text without players and remark
  std::array<std::string, 2> logs;  // of the bots
  WallTime ended = 0;
};

/// A bot that waits to be built and checked, and to whom that matters.
struct WaitingBot {
  BotId id = 0;
  ClassId class_id;
  PersonId teacher = 0;
  PersonId person = 0;
};

/// A pair whose first game was played and whose second was not; both bots are on the ladder.
struct HalfPair {
  std::int64_t pair = 0;
  std::array<BotId, 2> bots{};  // as in the first game
};

/// How often two bots have met; first < second.
struct Meeting {
  BotId first = 0;
  BotId second = 0;
  int games = 0;
};

class ClassStore {
 public:
  explicit ClassStore(Store& store) : store_(store) {}

  // ---- Classes and members ----

  void add_class(const ClassRow& row);
  [[nodiscard]] std::optional<ClassRow> find(std::string_view id);
  [[nodiscard]] std::optional<ClassRow> find_by_code(std::string_view code);
  /// The classes that a person teaches, and those he is a member of; newest first.
  [[nodiscard]] std::vector<ClassRow> taught_by(PersonId teacher);
  [[nodiscard]] std::vector<ClassRow> joined_by(PersonId member);
  /// Those whose ladder goes on, by id.
  [[nodiscard]] std::vector<ClassRow> alive();
  /// Everything but id, teacher, spec and created.
  void change_class(const ClassRow& row);
  /// With its members, bots and games.
  void drop_class(std::string_view id);

  /// Nothing happens if the person is a member already. The store keeps house bots with a membership of the teacher
  /// that has no name; it counts as none until the teacher joins.
  void add_member(std::string_view class_id, PersonId person, std::string_view name, WallTime now);
  [[nodiscard]] std::optional<MemberRow> member(std::string_view class_id, PersonId person);
  /// By name.
  [[nodiscard]] std::vector<MemberRow> members(std::string_view class_id);
  /// With the member's bots. False if there is no such member.
  bool drop_member(std::string_view class_id, PersonId person);

  /// The board that the teacher shows, as it was saved; empty: there was none yet.
  [[nodiscard]] std::string board(std::string_view class_id);
  void save_board(std::string_view class_id, std::string_view state);

  // ---- Bots ----

  /// Adds a bot that waits; its number is the next of its owner. Of its owner's bots those that are neither among the
  /// last `max_kept` nor on the ladder lose their files.
  BotRow add_bot(const BotRow& row, std::string_view files);
  static constexpr int max_kept = 5;
  /// Notes that a push waits for the verdict on this bot.
  void mark_pushed(BotId id);
  /// The request by which a bot came, for logs; empty: not known.
  void note_request(BotId id, std::string_view request);
  [[nodiscard]] std::string request_of(BotId id);
  /// Puts a house bot on the ladder, with the name, the settings and the rating of the row.
  void add_house_bot(const ClassRow& in, const BotRow& row);
  [[nodiscard]] std::optional<BotRow> bot(BotId id);
  /// "[]" if they are not kept any more.
  [[nodiscard]] std::string bot_files(BotId id);
  /// A member's bots, the last first; house bots are nobody's.
  [[nodiscard]] std::vector<BotRow> bots_of(std::string_view class_id, PersonId person);
  /// All bots on the ladder of a class, the best first.
  [[nodiscard]] std::vector<BotRow> ladder(std::string_view class_id);
  /// So many bots a person has handed in since a time, whether or not a member all the while.
  [[nodiscard]] int uploads_since(std::string_view class_id, PersonId person, WallTime since);
  /// All bots that wait, in classes that are not archived, the first to come first.
  [[nodiscard]] std::vector<WaitingBot> waiting();
  [[nodiscard]] std::size_t count_waiting();
  /// All bots on all ladders.
  [[nodiscard]] std::vector<BotId> all_accepted();
  /// Changes state and report; nothing happens if the bot is gone. One that is accepted replaces the one before, and
  /// begins with its rating, less sure than it was.
  void set_bot_state(BotId id, BotState state, std::string_view report);
  /// What was under way when the server ended waits again; but a bot that came by a push is refused, since the push has
  /// failed.
  void restart_bots();

  // ---- The ladder ----

  /// Keeps a game and counts it for both bots, ratings included (Glicko-2, each game a period of its own). False, and
  /// nothing is kept, if one of the bots is not on the ladder any more or the game is kept already.
  bool add_game(const LadderGameRow& row, double first_score);
  /// With record and logs.
  [[nodiscard]] std::optional<LadderGameRow> game(std::string_view class_id, LadderGameId id);
  /// Without record and logs, the last first, before the game `before` if that is not 0.
  [[nodiscard]] std::vector<LadderGameRow> games_of_class(std::string_view class_id, LadderGameId before, int most);
  [[nodiscard]] std::vector<LadderGameRow> games_of_bot(BotId bot, LadderGameId before, int most);
  [[nodiscard]] std::vector<Meeting> meetings(std::string_view class_id);
  /// The pairs that were begun, the first first.
  [[nodiscard]] std::vector<HalfPair> half_pairs(std::string_view class_id);
  /// The last game of the class.
  [[nodiscard]] std::optional<LadderGameRow> last_game(std::string_view class_id);
  [[nodiscard]] std::int64_t count_games(std::string_view class_id);
  /// Logs are kept of so many of the last games of a class.
  static constexpr int max_logs = 500;

 private:
  [[nodiscard]] Database& database();
  Store& store_;
};

}  // namespace paika::server
