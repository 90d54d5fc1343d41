#include "server/rooms/room.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.hpp"
#include "play/start.hpp"
#include "server/rooms/room_impl.hpp"

namespace paika::server {

namespace {

/// The events from number `from` + 1 on.
std::vector<Event> since(const std::vector<Event>& events, std::size_t from) {
  return {events.begin() + static_cast<std::ptrdiff_t>(from), events.end()};
}

}  // namespace

Room::Room(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Room::~Room() = default;

Result<std::pair<std::unique_ptr<Room>, std::vector<Event>>> Room::open(RoomId id, const RoomPlan& plan,
                                                                        const Identity& opener, ServerTime now,
                                                                        std::uint64_t seed) {
  auto config = make_config(plan, opener, seed);
  if (!config) return tl::unexpected(config.error());
  auto impl = std::make_unique<Impl>(std::move(id));
  impl->set_time(now);
  impl->write_created(std::move(*config));
  impl->follow_up();
  std::vector<Event> events = impl->events;
  return std::pair(std::unique_ptr<Room>(new Room(std::move(impl))), std::move(events));
}

Result<std::unique_ptr<Room>> Room::restore(RoomId id, std::span<const Event> events,
                                            const std::array<PersonId, 2>& persons) {
  if (events.empty()) return fail("event 1: there is none");
  if (persons[0] != 0 && persons[0] == persons[1]) return fail("event 1: the same person has both seats");
  auto impl = std::make_unique<Impl>(std::move(id));
  impl->persons = persons;
  impl->events.reserve(events.size());
  for (const Event& event : events) {
    if (auto folded = impl->fold(event); !folded) return tl::unexpected(folded.error());
  }
  return std::unique_ptr<Room>(new Room(std::move(impl)));
}

// ---- Changing it ----

Applied Room::apply(const Identity& who, const Command& command, ServerTime now) {
  const std::size_t before = impl_->events.size();
  impl_->set_time(now);
  impl_->look_at_clock();
  impl_->follow_up();
  Impl::Answer answer = std::visit([&](const auto& c) { return impl_->run(who, c); }, command);
  impl_->follow_up();
  return {since(impl_->events, before), std::move(answer)};
}

std::vector<Event> Room::engine_played(const EngineTask& task, std::string_view turn, ServerTime now) {
  std::vector<Event> events = tick(now);
  if (!impl_->in_play() || task.position != impl_->position) return events;
  const Player mover = impl_->mover();
  if (!impl_->seat_at(mover).engine) return events;
  const std::size_t before = impl_->events.size();
  if (!impl_->write_turn(turn, "")) impl_->write_end_by([&](play::LiveGame& game) { game.resign(mover); });
  impl_->follow_up();
  for (Event& event : since(impl_->events, before)) events.push_back(std::move(event));
  return events;
}

std::vector<Event> Room::tick(ServerTime now) {
  const std::size_t before = impl_->events.size();
  impl_->set_time(now);
  impl_->look_at_clock();
  impl_->follow_up();
  return since(impl_->events, before);
}

Event Room::rated(const std::array<std::pair<double, double>, 2>& before_after, ServerTime now) {
  PAIKA_CHECK(awaits_rating());
  impl_->set_time(now);
  impl_->write_rated(before_after);
  return impl_->events.back();
}

Event Room::rematch_opened(const RoomId& room, ServerTime now) {
  PAIKA_CHECK(rematch_agreed());
  impl_->set_time(now);
  impl_->write_rematch(room);
  return impl_->events.back();
}

// ---- Looking at it ----

const RoomId& Room::id() const noexcept { return impl_->id; }
RoomState Room::state() const noexcept { return impl_->state(); }
bool Room::has_begun() const noexcept { return impl_->live != nullptr; }
const Game& Room::game() const noexcept { return *impl_->config.game; }
const std::optional<Identity>& Room::seat(Player player) const noexcept { return impl_->seat_at(player).who; }
std::optional<Player> Room::seat_of(PersonId person) const noexcept { return impl_->seat_of(person); }
std::optional<int> Room::engine_at(Player player) const noexcept { return impl_->seat_at(player).engine; }
bool Room::is_rated() const noexcept { return impl_->live ? impl_->rated : impl_->config.rated; }
bool Room::is_correspondence() const noexcept { return impl_->is_correspondence(); }
std::optional<Player> Room::to_move() const {
  return impl_->in_play() && impl_->ended == 0 ? std::optional(impl_->mover()) : std::nullopt;
}
Json Room::clock() const { return clock_json(impl_->config.limits, impl_->config.grace); }
const ConditionalLines& Room::conditional(Player player) const noexcept { return impl_->seat_at(player).conditional; }
std::uint64_t Room::conditional_version() const noexcept { return impl_->conditional_version; }
void Room::restore_conditional(Player player, const ConditionalLines& lines) {
  if (to_move() != other(player)) return;
  // What another version of the rules forbids is dropped.
  impl_->seat_at(player).conditional = checked_lines(impl_->live->session(), lines).value_or(ConditionalLines());
}
bool Room::is_listed() const noexcept { return impl_->config.listed; }
bool Room::awaits_rating() const noexcept { return impl_->awaits_rating(); }
bool Room::rematch_agreed() const noexcept { return impl_->rematch_agreed(); }
const play::GameResult& Room::result() const noexcept { return impl_->result; }
int Room::turns_played() const noexcept { return static_cast<int>(impl_->turn_events.size()); }

/// A game keeps the board after every turn, as people see it and as the rules do.
std::size_t Room::memory_bytes() const {
  constexpr std::size_t of_room = std::size_t{16} * 1024;
  constexpr std::size_t of_event = 500;
  constexpr std::size_t of_square = 2 * sizeof(Cell);
  const auto& live = impl_->live;
  const std::size_t turns = impl_->turn_events.size();
  const auto squares = live ? static_cast<std::size_t>(live->board_before(turns).cells.size()) : 0;
  return of_room + impl_->events.size() * of_event + (turns + 1) * squares * of_square;
}

std::uint64_t Room::last_number() const noexcept { return impl_->last_number(); }

RoomPlan Room::rematch_plan() const {
  PAIKA_CHECK(rematch_agreed());
  const RoomConfig& config = impl_->config;
  RoomPlan plan;
  plan.game = config.game;
  plan.start = config.start;
  plan.turn_time = config.limits.move_time;
  plan.clock = config.limits.clock;
  plan.grace = config.grace;
  plan.extra = {config.extra[1], config.extra[0]};  // the sides are exchanged
  plan.rated = config.rated;
  plan.listed = config.listed;
  plan.takebacks = config.takebacks;
  for (const Player player : {Player::first, Player::second}) {
    if (!impl_->seat_at(player).engine) continue;
    plan.engine_level = impl_->seat_at(player).engine;
    plan.side = player == Player::first ? Side::first : Side::second;
  }
  if (!plan.engine_level) plan.seated = {*impl_->room_seats[1].who, *impl_->room_seats[0].who};
  return plan;
}

std::optional<ServerTime> Room::next_deadline() const {
  // What follows from the events is due at once; that is so only if they were stored without it.
  if (impl_->follows()) return impl_->events.back().at;
  if (!impl_->live) return std::nullopt;
  const auto deadline = impl_->live->next_deadline();
  if (!deadline) return std::nullopt;
  return std::chrono::duration_cast<ServerTime>(deadline->time_since_epoch());
}

std::optional<EngineTask> Room::engine_task(ServerTime now) const {
  impl_->set_time(now);
  return impl_->engine_task();
}

std::unique_ptr<Session> Room::session_copy() const {
  return impl_->live ? impl_->live->session().clone() : play::known_start(game(), impl_->config.start);
}

std::span<const Event> Room::events_after(std::uint64_t number) const noexcept {
  const std::span<const Event> all = impl_->events;
  return all.subspan(std::min<std::uint64_t>(number, all.size()));
}

std::string Room::snapshot_text(ServerTime now, PersonId viewer) const {
  impl_->set_time(now);
  return impl_->snapshot_text(viewer);
}

Json Room::snapshot(ServerTime now, PersonId viewer) const { return Json::parse(snapshot_text(now, viewer)); }

bool Room::sees(PersonId viewer, std::string_view event_text) const { return impl_->sees(viewer, event_text); }

play::GameRecord Room::record(ServerTime now) const {
  PAIKA_CHECK(impl_->live != nullptr);
  impl_->set_time(now);
  return impl_->live->record();
}

// ---- From the inside ----

void Room::Impl::set_time(ServerTime now) const {
  at = std::clamp(now, events.empty() ? ServerTime(0) : events.back().at, latest_time);
}

void Room::Impl::look_at_clock() {
  if (in_play()) static_cast<void>(live->poll());
}

RoomState Room::Impl::state() const noexcept {
  if (ended != 0) return RoomState::ended;
  return live ? RoomState::running : RoomState::open;
}

std::optional<Player> Room::Impl::seat_of(PersonId person) const noexcept {
  if (person == 0) return std::nullopt;
  for (const Player player : {Player::first, Player::second}) {
    if (seat_at(player).who && seat_at(player).who->person == person) return player;
  }
  return std::nullopt;
}

bool Room::Impl::is_correspondence() const noexcept {
  constexpr Milliseconds shortest = std::chrono::hours(1);
  if (config.limits.clock) return false;
  return !config.limits.move_time || *config.limits.move_time >= shortest;
}

bool Room::Impl::awaits_rating() const noexcept {
  return ended != 0 && rated && result.verdict != Verdict::ongoing && !ratings;
}

bool Room::Impl::rematch_agreed() const noexcept {
  return !rematch && room_seats[0].offer(OfferKind::rematch).pending != 0 &&
         room_seats[1].offer(OfferKind::rematch).pending != 0;
}

int Room::Impl::turns_to_take(Player seat) const {
  if (!live) return 0;
  const std::size_t played = live->turns().size();
  for (std::size_t last = played; last > 0; --last) {
    if (live->board_before(last - 1).to_move == seat) return static_cast<int>(played - last + 1);
  }
  return 0;
}

Json Room::Impl::left_json() const {
  const auto left = [&](Player player) {
    return time_left_json(live ? live->time_left(player) : play::time_left(limits_of(config, player), {}));
  };
  return {{"first", left(Player::first)}, {"second", left(Player::second)}};
}

Json Room::Impl::clock_from_json() const {
  if (!in_play() || !has_clock(config.limits)) return nullptr;
  return std::chrono::duration_cast<ServerTime>(live->clock_start().time_since_epoch()).count();
}

Board Room::Impl::shown_board() const {
  const Notation& notation = config.game->notation();
  if (!live) return play::known_start(*config.game, config.start)->board();
  // Read at the moment when the turn began: the text of a position does not run with the clock.
  const ServerTime now = at;
  if (position <= last_number()) at = events[position - 1].at;
  Board board = notation.in_play(live->board(), live->progress());
  at = now;
  return board;
}

Json Room::Impl::event_json(std::uint64_t number) const {
  Json json = Json::parse(*events[number - 1].text, nullptr, false);
  PAIKA_CHECK(!json.is_discarded());
  return json;
}

// ---- Snapshots ----

Json Room::Impl::seats_json() const {
  Json seats = Json::array();
  for (const Player player : {Player::first, Player::second}) {
    const RoomSeat& c = seat_at(player);
    if (!c.who) {
      seats.push_back(nullptr);
      continue;
    }
    Json seat{{"who", identity_json(*c.who, player, c.engine)}, {"rating", nullptr}};
    if (ratings) {
      const auto& [before, after] = (*ratings)[paika::seat_of(player)];
      seat["rating"] = {{"before", before}, {"after", after}};
    }
    seats.push_back(std::move(seat));
  }
  return seats;
}

Json Room::Impl::offers_json() const {
  Json offers = Json::array();
  for (const Player player : {Player::first, Player::second}) {
    for (const OfferKind kind : all_offers) {
      if (seat_at(player).offer(kind).pending == 0) continue;
      offers.push_back({{"what", name(kind)}, {"seat", seat_word(player)}});
    }
  }
  return offers;
}

Json Room::Impl::last_turn_json() const {
  if (turn_events.empty()) return nullptr;
  const std::uint64_t number = turn_events.back();
  if (events[number - 1].text) return event_json(number);
  // Its text is in the store alone; everything in it follows from the game.
  const auto& ids = seat_at(live->board_before(live->turns().size() - 1).to_move).ids;
  const auto named = std::find_if(ids.rbegin(), ids.rend(), [&](const PlayedId& p) { return p.event == number; });
  return with_turn({{"number", number}, {"at_us", events[number - 1].at.count()}, {"event", "move"}},
                   named == ids.rend() ? "" : named->id);
}

bool Room::Impl::sees(PersonId viewer, std::string_view event_text) const {
  return state() != RoomState::running || !seat_of(viewer) || !is_watcher_chat(event_text);
}

std::string Room::Impl::snapshot_text(PersonId viewer) const {
  const Notation& notation = config.game->notation();
  const Board board = shown_board();
  Json json{{"room", id}, {"number", last_number()}, {"server_time_us", at.count()}};
  json["state"] = name(state());
  json["spec"] = notation.spec();
  json["title"] = config.game->info().title;
  json["players"] = {notation.player_name(Player::first), notation.player_name(Player::second)};
  json["rated"] = live ? rated : config.rated;
  json["listed"] = config.listed;
  json["takebacks"] = config.takebacks;
  json["clock"] = clock_json(config.limits, config.grace);
  json["seats"] = seats_json();
  json["start"] = config.start.empty() ? Json(nullptr) : Json(config.start);
  json["position"] = notation.position_text(board);
  json["grid"] = grid_json(notation, board);
  json["to_move"] = seat_word(board.to_move);
  json["clock_from_us"] = clock_from_json();
  Json rest{{"last_move", last_turn_json()}};
  rest["offers"] = offers_json();
  rest["running"] = in_play() && has_clock(config.limits);
  rest["result"] = ended != 0 ? event_json(ended) : Json(nullptr);
  rest["left"] = ended != 0 ? rest["result"]["left"] : left_json();
  rest["rematch"] = rematch ? Json(*rematch) : Json(nullptr);
  rest["chat"] = Json::array();
  for (const std::uint64_t number : chats) {
    if (sees(viewer, *events[number - 1].text)) rest["chat"].push_back(event_json(number));
  }
  std::string text = json_text(json);
  text.back() = ',';
  text.append(R"("moves":[)").append(turns_text).append("],").append(json_text(rest), 1);
  return text;
}

// ---- The engine ----

namespace {

/// Of what is left, what the engine may use: some is kept for the way to its thread and back.
Milliseconds usable(play::Microseconds left) {
  const play::Microseconds kept = std::min(left / 4, play::Microseconds(std::chrono::milliseconds(100)));
  return std::max(std::chrono::floor<Milliseconds>(left - kept), Milliseconds(1));
}

}  // namespace

std::optional<EngineTask> Room::Impl::engine_task() const {
  if (!in_play()) return std::nullopt;
  const Player mover = this->mover();
  if (!seat_at(mover).engine) return std::nullopt;
  const play::TimeLeft left = live->time_left(mover);
  if (const auto least = left.least(); least && least->count() < 0) return std::nullopt;
  EngineTask task;
  task.level = *seat_at(mover).engine;
  task.turns = static_cast<int>(live->turns().size());
  task.position = position;
  task.limits.move_time = max_thinking;
  if (left.turn) task.limits.move_time = std::min(max_thinking, usable(*left.turn));
  if (left.game) {
    task.limits.clock = GameClock{usable(*left.game), config.limits.clock->increment};
    task.limits.move_time = std::min(max_thinking, usable(*left.game));
  }
  return task;
}

}  // namespace paika::server
