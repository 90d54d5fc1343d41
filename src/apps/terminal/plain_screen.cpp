// What the plain user interface shows of a game.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "apps/terminal/characters.hpp"
#include "apps/terminal/command.hpp"
#include "apps/terminal/picture.hpp"
#include "apps/terminal/plain.hpp"
#include "apps/terminal/sentences.hpp"
#include "apps/terminal/words.hpp"
#include "base/text.hpp"

namespace paika::terminal {

namespace {

constexpr std::array both = {Player::first, Player::second};

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

  [[nodiscard]] bool must_pass() const {
    bool pass = false;
    game_.session().for_each_turn([&](const ListedTurn& turn) {
      pass = turn.steps.size() == 1 && turn.steps.front().kind == StepKind::pass;
      return false;
    });
    return pass;
  }

  void add_turn() {
    if (game_.over()) {
      add(say(phrase("The game is over; turns played: {}", game_.turns().size())));
      for (const std::string& line : end_words(talk_.catalogue(), game_)) add(line);
      return;
    }
    const std::string mover = name(board_.to_move);
    add(say(phrase("Turn {}", game_.turns().size() + 1)));
    add(say(phrase("It is the turn of {}", mover)));
    add(must_pass() ? say(phrase("{} cannot play and must pass: type pass", mover))
                    : say(phrase("{} can play", mover)));
    if (game_.held()) {
      add(say(phrase("{} waits: go lets it play.", mover)));
    } else if (!game_.person_to_move()) {
      add(say(phrase("{} is thinking.", mover)));
    }
  }

  void add_pieces() {
    const std::string head = say(notation_.pieces_word()) + " : ";
    for (const Player player : both) {
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
    for (const Player player : both) {
      play::TimeLeft left = game_.time_left(player);
      // How long the computer thinks is not what people watch.
      if (!game_.is_person(player)) left.turn.reset();
      const std::string time = time_words(talk_.catalogue(), left);
      if (!time.empty()) add(say(phrase("Time of {} : {}", name(player), time)));
    }
  }

  void add_commands() {
    add(say(phrase("Commands :")));
    for (const CommandId id : shown_commands) {
      add(fmt::format("{}: {}", info_of(id).key, say(meaning_of(id, game_.game().info().name))));
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

bool called_by_sign(const Game& game) { return game.info().name == "othello"; }

std::string plain_screen(const Conversation& conversation, bool colours) {
  return PlainScreen(conversation, colours).text();
}

}  // namespace paika::terminal
