#include "server/account_export.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/classes/classes_api.hpp"
#include "server/http/answers.hpp"
#include "server/people.hpp"
#include "server/puzzles_api.hpp"
#include "server/rooms/conditional.hpp"
#include "server/rooms/room_json.hpp"
#include "server/store/identities.hpp"

namespace paika::server {

namespace {

constexpr std::size_t rooms_per_query = 200;

/// The games one after the other, each with its events in pages, then the classes.
class AccountExport {
 public:
  AccountExport(Store& store, PersonId person) : person_(person), classes_(classes_of_person(person)) {
    // Only their names, and all of them at once: a game that is played meanwhile would change its place in the list.
    std::optional<RoomPlace> after;
    for (bool more = true; more;) {
      const auto rows = store.rooms_of(person, after, rooms_per_query);
      for (const RoomRow& row : rows) rooms_.push_back(row.id);
      more = rows.size() == rooms_per_query;
      if (more) after = RoomPlace{rows.back().changed, rows.back().id};
    }
    std::reverse(rooms_.begin(), rooms_.end());
  }

  std::optional<std::string> next(Store& store) {
    if (in_game_) return more_events(store);
    if (!rooms_.empty()) return next_game(store);
    if (!std::exchange(games_ended_, true)) return R"(],"classes":)";
    if (auto more = classes_(store)) return more;
    if (std::exchange(ended_, true)) return std::nullopt;
    return "}";
  }

 private:
  std::string next_game(Store& store) {
    room_ = std::move(rooms_.back());
    rooms_.pop_back();
    const auto row = store.room(room_);
    if (!row) return "";  // it was deleted meanwhile
    in_game_ = true;
    sent_ = 0;
    Json json = to_json(*row);
    const Player seat = row->persons[0] == person_ ? Player::first : Player::second;
    const auto lines = read_conditional(store.conditional_moves(room_, seat_word(seat)));
    if (!lines.empty()) json["conditional_moves"] = lines;
    std::string text = json_response(json).body;
    text.pop_back();
    return (std::exchange(first_game_, false) ? "" : ",") + text + R"(,"events":[)";
  }

  std::string more_events(Store& store) {
    const std::vector<Event> events = readable_events(store);
    in_game_ = !events.empty();
    if (!in_game_) return "]}";
    std::string text;
    for (const Event& event : events) {
      if (std::exchange(sent_, event.number) > 0) text += ',';
      text += *event.text;
    }
    return text;
  }

  /// The next events of the game; none of a damaged room, whose row says so.
  std::vector<Event> readable_events(Store& store) const {
    try {
      return store.events(room_, sent_, piece_bytes);
    } catch (const DamagedRoom&) {
      return {};
    }
  }

  PersonId person_;
  std::vector<RoomId> rooms_;  // those to come, the next one last
  RoomId room_;
  std::uint64_t sent_ = 0;  // the number of its last event that was sent
  std::function<std::optional<std::string>(Store&)> classes_;
  bool in_game_ = false, first_game_ = true, games_ended_ = false, ended_ = false;
};

}  // namespace

LongAnswer export_account(const Call& call, Store& store) {
  const PersonId id = call.person->id;
  Json tokens = Json::array();
  for (const TokenRow& row : store.tokens(id)) tokens.push_back(token_json(row));
  Json identities = Json::array();
  for (const IdentityRow& row : IdentityStore(store).of_person(id)) {
    identities.push_back(
        {{"issuer", row.issuer}, {"subject", row.subject}, {"created_ms", row.created}, {"used_ms", row.used}});
  }
  LongAnswer answer;
  answer.response.headers.emplace_back("Content-Disposition", "attachment; filename=\"paika-account.json\"");
  std::string& body = answer.response.body;
  body = json_response({{"person", to_json(*call.person)},
                        {"ratings", ratings_json(store, id)},
                        {"puzzles", puzzle_ratings_json(store, id)},
                        {"tokens", tokens},
                        {"identities", identities}})
             .body;
  body.back() = ',';
  body += R"("games":[)";
  answer.next =
      pieces_of([all = std::make_shared<AccountExport>(store, id)](Store& reader) { return all->next(reader); });
  return answer;
}

}  // namespace paika::server
