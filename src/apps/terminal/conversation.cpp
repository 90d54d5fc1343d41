#include "apps/terminal/conversation.hpp"

#include <algorithm>
#include <filesystem>

#include "apps/terminal/conversation_impl.hpp"
#include "base/text.hpp"

namespace paika::terminal {

namespace {

/// No turn and no command is longer; what is longer is not looked at.
constexpr std::size_t max_line = 4096;

bool has_digit(std::string_view text) { return std::any_of(text.begin(), text.end(), is_digit); }

/// " (+0.35 for White, depth 5)" for a turn whose player told what it thinks; "" otherwise. Of a win or loss it has
/// not told whether it could come sooner.
std::string opinion(const Catalogue& catalogue, const Notation& notation, const play::RecordedTurn& turn, Player mover,
                    View view) {
  if (!turn.score || turn.depth == 0) return "";
  const bool decided = is_win(*turn.score) || is_loss(*turn.score);
  const std::string score = score_words(catalogue, notation, {*turn.score, decided, decided, {}, {}}, mover, view);
  return " " + catalogue.say(phrase("({}, depth {})", score, turn.depth));
}

bool has_content(const std::string& file) {
  std::error_code error;
  return !file.empty() && std::filesystem::is_regular_file(file, error) && std::filesystem::file_size(file, error) > 0;
}

}  // namespace

Conversation::Impl::Impl(std::unique_ptr<play::LiveGame> first_game, ConversationSetup how)
    : setup(std::move(how)), game(std::move(first_game)), hinter(setup.live.wake, setup.hint_time, setup.tables) {
  autosave = std::move(setup.autosave);
  flipped = setup.flipped;
}

Reply Conversation::Impl::greeting() const {
  Reply reply = answer(say(phrase_of(game->game().info().title)));
  for (const Player player : {Player::first, Player::second}) {
    add_line(reply, fmt::format("{}: {}", name(player), seat_words(setup.catalogue, game->player(player))));
  }
  add_line(reply, say(phrase("Type a move, or help for the commands.")));
  return reply;
}

Reply Conversation::Impl::take(std::string_view line) {
  if (line.size() > max_line) {
    return answer(say(phrase("The line is too long: it has {} characters.", line.size())), Tone::refusal);
  }
  const std::string_view text = trimmed(line);
  if (text.empty()) {
    Reply reply;
    reply.show_board = true;
    return reply;
  }
  // A whole turn comes first: Fanorona's "A 3 2 3 3" is one, although A alone is a command.
  if (game->notation().parse_turn(game->board(), text)) return take_turn_text(text);
  std::string_view rest = text;
  const std::string_view word = take_word(rest);
  if (const CommandInfo* command = find_command(word, true)) {
    // A command that stands alone is none with something behind it: nobody is to abandon a game by a turn.
    if (command->arguments.empty() && !trimmed(rest).empty()) return refuse_rest(*command, text);
    return obey(command->id, trimmed(rest));
  }
  if (lowered(word) == "save!") return save(trimmed(rest), true);
  return obey_or_guess(text);
}

/// A line that is no whole turn and no whole command: the beginning of one of them, or a mistake.
Reply Conversation::Impl::obey_or_guess(std::string_view line) {
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  const CommandInfo* command = has_digit(word) ? nullptr : find_command(word, false);
  if (command != nullptr && command->arguments.empty() && !trimmed(rest).empty()) return refuse_rest(*command, line);
  if (command != nullptr) return obey(command->id, trimmed(rest));
  const TypedTurn typed = read_typed_turn(game->session(), line);
  if (has_digit(word) || !std::holds_alternative<NoTurn>(typed)) return take_turn_text(line);
  const auto words = commands_beginning(word);
  if (word.size() > 1 && !words.empty()) {
    return answer(say(phrase("{} could be {}.", in_quotes(word), or_names(words))), Tone::refusal);
  }
  const auto near = nearest(lowered(word), command_words());
  if (near) {
    return answer(say(phrase("{} is neither a move nor a command; did you mean {}?", in_quotes(word), *near)),
                  Tone::refusal);
  }
  return answer(say(phrase("{} is neither a move nor a command; help lists the commands.", in_quotes(line))),
                Tone::refusal);
}

Reply Conversation::Impl::refuse_rest(const CommandInfo& command, std::string_view line) const {
  const auto turn = game->notation().parse_turn(game->board(), line);
  if (has_digit(line) && !turn)
    return answer(refusal_words(setup.catalogue, game->notation(), turn.error()), Tone::refusal);
  return answer(say(phrase("{} takes no argument.", command.word)), Tone::refusal);
}

Reply Conversation::Impl::refuse(const Error& error) const {
  return answer(printable(say(error.words())), Tone::refusal);
}

Reply Conversation::Impl::obey(CommandId id, std::string_view rest) {
  switch (id) {
    case CommandId::place:
      if (rest.empty()) return answer(say(phrase("Type a move after it, such as {}.", "place c3")), Tone::refusal);
      return take_turn_text(rest);
    case CommandId::pass: return take_turn_text("pass");
    case CommandId::moves: return list_moves(rest);
    case CommandId::hint: return ask_hint();
    case CommandId::why: return answer_why(rest);
    case CommandId::undo: return undo(rest);
    case CommandId::redo: return redo(rest);
    case CommandId::go: return go_on();
    case CommandId::draw: return offer_draw();
    case CommandId::resign: return resign();
    case CommandId::abandon: return abandon();
    case CommandId::save: return save(rest, false);
    case CommandId::load: return load(rest);
    case CommandId::export_text: return export_text(rest);
    case CommandId::rules: return read_rules(rest);
    case CommandId::flip: {
      flipped = !flipped;
      Reply reply;
      reply.show_board = true;
      return reply;
    }
    case CommandId::set: return set(rest);
    case CommandId::new_game: return begin_new(rest);
    case CommandId::show: {
      Reply reply;
      reply.show_board = true;
      return reply;
    }
    case CommandId::help: return help(rest);
    case CommandId::quit: break;
  }
  Reply reply = finish();
  reply.quit = true;
  return reply;
}

Reply Conversation::Impl::take_turn_text(std::string_view text) {
  if (!game->person_to_move()) {
    const auto why = game->over() ? play::NotPlayed::Why::over : play::NotPlayed::Why::not_yours;
    return not_played({why, {}});
  }
  const TypedTurn typed = read_typed_turn(game->session(), text);
  if (const auto* whole = std::get_if<WholeTurn>(&typed)) return play_turn(whole->turn);
  if (const auto* none = std::get_if<NoTurn>(&typed)) {
    return not_played({play::NotPlayed::Why::refused, none->refusal});
  }
  const auto& several = std::get<SeveralTurns>(typed);
  Reply reply = answer(several.more ? say(phrase("More than {} moves begin with {}:", several.count, in_quotes(text)))
                                    : say(phrase("{} moves begin with {}:", several.count, in_quotes(text))),
                       Tone::refusal);
  std::string choices = fmt::format("{}", fmt::join(several.texts, "  "));
  if (several.count > several.texts.size()) choices += "  ...";
  add_line(reply, choices, Tone::refusal);
  return reply;
}

Reply Conversation::Impl::play_turn(const Turn& turn) {
  const auto played = game->play(turn);
  if (!played) return not_played(played.error());
  Reply reply;
  report_turn(reply, static_cast<int>(game->turns().size()));
  if (game->over()) report_end(reply);
  changed(reply);
  return reply;
}

Reply Conversation::Impl::not_played(const play::NotPlayed& why) {
  const auto mover = [&] { return name(game->to_move()); };
  switch (why.why) {
    case play::NotPlayed::Why::refused: {
      Reply reply = answer(refusal_words(setup.catalogue, game->notation(), why.refusal), Tone::refusal);
      reply.squares = why.refusal.squares;
      return reply;
    }
    case play::NotPlayed::Why::over:
      return answer(say(phrase("The game is over: new starts another, undo takes moves back.")), Tone::refusal);
    case play::NotPlayed::Why::not_yours:
      return game->held()
                 ? answer(say(phrase("{} is to move and is waiting: go lets it play.", mover())), Tone::refusal)
                 : answer(say(phrase("{} is to move and is thinking.", mover())), Tone::refusal);
    case play::NotPlayed::Why::too_late: break;
  }
  Reply reply;
  report_end(reply);
  changed(reply);
  return reply;
}

void Conversation::Impl::report_turn(Reply& reply, int number) const {
  const auto index = static_cast<std::size_t>(number) - 1;
  const play::RecordedTurn& turn = game->turns()[index];
  const Player player = game->board_before(index).to_move;
  add_line(reply,
           say(phrase("{} plays {}", name(player), turn.text)) +
               opinion(setup.catalogue, game->notation(), turn, player, view),
           Tone::event);
}

void Conversation::Impl::report_end(Reply& reply) const {
  for (std::string& line : end_words(setup.catalogue, *game)) add_line(reply, std::move(line), Tone::event);
  if (!program_failed() || !has_content(setup.error_log)) return;
  add_line(reply, say(phrase("The program's standard error is in {}", printable(setup.error_log))));
}

/// True if a program lost the game by what it did beside the rules.
bool Conversation::Impl::program_failed() const {
  const play::GameResult& result = game->result();
  const auto failed = [&](play::Failure failure) { return result.reason == play::name(failure); };
  if (std::none_of(play::failures.begin(), play::failures.end(), failed)) return false;
  const Player loser = result.verdict == Verdict::first_wins ? Player::second : Player::first;
  return !game->player(loser).command.empty();
}

void Conversation::Impl::changed(Reply& reply) {
  hinter.cancel();
  hint.reset();
  draw_offered = false;
  reply.board_changed = true;
  keep(reply);
}

Reply Conversation::Impl::poll() {
  Reply reply;
  for (const play::LiveEvent& event : game->poll()) {
    if (const auto* played = std::get_if<play::TurnPlayed>(&event)) {
      report_turn(reply, played->number);
      const play::RecordedTurn& turn = game->turns()[static_cast<std::size_t>(played->number) - 1];
      if (turn.score) insight = {played->player == Player::first ? *turn.score : -*turn.score, turn.depth};
    } else {
      report_end(reply);
    }
    reply.board_changed = true;
  }
  if (reply.board_changed) changed(reply);
  if (const auto decision = hinter.collect()) report_hint(reply, *decision);
  return reply;
}

Conversation::Conversation(std::unique_ptr<play::LiveGame> game, ConversationSetup setup)
    : impl_(std::make_unique<Impl>(std::move(game), std::move(setup))) {}
Conversation::~Conversation() = default;

Reply Conversation::take(std::string_view line) { return impl_->take(line); }
Reply Conversation::play(const Turn& turn) { return impl_->play_turn(turn); }
Reply Conversation::poll() { return impl_->poll(); }
Reply Conversation::finish() { return impl_->finish(); }
Reply Conversation::greeting() { return impl_->greeting(); }
std::optional<play::TimePoint> Conversation::next_deadline() const { return impl_->game->next_deadline(); }
const play::LiveGame& Conversation::game() const { return *impl_->game; }
const Catalogue& Conversation::catalogue() const { return impl_->setup.catalogue; }
bool Conversation::flipped() const { return impl_->flipped; }
bool Conversation::record_lost() const { return impl_->record_lost; }
bool Conversation::looking_for_hint() const { return impl_->hinter.asked(); }
const std::optional<Turn>& Conversation::hint() const { return impl_->hint; }
std::optional<Insight> Conversation::insight() const { return impl_->insight; }

std::vector<std::string> Conversation::command_overview() const { return impl_->command_overview(); }

}  // namespace paika::terminal
