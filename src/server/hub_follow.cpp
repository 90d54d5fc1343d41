// What follows from what happens in rooms: the engine's answer, new ratings, a rematch.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/engine_turn.hpp"
#include "server/hub_entry.hpp"

namespace paika::server {

namespace {

double first_score(Verdict verdict) {
  if (verdict == Verdict::draw) return 0.5;
  return verdict == Verdict::first_wins ? 1 : 0;
}

}  // namespace

void Hub::look_after(const RoomEntryPtr& entry) {
  if (entry->dropped) return;
  schedule(entry);
  ask_engine(entry);
  note_rated_position(*entry->room);
  if (entry->committed != entry->room->last_number()) return;
  if (entry->room->awaits_rating()) rate(entry);
  if (entry->room->rematch_agreed()) open_rematch(entry);
}

void Hub::note_rated_position(const Room& room) {
  if (deps_.rated_positions == nullptr || !room.is_rated()) return;
  if (room.state() != RoomState::running) return deps_.rated_positions->clear(room.id());
  RatedGame game{.spec = room.game().notation().spec()};
  for (const Player player : {Player::first, Player::second}) {
    if (const auto& seated = room.seat(player)) game.players[paika::seat_of(player)] = seated->person;
  }
  if (room.turns_played() >= min_rated_moves) game.key = RatedPositions::key_of(*room.session_copy());
  deps_.rated_positions->set(room.id(), std::move(game));
}

void Hub::ask_engine(const RoomEntryPtr& entry) {
  const auto task = entry->room->engine_task(deps_.now());
  if (task && entry->asked == task->position) return;
  if (entry->stop) entry->stop->request_stop();
  entry->asked.reset();
  ++entry->question;  // an answer to the question before comes too late
  if (!task) return;
  // Those who play take turns, by address. Nobody's address is known at the first move after a start, but persons are.
  Client client = entry->player.address.empty() ? open_rooms_.opener(entry->room->id()) : entry->player;
  if (client.address.empty()) client.person = std::max(entry->row.persons[0], entry->row.persons[1]);
  if (!deps_.engines.takes(client)) return await_engine(entry);  // asked first: the question copies the whole game
  entry->asked = task->position;
  entry->stop = std::make_shared<std::stop_source>();
  EngineQuestion question{std::shared_ptr<Session>(entry->room->session_copy()),
                          *task,
                          deps_.now(),
                          deps_.tables,
                          deps_.engine_hash_mb,
                          std::hash<RoomId>{}(entry->room->id()),
                          entry->stop};
  auto answered = [this, alive = std::weak_ptr(alive_), entry, number = entry->question,
                   task = *task](const std::optional<std::string>& turn) {
    if (!alive.expired()) engine_answered(entry, number, task, turn);
  };
  const auto taken =
      deps_.engines.submit(client, [client, question = std::move(question), answered, post = deps_.post,
                                    now = deps_.now, &work = deps_.engines](const std::stop_token& closing) {
        const auto turn = engine_turn(question, now, work.waiting_before(client), closing);
        post([answered, turn] { answered(turn); });
      });
  if (taken) return;
  entry->asked.reset();
  await_engine(entry);
}

void Hub::await_engine(const RoomEntryPtr& entry) {
  if (!std::exchange(entry->awaits_engine, true)) awaiting_engine_.push_back(entry);
}

void Hub::engine_answered(const RoomEntryPtr& entry, std::uint64_t question, const EngineTask& task,
                          const std::optional<std::string>& turn) {
  if (entry->dropped || entry->question != question) return;
  entry->asked.reset();
  if (!turn) {
    deps_.log.write(LogLevel::error, "engine_failed", {{"room", entry->room->id()}});
    await_engine(entry);
    return;
  }
  ++counts_.engine_turns;
  commit(entry, entry->room->engine_played(task, *turn, deps_.now()), {});
}

void Hub::rate(const RoomEntryPtr& entry) {
  if (std::exchange(entry->rating, true)) return;
  using BeforeAfter = std::array<std::pair<double, double>, 2>;
  const auto result = std::make_shared<BeforeAfter>();
  const std::string game = entry->room->game().info().name;
  const double score = first_score(entry->room->result().verdict);
  deps_.writer.submit([result, game, score, id = entry->room->id(),
                       persons = entry->row.persons](Store& store) { *result = store.rate(id, game, persons, score); },
                      [this, alive = std::weak_ptr(alive_), entry, result](const auto& failure) {
                        if (alive.expired() || entry->dropped) return;
                        entry->rating = false;
                        if (failure) {
                          drop(entry, *failure);
                          return;
                        }
                        for (std::size_t i = 0; i < result->size(); ++i) entry->row.ratings.at(i) = result->at(i);
                        commit(entry, {entry->room->rated(*result, deps_.now())}, {});
                      });
}

void Hub::reserve_rematch(const RoomEntryPtr& entry, const Client& client) {
  if (entry->dropped || entry->no_rematch || !entry->rematch.empty() || !entry->room->rematch_agreed()) return;
  entry->rematch = deps_.new_id();
  open_rooms_.add(entry->rematch, client, std::chrono::steady_clock::now());
}

void Hub::open_rematch(const RoomEntryPtr& entry) {
  if (entry->no_rematch) return;
  // If it was agreed on before the last start, it is nobody's any more who could be asked.
  const RoomId id = entry->rematch.empty() ? deps_.new_id() : std::exchange(entry->rematch, {});
  const ServerTime now = deps_.now();
  const auto& first_seat = entry->room->seat(Player::first);
  const Identity opener =
      first_seat && first_seat->person != 0 ? *first_seat : entry->room->seat(Player::second).value_or(Identity{});
  auto opened = Room::open(id, entry->room->rematch_plan(), opener, now, 0);
  if (!opened) {  // somebody has been erased meanwhile
    entry->no_rematch = true;
    open_rooms_.drop(id);
    deps_.log.write(LogLevel::info, "no_rematch", {{"room", entry->room->id()}, {"what", opened.error().message}});
    return;
  }
  ++counts_.opened;
  const RoomEntryPtr next = enter(std::move(opened->first));
  next->player = open_rooms_.opener(id);
  bring_up_to_date(next->row, *next->room);
  next->stored = true;
  const auto first = std::make_shared<const std::vector<Event>>(std::move(opened->second));
  // Both or none: a rematch that is told of exists.
  commit(
      entry, {entry->room->rematch_opened(id, now)},
      [this, next, first](bool stored) {
        if (!stored) {
          open_rooms_.drop(next->row.id);
          drop(next, "its first game's room was not kept");
          return;
        }
        committed(next, *first);
        look_after(next);
      },
      [row = next->row, first](Store& store) { write_room(store, row, false, *first); });
}

}  // namespace paika::server
