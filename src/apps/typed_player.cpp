#include "apps/typed_player.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <unistd.h>

#include "base/text.hpp"
#include "engine/diagram.hpp"

namespace paika::apps {

namespace {

using play::Failed;
using play::Failure;
using Clock = std::chrono::steady_clock;

constexpr int look_around_ms = 100;
constexpr std::size_t max_typed = 1 << 16;

/// Takes what was typed; false at the end of the input.
bool take_typed(std::string& typed) {
  pollfd watched{STDIN_FILENO, POLLIN, 0};
  if (poll(&watched, 1, look_around_ms) <= 0) return true;
  std::array<char, 4096> bytes{};
  const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count > 0) typed.append(bytes.data(), static_cast<std::size_t>(count));
  return count > 0 && typed.size() < max_typed;
}

void print_board(const play::GameSoFar& game) {
  const Notation& notation = game.session.notation();
  const Board board = game.session.board();
  if (!game.turns.empty()) fmt::print("They played {}.\n", game.turns.back());
  fmt::print("{}", diagram(notation, board));
  fmt::print("{} to move, that is you; type a move, or resign:\n", notation.player_name(board.to_move));
  std::fflush(stdout);
}

}  // namespace

tl::expected<void, Failed> TypedPlayer::start(std::uint64_t /*game_number*/) {
  resigned_ = false;
  return {};
}

tl::expected<play::Choice, Failed> TypedPlayer::choose(const play::GameSoFar& game, const play::Allowance& allowance,
                                                       const std::stop_token& stop) {
  print_board(game);
  const auto limit = allowance.limits.move_time;
  const auto begun = Clock::now();
  bool more = true;
  for (;;) {
    for (auto end = typed_.find('\n'); end != std::string::npos; end = typed_.find('\n')) {
      const std::string line(trimmed(std::string_view(typed_).substr(0, end)));
      typed_.erase(0, end + 1);
      if (line.empty()) continue;
      resigned_ = lowered(line) == "resign";
      if (resigned_) return tl::unexpected(Failed{Failure::protocol, "the person here resigned"});
      const auto turn = game.session.read_turn(line);
      if (turn) return play::Choice{line, {}, 0};
      fmt::print("{}: {}\n", in_quotes(line), refusal_sentence(game.session.notation(), turn.error()));
      std::fflush(stdout);
    }
    if (!more) {
      resigned_ = true;
      return tl::unexpected(Failed{Failure::protocol, "the person here has left"});
    }
    if (stop.stop_requested()) return tl::unexpected(Failed{Failure::stopped, "stopped"});
    if (limit && Clock::now() > begun + *limit)
      return tl::unexpected(Failed{Failure::time, "no move was typed in time"});
    left_alone_ = gone_();
    if (left_alone_) return tl::unexpected(Failed{Failure::stopped, "the other side hung up"});
    more = take_typed(typed_);
  }
}

}  // namespace paika::apps
