// Undo and redo, the ends that people bring about, settings, new games.
#include <algorithm>

#include "apps/terminal/conversation_impl.hpp"
#include "base/text.hpp"
#include "engine/registry.hpp"

namespace paika::terminal {

namespace {

constexpr int max_turns = 1'000'000;

/// A number of turns; nothing if the text is none.
std::optional<int> read_count(std::string_view text) {
  const auto number = parse_int(text);
  if (!number || *number < 1 || *number > max_turns) return std::nullopt;
  return static_cast<int>(*number);
}

/// How many turns lead back to one that a person has to play again; one if people play on both sides or none.
int turns_back(const play::LiveGame& game) {
  const auto turns = game.turns().size();
  for (std::size_t back = 1; back <= turns; ++back) {
    if (game.is_person(game.board_before(turns - back).to_move)) return static_cast<int>(back);
  }
  return 1;
}

/// The score that a player gave its last turn; nothing if it has told none.
std::optional<int> last_opinion(const play::LiveGame& game, Player player) {
  for (std::size_t i = game.turns().size(); i-- > 0;) {
    if (game.board_before(i).to_move == player) return game.turns()[i].score;
  }
  return std::nullopt;
}

/// A spec with another size: "othello:8x8" becomes "othello:10x10"; options stay.
std::string with_size(const std::string& spec, std::string_view size) {
  const auto colon = spec.find(':');
  const std::string name = spec.substr(0, colon);
  std::string options = colon == std::string::npos ? "" : spec.substr(colon + 1);
  const auto comma = options.find(',');
  if (!options.empty() && is_digit(options.front()))
    options = comma == std::string::npos ? "" : options.substr(comma + 1);
  return fmt::format("{}:{}{}{}", name, size, options.empty() ? "" : ",", options);
}

}  // namespace

SearchLimits default_engine_limits() {
  SearchLimits limits;
  limits.move_time = Milliseconds(1000);
  return limits;
}

Reply Conversation::Impl::undo(std::string_view number) {
  const auto count = number.empty() ? std::optional<int>(turns_back(*game)) : read_count(number);
  if (!count) return answer(say(phrase("{} is not a number of moves.", in_quotes(number))), Tone::refusal);
  Reply reply;
  // A resignation or a flag is taken back by itself.
  if (number.empty() && game->reopen()) {
    add_line(reply, say(phrase("The game continues.")), Tone::event);
    changed(reply);
    return reply;
  }
  const int undone = game->undo(*count);
  if (undone == 0) return answer(say(phrase("There is no move to take back.")), Tone::refusal);
  add_line(reply, undone == 1 ? say(phrase("One move taken back.")) : say(phrase("{} moves taken back.", undone)),
           Tone::event);
  if (game->held()) add_line(reply, say(phrase("{} is waiting: go lets it play.", name(game->to_move()))));
  insight.reset();
  changed(reply);
  return reply;
}

Reply Conversation::Impl::redo(std::string_view number) {
  const auto given = number.empty() ? std::optional<int>(1) : read_count(number);
  if (!given) return answer(say(phrase("{} is not a number of moves.", in_quotes(number))), Tone::refusal);
  int redone = game->redo(*given);
  while (number.empty() && redone > 0 && game->held() && game->undone() > 0) redone += game->redo(1);
  if (redone == 0) return answer(say(phrase("There is no move to play again.")), Tone::refusal);
  Reply reply = answer(
      redone == 1 ? say(phrase("One move played again.")) : say(phrase("{} moves played again.", redone)), Tone::event);
  if (game->over()) report_end(reply);
  if (game->held()) add_line(reply, say(phrase("{} is waiting: go lets it play.", name(game->to_move()))));
  changed(reply);
  return reply;
}

Reply Conversation::Impl::go_on() {
  if (!game->go_on()) return answer(say(phrase("Nobody is waiting to play.")), Tone::refusal);
  return answer(say(phrase("{} is thinking.", name(game->to_move()))));
}

Reply Conversation::Impl::offer_draw() {
  if (game->over()) return not_played({play::NotPlayed::Why::over, {}});
  const bool two_people = game->is_person(Player::first) && game->is_person(Player::second);
  if (two_people && !draw_offered) {
    draw_offered = true;
    return answer(say(phrase("{} offers a draw: {} agrees by typing draw, or plays on.", name(game->to_move()),
                             name(other(game->to_move())))));
  }
  if (!two_people) {
    const Player computer = game->is_person(Player::first) ? Player::second : Player::first;
    const auto opinion = last_opinion(*game, computer);
    const bool agrees = game->player(computer).command.empty() && opinion && *opinion <= 0;
    if (!agrees) return answer(say(phrase("{} declines the draw.", name(computer))), Tone::event);
  }
  game->agree_draw();
  Reply reply;
  report_end(reply);
  changed(reply);
  return reply;
}

Reply Conversation::Impl::resign() {
  if (game->over()) return not_played({play::NotPlayed::Why::over, {}});
  const bool to_move_is_person = game->is_person(game->to_move());
  const Player who = to_move_is_person ? game->to_move() : other(game->to_move());
  if (!game->is_person(who))
    return answer(say(phrase("Nobody here can resign: both players are programs.")), Tone::refusal);
  game->resign(who);
  Reply reply;
  report_end(reply);
  changed(reply);
  return reply;
}

Reply Conversation::Impl::abandon() {
  if (!game->abandon()) return not_played({play::NotPlayed::Why::over, {}});
  Reply reply;
  report_end(reply);
  add_line(reply, say(phrase("new starts another game, undo continues this one, quit leaves.")));
  changed(reply);
  return reply;
}

// ---- New games ----

Reply Conversation::Impl::put_in_place(std::unique_ptr<play::LiveGame> next) {
  Reply reply;
  leave_game(reply);
  game = std::move(next);
  insight.reset();
  changed(reply);
  return reply;
}

Reply Conversation::Impl::begin_new(std::string_view spec) {
  auto opened = spec.empty() ? Result<GamePtr>(game->game_ptr()) : open_game(spec);
  if (!opened) return refuse(opened.error());
  play::LivePlan plan;
  plan.game = *opened;
  plan.players = {game->player(Player::first), game->player(Player::second)};
  ++setup.live.number;
  auto next = play::LiveGame::begin(std::move(plan), setup.live);
  if (!next) return refuse(next.error());
  Reply reply = put_in_place(std::move(*next));
  Reply hello = greeting();
  std::move(hello.lines.begin(), hello.lines.end(), std::back_inserter(reply.lines));
  return reply;
}

Reply Conversation::Impl::set_size(std::string_view size) {
  return begin_new(with_size(game->notation().spec(), size));
}

// ---- Settings ----

std::optional<Player> Conversation::Impl::read_player_word(std::string_view word) const {
  const std::string wanted = lowered(word);
  for (const Player player : {Player::first, Player::second}) {
    const bool is_first = player == Player::first;
    if (wanted == (is_first ? "first" : "second") || wanted == (is_first ? "1" : "2")) return player;
    if (wanted == lowered(game->notation().player_name(player)) || wanted == lowered(name(player))) return player;
  }
  return std::nullopt;
}

Reply Conversation::Impl::set(std::string_view words) {
  const std::string what = lowered(take_word(words));
  const std::string_view rest = trimmed(words);
  if (what.empty()) return list_settings();
  std::string_view more = rest;
  const std::string_view value = take_word(more);
  if (what == "player") return set_player(value, trimmed(more));
  if (what == "view") return set_view(value);
  if (what != "size" && what != "level" && what != "time" && what != "clock") {
    return answer(say(phrase("There is no setting {}; the settings are level, time, clock, size, player and view.",
                             in_quotes(what))),
                  Tone::refusal);
  }
  if (value.empty()) {
    return answer(say(phrase("Type a value after it, such as {}.", what == "size"    ? "set size 10x10"
                                                                   : what == "level" ? "set level 3"
                                                                   : what == "time"  ? "set time 2s"
                                                                                     : "set clock 5min+3s")),
                  Tone::refusal);
  }
  if (what == "size") return set_size(rest);
  return set_limit(what, value, trimmed(more));
}

Reply Conversation::Impl::set_view(std::string_view wanted) {
  const std::string word = lowered(wanted);
  if (word != "first" && word != "mover") {
    return answer(say(phrase("Type {} to see scores for {}, or {} to see them for the side to move.", "set view first",
                             name(Player::first), "set view mover")),
                  Tone::refusal);
  }
  view = word == "mover" ? View::mover : View::first_player;
  return answer(view == View::mover ? say(phrase("Scores are for the side to move."))
                                    : say(phrase("Scores are for {}.", name(Player::first))));
}

Reply Conversation::Impl::list_settings() const {
  Reply reply = answer(game->notation().spec());
  for (const Player player : {Player::first, Player::second}) {
    add_line(reply, fmt::format("{}: {}", name(player), printable(play::seat_text(game->player(player)))));
  }
  return reply;
}

/// Sets a level or a limit of time for one player, or for every computer (for everybody if there is none).
Reply Conversation::Impl::set_limit(std::string_view key, std::string_view value, std::string_view player) {
  const bool off = key != "level" && lowered(value) == "off";
  const auto only = player.empty() ? std::nullopt : read_player_word(player);
  if (!player.empty() && !only) {
    return answer(say(phrase("{} is not a player; the players are {} and {}.", in_quotes(player), name(Player::first),
                             name(Player::second))),
                  Tone::refusal);
  }
  const bool people_only = game->is_person(Player::first) && game->is_person(Player::second);
  std::vector<std::pair<Player, play::PlayerText>> changed;
  for (const Player each : {Player::first, Player::second}) {
    if (only ? each != *only : game->is_person(each) && !(people_only && key != "level")) continue;
    play::PlayerText who = game->player(each);
    if (key == "level" && (who.person || !who.command.empty())) {
      return answer(say(phrase("{} has no level; only the computer has one.", name(each))), Tone::refusal);
    }
    if (off && key == "time") who.settings.limits.move_time.reset();
    if (off && key == "clock") who.settings.limits.clock.reset();
    if (!off) {
      if (const auto applied = play::apply_setting(who.settings, key, value); !applied) {
        return refuse(applied.error());
      }
    }
    const bool endless = !who.person && !play::any_limit(who.settings.limits);
    if (endless) who.settings.limits = default_engine_limits();
    who.text = play::seat_text(who);
    changed.emplace_back(each, std::move(who));
  }
  // Nobody is seated before it is certain that nothing is refused.
  Reply reply;
  for (const auto& [each, who] : changed) {
    if (const auto seated = game->seat(each, who); !seated) return refuse(seated.error());
    add_line(reply, fmt::format("{}: {}", name(each), printable(who.text)));
  }
  if (reply.lines.empty())
    return answer(say(phrase("The computer does not play; set player gives it a side.")), Tone::refusal);
  keep(reply);
  return reply;
}

Reply Conversation::Impl::set_player(std::string_view player, std::string_view who) {
  const auto seat = read_player_word(player);
  if (!seat || who.empty()) {
    return answer(say(phrase("Type a player and who plays, such as {}.", "set player second engine:level=3")),
                  Tone::refusal);
  }
  const auto read = play::read_seat(who, {}, default_engine_limits());
  if (!read) return refuse(read.error());
  if (const auto seated = game->seat(*seat, *read); !seated) {
    return refuse(seated.error());
  }
  Reply reply = answer(fmt::format("{}: {}", name(*seat), seat_words(setup.catalogue, *read)));
  changed(reply);
  return reply;
}

}  // namespace paika::terminal
