#include "protocols/board_file_player.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/module.hpp"
#include "sandbox/run_program.hpp"
#include "sandbox/scratch.hpp"

namespace paika::protocols {

namespace {

using Clock = std::chrono::steady_clock;
using play::Failed;
using play::Failure;

constexpr std::size_t max_answer = 1 << 16;       // a board file has some 150 bytes
constexpr std::size_t max_differences_shown = 4;  // of a board that no turn leads to

/// The time for one turn; nothing without a limit.
std::optional<Milliseconds> time_for(const SearchLimits& limits) {
  std::optional<Milliseconds> time = limits.move_time;
  if (limits.clock) time = time ? std::min(*time, limits.clock->left) : limits.clock->left;
  return time;
}

/// What is written from the board on: programs like to say what they do first. All of it if no board follows later.
std::string_view without_chatter(const BoardFiles& files, std::string_view written) {
  for (std::size_t at = 0; at < written.size();) {
    std::string board;
    std::string_view rest = written.substr(at);
    for (std::size_t count = 0; count < files.board_lines; ++count) {
      const auto end = std::min(rest.find('\n'), rest.size());
      std::string_view line = rest.substr(0, end);
      while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
      board += std::string(line) + "\n";
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (files.parse(board + "0\n0\n0\n")) return written.substr(at);
    const auto end = written.find('\n', at);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return written;
}

/// The lines of a board with integers of ours, whatever follows them. The error is that of the board's reading.
Result<Board> read_written(const BoardFiles& files, std::string_view written) {
  std::string text;
  std::size_t count = 0;
  for (std::string_view line : split(without_chatter(files, written), '\n')) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (count == files.board_lines) {
      // What follows should be three integers; only something else than numbers shows that it is no board file.
      if (!line.empty() && !parse_int(trimmed(line))) {
        return fail("after the board there must be integers only, not {}", in_quotes(line));
      }
      continue;
    }
    text += std::string(line) + "\n";
    ++count;
  }
  auto file = files.parse(text + "0\n0\n0\n");
  if (!file) return tl::unexpected(file.error());
  return std::move(file->board);
}

std::string differences_text(const Session& session, const Board& written, const Board& right) {
  std::vector<std::string> told;
  const auto all = differing_squares(written, right);
  for (const Square s : all) {
    if (told.size() == max_differences_shown) break;
    told.push_back(fmt::format("{} shows '{}' instead of '{}'", session.notation().coordinates().name(s),
                               session.notation().glyph(written.cells[s]), session.notation().glyph(right.cells[s])));
  }
  const std::string more = all.size() > told.size() ? fmt::format(", and {} more", all.size() - told.size()) : "";
  return fmt::format("{}{}", fmt::join(told, ", "), more);
}

/// `path` for the shell.
std::string shell_word(const std::string& path) {
  std::string word = "'";
  for (const char c : path) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

/// Puts a file's name into a command; false if the command has no place for it.
bool put_name(std::string& command, std::string_view place, const std::string& path) {
  bool found = false;
  for (auto at = command.find(place); at != std::string::npos; at = command.find(place, at)) {
    const std::string word = shell_word(path);
    command.replace(at, place.size(), word);
    at += word.size();
    found = true;
  }
  return found;
}

class BoardFilePlayer final : public play::GamePlayer {
 public:
  /// `in` and `out` are files' names; empty: standard input and output.
  BoardFilePlayer(std::string name, sandbox::ScratchFolder scratch, play::Launch launch, std::string in,
                  std::string out, const SandboxPolicy& policy)
      : name_(std::move(name)),
        scratch_(std::move(scratch)),
        launch_(std::move(launch)),
        in_(std::move(in)),
        out_(std::move(out)),
        margin_(policy.margin),
        stall_after_(policy.stall_after) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] tl::expected<void, Failed> start(std::uint64_t /*game_number*/) override {
    used_ = {};
    return {};
  }
  [[nodiscard]] tl::expected<play::Choice, Failed> choose(const play::GameSoFar& game, const play::Allowance& allowance,
                                                          const std::stop_token& stop) override {
    const auto before = Clock::now();
    use_ = {};
    auto choice = answer(game, allowance, before, stop);
    used_ += time_charged(std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - before));
    return choice;
  }
  [[nodiscard]] std::chrono::microseconds time_charged(std::chrono::microseconds passed) const override {
    return use_.charged(passed);
  }

 private:
  [[nodiscard]] tl::expected<play::Choice, Failed> answer(const play::GameSoFar& game, const play::Allowance& allowance,
                                                          Clock::time_point now, const std::stop_token& stop) {
    const auto limit = time_for(allowance.limits);
    const auto deadline = now + limit.value_or(stall_after_) + (limit ? margin_ + play::beyond_limit : Milliseconds(0));
    const std::string board = board_file_for(game, allowance, std::chrono::duration_cast<Milliseconds>(used_));
    if (const auto ready = lay_out(board); !ready) return tl::unexpected(Failed{Failure::crash, ready.error().message});
    const auto run = sandbox::run_program(launch_, in_.empty() ? board : "", deadline, max_answer, stop);
    if (!run) return tl::unexpected(Failed{Failure::crash, run.error().message});
    use_ = run->use;
    if (run->cut != sandbox::ProgramRun::Cut::no) return tl::unexpected(cut_short(*run, limit.has_value()));
    const std::string written = out_.empty() ? run->output : file_written();
    auto turn = turn_to(game.session, written);
    // A board is taken for an answer whatever the exit status: many programs forget theirs.
    const bool exited = run->ending && run->ending->kind == play::Ending::Kind::exited;
    if (exited && turn) return play::Choice{std::move(*turn), {}, 0};
    if (!run->ended_well() && !(exited && !trimmed(written).empty())) {
      return tl::unexpected(
          Failed{run->ending ? play::failure_of(*run->ending) : Failure::crash, about(words_for(*run))});
    }
    return tl::unexpected(Failed{turn.error().how, about(turn.error().message)});
  }

  [[nodiscard]] std::string about(std::string_view what) const {
    return fmt::format("{}: {}", in_quotes(launch_.text), what);
  }

  [[nodiscard]] Failed cut_short(const sandbox::ProgramRun& run, bool limited) const {
    switch (run.cut) {
      case sandbox::ProgramRun::Cut::flood: return {Failure::flood, about(words_for(run))};
      case sandbox::ProgramRun::Cut::stopped: return {Failure::stopped, about(words_for(run))};
      default: return {limited ? Failure::time : Failure::stall, about(words_for(run))};
    }
  }

  /// Puts the files in their places.
  [[nodiscard]] Result<void> lay_out(const std::string& board) const {
    std::error_code ignored;
    if (!out_.empty()) std::filesystem::remove_all(out_, ignored);
    if (in_.empty()) return {};
    std::filesystem::remove_all(in_, ignored);
    std::ofstream file(in_, std::ios::binary);
    file << board;
    file.close();
    if (file.fail()) return fail("the board for {} cannot be written", in_quotes(launch_.text));
    return {};
  }

  [[nodiscard]] std::string file_written() const {
    std::error_code error;
    if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(out_, error))) return "";
    std::ifstream file(out_, std::ios::binary);
    std::string text(max_answer, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
  }

  std::string name_;
  sandbox::ScratchFolder scratch_;
  play::Launch launch_;
  std::string in_;
  std::string out_;
  Milliseconds margin_;
  Milliseconds stall_after_;
  std::chrono::microseconds used_{0};
  play::ChildProcess::Use use_;
};

}  // namespace

std::string board_file_for(const play::GameSoFar& game, const play::Allowance& allowance, Milliseconds used) {
  const Board board = game.session.board();
  GameProgress progress;
  progress.used_ms = used.count();
  progress.turns = static_cast<std::int64_t>(game.turns.size());
  if (const auto time = time_for(allowance.limits))
    progress.allowed_ms = board.counters[0] + used.count() + time->count();
  const Board now = game.session.notation().in_play(board, progress);
  return module_of(game.session.game())
      .board_files->text(
          {now, {fmt::to_string(now.counters[0]), fmt::to_string(now.counters[1]), fmt::to_string(now.counters[2])}});
}

tl::expected<std::string, Failed> turn_to(const Session& session, std::string_view written) {
  if (trimmed(written).empty()) return tl::unexpected(Failed{Failure::protocol, "it wrote no board"});
  const auto board = read_written(*module_of(session.game()).board_files, written);
  if (!board) {
    const std::string_view begin = trimmed(written.substr(0, written.find('\n')));
    return tl::unexpected(Failed{Failure::protocol, fmt::format("it wrote no board; what it wrote begins with {}: {}",
                                                                in_quotes(begin), board.error().message)});
  }
  const Player next = other(session.board().to_move);
  if (board->to_move != next) {
    return tl::unexpected(Failed{Failure::illegal, fmt::format("its board has {} to move; the first line must be {}",
                                                               session.notation().player_name(board->to_move),
                                                               next == Player::first ? "W" : "B")});
  }
  std::string turn;
  std::string nearest;
  std::optional<Board> nearest_board;
  session.for_each_turn([&](const ListedTurn& listed) {
    const auto after = session.notation().parse_position(listed.position_after);
    if (!after) return true;
    if (after->cells == board->cells) {
      turn = listed.text;
      return false;
    }
    if (!nearest_board || differing_squares(*board, *after).size() < differing_squares(*board, *nearest_board).size()) {
      nearest = listed.text;
      nearest_board = *after;
    }
    return true;
  });
  if (!turn.empty()) return turn;
  std::string message = "no legal move leads to the board it wrote";
  if (nearest_board) {
    message += fmt::format("; the nearest is that of {}, where {}", nearest,
                           differences_text(session, *board, *nearest_board));
  }
  return tl::unexpected(Failed{Failure::illegal, std::move(message)});
}

Result<std::unique_ptr<play::GamePlayer>> make_board_file_player(const Participant& participant, const GamePtr& game,
                                                                 const SandboxPolicy& policy, const std::string& log) {
  if (module_of(*game).board_files == nullptr) {
    return fail("{} reads board files, which the game {} does not have", in_quotes(participant.name),
                game->notation().spec());
  }
  auto scratch = sandbox::ScratchFolder::make();
  if (!scratch) return tl::unexpected(scratch.error());
  std::string command = participant.player.command;
  std::string in;
  std::string out;
  if (participant.protocol == BotProtocol::board_files) {
    const std::string path = sandbox::scratch_inside(policy.confinement, scratch->path());
    if (put_name(command, "{in}", path + "/in.board")) in = scratch->path() + "/in.board";
    if (put_name(command, "{out}", path + "/out.board")) out = scratch->path() + "/out.board";
    if (in.empty() && out.empty()) {
      return fail("the command {} has no place for its files: write {{in}} and {{out}} in it, or use the protocol {}",
                  in_quotes(command), name(BotProtocol::board_file));
    }
  }
  play::Launch launch = sandbox::confined(policy.confinement, command, participant.folder, scratch->path());
  launch.text = participant.player.command;
  launch.error_log = log.empty() ? "/dev/null" : log;
  launch.log_talk = !log.empty();
  return std::make_unique<BoardFilePlayer>(participant.name, std::move(*scratch), std::move(launch), std::move(in),
                                           std::move(out), policy);
}

}  // namespace paika::protocols
