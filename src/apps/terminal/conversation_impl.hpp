// The inside of a Conversation, spread over files by subject: conversation.cpp (lines, turns, what happens),
// answers_looking.cpp (moves, why, hint, help), answers_keeping.cpp (save, load, export, autosave) and
// answers_setting.cpp (undo, ends, settings, new games).
#pragma once

#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "apps/terminal/command.hpp"
#include "apps/terminal/conversation.hpp"
#include "apps/terminal/hinter.hpp"
#include "apps/terminal/sentences.hpp"
#include "apps/terminal/typed_turn.hpp"
#include "apps/terminal/words.hpp"
#include "play/autosave.hpp"

namespace paika::terminal {

class Conversation::Impl {
 public:
  Impl(std::unique_ptr<play::LiveGame> game, ConversationSetup setup);

  // ---- conversation.cpp ----

  [[nodiscard]] Reply take(std::string_view line);
  [[nodiscard]] Reply play_turn(const Turn& turn);
  [[nodiscard]] Reply poll();
  [[nodiscard]] Reply greeting() const;
  [[nodiscard]] std::vector<std::string> command_overview() const;
  [[nodiscard]] std::string say(const Phrase& phrase) const { return setup.catalogue.say(phrase); }
  [[nodiscard]] std::string name(Player player) const {
    return player_words(setup.catalogue, game->notation(), player);
  }

  // ---- answers_keeping.cpp ----

  [[nodiscard]] Reply finish();
  /// Writes the running game's file; says once if that is not possible.
  void keep(Reply& reply);
  /// Ends the keeping of the game that is left: its file and, if wanted, its place among the records.
  void leave_game(Reply& reply);

  ConversationSetup setup;
  std::unique_ptr<play::LiveGame> game;
  Hinter hinter;
  std::unique_ptr<play::Autosave> autosave;
  bool autosave_failed = false;  // and that was said
  bool record_lost = false;
  bool flipped = false;
  View view = View::first_player;  // of scores
  bool draw_offered = false;       // since the last turn
  std::optional<Turn> hint;
  std::optional<Insight> insight;

 private:
  // ---- conversation.cpp ----

  [[nodiscard]] Reply obey(CommandId id, std::string_view rest);
  [[nodiscard]] Reply obey_or_guess(std::string_view line);
  /// The answer to a command that takes no arguments and has some.
  [[nodiscard]] Reply refuse_rest(const CommandInfo& command, std::string_view line) const;
  [[nodiscard]] Reply take_turn_text(std::string_view text);
  [[nodiscard]] Reply not_played(const play::NotPlayed& why);
  void report_turn(Reply& reply, int number) const;
  void report_end(Reply& reply) const;
  [[nodiscard]] bool program_failed() const;
  /// What must happen after every change of the game: hints are out of date, the file is written.
  void changed(Reply& reply);

  /// The answer to what was not done because of an error.
  [[nodiscard]] Reply refuse(const Error& error) const;

  // ---- answers_looking.cpp ----

  [[nodiscard]] Reply list_moves(std::string_view square) const;
  [[nodiscard]] Reply answer_why(std::string_view text) const;
  [[nodiscard]] Reply ask_hint();
  void report_hint(Reply& reply, const Decision& decision);
  [[nodiscard]] Reply help(std::string_view word) const;
  [[nodiscard]] Reply read_rules(std::string_view number) const;

  // ---- answers_keeping.cpp ----

  [[nodiscard]] Reply save(std::string_view file, bool replace);
  [[nodiscard]] Reply load(std::string_view file);
  [[nodiscard]] Reply export_text(std::string_view what) const;

  // ---- answers_setting.cpp ----

  [[nodiscard]] Reply undo(std::string_view number);
  [[nodiscard]] Reply redo(std::string_view number);
  [[nodiscard]] Reply go_on();
  [[nodiscard]] Reply offer_draw();
  [[nodiscard]] Reply resign();
  [[nodiscard]] Reply abandon();
  [[nodiscard]] Reply begin_new(std::string_view spec);
  [[nodiscard]] Reply set(std::string_view words);
  [[nodiscard]] Reply list_settings() const;
  [[nodiscard]] Reply set_limit(std::string_view key, std::string_view value, std::string_view player);
  [[nodiscard]] Reply set_player(std::string_view player, std::string_view who);
  [[nodiscard]] Reply set_size(std::string_view size);
  [[nodiscard]] Reply set_view(std::string_view view);
  [[nodiscard]] Reply put_in_place(std::unique_ptr<play::LiveGame> next);
  [[nodiscard]] std::optional<Player> read_player_word(std::string_view word) const;
};

/// An answer of one line.
[[nodiscard]] inline Reply answer(std::string text, Tone tone = Tone::normal) {
  Reply reply;
  reply.lines.push_back({std::move(text), tone});
  return reply;
}

inline void add_line(Reply& reply, std::string text, Tone tone = Tone::normal) {
  reply.lines.push_back({std::move(text), tone});
}

/// The limits of an engine that was given none: it must not think for ever.
[[nodiscard]] SearchLimits default_engine_limits();

}  // namespace paika::terminal
