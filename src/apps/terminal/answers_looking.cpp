// Answers that change nothing: moves, why, hint, help.
#include <algorithm>
#include <cstdlib>

#include "apps/terminal/characters.hpp"
#include "apps/terminal/conversation_impl.hpp"
#include "base/text.hpp"
#include "engine/effect_text.hpp"
#include "engine/rules_text.hpp"

namespace paika::terminal {

namespace {

constexpr std::size_t max_moves_shown = 100;
constexpr std::uint64_t max_moves_counted = 100'000;
constexpr int line_width = 76;

/// Words put into lines of a width that every terminal has, each line behind `head`.
std::vector<std::string> wrapped(std::string_view head, const std::vector<std::string>& words) {
  std::vector<std::string> lines;
  std::string line(head);
  bool fresh = true;  // the line has no word yet
  for (const std::string& word : words) {
    if (!fresh && width_of(line) + 1 + width_of(word) > line_width) {
      lines.push_back(std::exchange(line, std::string(head.size(), ' ')));
    }
    if (!line.empty()) line += ' ';
    line += word;
    fresh = false;
  }
  if (!fresh) lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) words.emplace_back(word);
  return words;
}

/// The turns of one piece, or those that have none.
struct Group {
  std::string square;  // "" for turns that choose no piece
  std::vector<std::string> texts;
};

std::string square_of(const Notation& notation, const Turn& turn) {
  // Sacrifices are listed together: in Fanorona every stone has one.
  const bool sacrifice =
      std::any_of(turn.begin(), turn.end(), [](const Step& s) { return s.kind == StepKind::sacrifice; });
  const bool chooses = !turn.empty() && turn.front().kind == StepKind::from && !sacrifice;
  return chooses ? notation.coordinates().name(turn.front().square) : "";
}

bool begins_at(const Notation& notation, const ListedTurn& turn, const std::string& begin) {
  const bool named = !turn.steps.empty() && has_square(turn.steps.front().kind) &&
                     notation.coordinates().name(turn.steps.front().square) == begin;
  const std::string text = lowered(turn.text);
  // "a1" is not the beginning of "a10b10".
  const bool cut = is_digit(begin.back()) && text.size() > begin.size() && is_digit(text[begin.size()]);
  return named || (!cut && text.starts_with(begin));
}

void add_to_group(std::vector<Group>& groups, const std::string& square, const std::string& text) {
  auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.square == square; });
  if (group == groups.end()) group = groups.insert(groups.end(), Group{square, {}});
  group->texts.push_back(text);
}

/// The legal turns that begin at a square or with a text ("" for all), some of them, and how many there are.
struct Listed {
  std::vector<Group> groups;
  std::uint64_t count = 0;
  bool more = false;  // not all were looked at
};

Listed list_turns(const Session& session, const std::string& begin) {
  Listed listed;
  std::uint64_t looked_at = 0;
  session.for_each_turn([&](const ListedTurn& turn) {
    if (++looked_at > max_moves_counted) {
      listed.more = true;
      return false;
    }
    const std::string square = square_of(session.notation(), turn.steps);
    if (!begin.empty() && !begins_at(session.notation(), turn, begin)) return true;
    if (++listed.count <= max_moves_shown) add_to_group(listed.groups, square, turn.text);
    return true;
  });
  return listed;
}

/// How a command is typed: "save FILE".
std::string form_of(const CommandInfo& c) {
  return fmt::format("{}{}{}", c.word, c.arguments.empty() ? "" : " ", c.arguments);
}

}  // namespace

Reply Conversation::Impl::list_moves(std::string_view square) const {
  if (game->over()) return answer(say(phrase("The game is over: there are no legal moves.")), Tone::refusal);
  const Listed listed = list_turns(game->session(), lowered(square));
  if (listed.count == 0) {
    return answer(say(phrase("No legal move begins with {}.", in_quotes(square))), Tone::refusal);
  }
  Reply reply =
      answer(listed.more         ? say(phrase("More than {} legal moves for {}:", listed.count, name(game->to_move())))
             : listed.count == 1 ? say(phrase("One legal move for {}:", name(game->to_move())))
                                 : say(phrase("{} legal moves for {}:", listed.count, name(game->to_move()))));
  for (const Group& group : listed.groups) {
    const std::string head = group.square.empty() ? "" : fmt::format("{:>3}:", group.square);
    for (std::string& line : wrapped(head, group.texts)) add_line(reply, std::move(line));
  }
  if (listed.count > max_moves_shown) {
    add_line(reply,
             say(phrase("... the first {} of them; moves with a square lists those of one piece.", max_moves_shown)));
  }
  return reply;
}

Reply Conversation::Impl::answer_why(std::string_view text) const {
  if (text.empty()) {
    return answer(say(phrase("Type a move after it, such as {}.", "why c3")), Tone::refusal);
  }
  if (game->over()) {
    Reply reply;
    report_end(reply);
    return reply;
  }
  const TypedTurn typed = read_typed_turn(game->session(), text);
  if (std::holds_alternative<SeveralTurns>(typed)) {
    return answer(say(phrase("{} moves begin with {}:", std::get<SeveralTurns>(typed).count, in_quotes(text))) + " " +
                  fmt::format("{}", fmt::join(std::get<SeveralTurns>(typed).texts, "  ")));
  }
  const auto* whole = std::get_if<WholeTurn>(&typed);
  const auto refusal = whole != nullptr ? game->session().refuse(whole->turn) : std::get<NoTurn>(typed).refusal;
  if (refusal) {
    Reply reply = answer(refusal_words(setup.catalogue, game->notation(), *refusal));
    reply.squares = refusal->squares;
    return reply;
  }
  const Board board = game->board();
  Reply reply = answer(say(phrase("{} is legal. What it does:", game->notation().turn_text(board, whole->turn))));
  for (std::string& line :
       effect_sentences(game->notation(), board, game->notation().effects(board, whole->turn), setup.catalogue)) {
    add_line(reply, "  " + std::move(line));
  }
  return reply;
}

Reply Conversation::Impl::ask_hint() {
  if (game->over()) return answer(say(phrase("The game is over: there is no hint to give.")), Tone::refusal);
  if (hinter.asked()) return answer(say(phrase("The computer is already looking.")));
  if (!hinter.ask(*game)) return answer(say(phrase("There is not enough memory for that now.")), Tone::warning);
  return answer(say(phrase("The computer is looking for a good move ...")));
}

void Conversation::Impl::report_hint(Reply& reply, const Decision& decision) {
  hint = decision.turn;
  const SearchInfo& info = decision.info;
  if (info.lines.empty()) return add_line(reply, say(phrase("Hint: {}", decision.text)));
  const InfoLine& line = info.lines.front();
  insight = {game->to_move() == Player::first ? line.score : -line.score, info.depth, line.at_most};
  add_line(reply, say(phrase("Hint: {} ({}, depth {})", decision.text,
                             score_words(setup.catalogue, game->notation(), line, game->to_move(), view), info.depth)));
  if (line.texts.size() > 1)
    add_line(reply, say(phrase("Expected line: {}", fmt::format("{}", fmt::join(line.texts, " ")))));
  if (line.book) {
    InfoLine booked = line;
    booked.score = *line.book;
    booked.exact = booked.at_most = false;
    add_line(reply, say(phrase("The opening book says {}.",
                               score_words(setup.catalogue, game->notation(), booked, game->to_move(), view))));
  }
  if (!decision.table.empty())
    return add_line(reply, say(phrase("This is exact: it comes from a table of perfect play.")));
  if (line.at_most) {
    return add_line(reply, say(phrase("The result is proven; how soon it comes is only the most it can take.")));
  }
  if (line.exact) return add_line(reply, say(phrase("This is exact: the search reached the end of the game.")));
  const std::string reasons = reasons_text(decision.reasons, 4);
  if (!reasons.empty()) add_line(reply, say(phrase("At the end of this line it sees: {}", reasons)));
}

Reply Conversation::Impl::read_rules(std::string_view number) const {
  const auto rules = rules_in(game->game().info().name, setup.language);
  if (!rules) return answer(say(phrase("This game has no rules document.")), Tone::refusal);
  Reply reply;
  if (number.empty()) {
    for (std::string& title : section_titles(rules->markdown)) add_line(reply, std::move(title));
    add_line(reply, say(phrase("{} shows a section, {} a clause.", "rules 2", "rules 2.1")));
    return reply;
  }
  const std::string text = clause_text(rules->markdown, number);
  if (text.empty()) return answer(say(phrase("The rules have no clause {}.", in_quotes(number))), Tone::refusal);
  for (const std::string_view line : split(text, '\n')) add_line(reply, std::string(line));
  return reply;
}

std::vector<std::string> Conversation::Impl::command_overview() const {
  std::vector<std::string> lines;
  for (const CommandInfo& c : all_commands()) {
    lines.push_back(fmt::format("{:<2} {:<30} {}", c.key, form_of(c), say(meaning_of(c.id, game->game()))));
  }
  return lines;
}

Reply Conversation::Impl::help(std::string_view word) const {
  Reply reply;
  if (word.empty()) {
    add_line(reply, say(phrase("Type a move ({}), or a command by its name, its beginning or its letter:",
                               fmt::format("docs/rules/{}.md", game->game().info().name))));
    for (std::string& line : command_overview()) add_line(reply, std::move(line));
    return reply;
  }
  const CommandInfo* command = find_command(word, false);
  if (command == nullptr) {
    const auto near = nearest(lowered(word), command_words());
    return answer(near ? say(phrase("There is no command {}; did you mean {}?", in_quotes(word), *near))
                       : say(phrase("There is no command {}; help lists them.", in_quotes(word))),
                  Tone::refusal);
  }
  add_line(reply, command->key.empty() ? form_of(*command) : fmt::format("{} ({})", form_of(*command), command->key));
  add_line(reply, say(meaning_of(command->id, game->game())));
  const Phrase details = details_of(command->id);
  for (std::string& line : wrapped("", words_of(say(details)))) add_line(reply, std::move(line));
  return reply;
}

}  // namespace paika::terminal
