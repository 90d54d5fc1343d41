// The words of the engine protocol: reading `go`, writing `info`.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/text.hpp"
#include "play/ugi.hpp"

namespace paika::play {

namespace {

/// The numbers that `go` takes, with the names that UCI has for the clocks.
enum class GoWord : unsigned char {
  movetime,
  depth,
  nodes,
  first_time,
  second_time,
  first_increment,
  second_increment
};

constexpr std::array<std::pair<std::string_view, GoWord>, 11> go_words_known = {{{"movetime", GoWord::movetime},
                                                                                 {"depth", GoWord::depth},
                                                                                 {"nodes", GoWord::nodes},
                                                                                 {"p1time", GoWord::first_time},
                                                                                 {"p2time", GoWord::second_time},
                                                                                 {"p1inc", GoWord::first_increment},
                                                                                 {"p2inc", GoWord::second_increment},
                                                                                 {"wtime", GoWord::first_time},
                                                                                 {"btime", GoWord::second_time},
                                                                                 {"winc", GoWord::first_increment},
                                                                                 {"binc", GoWord::second_increment}}};

struct Clocks {
  std::optional<Milliseconds> left;
  Milliseconds increment{0};
};

/// The least number that a word of `go` takes: a limit of nothing is none, but a clock can have run down to zero.
constexpr std::int64_t least_of(GoWord word) noexcept {
  return word == GoWord::movetime || word == GoWord::depth || word == GoWord::nodes ? 1 : 0;
}

/// A time as peers send it: one that has run out still leaves a moment to answer.
Milliseconds at_least(std::int64_t number, std::int64_t least) {
  return Milliseconds(std::clamp<std::int64_t>(number, least, max_time.count()));
}

/// Requires a number that is not below min_of(word).
void take_number(GoWord word, std::int64_t number, SearchLimits& limits, std::array<Clocks, 2>& clocks) {
  constexpr std::int64_t max_depth = 1000;
  switch (word) {
    case GoWord::movetime: limits.move_time = at_least(number, 1); break;
    case GoWord::depth: limits.depth = static_cast<int>(std::min(number, max_depth)); break;
    case GoWord::nodes: limits.nodes = static_cast<std::uint64_t>(number); break;
    case GoWord::first_time: clocks[0].left = at_least(number, 1); break;
    case GoWord::second_time: clocks[1].left = at_least(number, 1); break;
    case GoWord::first_increment: clocks[0].increment = at_least(number, 0); break;
    case GoWord::second_increment: clocks[1].increment = at_least(number, 0); break;
  }
}

std::string score_words(const InfoLine& line) {
  std::string words;
  if (is_win(line.score)) {
    words = fmt::format("win {}", plies_to(line.score));
  } else if (is_loss(line.score)) {
    words = fmt::format("loss {}", plies_to(line.score));
  } else {
    words = fmt::format("cp {}", line.score);
  }
  return line.exact ? words + " exact" : words;
}

}  // namespace

Result<GoRequest> read_go(std::string_view words, Player to_move) {
  GoRequest request;
  std::array<Clocks, 2> clocks;
  for (std::string_view word = take_word(words); !word.empty(); word = take_word(words)) {
    if (word == "infinite") {
      request.infinite = true;
      continue;
    }
    const auto* const known =
        std::find_if(go_words_known.begin(), go_words_known.end(), [&](const auto& k) { return k.first == word; });
    if (known == go_words_known.end()) {
      return fail(
          "go does not know {}: give movetime, depth, nodes, p1time, p2time, p1inc, p2inc with a number, or "
          "infinite",
          in_quotes(word));
    }
    const std::string_view text = take_word(words);
    const auto number = parse_int(text);
    if (text.empty()) return fail("{} of go needs a number after it, such as {} 10", word, word);
    if (!number) return fail("{} of go must be a whole number, not {}", word, in_quotes(text));
    if (const std::int64_t least = least_of(known->second); *number < least) {
      return fail("{} of go must be at least {}, not {}", word, least, *number);
    }
    take_number(known->second, *number, request.limits, clocks);
  }
  const Clocks& clock = clocks[to_move == Player::first ? 0 : 1];
  if (clock.left) request.limits.clock = GameClock{*clock.left, clock.increment};
  if (request.infinite) request.limits = {};
  if (!any_limit(request.limits)) request.infinite = true;
  return request;
}

std::vector<std::string> info_lines(const SearchInfo& info) {
  std::vector<std::string> lines;
  const auto time = static_cast<std::uint64_t>(std::max<std::int64_t>(info.time.count(), 0));
  for (std::size_t i = 0; i < info.lines.size(); ++i) {
    lines.push_back(
        fmt::format("info depth {} seldepth {} multipv {} score {} nodes {} nps {} time {} hashfull {} pv {}",
                    info.depth, info.selective_depth, i + 1, score_words(info.lines[i]), info.nodes,
                    info.nodes * 1000 / std::max<std::uint64_t>(time, 1), time, info.table_permille,
                    fmt::join(info.lines[i].texts, " ")));
  }
  return lines;
}

}  // namespace paika::play
