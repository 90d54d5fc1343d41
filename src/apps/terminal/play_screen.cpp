// What keys do on the screen of a game. What is shown is in play_screen_view.cpp.
#include "apps/terminal/play_screen.hpp"

#include <algorithm>

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

}  // namespace paika::terminal
