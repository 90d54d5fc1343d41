#include "apps/terminal/plain.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "apps/terminal/characters.hpp"
#include "apps/terminal/command.hpp"
#include "apps/terminal/picture.hpp"
#include "apps/terminal/sentences.hpp"
#include "apps/terminal/words.hpp"
#include "base/text.hpp"
#include "engine/module.hpp"
#include "play/line_buffer.hpp"
#include "play/pass.hpp"

namespace paika::terminal {

namespace {

constexpr std::size_t max_line = std::size_t{1} << 20;

// A handler may do little: it keeps the signal's number and ends the wait by the wake-up descriptor. (An
// interrupted poll(2) would not do: the signal may come just before it, or to another thread.)
std::atomic<int> signal_caught = 0;
std::atomic<int> descriptor_to_wake = -1;
static_assert(std::atomic<int>::is_always_lock_free);

void note_signal(int signal) {
  const int before = errno;
  signal_caught = signal;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = write(descriptor_to_wake, &one, sizeof one);
  errno = before;
}

/// While it lives, SIGINT, SIGTERM and SIGHUP end the game in order, and a closed stdout is no signal.
class Signals {
 public:
  explicit Signals(int wake_fd) {
    signal_caught = 0;
    descriptor_to_wake = wake_fd;
    struct sigaction action = {};
    action.sa_handler = note_signal;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < caught.size(); ++i) sigaction(caught[i], &action, &before_[i]);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, &pipe_before_);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals() {
    for (std::size_t i = 0; i < caught.size(); ++i) sigaction(caught[i], &before_[i], nullptr);
    sigaction(SIGPIPE, &pipe_before_, nullptr);
  }

 private:
  static constexpr std::array caught = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, caught.size()> before_{};
  struct sigaction pipe_before_ = {};
};

class PlainInterface {
 public:
  PlainInterface(Conversation& talk, const PlainOptions& options) : talk_(talk), options_(options) {}

  int run() {
    const Signals signals(options_.wake_fd);
    show(talk_.greeting());
    explain_signs();
    show_board();
    while (!over_) {
      // Nobody can play who does not see what happens.
      if (signal_caught != 0 || std::ferror(stdout) != 0) return leave();
      show(talk_.poll());
      if (take_waiting_line()) continue;
      prompt();
      wait();
    }
    return 0;
  }

 private:
  int leave() {
    const int signal = signal_caught;
    new_line();
    show(talk_.finish());
    return signal == 0 ? 0 : 128 + signal;
  }

  // ---- Output ----

  void explain_signs() {
    const Notation& notation = talk_.game().notation();
    if (!called_by_sign(talk_.game().game())) return;
    const auto name = [&](Player player) { return player_words(talk_.catalogue(), notation, player); };
    const auto sign = [&](Player player) { return player_sign(notation, player, false); };
    put(talk_.say(phrase("{} is shown as {}, {} as {}.", name(Player::first), sign(Player::first), name(Player::second),
                         sign(Player::second))) +
        "\n");
  }

  void put(std::string_view text) const {
    const std::string folded = options_.ascii ? ascii_of(text) : std::string();
    const std::string_view shown = options_.ascii ? std::string_view(folded) : text;
    std::fwrite(shown.data(), 1, shown.size(), stdout);
  }

  void new_line() {
    if (prompted_) put("\n");
    prompted_ = false;
  }

  void show(const Reply& reply) {
    if (reply.lines.empty() && !reply.board_changed && !reply.show_board && !reply.quit) return;
    new_line_for_event();
    const bool board = (reply.board_changed && !reply.quit) || reply.show_board;
    // The screen of a finished game says how it ended: not twice.
    const auto told = board && talk_.game().over() ? end_words(talk_.catalogue(), talk_.game()) : Lines{};
    for (const ReplyLine& line : reply.lines) {
      if (std::find(told.begin(), told.end(), line.text) == told.end()) put(painted(line) + "\n");
    }
    if (board) show_board();
    if (reply.quit) over_ = true;
    std::fflush(stdout);
  }

  /// What comes unasked does not begin behind the prompt.
  void new_line_for_event() {
    if (!answering_) new_line();
  }

  void show_board() {
    put("\n" + plain_screen(talk_, options_.colours) + "\n");
    std::fflush(stdout);
  }

  [[nodiscard]] std::string painted(const ReplyLine& line) const {
    if (!options_.colours || line.tone == Tone::normal) return line.text;
    const char* colour = line.tone == Tone::event ? "1" : "31";
    return fmt::format("\x1b[{}m{}\x1b[0m", colour, line.text);
  }

  void prompt() {
    if (!options_.person || prompted_) return;
    put("> ");
    std::fflush(stdout);
    prompted_ = true;
  }

  // ---- Input ----

  /// Answers a line that has arrived, or the end of input; false if there is none that may be taken now.
  bool take_waiting_line() {
    const bool busy = talk_.game().thinking() || talk_.looking_for_hint();
    if (busy && !options_.person) return false;
    if (lines_.empty() && !at_end_) return false;
    answering_ = true;
    prompted_ = false;
    if (lines_.empty()) {
      if (options_.person) put("\n");
      show(talk_.finish());
      over_ = true;
    } else {
      const std::string line = std::move(lines_.front());
      lines_.pop_front();
      show(talk_.take(line));
    }
    answering_ = false;
    return true;
  }

  /// Waits for input, the wake-up, the next deadline or a signal.
  void wait() {
    std::array<pollfd, 2> watched = {pollfd{at_end_ || !lines_.empty() ? -1 : STDIN_FILENO, POLLIN, 0},
                                     pollfd{options_.wake_fd, POLLIN, 0}};
    if (poll(watched.data(), watched.size(), milliseconds_to_wait()) <= 0) return;
    if (watched[1].revents != 0) drain();
    if (watched[0].revents != 0) read_input();
  }

  [[nodiscard]] int milliseconds_to_wait() const {
    constexpr std::int64_t most = 60'000;
    const auto deadline = talk_.next_deadline();
    if (!deadline) return -1;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, most));
  }

  void drain() const {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto taken = read(options_.wake_fd, &count, sizeof count);
  }

  void read_input() {
    std::array<char, 1 << 16> bytes{};
    const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) {
      if (auto last = arriving_.rest()) keep(std::move(*last));
      at_end_ = true;
      return;
    }
    arriving_.add({bytes.data(), static_cast<std::size_t>(count)});
    while (auto line = arriving_.next()) keep(std::move(*line));
  }

  void keep(play::LineBuffer::Line line) { lines_.push_back(std::move(line.text)); }

  using Lines = std::vector<std::string>;

  Conversation& talk_;
  const PlainOptions& options_;
  play::LineBuffer arriving_{max_line};
  std::deque<std::string> lines_;
  bool at_end_ = false;
  bool over_ = false;
  bool prompted_ = false;   // the cursor stands behind a prompt
  bool answering_ = false;  // a line was typed: the cursor is on a new one
};

}  // namespace

int run_plain(Conversation& conversation, const PlainOptions& options) {
  return PlainInterface(conversation, options).run();
}

// ---- What is shown of a game ----

namespace {

// The commands that the screen names; help has the others.
constexpr std::array shown_commands = {CommandId::place, CommandId::abandon, CommandId::moves, CommandId::hint,
                                       CommandId::undo,  CommandId::save,    CommandId::help,  CommandId::quit};

class PlainScreen {
 public:
  PlainScreen(const Conversation& conversation, bool colours)
      : talk_(conversation),
        game_(conversation.game()),
        notation_(game_.notation()),
        board_(game_.board()),
        colours_(colours) {}

  std::string text() {
    add_board();
    out_ += '\n';
    add_turn();
    out_ += '\n';
    add_pieces();
    add_facts();
    add_times();
    out_ += '\n';
    add_commands();
    return std::move(out_);
  }

 private:
  void add(const std::string& line) { out_ += line + "\n"; }
  [[nodiscard]] std::string say(const Phrase& phrase) const { return talk_.say(phrase); }

  [[nodiscard]] bool by_sign() const { return called_by_sign(game_.game()); }

  /// Black & White's letters for positions are the other way round; its screen has its own (rules 5.1).
  [[nodiscard]] std::string sign(Square square, const Cell& cell) const {
    if (cell.owner == Owner::nobody) return cell.kind == 'x' ? "x" : std::string(1, notation_.empty_cell(square).kind);
    return by_sign() ? player_sign(notation_, player_of(cell), false) : std::string(1, notation_.glyph(cell));
  }

  [[nodiscard]] std::string name(Player player) const {
    return by_sign() ? player_sign(notation_, player, false) : player_words(talk_.catalogue(), notation_, player);
  }

  [[nodiscard]] std::string painted(const std::string& text, const Cell& cell) const {
    if (!colours_ || cell.owner == Owner::nobody) return text;
    return fmt::format("\x1b[{}m{}\x1b[0m", cell.owner == Owner::first ? "1;36" : "1;33", text);
  }

  void add_board() {
    const int cols = board_.cells.cols();
    const int rows = board_.cells.rows();
    const Coordinates& names = notation_.coordinates();
    const int last = std::max(names.row_number(0), names.row_number(rows - 1));
    const std::size_t width = fmt::format("{}", last).size();
    const auto shown = [&](int i, int n) { return talk_.flipped() ? n - 1 - i : i; };
    out_ += std::string(width + 1, ' ');
    for (int c = 0; c < cols; ++c) {
      const char letter = names.column_letter(shown(c, cols));
      out_ += fmt::format(" {}", by_sign() ? raised(letter) : letter);
    }
    out_ += '\n';
    for (int r = 0; r < rows; ++r) {
      const int row = shown(r, rows);
      out_ += fmt::format("{:>{}} ", names.row_number(row), width);
      for (int c = 0; c < cols; ++c) {
        const Square square{shown(c, cols), row};
        const Cell cell = board_.cells[square];
        out_ += " " + painted(sign(square, cell), cell);
      }
      out_ += '\n';
    }
  }

  void add_turn() {
    if (game_.over()) {
      add(say(phrase("The game is over; moves played: {}", game_.turns().size())));
      for (const std::string& line : end_words(talk_.catalogue(), game_)) add(line);
      return;
    }
    const std::string mover = name(board_.to_move);
    add(say(phrase("Move {}", game_.turns().size() + 1)));
    add(say(phrase("{} to move", mover)));
    add(play::must_pass(game_.session()) ? say(phrase("{} cannot play and must pass: type pass", mover))
                                         : say(phrase("{} can play", mover)));
    if (game_.held()) {
      add(say(phrase("{} is waiting: go lets it play.", mover)));
    } else if (!game_.person_to_move()) {
      add(say(phrase("{} is thinking.", mover)));
    }
  }

  void add_pieces() {
    const std::string head = say(notation_.pieces_word()) + " : ";
    for (const Player player : both_players) {
      const int now = count_pieces(board_, player);
      const int lost = count_pieces(game_.start_board(), player) - now;
      // Pawns of Black & White change sides and are never lost.
      const std::string count = by_sign() ? fmt::format("{} {}", name(player), now)
                                          : say(phrase("{} {}, lost {}", name(player), now, std::max(lost, 0)));
      add((player == Player::first ? head : std::string(static_cast<std::size_t>(width_of(head)), ' ')) + count);
    }
  }

  void add_facts() {
    for (const std::string& fact : facts_in_play(talk_.catalogue(), game_)) add(fact);
  }

  void add_times() {
    for (const Player player : both_players) {
      play::TimeLeft left = game_.time_left(player);
      // How long the computer thinks is not what people watch.
      if (!game_.is_person(player)) left.turn.reset();
      const std::string time = time_words(talk_.catalogue(), left);
      if (!time.empty()) add(say(phrase("{}'s time : {}", name(player), time)));
    }
  }

  void add_commands() {
    add(say(phrase("Commands :")));
    for (const CommandId id : shown_commands) {
      add(fmt::format("{}: {}", info_of(id).key, say(meaning_of(id, game_.game()))));
    }
  }

  const Conversation& talk_;
  const play::LiveGame& game_;
  const Notation& notation_;
  Board board_;
  bool colours_;
  std::string out_;
};

}  // namespace

bool called_by_sign(const Game& game) { return module_of(game).look.called_by_letter; }

std::string plain_screen(const Conversation& conversation, bool colours) {
  return PlainScreen(conversation, colours).text();
}

}  // namespace paika::terminal
