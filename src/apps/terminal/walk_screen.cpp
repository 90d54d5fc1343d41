#include "apps/terminal/walk_screen.hpp"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>

#include "apps/stderr.hpp"
#include "apps/terminal/curses.hpp"
#include "apps/terminal/screen_layout.hpp"
#include "apps/terminal/words.hpp"
#include "base/text.hpp"

namespace paika::terminal {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds max_animation{600};
constexpr std::chrono::milliseconds max_frame{200};

/// The state of the screen between two keys.
class WalkScreen {
 public:
  WalkScreen(const Walk& walk, const Catalogue& catalogue, const ScreenOptions& options, bool more)
      : walk_(walk), catalogue_(catalogue), options_(options), more_(more) {}

  void take(const Key& key);
  void poll() {
    while (!frames_.empty() && Clock::now() >= frame_until_) {
      frames_.erase(frames_.begin());
      frame_until_ += frame_time_;
    }
  }
  [[nodiscard]] ScreenView view() const;
  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] bool going_on() const { return go_on_; }
  [[nodiscard]] std::optional<Clock::time_point> deadline() const {
    return frames_.empty() ? std::nullopt : std::optional(frame_until_);
  }

 private:
  [[nodiscard]] std::string say(const Phrase& phrase) const { return catalogue_.say(phrase); }
  [[nodiscard]] const WalkStop& stop() const { return walk_.stops[at_]; }
  void take_letter(const std::string& letter);
  void next();
  void back() { at_ = at_ == 0 ? 0 : at_ - 1; }
  void go();
  [[nodiscard]] std::string prompt() const;
  [[nodiscard]] std::vector<std::string> help_lines() const;

  const Walk& walk_;
  const Catalogue& catalogue_;
  const ScreenOptions& options_;
  bool more_;
  bool go_on_ = false;
  std::size_t at_ = 0;
  bool flipped_ = false;
  bool help_ = false;
  bool done_ = false;
  std::string number_;  // digits typed for Enter
  std::vector<Board> frames_;
  Clock::time_point frame_until_;
  std::chrono::milliseconds frame_time_{0};
};

void WalkScreen::next() {
  if (at_ + 1 == walk_.stops.size()) {
    go_on_ = done_ = more_;
    return;
  }
  const Board before = stop().board;
  ++at_;
  if (!options_.animation || stop().effects.empty()) return;
  frames_ = boards_between(walk_.game->notation(), before, stop().effects);
  frames_.insert(frames_.begin(), before);
  frame_time_ = std::min(max_frame, max_animation / static_cast<int>(frames_.size()));
  frame_until_ = Clock::now() + frame_time_;
}

void WalkScreen::go() {
  const auto number = parse_int(number_);
  number_.clear();
  if (number && *number >= 1) at_ = std::min(static_cast<std::size_t>(*number), walk_.stops.size()) - 1;
}

void WalkScreen::take(const Key& key) {
  frames_.clear();
  if (key.kind == KeyKind::redraw || key.kind == KeyKind::unknown) return;
  if (help_) {
    help_ = false;
    return;
  }
  switch (key.kind) {
    case KeyKind::right:
    case KeyKind::down: return next();
    case KeyKind::left:
    case KeyKind::up:
    case KeyKind::backspace: return back();
    case KeyKind::home: at_ = 0; return;
    case KeyKind::end: at_ = walk_.stops.size() - 1; return;
    case KeyKind::page_down: at_ = std::min(at_ + 10, walk_.stops.size() - 1); return;
    case KeyKind::page_up: at_ -= std::min<std::size_t>(at_, 10); return;
    case KeyKind::enter: return number_.empty() ? next() : go();
    case KeyKind::escape: number_.clear(); return;
    case KeyKind::help: help_ = true; return;
    case KeyKind::leave: done_ = true; return;
    case KeyKind::character: return take_letter(key.text);
    default: return;
  }
}

void WalkScreen::take_letter(const std::string& letter) {
  const char c = letter.size() == 1 ? letter.front() : '\0';
  if (is_digit(c)) {
    if (number_.size() < 6) number_ += c;
    return;
  }
  switch (c) {
    case ' ':
    case 'n':
    case 'l':
    case 'j': return next();
    case 'b':
    case 'h':
    case 'k': return back();
    case 'x': flipped_ = !flipped_; return;
    case '?': help_ = true; return;
    case 'q': done_ = true; return;
    default: return;
  }
}

std::vector<std::string> WalkScreen::help_lines() const {
  std::vector<std::string> lines;
  const auto add = [&](const Phrase& key, const Phrase& meaning) {
    lines.push_back(help_line(say(key), say(meaning)));
  };
  add(phrase("Right, Space, Enter, n"), phrase("the next move"));
  add(phrase("Left, Backspace, b"), phrase("back"));
  add(phrase("PgDn, PgUp"), phrase("ten forward, ten back"));
  add(phrase("Home, End"), phrase("the beginning, the end"));
  add(phrase("5 Enter"), phrase("go to number 5"));
  add(Phrase::verbatim("x"), phrase("flip the board"));
  add(Phrase::verbatim("q Ctrl-D"), phrase("leave"));
  return lines;
}

std::string WalkScreen::prompt() const {
  if (!number_.empty()) return say(phrase("go to {}", number_));
  if (at_ + 1 < walk_.stops.size()) return "";
  return more_ ? say(phrase("The end. Space goes to the next one, q leaves.")) : say(phrase("The end. q leaves."));
}

ScreenView WalkScreen::view() const {
  ScreenView view;
  view.notation = &walk_.game->notation();
  view.board = frames_.empty() ? stop().board : frames_.front();
  view.picture.unicode = options_.unicode;
  view.picture.flipped = flipped_;
  view.picture.last = stop().last;
  view.picture.refused = stop().refused;
  if (!stop().last.empty()) view.focus = stop().last.back();
  view.title = fmt::format("{}  {}", walk_.title, view.notation->spec());
  view.state = fmt::format("{}/{}", at_ + 1, walk_.stops.size());
  for (std::size_t i = 0; i < view.players.size(); ++i) {
    const Player player = i == 0 ? Player::first : Player::second;
    view.players[i] = {walk_.players[i], count_words(catalogue_, *view.notation, view.board, player), stop().clocks[i],
                       false, stop().board.to_move == player};
  }
  view.facts = fact_words(catalogue_, *view.notation, view.board);
  view.score = stop().score;
  view.turns = walk_.turns;
  view.first_began = walk_.stops.front().board.to_move == Player::first;
  view.turn_shown = stop().turns;
  view.messages = stop().words;
  view.prompt = prompt();
  view.keys = {{say(phrase("Space")), say(phrase("next"))},
               {say(phrase("Left")), say(phrase("back"))},
               {say(phrase("Home, End")), say(phrase("first and last"))},
               {"x", say(phrase("flip"))},
               {"?", say(phrase("help"))},
               {"q", say(phrase("leave"))}};
  if (help_) view.overlay = help_lines();
  return view;
}

}  // namespace

WalkEnd run_walk_screen(const Walk& walk, const Catalogue& catalogue, const ScreenOptions& options, bool more) {
  const auto terminal = FullScreen::open({options.theme, options.colours});
  if (!terminal) {
    apps::to_stderr(fmt::format("paika: {}\n", terminal.error().message));
    return {2, false};
  }
  WalkScreen screen(walk, catalogue, options, more);
  while (!screen.done()) {
    const Composed shown = compose(screen.view(), (*terminal)->size(), catalogue);
    (*terminal)->show(shown.canvas, shown.caret);
    const Woken woken = (*terminal)->wait(screen.deadline(), -1);
    if (woken.signal != 0) return {128 + woken.signal, false};
    if (woken.gone) return {128 + SIGHUP, false};
    screen.poll();
    if (!woken.keys) continue;
    while (!screen.done()) {
      const auto key = (*terminal)->key();
      if (!key) break;
      screen.take(*key);
    }
  }
  return {0, screen.going_on()};
}

}  // namespace paika::terminal
