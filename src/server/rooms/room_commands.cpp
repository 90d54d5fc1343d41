// What people ask of a room: each command is checked whole, then it is done or refused.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.hpp"
#include "base/text.hpp"
#include "play/reason.hpp"
#include "server/rooms/room_impl.hpp"

namespace paika::server {

namespace {

tl::unexpected<Refused> refuse(std::string_view code, std::string message, Json details = Json::object()) {
  return tl::unexpected<Refused>(Refused{std::string(code), std::move(message), std::move(details)});
}

tl::unexpected<Refused> refuse_stranger() { return refuse("not_yours", "You do not play in this room."); }

/// Why a command to play a turn makes no sense whatever the game; nothing if it does.
std::optional<std::string> fault_of(const command::Play& play) {
  if (play.id.empty()) return "A move needs an id, so that it is played only once if it is sent again.";
  if (play.id.size() > max_turn_id) {
    return fmt::format("The id of a move has at most {} bytes, not {}.", max_turn_id, play.id.size());
  }
  const auto printable = [](char c) { return c >= 0x20 && c < 0x7f; };
  if (!std::all_of(play.id.begin(), play.id.end(), printable)) return "The id of a move is printable ASCII.";
  if (play.text.empty()) return "There is no move to play.";
  if (play.text.size() > max_turn_text) {
    return fmt::format("A move has at most {} bytes, not {}.", max_turn_text, play.text.size());
  }
  return std::nullopt;
}

std::string_view offered_words(OfferKind kind) {
  switch (kind) {
    case OfferKind::draw: return "a draw";
    case OfferKind::takeback: return "a takeback";
    case OfferKind::rematch: return "a rematch";
  }
  return "";
}

}  // namespace

bool asks_for_rematch(const Command& command) noexcept {
  const auto* const offer = std::get_if<command::Offer>(&command);
  if (offer != nullptr) return offer->what == OfferKind::rematch;
  const auto* const agreed = std::get_if<command::Agree>(&command);
  return agreed != nullptr && agreed->what == OfferKind::rematch;
}

// ---- What several commands need ----

bool Room::Impl::lost_on_time(Player seat) const {
  return result.reason == play::name(play::Failure::time) &&
         Outcome{result.verdict, EndReason::none}.won_by(other(seat));
}

/// `seat` is of the player who asked, if one did. Whether this call found the clock run out or an earlier look at it
/// did makes no difference to the player.
Refused Room::Impl::refused_for_end(std::optional<Player> seat) const {
  Json details{{"verdict", name(result.verdict)}, {"reason", result.reason}};
  if (seat && lost_on_time(*seat)) return {"late", "Your time ran out: the game is over.", std::move(details)};
  if (rematch) details["rematch"] = *rematch;
  return {"over", fmt::format("The game is over: {}.", play::reason_phrase(result.reason).english()),
          std::move(details)};
}

tl::expected<Player, Refused> Room::Impl::player_in_play(const Identity& who) const {
  const auto seat = seat_of(who.person);
  if (!seat) return refuse_stranger();
  if (ended != 0) return tl::unexpected(refused_for_end(seat));
  if (!live) return refuse("not_begun", "The game has not started: there is no opponent yet.");
  return *seat;
}

// ---- Coming and playing ----

Room::Impl::Answer Room::Impl::run(const Identity& who, const command::Join& /*join*/) {
  if (who.person == 0) return refuse("not_yours", "Nobody in particular cannot sit down.");
  if (const auto seat = seat_of(who.person)) {
    if (const auto joined = seat_at(*seat).joined) return Accepted{joined, true};
    return refuse("taken", "You already have a seat here; the other one is for your opponent.");
  }
  if (ended != 0) return tl::unexpected(refused_for_end(std::nullopt));
  for (const Player player : {Player::first, Player::second}) {
    if (!seat_at(player).who) return Accepted{write_joined(player, writable(who)), false};
  }
  return refuse("taken", "Both seats are taken; you may watch.");
}

Room::Impl::Answer Room::Impl::run(const Identity& who, const command::Play& play) {
  const auto seat = seat_of(who.person);
  if (!seat) return refuse_stranger();
  if (auto fault = fault_of(play)) return refuse("bad_request", std::move(*fault));
  const auto& ids = seat_at(*seat).ids;
  const auto played = std::find_if(ids.rbegin(), ids.rend(), [&](const PlayedId& p) { return p.id == play.id; });
  if (played != ids.rend()) return Accepted{played->event, true};
  if (const auto player = player_in_play(who); !player) return tl::unexpected(player.error());
  const int expected = static_cast<int>(live->turns().size()) + 1;
  if (play.number && *play.number != expected) {
    return refuse("stale", fmt::format("Move {} is to be played, not move {}.", expected, *play.number),
                  {{"move", expected}});
  }
  if (mover() != *seat) return refuse("not_yours", "It is not your move.");
  const auto written = write_turn(play.text, play.id);
  if (written) return Accepted{*written, false};
  // That it is too late or over was found before.
  PAIKA_CHECK(written.error().why == play::NotPlayed::Why::refused);
  Json details = refusal_json(config.game->notation(), written.error().refusal);
  std::string message = details["message"].get<std::string>();
  details.erase("message");
  return refuse("illegal", std::move(message), std::move(details));
}

Room::Impl::Answer Room::Impl::run(const Identity& who, const command::Resign& /*resign*/) {
  const auto seat = player_in_play(who);
  if (!seat) return tl::unexpected(seat.error());
  return Accepted{write_end_by([&](play::LiveGame& game) { game.resign(*seat); }), false};
}

Room::Impl::Answer Room::Impl::run(const Identity& who, const command::Abort& /*abort*/) {
  const auto seat = seat_of(who.person);
  if (!seat) return refuse_stranger();
  if (ended != 0) return tl::unexpected(refused_for_end(seat));
  // Before it begins only the opener sits here.
  if (!live) return Accepted{write_ended(left_json()), false};
  if (turns_to_take(*seat) > 0) {
    return refuse("not_yours", "You have already moved: resign, or offer a draw.");
  }
  return Accepted{write_end_by([](play::LiveGame& game) { game.abandon(); }), false};
}

// ---- Offers ----

std::optional<Refused> Room::Impl::refuse_offer(OfferKind kind, Player seat) const {
  const auto refused = [](std::string_view code, std::string message, Json details = Json::object()) {
    return Refused{std::string(code), std::move(message), std::move(details)};
  };
  const RoomSeat& own = seat_at(seat);
  if (kind == OfferKind::rematch) {
    if (!live) return refused("not_begun", "There was no opponent to play again.");
    if (ended == 0) return refused("not_over", "The game is still running; a rematch can be offered after its end.");
    if (rematch) return refused_for_end(seat);
  }
  if (kind == OfferKind::takeback) {
    if (!config.takebacks) return refused("no_takeback", "Moves cannot be taken back in this game.");
    if (turns_to_take(seat) == 0) return refused("no_move", "You have no move to take back.");
    if (own.takebacks >= max_takebacks) return refused("too_often", "You have already taken back too many moves.");
  }
  if (own.offer(kind).barred_at != own.own_turns) return std::nullopt;
  return refused("too_often",
                 kind == OfferKind::rematch
                     ? "You have already offered a rematch."
                     : fmt::format("You have already offered {}: play a move first.", offered_words(kind)));
}

Room::Impl::Answer Room::Impl::run(const Identity& who, const command::Offer& offer) {
  const auto seat = seat_of(who.person);
  if (!seat) return refuse_stranger();
  if (offer.what != OfferKind::rematch) {
    if (const auto player = player_in_play(who); !player) return tl::unexpected(player.error());
  }
  if (seat_at(other(*seat)).offer(offer.what).pending != 0) return agree(offer.what, *seat);
  if (const auto standing = seat_at(*seat).offer(offer.what).pending) return Accepted{standing, true};
  if (auto refused = refuse_offer(offer.what, *seat)) return tl::unexpected(std::move(*refused));
  return Accepted{write_offered(offer.what, *seat), false};
}

Room::Impl::Answer Room::Impl::run(const Identity& who, const command::Agree& agreed) {
  const auto seat = seat_of(who.person);
  if (!seat) return refuse_stranger();
  if (seat_at(other(*seat)).offer(agreed.what).pending != 0) return agree(agreed.what, *seat);
  return refuse("no_offer", fmt::format("Your opponent does not offer {}.", offered_words(agreed.what)));
}

/// The opponent's offer stands.
Room::Impl::Answer Room::Impl::agree(OfferKind kind, Player seat) {
  switch (kind) {
    case OfferKind::draw: return Accepted{write_end_by([](play::LiveGame& game) { game.agree_draw(); }), false};
    case OfferKind::takeback: return Accepted{write_taken_back(other(seat)), false};
    case OfferKind::rematch: break;
  }
  // Both want it: that is all there is to an agreement, and it may be asked for twice.
  if (const auto standing = seat_at(seat).offer(kind).pending) return Accepted{standing, true};
  return Accepted{write_offered(kind, seat), false};
}

Room::Impl::Answer Room::Impl::run(const Identity& who, const command::Decline& decline) {
  const auto seat = seat_of(who.person);
  if (!seat) return refuse_stranger();
  const bool theirs = seat_at(other(*seat)).offer(decline.what).pending != 0;
  const bool own = seat_at(*seat).offer(decline.what).pending != 0;
  if (theirs && own) return refuse("no_offer", "Both have already agreed.");
  if (theirs) return Accepted{write_declined(decline.what, *seat), false};
  if (own) return Accepted{write_withdrawn(decline.what, *seat), false};
  return refuse("no_offer", fmt::format("Nobody offers {}.", offered_words(decline.what)));
}

// ---- Conditional moves ----

Room::Impl::Answer Room::Impl::run(const Identity& who, const command::Conditional& conditional) {
  const auto seat = player_in_play(who);
  if (!seat) return tl::unexpected(seat.error());
  if (!is_correspondence()) {
    return refuse("too_fast", "Conditional moves are for games with at least an hour per move.");
  }
  if (mover() == *seat) return refuse("not_yours", "It is your move: play it, then leave conditional moves.");
  auto checked = checked_lines(live->session(), conditional.lines);
  if (!checked) return refuse("bad_request", fmt::format("This cannot be left: {}.", checked.error().message));
  RoomSeat& own = seat_at(*seat);
  if (own.conditional == *checked) return Accepted{last_number(), true};
  own.conditional = std::move(*checked);
  ++conditional_version;
  return Accepted{last_number(), true};  // there is no event for it: nobody else may know
}

// ---- Chat ----

Room::Impl::Answer Room::Impl::run(const Identity& who, const command::Say& say) {
  if (who.person == 0) return refuse("not_yours", "Nobody in particular cannot speak.");
  if (say.text.empty() == say.preset.empty()) return refuse("bad_request", "Give a text or a preset, one of the two.");
  std::string text;
  if (say.preset.empty()) {
    auto read = chat_text(say.text);
    if (!read) return refuse("bad_request", fmt::format("This cannot be said: {}.", read.error().message));
    text = std::move(*read);
  } else if (const auto all = chat_presets(); std::find(all.begin(), all.end(), say.preset) == all.end()) {
    return refuse("bad_request", fmt::format("There is no preset {}; there are {}.", in_quotes(say.preset),
                                             fmt::join(all.begin(), all.end(), ", ")));
  }
  if (const auto refusal = chat_limit.take(who.person, seat_of(who.person), at)) {
    Json details = Json::object();
    if (refusal->wait) details["retry_after_ms"] = refusal->wait->count();
    return refuse("too_often", std::string(refusal->message), std::move(details));
  }
  if (say.preset.empty()) return Accepted{write_chat(who, "text", text), false};
  return Accepted{write_chat(who, "preset", say.preset), false};
}

}  // namespace paika::server
