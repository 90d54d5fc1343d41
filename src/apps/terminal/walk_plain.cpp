// A walk as plain lines, for pipes and for terminals without cursor control.
#include <algorithm>
#include <fmt/format.h>

#include "apps/terminal/canvas.hpp"
#include "apps/terminal/walk_screen.hpp"
#include "base/text.hpp"

namespace paika::terminal {

namespace {

/// Prints a text, in ASCII where nothing else is wanted.
void print(std::string_view text, bool unicode, std::FILE* out) {
  fmt::print(out, "{}", unicode ? std::string(text) : ascii_of(text));
}

void print_board(const Notation& notation, const WalkStop& stop, bool unicode, std::FILE* out) {
  PictureOptions options;
  options.unicode = unicode;
  options.form = PictureForm::compact;
  options.last = stop.last;
  options.refused = stop.refused;
  const Picture picture = draw(notation, stop.board, options);
  Canvas canvas(picture.size);
  canvas.put({0, 0}, picture);
  fmt::print(out, "{}", canvas.text());
}

void print_title(const Walk& walk, bool unicode, std::FILE* out) {
  print(fmt::format("{}\n{}\n", walk.title, walk.game->notation().spec()), unicode, out);
  for (const std::string& player : walk.players) print(player + "\n", unicode, out);
}

/// Prints what is said at a stop, and the board where it is `wanted`.
void print_stop(const Walk& walk, std::size_t index, bool unicode, bool wanted, std::FILE* out) {
  const WalkStop& stop = walk.stops[index];
  fmt::print(out, "\n");
  for (const ReplyLine& line : stop.words) print(line.text + "\n", unicode, out);
  if (!wanted) return;
  print_board(walk.game->notation(), stop, unicode, out);
  for (std::size_t i = 0; i < stop.clocks.size(); ++i) {
    if (!stop.clocks[i].empty()) print(fmt::format("{}  {}\n", walk.players[i], stop.clocks[i]), unicode, out);
  }
}

/// A line of `in` without its end; nothing at the end of input. Long lines are cut.
std::optional<std::string> read_line(std::FILE* in) {
  constexpr std::size_t most = 1000;
  std::string line;
  for (int c = std::getc(in);; c = std::getc(in)) {
    if (c == EOF) return line.empty() ? std::nullopt : std::optional(line);
    if (c == '\n') return line;
    if (line.size() < most) line += static_cast<char>(c);
  }
}

}  // namespace

void print_walk(const Walk& walk, bool unicode, std::FILE* out) {
  print_title(walk, unicode, out);
  for (std::size_t i = 0; i < walk.stops.size(); ++i) {
    // A mere caption needs no second picture of the same board.
    const bool same = i > 0 && walk.stops[i].refused.empty() && walk.stops[i].board == walk.stops[i - 1].board;
    print_stop(walk, i, unicode, !same, out);
  }
}

WalkEnd converse_walk(const Walk& walk, const Catalogue& catalogue, bool unicode, bool more, std::FILE* in,
                      std::FILE* out) {
  const std::size_t last = walk.stops.size() - 1;
  std::size_t at = 0;
  print_title(walk, unicode, out);
  print_stop(walk, at, unicode, true, out);
  for (;;) {
    print(catalogue.say(phrase("{} of {} (next, back, go N, quit):", at + 1, last + 1)) + " ", unicode, out);
    std::fflush(out);
    const auto line = read_line(in);
    if (!line) return {};
    std::string_view rest = *line;
    const std::string word = lowered(take_word(rest));
    const auto number = parse_int(take_word(rest));
    if (word == "quit" || word == "q") return {};
    if (word.empty() || word == "next" || word == "n") {
      if (at == last && more) return {0, true};
      at = std::min(at + 1, last);
    } else if (word == "back" || word == "b") {
      at = at == 0 ? 0 : at - 1;
    } else if ((word == "go" || word == "g") && number && *number >= 1 && *number <= std::int64_t(last) + 1) {
      at = static_cast<std::size_t>(*number - 1);
    } else {
      print(catalogue.say(phrase("The commands are next, back, go N (from 1 to {}) and quit.", last + 1)) + "\n",
            unicode, out);
      continue;
    }
    print_stop(walk, at, unicode, true, out);
  }
}

}  // namespace paika::terminal
