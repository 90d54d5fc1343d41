#include "play/ugi.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <new>
#include <utility>

#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/opening_book.hpp"
#include "engine/registry.hpp"
#include "play/query.hpp"
#include "play/start.hpp"

namespace paika::play {

namespace {

/// The options that are numbers: as the protocol names them, their setting, and its bounds.
struct NumberOption {
  std::string_view name;
  std::string_view key;
  std::int64_t standard;
  std::int64_t least;
  std::int64_t most;
};

const SearchSettings standard_settings;
const std::array<NumberOption, 5> number_options = {
    {{"Threads", "threads", standard_settings.threads, 1, max_search_threads},
     {"Hash", "hash", standard_settings.hash_mb, 1, max_hash_mb},
     {"MultiPV", "multipv", standard_settings.lines, 1, max_lines},
     {"Level", "level", standard_settings.level, weakest_level, full_level},
     {"Seed", "seed", 0, 0, std::numeric_limits<std::int64_t>::max()}}};

/// How the protocol writes an option without a value.
constexpr std::string_view no_value = "<empty>";

std::vector<std::string> option_names() {
  std::vector<std::string> names = {"Game", "Tables", "Book", "Ponder"};
  for (const NumberOption& option : number_options) names.emplace_back(option.name);
  for (const FeatureName& feature : feature_names) names.emplace_back(feature.name);
  return names;
}

/// Splits `text` before the word `word`; the second part is empty if the word is not there.
std::pair<std::string_view, std::string_view> split_at_word(std::string_view text, std::string_view word) {
  std::string_view rest = text;
  for (std::string_view next = take_word(rest); !next.empty(); next = take_word(rest)) {
    if (next != word) continue;
    const auto before = static_cast<std::size_t>(next.data() - text.data());
    return {trimmed(text.substr(0, before)), trimmed(rest)};
  }
  return {trimmed(text), {}};
}

}  // namespace

Ugi::Ugi(GamePtr game, const SearchSettings& settings, std::string version, WriteLine write, MakeEngine make)
    : game_(std::move(game)),
      settings_(settings),
      version_(std::move(version)),
      speaker_(std::move(write)),
      make_(std::move(make)),
      session_(game_->start()) {
  if (!settings_.book) settings_.book = builtin_book_name;
}

const std::vector<Ugi::Command>& Ugi::commands() {
  static const std::vector<Command> all = {
      {"ugi", true, &Ugi::greet, "ugi: name and options of the engine, then ugiok"},
      {"isready", true, &Ugi::ready, "isready: answered by readyok when everything before it is done"},
      {"setoption", false, &Ugi::set_option, "setoption name NAME value VALUE"},
      {"uginewgame", false, &Ugi::new_game, "uginewgame: forget the last game, go to the start position"},
      {"position", false, &Ugi::set_position, "position startpos|text POSITION [moves MOVE...]"},
      {"go", false, &Ugi::go,
       "go [movetime MS] [depth N] [nodes N] [p1time MS p2time MS p1inc MS p2inc MS movestogo N] [infinite] [ponder]"},
      {"ponderhit", true, &Ugi::ponder_hit, "ponderhit [the words of go]: the expected move was played; search on"},
      {"stop", true, &Ugi::stop, "stop: end the search; answered by its bestmove"},
      {"wait", true, &Ugi::wait, "wait: read on only when the search has ended"},
      {"query", false, &Ugi::query, "query gameover|result|p1turn|moves|position"},
      {"moves", false, &Ugi::list_turns, "moves: the legal moves, as query moves"},
      {"show", false, &Ugi::show, "show: the position as a diagram"},
      {"help", true, &Ugi::help, "help: this list"},
      {"quit", true, &Ugi::quit, "quit: end the program"}};
  return all;
}

bool Ugi::handle(std::string_view line) {
  std::string_view words = line;
  const std::string_view word = take_word(words);
  if (word.empty()) return true;
  const auto& all = commands();
  const auto command = std::find_if(all.begin(), all.end(), [&](const Command& c) { return c.name == word; });
  if (command == all.end()) {
    std::vector<std::string> names;
    for (const Command& known : all) names.emplace_back(known.name);
    say_error(fmt::format("there is no command {}{}; help lists them", in_quotes(word), did_you_mean(word, names)));
    return true;
  }
  if (answering_) search_.wait();  // all that is left of the search is to say its answer
  if (search_.running() && !command->while_searching) {
    say_error(fmt::format("{} has to wait: a search is running; stop ends it", word));
    return true;
  }
  return (this->*command->obey)(trimmed(words));
}

void Ugi::refuse_long_line() { say_error(fmt::format("a line longer than {} bytes was not read", max_protocol_line)); }

void Ugi::say_error(std::string_view message) { speaker_.say(fmt::format("error {}", message)); }

bool Ugi::greet(std::string_view /*words*/) {
  speaker_.say(fmt::format("id name Paika {}", version_));
  speaker_.say("id author the Paika authors");
  speaker_.say(fmt::format("option name Game type string default {}", game_->notation().spec()));
  speaker_.say(fmt::format("option name Tables type string default {}", no_value));
  speaker_.say(fmt::format("option name Book type string default {}", builtin_book_name));
  speaker_.say("option name Ponder type check default false");
  for (const NumberOption& option : number_options) {
    speaker_.say(fmt::format("option name {} type spin default {} min {} max {}", option.name, option.standard,
                             option.least, option.most));
  }
  for (const FeatureName& feature : feature_names) {
    speaker_.say(fmt::format("option name {} type check default true", feature.name));
  }
  speaker_.say("ugiok");
  return true;
}

bool Ugi::prepare() {
  try {
    if (!engine_) {
      engine_ = make_(*game_, settings_);
    } else if (settings_changed_) {
      engine_->set(settings_);
    }
    settings_changed_ = false;
    return true;
  } catch (const std::bad_alloc&) {
    say_error("there is not enough memory: make Hash smaller");
    engine_.reset();
    return false;
  }
}

bool Ugi::ready(std::string_view /*words*/) {
  if (!search_.running()) (void)prepare();
  speaker_.say("readyok");
  return true;
}

bool Ugi::set_option(std::string_view words) {
  const auto [head, value] = split_at_word(words, "value");
  std::string_view name = head;
  if (take_word(name) != "name" || trimmed(name).empty()) {
    say_error("setoption is written as setoption name NAME value VALUE");
    return true;
  }
  if (const auto changed = change_option(trimmed(name), value); !changed) say_error(changed.error().message);
  return true;
}

Result<void> Ugi::change_game(std::string_view spec) {
  auto game = open_game(spec);
  if (!game) return tl::unexpected(game.error());
  game_ = std::move(*game);
  session_ = game_->start();
  start_.clear();
  turns_.clear();
  engine_.reset();
  return {};
}

/// No setting (play/settings.hpp) but an option only: settings are parted by commas, which a path may contain.
Result<void> Ugi::change_tables(std::string_view folder) {
  const std::string wanted(folder == no_value ? "" : folder);
  std::error_code error;
  if (!wanted.empty() && !std::filesystem::is_directory(wanted, error)) {
    return fail("there is no folder {}; give one that holds tables (paika solve makes them), or nothing for none",
                in_quotes(wanted, 200));
  }
  settings_.tables = wanted;
  engine_.reset();  // an engine is made with its table, or without one
  return {};
}

/// Here a file is looked at, which a setting alone is not.
Result<void> Ugi::change_book(std::string_view value) {
  EngineSettings settings{settings_, {}, false};
  const auto applied = apply_setting(settings, "book", value == no_value ? no_book_name : value);
  if (!applied) return applied;
  const auto book = choose_book(game_->notation().spec(), *settings.search.book);
  if (!book) return tl::unexpected(book.error());
  settings_.book = settings.search.book;
  engine_.reset();  // an engine is made with its book, or without one
  return {};
}

Result<void> Ugi::change_option(std::string_view name, std::string_view value) {
  const std::string key = lowered(name);
  if (key == "game") return change_game(value);
  if (key == "tables") return change_tables(value);
  if (key == "book") return change_book(value);
  const auto names = option_names();
  if (std::none_of(names.begin(), names.end(), [&](const std::string& n) { return lowered(n) == key; })) {
    return fail("there is no option {}{}; the options are {}", in_quotes(name), did_you_mean(name, names),
                listed(names, "and"));
  }
  EngineSettings settings{settings_, {}, ponder_};
  auto applied = apply_setting(settings, key, value);
  if (applied) {
    settings_ = settings.search;
    ponder_ = settings.ponder;
    settings_changed_ = true;
  }
  return applied;
}

bool Ugi::new_game(std::string_view /*words*/) {
  session_ = game_->start();
  start_.clear();
  turns_.clear();
  if (prepare()) engine_->forget();
  return true;
}

bool Ugi::set_position(std::string_view words) {
  const auto [head, turns] = split_at_word(words, "moves");
  std::string_view position = head;
  const std::string_view kind = take_word(position);
  position = trimmed(position);
  const bool is_text = kind == "text" || kind == "fen";
  if ((kind != "startpos" && !is_text) || is_text == position.empty()) {
    say_error("position is written as position startpos [moves MOVE...] or position text POSITION [moves MOVE...]");
    return true;
  }
  if (const auto changed = change_position(position, turns); !changed) say_error(changed.error().message);
  return true;
}

Result<void> Ugi::change_position(std::string_view start, std::string_view turns) {
  std::vector<std::string> wanted;
  for (std::string_view turn = take_word(turns); !turn.empty(); turn = take_word(turns)) wanted.emplace_back(turn);
  if (start == start_) return play_turns(wanted);
  auto session = start_at(*game_, start);
  if (!session) return fail("bad position for {}: {}", game_->notation().spec(), session.error().message);
  std::swap(session_, *session);
  auto turns_before = std::exchange(turns_, {});
  auto played = play_turns(wanted);
  if (played) {
    start_ = start;
  } else {
    session_ = std::move(*session);
    turns_ = std::move(turns_before);
  }
  return played;
}

/// Goes from the turns played to those wanted; what both have in common is not played again, because
/// the notation checks every turn and a peer sends the whole game each time.
Result<void> Ugi::play_turns(const std::vector<std::string>& turns) {
  const auto [mine, theirs] = std::mismatch(turns_.begin(), turns_.end(), turns.begin(), turns.end());
  const auto common = static_cast<std::size_t>(mine - turns_.begin());
  while (session_->turns_played() > static_cast<int>(common)) session_->undo();
  for (std::size_t i = common; i < turns.size(); ++i) {
    const auto played = session_->try_play(turns[i]);
    if (played) continue;
    const std::string why = refusal_sentence(session_->notation(), played.error());
    while (session_->turns_played() > static_cast<int>(common)) session_->undo();
    for (std::size_t k = common; k < turns_.size(); ++k) (void)session_->try_play(turns_[k]);
    return fail("move {}, {}: {}", i + 1, in_quotes(turns[i]), why);
  }
  turns_ = turns;
  return {};
}

bool Ugi::go(std::string_view words) {
  const auto request = read_go(words, session_->board().to_move);
  if (!request) {
    say_error(request.error().message);
    return true;
  }
  if (session_->outcome().over()) {
    speaker_.say("info string the game is over");
    speaker_.say("bestmove none");
    return true;
  }
  if (prepare()) begin_search(*request);
  return true;
}

void Ugi::begin_search(const GoRequest& request) {
  endless_ = request.infinite || request.ponder;
  pondering_ = request.ponder ? std::optional(request) : std::nullopt;
  hit_ = false;
  answering_ = false;
  if (!search_.run([this, request](const std::stop_token& stop) { think(request, stop); })) {
    say_error("no thread could be started for the search");
  }
}

/// What pondering has found is in the engine's table, so the search for the move goes on where it was.
bool Ugi::ponder_hit(std::string_view words) {
  if (!search_.running() || !pondering_) {
    say_error("ponderhit has to follow go ponder");
    return true;
  }
  GoRequest request = *pondering_;
  if (!words.empty()) {
    const auto read = read_go(words, session_->board().to_move);
    if (!read) {
      say_error(read.error().message);
      return true;
    }
    request = *read;
  }
  request.ponder = false;
  request.infinite = request.infinite || !any_limit(request.limits);
  hit_ = true;
  search_.stop();
  begin_search(request);
  return true;
}

void Ugi::think(const GoRequest& request, const std::stop_token& stop) {
  bool told = false;
  const SearchLimits limits = request.ponder ? SearchLimits{} : request.limits;
  const Decision decision = engine_->think(*session_, limits, stop, [&](const SearchInfo& info) {
    told = true;
    for (std::string& line : info_lines(info)) speaker_.say(std::move(line));
  });
  if (!told) {
    for (std::string& line : info_lines(decision.info)) speaker_.say(std::move(line));
  }
  if (!decision.table.empty()) speaker_.say(fmt::format("info string from the table {}", decision.table));
  if (decision.book) speaker_.say("info string from the opening book");
  if (request.infinite || request.ponder) wait_for_stop(stop);
  if (hit_) return;   // the answer comes from the search that follows
  answering_ = true;  // before the answer: a peer that has it may give the next command at once
  speaker_.say(fmt::format("bestmove {}{}", decision.text, ponder_words(decision)));
}

std::string Ugi::ponder_words(const Decision& decision) const {
  const auto& lines = decision.info.lines;
  if (!ponder_ || lines.empty() || lines.front().texts.size() < 2) return "";
  return " ponder " + lines.front().texts[1];
}

bool Ugi::stop(std::string_view /*words*/) {
  search_.stop();
  return true;
}

bool Ugi::wait(std::string_view /*words*/) {
  if (search_.running() && endless_) {
    say_error("this search runs until stop: waiting for it would never end");
  } else {
    search_.wait();
  }
  return true;
}

bool Ugi::query(std::string_view words) {
  if (auto answer = answer_query(*session_, words)) {
    speaker_.say(std::move(*answer));
  } else {
    say_error(fmt::format("query is written as query {}", query_words));
  }
  return true;
}

bool Ugi::list_turns(std::string_view /*words*/) { return query("moves"); }

bool Ugi::show(std::string_view /*words*/) {
  const Notation& notation = session_->notation();
  const Board board = session_->board();
  speaker_.say(notation.spec());
  const std::string picture = diagram(notation, board);
  for (const std::string_view line : split(std::string_view(picture).substr(0, picture.size() - 1), '\n')) {
    speaker_.say(std::string(line));
  }
  const Outcome outcome = session_->outcome();
  speaker_.say(outcome.over() ? ending_sentence(notation, board, outcome)
                              : fmt::format("{} to move", notation.player_name(board.to_move)));
  speaker_.say(fmt::format("position: {}", session_->position_text()));
  return true;
}

bool Ugi::help(std::string_view /*words*/) {
  for (const Command& command : commands()) speaker_.say(std::string(command.help));
  return true;
}

bool Ugi::quit(std::string_view /*words*/) {
  search_.stop();
  return false;
}

// ---- The words of the protocol: reading go, writing info ----

namespace {

/// The numbers that `go` takes, with the names that UCI has for the clocks.
enum class GoWord : unsigned char {
  movetime,
  depth,
  nodes,
  first_time,
  second_time,
  first_increment,
  second_increment,
  moves_to_go
};

constexpr std::array<std::pair<std::string_view, GoWord>, 12> go_words_known = {{{"movetime", GoWord::movetime},
                                                                                 {"depth", GoWord::depth},
                                                                                 {"nodes", GoWord::nodes},
                                                                                 {"p1time", GoWord::first_time},
                                                                                 {"p2time", GoWord::second_time},
                                                                                 {"p1inc", GoWord::first_increment},
                                                                                 {"p2inc", GoWord::second_increment},
                                                                                 {"wtime", GoWord::first_time},
                                                                                 {"btime", GoWord::second_time},
                                                                                 {"winc", GoWord::first_increment},
                                                                                 {"binc", GoWord::second_increment},
                                                                                 {"movestogo", GoWord::moves_to_go}}};

struct Clocks {
  std::optional<Milliseconds> left;
  Milliseconds increment{0};
  int moves_to_go = 0;
};

/// The least number that a word of `go` takes: a limit of nothing is none, but a clock can have run down to zero.
constexpr std::int64_t min_of(GoWord word) noexcept {
  const bool is_limit = word == GoWord::movetime || word == GoWord::depth || word == GoWord::nodes;
  return is_limit || word == GoWord::moves_to_go ? 1 : 0;
}

/// A time as peers send it: one that has run out still leaves a moment to answer.
Milliseconds at_least(std::int64_t number, std::int64_t least) {
  return Milliseconds(std::clamp<std::int64_t>(number, least, max_time.count()));
}

/// Requires a number that is not below min_of(word).
void take_number(GoWord word, std::int64_t number, SearchLimits& limits, std::array<Clocks, 2>& clocks) {
  constexpr std::int64_t max_depth = 1000;
  constexpr std::int64_t max_moves_to_go = 1'000'000;
  switch (word) {
    case GoWord::movetime: limits.move_time = at_least(number, 1); break;
    case GoWord::depth: limits.depth = static_cast<int>(std::min(number, max_depth)); break;
    case GoWord::nodes: limits.nodes = static_cast<std::uint64_t>(number); break;
    case GoWord::first_time: clocks[0].left = at_least(number, 1); break;
    case GoWord::second_time: clocks[1].left = at_least(number, 1); break;
    case GoWord::first_increment: clocks[0].increment = at_least(number, 0); break;
    case GoWord::second_increment: clocks[1].increment = at_least(number, 0); break;
    case GoWord::moves_to_go:
      for (Clocks& clock : clocks)
        clock.moves_to_go = static_cast<int>(std::min<std::int64_t>(number, max_moves_to_go));
      break;
  }
}

std::string score_number(int score) {
  if (is_win(score)) return fmt::format("win {}", plies_to(score));
  if (is_loss(score)) return fmt::format("loss {}", plies_to(score));
  return fmt::format("cp {}", score);
}

std::string score_words(const InfoLine& line) {
  std::string words = score_number(line.score);
  if (line.at_most) words += " at_most";
  if (line.exact) words += " exact";
  return line.book ? fmt::format("{} book {}", words, score_number(*line.book)) : words;
}

}  // namespace

Result<GoRequest> read_go(std::string_view words, Player to_move) {
  GoRequest request;
  std::array<Clocks, 2> clocks;
  for (std::string_view word = take_word(words); !word.empty(); word = take_word(words)) {
    if (word == "infinite" || word == "ponder") {
      (word == "infinite" ? request.infinite : request.ponder) = true;
      continue;
    }
    const auto* const known =
        std::find_if(go_words_known.begin(), go_words_known.end(), [&](const auto& k) { return k.first == word; });
    if (known == go_words_known.end()) {
      return fail(
          "go does not know {}: give movetime, depth, nodes, p1time, p2time, p1inc, p2inc, movestogo with a number, "
          "infinite or ponder",
          in_quotes(word));
    }
    const std::string_view text = take_word(words);
    const auto number = parse_int(text);
    if (text.empty()) return fail("{} of go needs a number after it, such as {} 10", word, word);
    if (!number) return fail("{} of go must be a whole number, not {}", word, in_quotes(text));
    if (const std::int64_t min = min_of(known->second); *number < min) {
      return fail("{} of go must be at least {}, not {}", word, min, *number);
    }
    take_number(known->second, *number, request.limits, clocks);
  }
  const Clocks& clock = clocks[seat_of(to_move)];
  if (clock.left) request.limits.clock = GameClock{*clock.left, clock.increment, clock.moves_to_go};
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
