// The screen of a game: what keys do, and what is shown.
#include "apps/terminal/play_screen.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "apps/terminal/sentences.hpp"
#include "apps/terminal/words.hpp"
#include "base/text.hpp"

namespace paika::terminal {

namespace {

constexpr std::size_t max_messages = 500;
constexpr std::chrono::milliseconds max_animation{600};
constexpr std::chrono::milliseconds max_frame{200};

}  // namespace

PlayScreen::PlayScreen(Conversation& conversation, bool unicode, bool animation, play::Now now)
    : conversation_(conversation), unicode_(unicode), animation_(animation), now_(std::move(now)) {
  const Coordinates& names = game().notation().coordinates();
  cursor_ = {names.cols() / 2, names.rows() / 2};
  turns_seen_ = game().turns().size();
  static_cast<void>(board_changed());
  answer(conversation_.greeting());
}

void PlayScreen::answer(const Reply& reply) {
  const std::vector<ReplyLine> effects = reply.board_changed ? board_changed() : std::vector<ReplyLine>{};
  messages_.insert(messages_.end(), reply.lines.begin(), reply.lines.end());
  // What a turn did is told right after the turn, before what follows from it.
  const std::size_t after = reply.lines.empty() ? 0 : reply.lines.size() - 1;
  // (With nothing to insert the library would move the lines behind onto themselves, which empties them.)
  if (!effects.empty()) {
    messages_.insert(messages_.end() - static_cast<std::ptrdiff_t>(after), effects.begin(), effects.end());
  }
  while (messages_.size() > max_messages) messages_.pop_front();
  if (!reply.lines.empty()) scrolled_ = 0;
  if (!reply.squares.empty()) refused_ = reply.squares;
  if (!reply.quit) return;
  done_ = true;
  last_words_ = reply.lines;
}

std::vector<ReplyLine> PlayScreen::board_changed() {
  const std::size_t turns = game().turns().size();
  std::vector<ReplyLine> effects;
  frames_.clear();
  if (turns == turns_seen_ + 1) effects = report_turn(turns);
  turns_seen_ = turns;
  entry_ = game().person_to_move() ? TurnEntry(game().session()) : TurnEntry();
  const Coordinates& names = game().notation().coordinates();
  cursor_ = {std::min(cursor_.col, names.cols() - 1), std::min(cursor_.row, names.rows() - 1)};
  return effects;
}

std::vector<ReplyLine> PlayScreen::report_turn(std::size_t number) {
  const Notation& notation = game().notation();
  const Board& before = game().board_before(number - 1);
  const auto effects = notation.effects(before, game().moves()[number - 1]);
  std::vector<ReplyLine> lines;
  for (const std::string& line : effect_words(conversation_.catalogue(), notation, effects)) {
    lines.push_back({"  " + line, Tone::normal});
  }
  if (animation_) {
    frames_ = boards_between(notation, before, effects);
    frames_.insert(frames_.begin(), before);
    frame_time_ = std::min(max_frame, max_animation / static_cast<int>(frames_.size()));
    frame_until_ = now_() + frame_time_;
  }
  return lines;
}

void PlayScreen::poll() {
  answer(conversation_.poll());
  while (!frames_.empty() && now_() >= frame_until_) {
    frames_.erase(frames_.begin());
    frame_until_ += frame_time_;
  }
}

void PlayScreen::finish() {
  answer(conversation_.finish());
  done_ = true;
}

void PlayScreen::command(std::string_view line) { answer(conversation_.take(line)); }

void PlayScreen::take(const Key& key, const Composed& shown) {
  frames_.clear();
  if (key.kind == KeyKind::redraw || key.kind == KeyKind::unknown) return;
  if (key.kind == KeyKind::leave) return finish();
  refused_.clear();
  const bool was_leaving = std::exchange(leaving_, false);
  if (!overlay_.empty()) return take_overlay(key, shown);
  const int page = std::max(shown.message_lines - 1, 1);
  switch (key.kind) {
    case KeyKind::page_up: scrolled_ += page; return;
    case KeyKind::wheel_up: ++scrolled_; return;
    case KeyKind::page_down: scrolled_ = std::max(scrolled_ - page, 0); return;
    case KeyKind::wheel_down: scrolled_ = std::max(scrolled_ - 1, 0); return;
    case KeyKind::help: return open_help();
    case KeyKind::tab: typing_ = !typing_; return;
    case KeyKind::click: {
      const auto square = shown.picture.square_at({key.place.x - shown.board_at.x, key.place.y - shown.board_at.y});
      if (square) choose_square(*square);
      return;
    }
    default: break;
  }
  leaving_ = was_leaving;
  if (typing_) return take_typing(key);
  take_board(key, shown);
}

void PlayScreen::take_overlay(const Key& key, const Composed& shown) {
  const auto page = static_cast<std::size_t>(std::max(shown.canvas.size().height - 2, 1));
  overlay_top_ += page;
  const bool more = key.kind != KeyKind::escape && overlay_top_ < overlay_.size();
  if (!more) overlay_.clear();
}

void PlayScreen::take_typing(const Key& key) {
  if (key.kind == KeyKind::escape) {
    line_.clear();
    typing_ = false;
  } else if (key.kind == KeyKind::enter) {
    const std::string line = line_.finish();
    if (line.empty()) return;
    messages_.push_back({"> " + line, Tone::normal});
    command(line);
  } else {
    line_.take(key);
  }
}

void PlayScreen::take_board(const Key& key, const Composed& /*shown*/) {
  const bool quit = key.kind == KeyKind::character && key.text == "q";
  if (!quit) leaving_ = false;
  switch (key.kind) {
    case KeyKind::up: return move_cursor(0, -1);
    case KeyKind::down: return move_cursor(0, 1);
    case KeyKind::left: return move_cursor(-1, 0);
    case KeyKind::right: return move_cursor(1, 0);
    case KeyKind::home: return move_cursor(-game().notation().coordinates().cols(), 0);
    case KeyKind::end: return move_cursor(game().notation().coordinates().cols(), 0);
    case KeyKind::enter: return choose_square(cursor_);
    case KeyKind::escape: return entry_.clear();
    case KeyKind::backspace: return step_back();
    case KeyKind::character: return take_letter(key.text);
    default: return;
  }
}

namespace {

/// The kind of step that a letter stands for while such a step can be made.
std::optional<StepKind> kind_of_letter(char c) {
  switch (lowered(c)) {
    case 'a': return StepKind::approach;
    case 'w': return StepKind::withdraw;
    case 's': return StepKind::sacrifice;
    case 'f': return StepKind::fling;
    case 'p': return StepKind::pass;
    default: return std::nullopt;
  }
}

}  // namespace

void PlayScreen::take_letter(const std::string& letter) {
  const char c = letter.size() == 1 ? letter.front() : '\0';
  if (const auto kind = kind_of_letter(c); kind && entry_.choice_of(*kind)) return choose_kind(*kind);
  switch (c) {
    case 'h': return move_cursor(-1, 0);
    case 'j': return move_cursor(0, 1);
    case 'k': return move_cursor(0, -1);
    case 'l': return move_cursor(1, 0);
    case ' ': return choose_square(cursor_);
    case '.':
      if (entry_.complete()) play_entry();
      return;
    case 'v': show_choices_ = !show_choices_; return;
    case 't': return command("hint");
    case 'u': return command("undo");
    case 'r': return command("redo");
    case 'x': return command("flip");
    case '?': return open_help();
    case ':':
    case '/': typing_ = true; return;
    case 'q':
      if (leaving_) command("quit");
      leaving_ = !leaving_;
      return;
    default: break;
  }
  if (c == 'g' && game().held()) return command("go");
  // Another letter or a digit is the beginning of something typed: "e6".
  typing_ = true;
  line_.take({KeyKind::character, letter, {}});
}

void PlayScreen::open_help() {
  overlay_ = help_lines();
  overlay_top_ = 0;
}

void PlayScreen::move_cursor(int cols, int rows) {
  const Coordinates& names = game().notation().coordinates();
  const int sign = conversation_.flipped() ? -1 : 1;
  cursor_.col = std::clamp(cursor_.col + sign * cols, 0, names.cols() - 1);
  cursor_.row = std::clamp(cursor_.row + sign * rows, 0, names.rows() - 1);
}

std::optional<Square> PlayScreen::capture_square(StepKind kind) const {
  const std::vector<Square> squares = entry_.chosen_squares();
  if (squares.size() < 2 || !entry_.choice_of(kind)) return std::nullopt;
  const Square from = squares[squares.size() - 2];
  const Square to = squares.back();
  const auto direction = direction_to(from, to);
  if (!direction) return std::nullopt;
  return kind == StepKind::approach ? step(to, *direction) : step(from, opposite(*direction));
}

void PlayScreen::choose_square(Square square) {
  cursor_ = square;
  if (!game().person_to_move()) {
    if (game().held()) command("go");
    return;
  }
  if (const auto pass = entry_.choice_of(StepKind::pass)) return choose_kind(StepKind::pass);
  for (const StepKind kind : {StepKind::approach, StepKind::withdraw}) {
    if (capture_square(kind) == square) return choose_kind(kind);
  }
  const std::vector<Square> chosen = entry_.chosen_squares();
  if (const auto next = entry_.choice_at(square)) {
    entry_.choose(*next);
  } else if (!chosen.empty() && chosen.back() == square) {
    // The piece itself once more: the turn ends here if it can, else the piece is put down.
    if (entry_.complete()) return play_entry();
    return step_back();
  } else if (TurnEntry anew = entry_; anew.clear(), anew.choice_at(square)) {
    anew.choose(*anew.choice_at(square));
    entry_ = std::move(anew);
  } else {
    // The rules say why not.
    Turn turn = entry_.prefix();
    const bool places = turn.empty() && !entry_.choices().empty() && entry_.choices().front().kind == StepKind::place;
    turn.push_back({places ? StepKind::place : turn.empty() ? StepKind::from : StepKind::to, square});
    return answer(conversation_.play(turn));
  }
  if (entry_.finished()) play_entry();
}

void PlayScreen::choose_kind(StepKind kind) {
  entry_.choose(*entry_.choice_of(kind));
  if (entry_.finished()) play_entry();
}

void PlayScreen::step_back() {
  entry_.back();
  const std::vector<Square> squares = entry_.chosen_squares();
  if (!squares.empty()) cursor_ = squares.back();
}

void PlayScreen::play_entry() {
  const Turn turn = entry_.prefix();
  entry_.clear();
  answer(conversation_.play(turn));
}

// ---- What it shows ----

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
  view.state = game().over() ? say(phrase("The game is over")) : say(phrase("Move {}", game().turns().size() + 1));
  for (const Player player : {Player::first, Player::second}) view.players[seat_of(player)] = panel_of(player);
  view.facts = facts_in_play(conversation_.catalogue(), game());
  if (const auto insight = conversation_.insight()) {
    view.score = insight->score;
    view.score_at_most = insight->at_most;
  }
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
  if (leaving_) return say(phrase("Press q again to leave; the game is saved."));
  if (game().over()) return say(phrase("The game is over: type new for another; u takes moves back."));
  const std::string name = name_of(game().to_move());
  if (game().held()) return say(phrase("{} is waiting; g lets it think.", name));
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
  if (!entry_.targets().empty()) ways.push_back(say(phrase("choose where to go")));
  if (entry_.choice_of(StepKind::approach)) ways.push_back(say(phrase("A approach")));
  if (entry_.choice_of(StepKind::withdraw)) ways.push_back(say(phrase("W withdraw")));
  if (entry_.choice_of(StepKind::sacrifice)) ways.push_back(say(phrase("S sacrifice")));
  if (entry_.choice_of(StepKind::fling)) ways.push_back(say(phrase("F fling")));
  if (entry_.complete()) ways.push_back(say(phrase(". stop here")));
  if (entry_.cut()) ways.push_back(say(phrase("(not all moves are listed: type the others)")));
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
  add(phrase("Enter, Space"), phrase("choose; the same piece again ends the move"));
  add(phrase("mouse"), phrase("choose the square"));
  add(same("A W"), phrase("capture by approach, by withdrawal"));
  add(same("S F P"), phrase("sacrifice, fling, pass"));
  add(same("."), phrase("end the move here"));
  add(phrase("Backspace, Esc"), phrase("take back one step of the move, or all"));
  add(same("v"), phrase("show the squares that can be chosen"));
  add(same("t u r x g"), phrase("hint, undo, redo, flip, continue"));
  add(same("Tab :"), phrase("type a move or a command; Esc goes back to the board"));
  add(phrase("PgUp PgDn"), phrase("older and newer messages"));
  add(same("Ctrl-L Ctrl-Z"), phrase("redraw the screen; suspend (fg resumes)"));
  add(same("q Ctrl-D"), phrase("leave; the game is saved"));
  lines.push_back("");
  lines.push_back(say(phrase("{} cursor  {} chosen  {} last move  {} hint  {} refused  {} possible", "[ ]", "( )",
                             unicode_ ? "‹ ›" : "< >", "! !", unicode_ ? "× ×" : "# #", "{ }")));
  lines.push_back("");
  lines.push_back(say(phrase("What can be typed:")));
  for (const std::string& line : conversation_.command_overview()) lines.push_back(line);
  return lines;
}

}  // namespace paika::terminal
