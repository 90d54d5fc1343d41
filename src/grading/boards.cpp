#include "grading/boards.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "base/random.hpp"
#include "base/text.hpp"
#include "engine/module.hpp"
#include "engine/registry.hpp"
#include "rules/spec.hpp"

namespace paika::grading {

std::string_view name(BoardKind kind) noexcept {
  switch (kind) {
    case BoardKind::game: return "game";
    case BoardKind::rules: return "rules";
    case BoardKind::strewn: return "strewn";
    case BoardKind::given: break;
  }
  return "given";
}

Result<std::vector<BoardKind>> read_kinds(const std::vector<std::string>& words) {
  std::vector<BoardKind> kinds;
  for (const std::string& word : words) {
    for (const std::string_view part : split(word, ',')) {
      constexpr std::array<BoardKind, 3> all = {BoardKind::game, BoardKind::rules, BoardKind::strewn};
      const auto* const kind = std::find_if(all.begin(), all.end(), [&](BoardKind k) { return name(k) == part; });
      if (kind == all.end()) return fail("--kind is game, rules or strewn, not {}", in_quotes(part));
      if (std::find(kinds.begin(), kinds.end(), *kind) == kinds.end()) kinds.push_back(*kind);
    }
  }
  if (kinds.empty()) kinds.assign(default_kinds.begin(), default_kinds.end());
  return kinds;
}

Result<Board> read_any_position(const Game& game, std::string_view text) {
  const BoardFiles* files = module_of(game).board_files;
  if (files == nullptr) return game.notation().parse_position(text);
  return files->parse_any(text).map([](const WrittenBoard& written) { return written.board; });
}

Result<std::map<std::string, std::string>> successors_of(const Game& game, std::string_view position) {
  if (const BoardFiles* files = module_of(game).board_files; files != nullptr) {
    return files->parse_any(position).map(
        [&](const WrittenBoard& written) { return files->successors(game, written.board); });
  }
  const auto session = game.start_from_text(position);
  if (!session) return tl::unexpected(session.error());
  std::map<std::string, std::string> all;
  const bool few = (*session)->for_each_turn([&](const ListedTurn& turn) {
    all.emplace(turn.position_after, turn.text);
    return all.size() <= max_successors;
  });
  if (!few) return fail("the position has more than {} successors, too many for grading", max_successors);
  return all;
}

// ---- Boards from games ----

namespace {

constexpr std::size_t max_listed = 400;  // of a position's turns: more show nothing new
constexpr int max_plies = 90;
constexpr int opening_plies = 8;
constexpr int middle_plies = 36;

/// How the players of a walk choose: by chance, or so that pieces leave the board soon, or late.
enum class WalkStyle : unsigned char { chance, captures, peace };
constexpr std::array<WalkStyle, 3> walk_styles = {WalkStyle::chance, WalkStyle::captures, WalkStyle::peace};

/// A game played by chance, turn by turn, that avoids its end.
class Walk {
 public:
  Walk(const Game& game, Random& random, WalkStyle style)
      : session_(game.start()), random_(random), tries_(style == WalkStyle::chance ? 1 : 4) {
    const int sign = style == WalkStyle::captures ? -1 : 1;
    worth_ = [sign](const Board& board) {
      return sign * count_cells(board, [](const Cell& c) { return c.owner != Owner::nobody; });
    };
  }

  /// From now on the players choose by this, the larger the better.
  void prefer(std::function<int(const Board&)> worth) {
    worth_ = std::move(worth);
    tries_ = 12;
  }

  [[nodiscard]] Session& session() const { return *session_; }

  /// The turns of the position, the first ones if there are very many.
  [[nodiscard]] std::vector<Turn> turns() const {
    std::vector<Turn> all;
    session_->for_each_turn([&](const ListedTurn& turn) {
      all.push_back(turn.steps);
      return all.size() < max_listed;
    });
    return all;
  }

  /// Plays one of the turns; false if each of them ends the game.
  bool advance(std::vector<Turn> turns) {
    std::optional<Turn> best;
    int best_count = 0;
    for (int tried = 0; tried < tries_ && !turns.empty();) {
      std::swap(turns[random_.index(turns.size())], turns.back());
      Turn turn = std::move(turns.back());
      turns.pop_back();
      session_->play(turn);
      const bool over = session_->outcome().over();
      const int count = over ? 0 : worth_(session_->board());
      session_->undo();
      if (over) continue;
      ++tried;
      if (best && count <= best_count) continue;
      best = std::move(turn);
      best_count = count;
    }
    if (best) session_->play(*best);
    return best.has_value();
  }
  bool advance() { return advance(turns()); }

 private:
  std::unique_ptr<Session> session_;
  Random& random_;
  std::function<int(const Board&)> worth_;
  int tries_;
};

/// The start, then openings, middle games and endings in turn.
std::vector<std::string> game_positions(const Game& game, int count, Random& random) {
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i) {
    Walk walk(game, random, i % 3 == 0 ? WalkStyle::captures : walk_styles[random.index(walk_styles.size())]);
    int plies = 0;
    if (i % 3 == 1) plies = 1 + static_cast<int>(random.below(opening_plies));
    if (i % 3 == 2) plies = opening_plies + static_cast<int>(random.below(middle_plies));
    if (i % 3 == 0 && i > 0) plies = max_plies;
    while (plies > 0 && walk.advance()) --plies;
    // An ending is where a game of captures stops, or a few turns before.
    for (auto back = i % 3 == 0 && i > 0 ? random.below(4) : 0; back > 0 && walk.session().undo(); --back) {
    }
    all.push_back(walk.session().position_text());
  }
  return all;
}

// ---- Boards that put rules to the test ----

/// True if a turn of the position exercises the topic, or the topic forbids one.
bool tests_topic(const RuleTopics& topics, std::size_t topic, const Session& session, const std::vector<Turn>& turns) {
  const Board board = session.board();
  const auto exercises = [&](const Turn& turn) {
    const auto all = topics.exercised(session.notation(), board, turn);
    return std::find(all.begin(), all.end(), topic) != all.end();
  };
  if (std::any_of(turns.begin(), turns.end(), exercises)) return true;
  const auto forbidden = topics.forbidden(session.notation(), board);
  return std::any_of(forbidden.begin(), forbidden.end(),
                     [&](const ForbiddenTurn& turn) { return turn.topic == topic; });
}

constexpr int max_lead = 24;     // plies by chance before a topic is sought
constexpr int max_failures = 3;  // walks in vain, after which a topic is given up

/// A position that puts the topic to the test, from a game in which it is sought; empty if it was not found.
std::string seek(const Game& game, const RuleTopics& topics, std::size_t topic, Random& random) {
  Walk walk(game, random, walk_styles[random.index(walk_styles.size())]);
  for (auto lead = random.below(max_lead); lead > 0 && walk.advance(); --lead) {
  }
  if (topics.distance != nullptr) walk.prefer([&](const Board& board) { return -topics.distance(board, topic); });
  for (int ply = 0; ply < max_plies; ++ply) {
    auto turns = walk.turns();
    if (tests_topic(topics, topic, walk.session(), turns)) return walk.session().position_text();
    if (!walk.advance(std::move(turns))) break;
  }
  return "";
}

/// Positions for each topic in turn; topics that the game's options leave out are given up.
std::vector<std::string> rule_positions(const Game& game, const RuleTopics& topics, int count, Random& random) {
  std::vector<std::string> all;
  std::set<std::string> taken;
  std::vector<int> failures(topics.topics.size());
  const auto wanted = static_cast<std::size_t>(count);
  const auto hopeful = [](int failed) { return failed < max_failures; };
  while (all.size() < wanted && std::any_of(failures.begin(), failures.end(), hopeful)) {
    for (std::size_t topic = 0; topic < failures.size() && all.size() < wanted; ++topic) {
      if (!hopeful(failures[topic])) continue;
      std::string position = seek(game, topics, topic, random);
      if (!position.empty() && taken.insert(position).second) {
        all.push_back(std::move(position));
        failures[topic] = 0;
      } else {
        ++failures[topic];
      }
    }
  }
  return all;
}

/// The spec with another value of an option, which has the value `standing` in it.
std::string with_value(const std::string& spec, const std::string& key, const std::string& standing,
                       const std::string& value) {
  const std::string before = fmt::format("{}={}", key, standing);
  const std::string after = fmt::format("{}={}", key, value);
  if (const auto at = spec.find(before); at != std::string::npos) {
    return spec.substr(0, at) + after + spec.substr(at + before.size());
  }
  return fmt::format("{}{}{}", spec, spec.find(':') == std::string::npos ? ':' : ',', after);
}

/// The spec itself, then with each other value of the option.
std::vector<std::string> with_all_values(const std::string& spec, const GameInfo& info, const OptionInfo& option) {
  const auto given = read_spec(spec, info);
  const std::string standing = given ? given->value(option.key).value_or(option.standard) : option.standard;
  std::vector<std::string> all = {spec};
  for (const std::string& value : option.values) {
    if (value != standing) all.push_back(with_value(spec, option.key, standing, value));
  }
  return all;
}

Result<const OptionInfo*> find_option(const GameInfo& info, const std::string& key) {
  std::vector<std::string> known;
  for (const OptionInfo& option : info.options) {
    if (option.values.empty()) continue;
    if (option.key == key) return &option;
    known.push_back(option.key);
  }
  return fail("{} has no option {}{} that could be read in two ways; there {} {}", info.name, in_quotes(key),
              did_you_mean(key, known), known.size() == 1 ? "is" : "are",
              known.empty() ? "none" : listed(known, "and"));
}

/// The game by the standard reading of what is disputed.
Result<GamePtr> undisputed(const Game& game) {
  std::string spec = game.notation().spec();
  const auto given = read_spec(spec, game.info());
  if (!given) return tl::unexpected(given.error());
  for (const OptionInfo& option : game.info().options) {
    if (!option.disputed) continue;
    if (const auto value = given->value(option.key)) spec = with_value(spec, option.key, *value, option.standard);
  }
  return open_game(spec);
}

/// The positions of one kind.
Result<std::vector<std::string>> positions_of(BoardKind kind, const Game& game, int count, Random& random) {
  const GameModule& module = module_of(game);
  if (kind == BoardKind::rules && module.topics != nullptr) return rule_positions(game, *module.topics, count, random);
  if (kind != BoardKind::strewn) return game_positions(game, count, random);
  if (module.board_files == nullptr) {
    return fail("{} has no strewn boards: give --kind game or rules", game.info().name);
  }
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i) all.push_back(game.notation().position_text(module.board_files->strewn(random)));
  return all;
}

}  // namespace

Result<std::vector<GradeBoard>> draw_boards(const Game& game, std::span<const BoardKind> kinds, int count,
                                            std::uint64_t seed) {
  const auto base = undisputed(game);
  if (!base) return tl::unexpected(base.error());
  std::vector<GradeBoard> boards;
  const int width = static_cast<int>(kinds.size());
  for (int k = 0; k < width; ++k) {
    const BoardKind kind = kinds[static_cast<std::size_t>(k)];
    // Each kind has numbers of its own, so that asking for another kind too changes none of its boards.
    Random random(mix64(seed) + static_cast<std::uint64_t>(kind));
    const auto positions = positions_of(kind, **base, (count + width - 1 - k) / width, random);
    if (!positions) return tl::unexpected(positions.error());
    int number = 0;
    for (const std::string& text : *positions) {
      boards.push_back({fmt::format("{}-{:02}", name(kind), number++), text, kind});
    }
  }
  return boards;
}

Result<std::vector<GamePtr>> readings_of(std::string_view spec, const std::vector<std::string>& options) {
  auto own = open_game(spec);
  if (!own) return tl::unexpected(own.error());
  std::vector<std::string> specs = {(*own)->notation().spec()};
  for (const std::string& key : options) {
    const auto option = find_option((*own)->info(), key);
    if (!option) return tl::unexpected(option.error());
    std::vector<std::string> more;
    for (const std::string& one : specs) {
      for (std::string& other : with_all_values(one, (*own)->info(), **option)) more.push_back(std::move(other));
    }
    specs = std::move(more);
  }
  std::vector<GamePtr> games;
  for (const std::string& one : specs) {
    auto game = open_game(one);
    if (!game) return tl::unexpected(game.error());
    games.push_back(std::move(*game));
  }
  return games;
}

}  // namespace paika::grading
