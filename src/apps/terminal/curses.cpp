#include "apps/terminal/curses.hpp"

// What ncurses calls its switches: no macros with everyday names, and wide characters.
// NOLINTBEGIN(readability-identifier-naming)
#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
// NOLINTEND(readability-identifier-naming)
#include <algorithm>
#include <array>
#include <clocale>
#include <csignal>
#include <cstdint>
#include <curses.h>
#include <cwchar>
#include <map>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "apps/terminal/rescue.hpp"

namespace paika::terminal {

namespace {

constexpr int escape_delay_ms = 30;  // how long the rest of a key's bytes may take
constexpr wint_t control_d = 4;
constexpr wint_t control_l = 12;
constexpr wint_t escape_character = 27;
constexpr wint_t delete_character = 127;

/// A string of terminfo without the pauses that ancient terminals needed; "" if the terminal has none.
std::string capability(const char* name) {
  const char* found = tigetstr(name);
  // Terminfo says -1 where a name is not one of a string.
  if (found == nullptr || reinterpret_cast<std::intptr_t>(found) == -1) return {};
  std::string out;
  for (const char* c = found; *c != '\0'; ++c) {
    if (*c == '$' && c[1] == '<') {
      while (*c != '\0' && *c != '>') ++c;
      if (*c == '\0') break;
      continue;
    }
    out += *c;
  }
  return out;
}

/// What a crash writes: no mouse reports, usual keys, usual colours, visible cursor, the screen before.
std::string reset_bytes() {
  std::string out;
  if (!capability("kmous").empty()) out += "\x1b[?1006l\x1b[?1002l\x1b[?1000l";
  for (const char* name : {"rmkx", "sgr0", "op", "cnorm", "rmcup"}) out += capability(name);
  return out;
}

std::string to_utf8(wint_t character) {
  std::mbstate_t state{};
  std::array<char, 16> bytes{};
  const std::size_t size = std::wcrtomb(bytes.data(), static_cast<wchar_t>(character), &state);
  return size == static_cast<std::size_t>(-1) ? "?" : std::string(bytes.data(), size);
}

/// A cell's character with the marks on it, as ncurses wants it; a blank for the second half of a wide one.
std::array<wchar_t, CCHARW_MAX + 1> wide_text(std::string_view text) {
  std::array<wchar_t, CCHARW_MAX + 1> wide{text.empty() ? L' ' : L'?'};
  std::mbstate_t state{};
  for (std::size_t i = 0; i < CCHARW_MAX && !text.empty(); ++i) {
    const std::size_t size = std::mbrtowc(&wide[i], text.data(), text.size(), &state);
    if (size > text.size() || (i > 0 && wcwidth(wide[i]) != 0)) {
      wide[i] = i == 0 ? L'?' : L'\0';
      break;
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return wide;
}

Key plain_key(wint_t character) {
  switch (character) {
    case '\r':
    case '\n': return {KeyKind::enter, {}, {}};
    case '\t': return {KeyKind::tab, {}, {}};
    case '\b':
    case delete_character: return {KeyKind::backspace, {}, {}};
    case control_d: return {KeyKind::leave, {}, {}};
    case control_l: return {KeyKind::redraw, {}, {}};
    case escape_character: return {KeyKind::escape, {}, {}};
    default: break;
  }
  const bool control = character < 0x20 || (character >= 0x7f && character < 0xa0);
  return control ? Key{} : Key{KeyKind::character, to_utf8(character), {}};
}

Key mouse_key() {
  MEVENT event{};
  if (getmouse(&event) != OK) return {};
  const ScreenPoint place{event.x, event.y};
  if ((event.bstate & BUTTON1_PRESSED) != 0) return {KeyKind::click, {}, place};
  if ((event.bstate & BUTTON4_PRESSED) != 0) return {KeyKind::wheel_up, {}, place};
  if ((event.bstate & BUTTON5_PRESSED) != 0) return {KeyKind::wheel_down, {}, place};
  return {};
}

Key function_key(wint_t code) {
  switch (code) {
    case KEY_UP: return {KeyKind::up, {}, {}};
    case KEY_DOWN: return {KeyKind::down, {}, {}};
    case KEY_LEFT: return {KeyKind::left, {}, {}};
    case KEY_RIGHT: return {KeyKind::right, {}, {}};
    case KEY_HOME: return {KeyKind::home, {}, {}};
    case KEY_END: return {KeyKind::end, {}, {}};
    case KEY_PPAGE: return {KeyKind::page_up, {}, {}};
    case KEY_NPAGE: return {KeyKind::page_down, {}, {}};
    case KEY_ENTER: return {KeyKind::enter, {}, {}};
    case KEY_BACKSPACE: return {KeyKind::backspace, {}, {}};
    case KEY_DC: return {KeyKind::remove, {}, {}};
    case KEY_F0 + 1: return {KeyKind::help, {}, {}};
    case KEY_MOUSE: return mouse_key();
    case KEY_RESIZE: return {KeyKind::redraw, {}, {}};
    default: return {};
  }
}

}  // namespace

class FullScreen::Impl {
 public:
  Impl(const Options& options, std::unique_ptr<Rescue> rescue, SCREEN* screen)
      : rescue_(std::move(rescue)), screen_(screen), theme_(options.theme) {
    rescue_->arm(reset_bytes());
    set_escdelay(escape_delay_ms);
    cbreak();
    noecho();
    nonl();
    nodelay(stdscr, TRUE);
    keypad(stdscr, TRUE);
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, nullptr);
    mouseinterval(0);
    if (options.colours && has_colors()) {
      start_color();
      use_default_colors();
      colours_ = colours_of(COLORS);
    }
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    endwin();
    Rescue::disarm();
    delscreen(screen_);
  }

  void show(const Canvas& canvas, std::optional<ScreenPoint> caret) {
    for (int y = 0; y < std::min(canvas.size().height, LINES); ++y) {
      // From the right: where ncurses thinks that a wide character is narrow, a blank follows it.
      for (int x = std::min(canvas.size().width, COLS) - 1; x >= 0; --x) show_cell({x, y}, canvas.at({x, y}));
    }
    curs_set(caret ? 1 : 0);
    if (caret) wmove(stdscr, caret->y, caret->x);
    wrefresh(stdscr);
  }

  Woken wait(std::optional<std::chrono::steady_clock::time_point> deadline, int other_fd) {
    std::array<pollfd, 3> fds = {pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{Rescue::fd(), POLLIN, 0},
                                 pollfd{other_fd, POLLIN, 0}};
    if (poll(fds.data(), fds.size(), timeout_ms(deadline)) < 0) fds[0].revents = fds[2].revents = 0;
    Woken woken;
    woken.keys = (fds[0].revents & POLLIN) != 0 || resized_;
    woken.gone = (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
    woken.other = (fds[2].revents & POLLIN) != 0;
    for (int signal = Rescue::take(); signal != 0; signal = Rescue::take()) obey(signal, woken);
    return woken;
  }

  std::optional<Key> key() {
    if (resized_) {
      resized_ = false;
      return Key{KeyKind::redraw, {}, {}};
    }
    wint_t code = 0;
    const int kind = wget_wch(stdscr, &code);
    if (kind == ERR) return std::nullopt;
    Key found = kind == KEY_CODE_YES ? function_key(code) : plain_key(code);
    if (found.kind == KeyKind::redraw) clearok(curscr, TRUE);
    return found;
  }

 private:
  static int timeout_ms(std::optional<std::chrono::steady_clock::time_point> deadline) {
    if (!deadline) return -1;
    const auto left = *deadline - std::chrono::steady_clock::now();
    // Rounded up: to wake a little early would be to ask again and again.
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count();
    return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(ms, 0, 3'600'000));
  }

  void obey(int signal, Woken& woken) {
    switch (signal) {
      case SIGWINCH: take_size(); break;
      case SIGTSTP:
        endwin();
        Rescue::disarm();
        Rescue::stop_here();
        come_back();
        break;
      case SIGCONT: come_back(); break;
      default: woken.signal = signal;
    }
    woken.keys = woken.keys || resized_;
  }

  void come_back() {
    rescue_->arm(reset_bytes());
    reset_prog_mode();
    take_size();
    clearok(curscr, TRUE);
    wrefresh(stdscr);
  }

  void take_size() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
      resizeterm(size.ws_row, size.ws_col);
    }
    resized_ = true;
  }

  void show_cell(ScreenPoint place, const PictureCell& cell) {
    const Style style = style_of(theme_, colours_, cell.look, cell.mark);
    attr_t attributes = A_NORMAL;
    if (style.bold) attributes |= A_BOLD;
    if (style.faint) attributes |= A_DIM;
    if (style.underlined) attributes |= A_UNDERLINE;
    if (style.reversed) attributes |= A_REVERSE;
    const std::array<wchar_t, CCHARW_MAX + 1> wide = wide_text(cell.text);
    cchar_t character{};
    setcchar(&character, wide.data(), attributes, pair_of(style), nullptr);
    mvwadd_wch(stdscr, place.y, place.x, &character);
  }

  /// The number of a pair of colours, which ncurses wants to be told beforehand.
  short pair_of(const Style& style) {
    if (colours_ == Colours::none || (style.foreground < 0 && style.background < 0)) return 0;
    const auto [found, added] = pairs_.try_emplace({style.foreground, style.background}, next_pair_);
    if (added) {
      if (next_pair_ >= COLOR_PAIRS || init_pair(next_pair_, style.foreground, style.background) == ERR) {
        pairs_.erase(found);
        return 0;
      }
      ++next_pair_;
    }
    return found->second;
  }

  std::unique_ptr<Rescue> rescue_;
  SCREEN* screen_;
  ThemeName theme_;
  Colours colours_ = Colours::none;
  std::map<std::pair<short, short>, short> pairs_;
  short next_pair_ = 1;
  bool resized_ = false;
};

Result<std::unique_ptr<FullScreen>> FullScreen::open(const Options& options) {
  // ncurses asks the locale how characters are written. Where the named one is not installed, UTF-8 is meant.
  if (std::setlocale(LC_CTYPE, "") == nullptr) std::setlocale(LC_CTYPE, "C.UTF-8");
  auto rescue = std::make_unique<Rescue>();
  SCREEN* screen = newterm(nullptr, stdout, stdin);
  if (screen == nullptr) return fail("this terminal is unknown (is TERM set correctly?); use --plain");
  if (capability("cup").empty() || capability("clear").empty()) {
    endwin();
    delscreen(screen);
    return fail("this terminal cannot move its cursor; use --plain");
  }
  return std::unique_ptr<FullScreen>(new FullScreen(std::make_unique<Impl>(options, std::move(rescue), screen)));
}

FullScreen::FullScreen(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FullScreen::~FullScreen() = default;

Extent FullScreen::size() const { return {COLS, LINES}; }
void FullScreen::show(const Canvas& canvas, std::optional<ScreenPoint> caret) { impl_->show(canvas, caret); }
Woken FullScreen::wait(std::optional<std::chrono::steady_clock::time_point> deadline, int other_fd) {
  return impl_->wait(deadline, other_fd);
}
std::optional<Key> FullScreen::key() { return impl_->key(); }

}  // namespace paika::terminal
