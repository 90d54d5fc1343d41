// What the screen of a game shows.
#include <algorithm>
#include <fmt/format.h>

#include "apps/terminal/play_screen.hpp"
#include "apps/terminal/sentences.hpp"
#include "apps/terminal/words.hpp"

namespace paika::terminal {

namespace {

constexpr play::Microseconds hurry_below{10'000'000};

}  // namespace

std::string PlayScreen::name_of(Player player) const {
  return player_words(conversation_.catalogue(), game().notation(), player);
}

PlayerPanel PlayScreen::panel_of(Player player) const {
  PlayerPanel panel;
  panel.name = fmt::format("{}: {}", name_of(player), seat_words(conversation_.catalogue(), game().player(player)));
  // Where pieces are placed none is ever lost; they change sides.
  const auto& moves = game().moves();
  const bool places = !moves.empty() && moves.front().front().kind == StepKind::place;
  const int at_start = count_pieces(game().start_board(), player);
  panel.count = count_words(conversation_.catalogue(), game().notation(), shown_board(), player,
                            places ? std::nullopt : std::optional(at_start));
  panel.to_move = !game().over() && game().to_move() == player;
  if (const auto left = game().time_left(player).least()) {
    panel.clock = clock_text(*left);
    panel.hurry = *left < hurry_below;
  }
  return panel;
}

Board PlayScreen::shown_board() const {
  if (!frames_.empty()) return frames_.front();
  Board board = game().board();
  // A chain that is being entered shows how far it has come.
  Turn turn = entry_.prefix();
  while (!turn.empty() && game().session().refuse(turn)) turn.pop_back();
  if (turn.empty()) return board;
  const Notation& notation = game().notation();
  board.cells = replayed(board.cells, notation.effects(board, turn), [&](Square s) { return notation.empty_cell(s); });
  return board;
}

void PlayScreen::mark(PictureOptions& picture) const {
  picture.unicode = unicode_;
  picture.flipped = conversation_.flipped();
  if (!game().moves().empty()) picture.last = squares_of(game().moves().back());
  if (!frames_.empty()) return;
  picture.refused = refused_;
  picture.chosen = entry_.chosen_squares();
  if (show_choices_ || !entry_.prefix().empty()) picture.targets = entry_.targets();
  for (const StepKind kind : {StepKind::approach, StepKind::withdraw}) {
    if (const auto square = capture_square(kind)) picture.targets.push_back(*square);
  }
  if (conversation_.hint()) picture.hints = squares_of(*conversation_.hint());
  if (!typing_) picture.cursor = cursor_;
}

ScreenView PlayScreen::view() const {
  ScreenView view;
  view.notation = &game().notation();
  view.board = shown_board();
  mark(view.picture);
  view.focus = typing_ && !view.picture.last.empty() ? view.picture.last.back() : cursor_;
  view.title = fmt::format("{}  {}", conversation_.say(phrase_of(game().game().info().title)), view.notation->spec());
  view.state = game().over() ? say(phrase("The game is over")) : say(phrase("Turn {}", game().turns().size() + 1));
  for (const Player player : {Player::first, Player::second}) view.players[play::seat_of(player)] = panel_of(player);
  view.facts = facts_in_play(conversation_.catalogue(), game());
  if (const auto insight = conversation_.insight()) view.score = insight->score;
  for (const play::RecordedTurn& turn : game().turns()) view.turns.push_back(turn.text);
  view.first_began = game().start_board().to_move == Player::first;
  view.turn_shown = view.turns.size();
  view.messages.assign(messages_.begin(), messages_.end());
  view.scrolled = scrolled_;
  view.prompt = typing_ ? "> " : prompt();
  if (typing_) {
    view.typed = line_.text();
    view.caret = line_.caret();
  }
  view.keys = keys();
  if (!overlay_.empty()) {
    view.overlay.assign(overlay_.begin() + static_cast<std::ptrdiff_t>(overlay_top_), overlay_.end());
  }
  return view;
}

std::optional<play::TimePoint> PlayScreen::deadline() const {
  std::optional<play::TimePoint> soonest = conversation_.next_deadline();
  const auto consider = [&](play::TimePoint time) { soonest = soonest ? std::min(*soonest, time) : time; };
  if (!frames_.empty()) consider(frame_until_);
  if (!game().over()) {
    if (const auto left = game().time_left(game().to_move()).least()) consider(now_() + clock_holds(*left));
    if (const auto time = facts_hold(game())) consider(now_() + *time);
  }
  return soonest;
}

std::string PlayScreen::prompt() const {
  if (leaving_) return say(phrase("Press q again to leave the game; it is kept."));
  if (game().over()) return say(phrase("The game is over: type new for another one, u takes turns back."));
  const std::string name = name_of(game().to_move());
  if (game().held()) return say(phrase("{} waits; g lets it think.", name));
  if (!game().person_to_move()) return say(phrase("{} is thinking.", name));
  return entry_prompt();
}

std::string PlayScreen::step_words(const Step& step) const {
  switch (step.kind) {
    case StepKind::approach: return say(phrase("approach"));
    case StepKind::withdraw: return say(phrase("withdrawal"));
    case StepKind::sacrifice: return say(phrase("sacrifice"));
    case StepKind::fling: return say(phrase("fling"));
    case StepKind::pass: return say(phrase("pass"));
    default: return game().notation().coordinates().name(step.square);
  }
}

std::string PlayScreen::entry_prompt() const {
  const std::string name = name_of(game().to_move());
  if (entry_.choice_of(StepKind::pass)) return say(phrase("{} must pass: press Enter.", name));
  if (entry_.prefix().empty()) {
    const bool places = !entry_.choices().empty() && entry_.choices().front().kind == StepKind::place;
    return places ? say(phrase("{}: choose a square.", name)) : say(phrase("{}: choose a piece.", name));
  }
  std::string text;
  for (const Step& step : entry_.prefix()) text += step_words(step) + ' ';
  std::vector<std::string> ways;
  if (!entry_.targets().empty()) ways.push_back(say(phrase("choose where to")));
  if (entry_.choice_of(StepKind::approach)) ways.push_back(say(phrase("A approach")));
  if (entry_.choice_of(StepKind::withdraw)) ways.push_back(say(phrase("W withdraw")));
  if (entry_.choice_of(StepKind::sacrifice)) ways.push_back(say(phrase("S sacrifice")));
  if (entry_.choice_of(StepKind::fling)) ways.push_back(say(phrase("F fling")));
  if (entry_.complete()) ways.push_back(say(phrase(". stop here")));
  if (entry_.cut()) ways.push_back(say(phrase("(there are more turns than are listed: type them)")));
  return fmt::format("{}: {}", text.substr(0, text.size() - 1), fmt::join(ways, ", "));
}

std::vector<std::pair<std::string, std::string>> PlayScreen::keys() const {
  if (typing_) {
    return {{say(phrase("Enter")), say(phrase("send"))},
            {"Esc", say(phrase("board"))},
            {"F1", say(phrase("help"))},
            {"Ctrl-D", say(phrase("leave"))}};
  }
  return {{"?", say(phrase("help"))},   {say(phrase("Enter")), say(phrase("choose"))},
          {"Tab", say(phrase("type"))}, {"v", say(phrase("moves"))},
          {"t", say(phrase("hint"))},   {"u", say(phrase("undo"))},
          {"x", say(phrase("flip"))},   {"q", say(phrase("leave"))}};
}

std::vector<std::string> PlayScreen::help_lines() const {
  std::vector<std::string> lines;
  const auto add = [&](const Phrase& key, const Phrase& meaning) {
    lines.push_back(help_line(say(key), say(meaning)));
  };
  const auto same = [](const char* keys) { return Phrase::verbatim(keys); };
  add(phrase("arrows, h j k l"), phrase("move the cursor"));
  add(phrase("Enter, Space"), phrase("choose; the same piece again ends the turn"));
  add(phrase("mouse"), phrase("choose the square"));
  add(same("A W"), phrase("capture by approach, by withdrawal"));
  add(same("S F P"), phrase("sacrifice, fling, pass"));
  add(same("."), phrase("end the turn here"));
  add(phrase("Backspace, Esc"), phrase("take back a step of the turn, all of them"));
  add(same("v"), phrase("show the squares that can be chosen"));
  add(same("t u r x g"), phrase("hint, undo, redo, flip, let the computer go on"));
  add(same("Tab :"), phrase("type a turn or a command; Esc goes back to the board"));
  add(phrase("PgUp PgDn"), phrase("older and newer messages"));
  add(same("Ctrl-L Ctrl-Z"), phrase("draw the screen again; stop for a while (fg goes on)"));
  add(same("q Ctrl-D"), phrase("leave; the game is kept"));
  lines.push_back("");
  lines.push_back(say(phrase("{} cursor  {} chosen  {} last turn  {} hint  {} refused  {} possible", "[ ]", "( )",
                             unicode_ ? "‹ ›" : "< >", "! !", unicode_ ? "× ×" : "# #", "{ }")));
  lines.push_back("");
  lines.push_back(say(phrase("What can be typed:")));
  for (const std::string& line : conversation_.command_overview()) lines.push_back(line);
  return lines;
}

}  // namespace paika::terminal
