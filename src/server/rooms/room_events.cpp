// A room's events: written in the words and shapes of the protocol, done to the room, and read again from the store,
// where they may be anything.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.hpp"
#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "play/game_player.hpp"
#include "play/reason.hpp"
#include "play/record.hpp"
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
  event["clock_from_us"] = clock_from_json();
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
  if (auto entered = enter_turn(text, turn_id); !entered) return tl::unexpected(std::move(entered.error()));
  return push(with_turn(new_event("move"), turn_id));
}

Json Room::Impl::with_turn(Json event, const std::string& turn_id) const {
  const Notation& notation = config.game->notation();
  const std::size_t last = live->turns().size() - 1;
  const Turn& steps = live->moves().back();
  event["move"] = last + 1;
  event["seat"] = seat_word(live->board_before(last).to_move);
  event["id"] = turn_id.empty() ? Json(nullptr) : Json(turn_id);
  event["text"] = live->turns().back().text;
  event["steps"] = turn_json(notation, steps);
  event["effects"] = effects_json(notation, notation.effects(live->board_before(last), steps));
  add_position(event);
  event["time_us"] = live->turns().back().time.value_or(play::Microseconds(0)).count();
  event["left"] = left_json();
  event["over"] = live->session().outcome().over();
  return event;
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
  event["moves"] = turns;
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
  const auto seat = seat_of(who.person);
  enter_chat(seat, who.person);
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
  if (in_play() && ended == 0 && seat_at(mover()).answer) return true;
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
  play_answers();
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

void Room::Impl::play_answers() {
  while (in_play() && ended == 0 && seat_at(mover()).answer) {
    const std::string answer = *std::exchange(seat_at(mover()).answer, std::nullopt);
    // They were legal when they were left, and only the moves that they belong to were played since.
    PAIKA_CHECK(write_turn(answer, "").has_value());
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

// ---- What events do ----

void Room::Impl::enter_created(RoomConfig created) {
  config = std::move(created);
  for (std::size_t i = 0; i < 2; ++i) {
    room_seats[i].who = config.seats[i];
    room_seats[i].engine = config.engines[i];
  }
}

void Room::Impl::enter_joined(Player seat, Identity who) {
  seat_at(seat).who = std::move(who);
  seat_at(seat).joined = next_number();
}

void Room::Impl::enter_begun(bool counts) {
  play::LivePlan plan;
  plan.game = config.game;
  plan.start = config.start;
  plan.grace = config.grace;
  for (std::size_t i = 0; i < 2; ++i) {
    play::PlayerText& player = plan.players[i];
    // The engine sits there as a person: it thinks elsewhere, and its clock is read when its turn comes here.
    player.person = true;
    player.text =
        room_seats[i].engine ? fmt::format("engine:level={}", *room_seats[i].engine) : room_seats[i].who->name;
    player.settings.limits = limits_of(config, i == 0 ? Player::first : Player::second);
  }
  play::LiveSetup setup;
  setup.now = [this] { return play::TimePoint(at); };
  setup.make = nullptr;  // nobody is made
  auto begun = play::LiveGame::begin(std::move(plan), std::move(setup));
  PAIKA_CHECK(begun.has_value());
  live = std::move(*begun);
  rated = counts;
  position = next_number();
}

tl::expected<void, play::NotPlayed> Room::Impl::enter_turn(std::string_view text, std::string turn_id) {
  const Player seat = mover();
  const auto played = live->play(text);
  if (!played) return tl::unexpected(played.error());
  RoomSeat& mover = seat_at(seat);
  ++mover.own_turns;
  if (!turn_id.empty()) mover.ids.push_back({std::move(turn_id), next_number()});
  turn_events.push_back(next_number());
  position = next_number();
  const play::RecordedTurn& turn = live->turns().back();
  if (!turns_text.empty()) turns_text += ',';
  turns_text += fmt::format(R"({{"seat":"{}","text":{},"time_us":{}}})", seat_word(seat), json_text(turn.text),
                            turn.time.value_or(play::Microseconds(0)).count());
  turns_ends.push_back(turns_text.size());
  take_answer(seat);
  if (live->over()) return {};  // the end takes all offers with it
  const auto lapse = [](Offering& offer) { offer.lapsed = offer.pending != 0; };
  lapse(seat_at(other(seat)).offer(OfferKind::draw));
  for (RoomSeat& c : room_seats) lapse(c.offer(OfferKind::takeback));
  return {};
}

void Room::Impl::take_answer(Player seat) {
  RoomSeat& waiting = seat_at(other(seat));
  if (waiting.conditional.empty()) return;
  waiting.answer = answer_to(waiting.conditional, live->turns().back().text);
  if (live->over()) waiting.answer.reset();
  ++conditional_version;
}

void Room::Impl::drop_conditional() {
  for (RoomSeat& c : room_seats) {
    conditional_version += c.conditional.empty() ? 0 : 1;
    c.conditional.clear();
    c.answer.reset();
  }
}

void Room::Impl::enter_offered(OfferKind kind, Player seat) {
  seat_at(seat).offer(kind).pending = next_number();
  seat_at(seat).offer(kind).lapsed = false;
}

void Room::Impl::enter_offer_gone(OfferKind kind, Player seat) {
  seat_at(seat).offer(kind) = {0, false, seat_at(seat).own_turns};
}

void Room::Impl::enter_taken_back(int turns, Player seat) {
  PAIKA_CHECK(live->undo(turns) == turns);
  turn_events.resize(turn_events.size() - static_cast<std::size_t>(turns));
  turns_ends.resize(turn_events.size());
  turns_text.resize(turns_ends.empty() ? 0 : turns_ends.back());
  position = next_number();
  drop_conditional();
  ++seat_at(seat).takebacks;
  // An offer that was accepted bars nothing, and the others were made for another position.
  for (RoomSeat& c : room_seats) {
    for (const OfferKind kind : {OfferKind::draw, OfferKind::takeback}) {
      c.offer(kind).pending = 0;
      c.offer(kind).lapsed = false;
    }
  }
}

void Room::Impl::enter_ended() {
  result = live ? live->result() : play::GameResult{Verdict::ongoing, std::string(play::abandoned_reason), ""};
  ended = next_number();
  drop_conditional();
  for (RoomSeat& c : room_seats) c.offers = {};
}

void Room::Impl::enter_chat(std::optional<Player> seat, PersonId person) {
  chat_limit.said(seat, person);
  chats.push_back(next_number());
  if (chats.size() > shown_chats) chats.pop_front();
}

void Room::Impl::enter_rated(const std::array<std::pair<double, double>, 2>& before_after) { ratings = before_after; }

void Room::Impl::enter_rematch(RoomId room) {
  rematch = std::move(room);
  for (RoomSeat& c : room_seats) c.offers = {};
}

// ---- Stored events ----

Result<void> Room::Impl::fold(const Event& event) {
  static constexpr std::array<std::pair<std::string_view, void (Impl::*)(Fields&)>, 12> folds = {
      {{"created", &Impl::fold_created},
       {"joined", &Impl::fold_joined},
       {"begun", &Impl::fold_begun},
       {"move", &Impl::fold_turn},
       {"offered", &Impl::fold_offered},
       {"declined", &Impl::fold_declined},
       {"withdrawn", &Impl::fold_withdrawn},
       {"taken_back", &Impl::fold_taken_back},
       {"chat", &Impl::fold_chat},
       {"ended", &Impl::fold_ended},
       {"rated", &Impl::fold_rated},
       {"rematch", &Impl::fold_rematch}}};
  const auto wrong = [&](std::string_view what) { return fail("event {}: {}", next_number(), what); };
  if (event.number != next_number()) return wrong(fmt::format("it has the number {}", event.number));
  if (!event.text) return wrong("it has no text");
  if (event.at < at || event.at > latest_time) return wrong(fmt::format("it happened at {} us", event.at.count()));
  at = event.at;
  const Json json = Json::parse(*event.text, nullptr, false);
  if (json.is_discarded()) return wrong("its text is not JSON");
  Fields fields(json);
  const auto number = static_cast<std::int64_t>(event.number);
  if (fields.number("number", 0, INT64_MAX) != number) fields.complain("its text has another number");
  if (fields.number("at_us", 0, INT64_MAX) != event.at.count()) fields.complain("its text has another time");
  const std::string kind = fields.text("event");
  if (fields.fault()) return wrong(*fields.fault());
  if ((kind == "created") != events.empty()) return wrong("the first event is \"created\", and no other");

  const auto* const found = std::find_if(folds.begin(), folds.end(), [&](const auto& f) { return f.first == kind; });
  if (found == folds.end()) return wrong("there is no event " + in_quotes(kind));
  (this->*found->second)(fields);
  if (fields.fault()) return wrong(*fields.fault());
  events.push_back(event);
  if (event.brief) events.back().text = nullptr;
  return {};
}

void Room::Impl::fold_created(Fields& event) {
  if (event.text("room") != id) event.complain("it belongs to another room");
  if (auto created = read_config(event, persons)) enter_created(std::move(*created));
}

void Room::Impl::fold_joined(Fields& event) {
  const Player seat = event.seat("seat");
  Fields identity_fields(event.any("who"));
  Identity who = read_identity(identity_fields, persons[paika::seat_of(seat)]);
  if (identity_fields.fault()) event.complain("in \"who\": " + *identity_fields.fault());
  if (ended != 0 || seat_at(seat).who) event.complain("the seat is not free");
  if (!event.fault()) enter_joined(seat, std::move(who));
}

void Room::Impl::fold_begun(Fields& event) {
  const bool counts = event.flag("rated");
  if (ended != 0 || live || !room_seats[0].who || !room_seats[1].who) event.complain("no game can begin here");
  if (!event.fault()) enter_begun(counts);
}

void Room::Impl::fold_turn(Fields& event) {
  const std::string text = event.text("text");
  const Player seat = event.seat("seat");
  std::string turn_id = event.text_or_null("id").value_or("");
  const std::int64_t number = event.number("move", 1, INT64_MAX);
  if (event.fault()) return;
  if (!in_play()) return event.complain("no game is going on");
  if (mover() != seat) return event.complain("the other player is to move");
  if (number != static_cast<std::int64_t>(live->turns().size()) + 1) return event.complain("it is another move's time");
  const auto entered = enter_turn(text, std::move(turn_id));
  if (entered) return;
  if (entered.error().why == play::NotPlayed::Why::too_late) return event.complain("the move comes too late");
  event.complain(
      fmt::format("{}: {}", in_quotes(text), refusal_sentence(config.game->notation(), entered.error().refusal)));
}

void Room::Impl::fold_offered(Fields& event) {
  const OfferKind kind = event.offer("what");
  const Player seat = event.seat("seat");
  if (event.fault()) return;
  const bool in_time = kind == OfferKind::rematch ? ended != 0 && live && !rematch : in_play() && ended == 0;
  if (!in_time) return event.complain("that cannot be offered at this time");
  if (kind == OfferKind::takeback && turns_to_take(seat) == 0) return event.complain("there is no move to take back");
  if (kind != OfferKind::rematch && seat_at(other(seat)).offer(kind).pending != 0) {
    return event.complain("who is offered the same agrees instead");
  }
  enter_offered(kind, seat);
}

void Room::Impl::fold_declined(Fields& event) {
  const Player seat = event.seat("seat");
  fold_offer_gone(event, other(seat));
}

void Room::Impl::fold_withdrawn(Fields& event) {
  const Player seat = event.seat("seat");
  fold_offer_gone(event, seat);
}

void Room::Impl::fold_offer_gone(Fields& event, Player offerer) {
  const OfferKind kind = event.offer("what");
  if (event.fault()) return;
  if (seat_at(offerer).offer(kind).pending == 0) return event.complain("there is no such offer");
  enter_offer_gone(kind, offerer);
}

void Room::Impl::fold_taken_back(Fields& event) {
  const Player seat = event.seat("seat");
  if (event.fault()) return;
  if (!in_play() || ended != 0) return event.complain("no game is going on");
  const std::int64_t turns = event.number("moves", 1, static_cast<std::int64_t>(live->turns().size()));
  if (!event.fault()) enter_taken_back(static_cast<int>(turns), seat);
}

void Room::Impl::fold_chat(Fields& event) {
  Fields who(event.any("who"));
  static_cast<void>(who.text("name"));
  static_cast<void>(event.text(event.has("preset") ? "preset" : "text"));
  const auto seat = who.has("seat") ? who.text_or_null("seat") : std::nullopt;
  if (who.fault()) event.complain("in \"who\": " + *who.fault());
  if (!event.fault()) enter_chat(seat ? seat_named(*seat) : std::nullopt, 0);
}

void Room::Impl::fold_ended(Fields& event) {
  const std::string verdict = event.text("verdict");
  const std::string reason = event.text("reason");
  static_cast<void>(event.text("sentence"));
  static_cast<void>(event.any("clause"));
  static_cast<void>(event.any("left"));
  if (event.fault()) return;
  if (ended != 0) return event.complain("the game ended before");
  if (in_play()) {
    if (reason == play::name(play::Failure::time)) {
      look_at_clock();
    } else if (reason == play::resigned_reason) {
      live->resign(verdict == name(Verdict::second_wins) ? Player::first : Player::second);
    } else if (reason == play::agreed_reason) {
      live->agree_draw();
    } else if (reason == play::abandoned_reason) {
      live->abandon();
    }
  }
  const play::GameResult found =
      live ? live->result() : play::GameResult{Verdict::ongoing, std::string(play::abandoned_reason), ""};
  if ((live && !live->over()) || verdict != name(found.verdict) || reason != found.reason) {
    return event.complain(fmt::format("the game has not ended so: {} {}", in_quotes(verdict), in_quotes(reason)));
  }
  enter_ended();
}

void Room::Impl::fold_rated(Fields& event) {
  const Json& seats = event.any("seats");
  if (!awaits_rating()) return event.complain("no ratings are to be told");
  if (!seats.is_array() || seats.size() != 2) return event.complain("\"seats\" must be a list of two");
  std::array<std::pair<double, double>, 2> before_after;
  for (std::size_t i = 0; i < 2; ++i) {
    Fields fields(seats[i]);
    before_after[i] = {fields.real("before"), fields.real("after")};
    if (fields.fault()) event.complain("in \"seats\": " + *fields.fault());
  }
  if (!event.fault()) enter_rated(before_after);
}

void Room::Impl::fold_rematch(Fields& event) {
  std::string room = event.text("room");
  if (!rematch_agreed()) event.complain("no rematch was agreed");
  if (!event.fault()) enter_rematch(std::move(room));
}

}  // namespace paika::server
