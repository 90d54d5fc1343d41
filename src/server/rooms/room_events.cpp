// Events as they are written: what happened, in the words and shapes of the protocol.
#include <fmt/format.h>
#include <utility>

#include "base/check.hpp"
#include "engine/diagram.hpp"
#include "play/reason.hpp"
#include "server/rooms/room_impl.hpp"

namespace paika::server {

Json Room::Impl::new_event(std::string_view kind) const {
  return {{"number", next_number()}, {"at_us", at.count()}, {"event", kind}};
}

std::uint64_t Room::Impl::push(const Json& event, PersonId by) {
  events.push_back({next_number(), at, std::make_shared<const std::string>(json_text(event)), by});
  return last_number();
}

void Room::Impl::add_position(Json& event) const {
  const Board board = shown_board();
  event["position"] = config.game->notation().position_text(board);
  event["to_move"] = seat_word(board.to_move);
}

std::uint64_t Room::Impl::write_created(RoomConfig created) {
  enter_created(std::move(created));
  Json event = new_event("created");
  event["room"] = id;
  add_config(event, config);
  return push(event);
}

std::uint64_t Room::Impl::write_joined(Player seat, const Identity& who) {
  enter_joined(seat, who);
  Json event = new_event("joined");
  event["seat"] = seat_word(seat);
  event["who"] = identity_json(who, seat, std::nullopt);
  return push(event, who.person);
}

std::uint64_t Room::Impl::write_begun() {
  enter_begun(config.rated && room_seats[0].who->member && room_seats[1].who->member);
  Json event = new_event("begun");
  event["rated"] = rated;
  add_position(event);
  event["left"] = left_json();
  return push(event);
}

tl::expected<std::uint64_t, play::NotPlayed> Room::Impl::write_turn(std::string_view text, const std::string& turn_id) {
  const Player seat = live->to_move();
  if (auto entered = enter_turn(text, turn_id); !entered) return tl::unexpected(std::move(entered.error()));
  const Notation& notation = config.game->notation();
  const std::size_t last = live->turns().size() - 1;
  const Turn& steps = live->moves().back();
  Json event = new_event("turn");
  event["turn"] = last + 1;
  event["seat"] = seat_word(seat);
  event["id"] = turn_id.empty() ? Json(nullptr) : Json(turn_id);
  event["text"] = live->turns().back().text;
  event["steps"] = turn_json(notation, steps);
  event["effects"] = effects_json(notation, notation.effects(live->board_before(last), steps));
  add_position(event);
  event["time_us"] = live->turns().back().time.value_or(play::Microseconds(0)).count();
  event["left"] = left_json();
  event["over"] = live->over();
  return push(event);
}

namespace {

Json with_offer(Json event, OfferKind kind, Player seat) {
  event["what"] = name(kind);
  event["seat"] = seat_word(seat);
  return event;
}

}  // namespace

std::uint64_t Room::Impl::write_offered(OfferKind kind, Player seat) {
  enter_offered(kind, seat);
  return push(with_offer(new_event("offered"), kind, seat));
}

std::uint64_t Room::Impl::write_declined(OfferKind kind, Player seat) {
  enter_offer_gone(kind, other(seat));
  return push(with_offer(new_event("declined"), kind, seat));
}

std::uint64_t Room::Impl::write_withdrawn(OfferKind kind, Player seat) {
  enter_offer_gone(kind, seat);
  return push(with_offer(new_event("withdrawn"), kind, seat));
}

std::uint64_t Room::Impl::write_taken_back(Player seat) {
  const int turns = turns_to_take(seat);
  enter_taken_back(turns, seat);
  Json event = new_event("taken_back");
  event["turns"] = turns;
  event["seat"] = seat_word(seat);
  add_position(event);
  event["left"] = left_json();
  return push(event);
}

std::uint64_t Room::Impl::write_ended(const Json& left) {
  enter_ended();
  const Notation& notation = config.game->notation();
  Json event = new_event("ended");
  event["verdict"] = name(result.verdict);
  event["reason"] = result.reason;
  if (const Outcome outcome = live ? live->session().outcome() : Outcome{}; outcome.over()) {
    const Ending ending = notation.ending(live->board(), outcome);
    event["sentence"] = ending.sentence.english();
    event["clause"] = ending.clause;
    event["rules"] = rules_document(notation);
  } else {
    event["sentence"] = play::result_phrase(notation, result).english();
    event["clause"] = nullptr;
    event["rules"] = nullptr;
  }
  event["left"] = left;
  return push(event);
}

std::uint64_t Room::Impl::write_chat(const Identity& who, std::string_view key, std::string_view words) {
  enter_chat();
  const auto seat = seat_of(who.person);
  Json event = new_event("chat");
  event["who"] = identity_json(who, seat, std::nullopt);
  event[std::string(key)] = words;
  return push(event, who.person);
}

std::uint64_t Room::Impl::write_rated(const std::array<std::pair<double, double>, 2>& before_after) {
  enter_rated(before_after);
  Json event = new_event("rated");
  event["seats"] = Json::array();
  for (const auto& [before, after] : before_after) event["seats"].push_back({{"before", before}, {"after", after}});
  return push(event);
}

std::uint64_t Room::Impl::write_rematch(const RoomId& room) {
  enter_rematch(room);
  Json event = new_event("rematch");
  event["room"] = room;
  return push(event);
}

// ---- What follows ----

bool Room::Impl::follows() const {
  if (ended == 0 && (live ? live->over() : room_seats[0].who && room_seats[1].who)) return true;
  for (const RoomSeat& c : room_seats) {
    for (const Offering& offer : c.offers) {
      if (offer.lapsed) return true;
    }
  }
  return owes_answer(Player::first) || owes_answer(Player::second);
}

void Room::Impl::follow_up() {
  if (ended == 0 && !live && room_seats[0].who && room_seats[1].who) write_begun();
  if (ended == 0 && live && live->over()) write_ended(left_json());
  for (const Player player : {Player::first, Player::second}) {
    for (const OfferKind kind : all_offers) {
      if (seat_at(player).offer(kind).lapsed) write_withdrawn(kind, player);
    }
  }
  for (const Player player : {Player::first, Player::second}) {
    while (owes_answer(player)) answer_for_engine(player);
  }
}

bool Room::Impl::owes_answer(Player engine) const {
  if (!seat_at(engine).engine) return false;
  const auto offered = [&](OfferKind kind) { return seat_at(other(engine)).offer(kind).pending != 0; };
  return offered(OfferKind::draw) || offered(OfferKind::takeback) ||
         (offered(OfferKind::rematch) && seat_at(engine).offer(OfferKind::rematch).pending == 0);
}

/// The engine takes no time for this: it never declines what only its opponent needs, and never agrees to a draw, for
/// it does not know whether it stands worse.
void Room::Impl::answer_for_engine(Player engine) {
  const auto offered = [&](OfferKind kind) { return seat_at(other(engine)).offer(kind).pending != 0; };
  if (offered(OfferKind::draw)) {
    write_declined(OfferKind::draw, engine);
  } else if (offered(OfferKind::takeback)) {
    write_taken_back(other(engine));
  } else {
    write_offered(OfferKind::rematch, engine);
  }
}

}  // namespace paika::server
