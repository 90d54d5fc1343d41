#include "apps/terminal/screen_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "engine/engine.hpp"
#include "search/types.hpp"

namespace paika::terminal {

namespace {

constexpr int title_lines = 1;
constexpr int bottom_lines = 2;  // the line to type in, and the keys
constexpr int min_message_lines = 3;
constexpr int other_lines = title_lines + bottom_lines + min_message_lines;
constexpr int gap = 2;
constexpr int min_panel_width = 22;
constexpr int min_panel_lines = 8;
constexpr int min_rows = 6;

/// Where everything stands.
struct Plan {
  PictureForm form = PictureForm::compact;
  int rows = 0;       // of the board that are shown
  ScreenPoint panel;  // the corner of what is right of the board
  Extent panel_size;
  int messages_y = 0;
  int message_lines = 0;
};

Plan plan_for(const Notation& notation, Extent size) {
  Plan plan;
  const int room = size.height - other_lines;
  const Extent spacious = picture_size(notation, PictureForm::spacious);
  const bool roomy = spacious.width + gap + min_panel_width <= size.width && spacious.height <= room;
  plan.form = roomy ? PictureForm::spacious : PictureForm::compact;
  plan.rows = notation.coordinates().rows();
  while (plan.rows > 1 && picture_size(notation, plan.form, plan.rows).height > room) --plan.rows;
  const Extent picture = picture_size(notation, plan.form, plan.rows);
  // The list of turns likes height, but on a high screen the messages get their share.
  const int region = std::max(picture.height, std::min(room, (size.height - title_lines - bottom_lines) * 2 / 3));
  plan.panel = {picture.width + gap, title_lines};
  plan.panel_size = {size.width - plan.panel.x, region};
  plan.messages_y = title_lines + region;
  plan.message_lines = size.height - bottom_lines - plan.messages_y;
  return plan;
}

class Composer {
 public:
  Composer(const ScreenView& view, Extent size, const Catalogue& catalogue)
      : view_(view), size_(size), catalogue_(catalogue), plan_(plan_for(*view.notation, size)) {
    out_.canvas = Canvas(size);
  }

  Composed compose() {
    put_title();
    put_board();
    put_panel();
    put_messages();
    put_prompt();
    put_keys();
    if (!view_.overlay.empty()) put_overlay();
    return std::move(out_);
  }

 private:
  [[nodiscard]] Canvas& canvas() { return out_.canvas; }
  [[nodiscard]] bool unicode() const { return view_.picture.unicode; }
  [[nodiscard]] std::string cut(std::string_view text, int width) const { return cut_to(text, width, unicode()); }

  void put_title() {
    const int state = width_of(view_.state);
    canvas().put({0, 0}, cut(view_.title, size_.width - state - 1), Look::title);
    canvas().put({size_.width - state, 0}, view_.state, Look::title);
  }

  void put_board() {
    PictureOptions options = view_.picture;
    options.form = plan_.form;
    options.rows = plan_.rows;
    options.first_row = shown_row(*view_.notation, view_.focus, options.flipped) - plan_.rows / 2;
    out_.picture = draw(*view_.notation, view_.board, options);
    out_.board_at = {0, title_lines};
    canvas().put(out_.board_at, out_.picture);
  }

  void put_panel() {
    int y = plan_.panel.y;
    for (const Player player : {Player::first, Player::second}) y = put_player(player, y);
    for (const std::string& fact : view_.facts) {
      canvas().put({plan_.panel.x + 2, y++}, cut(fact, plan_.panel_size.width - 2), Look::faint);
    }
    if (view_.score) {
      put_score(y + 1);
      y += 2;
    }
    put_turns(y + 1);
  }

  int put_player(Player player, int y) {
    const PlayerPanel& panel = view_.players[seat_of(player)];
    const int x = plan_.panel.x;
    const int width = plan_.panel_size.width;
    const Look look = player == Player::first ? Look::first : Look::second;
    const std::string sign = player_sign(*view_.notation, player, unicode());
    const std::string arrow = panel.to_move ? (unicode() ? "▸ " : "> ") : "  ";
    canvas().put({x, y}, arrow, Look::key);
    const std::string name = sign.empty() ? panel.name : sign + " " + panel.name;
    const int clock = width_of(panel.clock);
    canvas().put({x + 2, y}, cut(name, width - 3 - clock), look);
    canvas().put({x + width - clock, y}, panel.clock, panel.hurry ? Look::warning : Look::text);
    canvas().put({x + 2, y + 1}, cut(panel.count, width - 2), Look::faint);
    return y + 2;
  }

  void put_score(int y) {
    const int score = *view_.score;
    const Player ahead = score < 0 ? Player::second : Player::first;
    const std::string text = score_words(score, ahead);
    const int bar = std::max(plan_.panel_size.width - width_of(text) - 3, 4);
    // A piece ahead fills about three quarters, a won game all.
    const double share = is_won(score) ? 1.0 : is_lost(score) ? 0.0 : 1.0 / (1.0 + std::exp(-score / 100.0));
    const int filled = static_cast<int>(std::lround(share * bar));
    int x = plan_.panel.x;
    for (int i = 0; i < bar; ++i) {
      const bool first = i < filled;
      x = canvas().put({x, y}, first ? (unicode() ? "█" : "#") : (unicode() ? "░" : "-"),
                       first ? Look::first : Look::second);
    }
    canvas().put({x + 1, y}, text, Look::text);
  }

  [[nodiscard]] std::string score_words(int score, Player ahead) const {
    const std::string sign = player_sign(*view_.notation, ahead, unicode());
    const std::string who = sign.empty() ? std::string(view_.notation->player_name(ahead)).substr(0, 1) : sign;
    if (is_win(score) || is_loss(score)) {
      const std::string plies = fmt::format("{}{}", view_.score_at_most ? "≤" : "", plies_to(score));
      const std::string words = catalogue_.say(phrase("{} wins in {}", who, plies));
      return unicode() ? words : ascii_of(words);
    }
    return fmt::format("{} {}", who, score_text(std::abs(score)));
  }

  /// One or two turns a line, as they fit; the last ones, and always the one that is shown.
  void put_turns(int y) {
    const int lines = plan_.panel.y + plan_.panel_size.height - y;
    if (lines <= 0 || view_.turns.empty()) return;
    const std::size_t lead = view_.first_began ? 0 : 1;  // an empty place in front
    const std::size_t total = view_.turns.size() + lead;
    std::size_t longest = 0;
    for (const std::string& turn : view_.turns) longest = std::max(longest, turn.size());
    const int half = (plan_.panel_size.width - 5) / 2;
    const std::size_t a_line = static_cast<int>(longest) + 1 <= half ? 2 : 1;
    const int column = std::min(half, std::max(static_cast<int>(longest) + 2, 8));
    const std::size_t all_lines = (total + a_line - 1) / a_line;
    const std::size_t shown_line = (std::max<std::size_t>(view_.turn_shown, 1) + lead - 1) / a_line;
    const auto window = static_cast<std::size_t>(lines);
    const std::size_t top =
        all_lines <= window ? 0 : std::min(all_lines - window, shown_line - std::min(shown_line, window / 2));
    for (std::size_t i = 0; i < window && top + i < all_lines; ++i) {
      put_turn_line(y + static_cast<int>(i), (top + i) * a_line, a_line, lead, column);
    }
  }

  void put_turn_line(int y, std::size_t begin, std::size_t a_line, std::size_t lead, int column) {
    const int x = plan_.panel.x;
    const std::size_t number = a_line == 2 ? begin / 2 + 1 : begin - lead + 1;
    if (a_line == 1 && begin < lead) return;
    canvas().put({x, y}, fmt::format("{:>3}.", number), Look::faint);
    for (std::size_t place = begin; place < begin + a_line && place < view_.turns.size() + lead; ++place) {
      const int at = x + 5 + static_cast<int>(place - begin) * column;
      if (place < lead) {
        canvas().put({at, y}, unicode() ? "…" : "...", Look::faint);
        continue;
      }
      const std::size_t index = place - lead;
      const bool first = (place % 2) == 0;
      const int width = a_line == 2 ? column : plan_.panel_size.width - 5;
      canvas().put({at, y}, cut(view_.turns[index], width), first ? Look::first : Look::second,
                   index + 1 == view_.turn_shown ? Mark::last : Mark::none);
    }
  }

  static Look look_of(Tone tone) {
    switch (tone) {
      case Tone::refusal:
      case Tone::warning: return Look::warning;
      case Tone::event: return Look::title;
      case Tone::normal: break;
    }
    return Look::text;
  }

  void put_messages() {
    int lines = plan_.message_lines;
    int y = plan_.messages_y;
    if (lines > min_message_lines + 1) {
      for (int x = 0; x < size_.width; ++x) canvas().put({x, y}, unicode() ? "─" : "-", Look::line);
      ++y;
      --lines;
    }
    out_.message_lines = lines;
    std::vector<ReplyLine> all;
    for (const ReplyLine& line : view_.messages) {
      for (const std::string& part : wrapped(line.text, size_.width)) all.push_back({part, line.tone});
    }
    const int count = static_cast<int>(all.size());
    const int hidden = std::clamp(view_.scrolled, 0, std::max(count - lines, 0));
    const int begin = std::max(count - lines - hidden, 0);
    const int end = std::min(begin + lines, count - hidden);
    for (int i = begin; i < end; ++i) {
      const ReplyLine& line = all[static_cast<std::size_t>(i)];
      canvas().put({0, y + i - begin}, line.text, look_of(line.tone));
    }
    if (hidden > 0) canvas().put({size_.width - 1, y + lines - 1}, unicode() ? "↓" : "v", Look::key);
  }

  void put_prompt() {
    const int y = size_.height - bottom_lines;
    const int x = canvas().put({0, y}, cut(view_.prompt, size_.width - (view_.caret ? 20 : 0)),
                               view_.caret ? Look::key : Look::text);
    if (!view_.caret) return;
    // The part of a long line that the caret is in.
    const int room = std::max(size_.width - x - 1, 1);
    const int before = width_of(std::string_view(view_.typed).substr(0, *view_.caret));
    const int skipped = std::max(before - room, 0);
    canvas().put({x - skipped, y}, view_.typed);
    canvas().put({0, y}, cut(view_.prompt, size_.width - 20), Look::key);
    out_.caret = ScreenPoint{x + before - skipped, y};
  }

  void put_keys() {
    int x = 0;
    for (const auto& [key, meaning] : view_.keys) {
      if (x + width_of(key) + 1 + width_of(meaning) > size_.width) break;
      x = canvas().put({x, size_.height - 1}, key, Look::key);
      x = canvas().put({x + 1, size_.height - 1}, meaning, Look::faint) + 2;
    }
  }

  void put_overlay() {
    int width = 0;
    for (const std::string& line : view_.overlay) width = std::max(width, width_of(line));
    const Extent box{std::min(width + 4, size_.width),
                     std::min(static_cast<int>(view_.overlay.size()) + 2, size_.height)};
    const ScreenPoint corner{(size_.width - box.width) / 2, (size_.height - box.height) / 2};
    canvas().box(corner, box, unicode());
    for (int i = 0; i < box.height - 2; ++i) {
      canvas().put({corner.x + 2, corner.y + 1 + i}, cut(view_.overlay[static_cast<std::size_t>(i)], box.width - 4));
    }
    if (box.height - 2 < static_cast<int>(view_.overlay.size())) {
      canvas().put({corner.x + 2, corner.y + box.height - 1}, unicode() ? " … " : " ... ", Look::key);
    }
    out_.caret.reset();
  }

  const ScreenView& view_;
  Extent size_;
  const Catalogue& catalogue_;
  Plan plan_;
  Composed out_;
};

Composed too_small(const ScreenView& view, Extent size, const Catalogue& catalogue) {
  Composed out;
  out.fits = false;
  out.canvas = Canvas(size);
  const Extent least = min_size(*view.notation);
  std::string remark =
      catalogue.say(phrase("The terminal is too small: this game needs {} columns and {} lines; it has {} and {}.",
                           least.width, least.height, size.width, size.height));
  if (!view.picture.unicode) remark = ascii_of(remark);
  int y = 0;
  for (const std::string& line : wrapped(remark, size.width)) out.canvas.put({0, y++}, line, Look::warning);
  return out;
}

/// The view with all its texts in ASCII. The board needs nothing: its picture is drawn so.
ScreenView in_ascii(ScreenView view) {
  const auto fold = [](std::string& text) { text = ascii_of(text); };
  for (std::string* text : {&view.title, &view.state, &view.prompt}) fold(*text);
  for (PlayerPanel& panel : view.players) {
    for (std::string* text : {&panel.name, &panel.count, &panel.clock}) fold(*text);
  }
  for (std::vector<std::string>* texts : {&view.facts, &view.turns, &view.overlay}) {
    for (std::string& text : *texts) fold(text);
  }
  for (ReplyLine& line : view.messages) fold(line.text);
  for (auto& [key, meaning] : view.keys) {
    fold(key);
    fold(meaning);
  }
  const std::string before = ascii_of(std::string_view(view.typed).substr(0, view.caret.value_or(0)));
  view.typed = before + ascii_of(std::string_view(view.typed).substr(view.caret.value_or(0)));
  if (view.caret) view.caret = before.size();
  return view;
}

}  // namespace

Extent min_size(const Notation& notation) {
  const Extent picture = picture_size(notation, PictureForm::compact, min_rows);
  return {std::max(picture.width + gap + min_panel_width, 50), std::max(picture.height, min_panel_lines) + other_lines};
}

Composed compose(const ScreenView& view, Extent size, const Catalogue& catalogue) {
  const Extent least = min_size(*view.notation);
  if (size.width < least.width || size.height < least.height) return too_small(view, size, catalogue);
  if (view.picture.unicode) return Composer(view, size, catalogue).compose();
  const ScreenView plain = in_ascii(view);
  return Composer(plain, size, catalogue).compose();
}

std::string help_line(std::string_view key, std::string_view meaning) {
  constexpr int column = 24;
  const int gap_width = std::max(column - width_of(key), 1);
  return fmt::format("{}{}{}", key, std::string(static_cast<std::size_t>(gap_width), ' '), meaning);
}

std::chrono::microseconds clock_holds(std::chrono::microseconds left) {
  using std::chrono::microseconds;
  constexpr microseconds second{1'000'000};
  constexpr microseconds tenths_from{59'900'000};  // where tenths begin to be shown
  if (left.count() <= 0) return second;
  const auto to_next = [&](microseconds unit) { return left % unit == microseconds{0} ? unit : left % unit; };
  return left <= tenths_from ? to_next(second / 10) : std::min(to_next(second), left - tenths_from);
}

}  // namespace paika::terminal
