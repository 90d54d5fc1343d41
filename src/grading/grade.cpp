#include "grading/grade.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include "base/random.hpp"
#include "base/text.hpp"
#include "engine/module.hpp"
#include "engine/registry.hpp"
#include "rules/spec.hpp"
#include "sandbox/run_program.hpp"
#include "sandbox/scratch.hpp"

namespace paika::grading {

namespace {

using Clock = std::chrono::steady_clock;
using Successors = std::map<std::string, std::string>;

constexpr std::size_t max_output = std::size_t{1} << 26;
constexpr std::size_t max_file = 4096;  // a board file has some 150 bytes
constexpr std::size_t max_answers = 100'000;

/// The one text of a position, however it is written; an answer by files must be a board file.
Result<std::string> canonical(const Game& game, std::string_view text, GradeProtocol protocol) {
  if (protocol == GradeProtocol::files) {
    const auto written = module_of(game).board_files->parse(text);
    if (!written) return tl::unexpected(written.error());
    return game.notation().position_text(written->board);
  }
  return read_any_position(game, text).map([&](const Board& board) { return game.notation().position_text(board); });
}

/// What a program listed.
struct Answer {
  std::string where;
  std::string text;
};

/// board.000, board.001, …: nothing else in the folder counts, and nothing but plain files.
std::vector<Answer> files_in(const std::string& folder) {
  std::vector<Answer> answers;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    constexpr std::string_view prefix = "board.";
    if (!name.starts_with(prefix) || name.size() == prefix.size()) continue;
    if (name.find_first_not_of("0123456789", prefix.size()) != std::string::npos) continue;
    if (!std::filesystem::is_regular_file(entry.symlink_status(error)) || answers.size() == max_answers) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::string text(max_file, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    answers.push_back({name, std::move(text)});
  }
  std::sort(answers.begin(), answers.end(), [](const Answer& a, const Answer& b) { return a.where < b.where; });
  return answers;
}

std::vector<Answer> lines_of(std::string_view output) {
  std::vector<Answer> answers;
  int number = 0;
  for (const std::string_view line : split(output, '\n')) {
    ++number;
    if (trimmed(line).empty() || answers.size() == max_answers) continue;
    answers.push_back({fmt::format("line {}", number), std::string(trimmed(line))});
  }
  return answers;
}

/// What the program is given.
Result<std::string> input_for(const GradePlan& plan, const GradeBoard& board) {
  const Game& game = *plan.readings.front();
  if (plan.protocol == GradeProtocol::files) {
    const BoardFiles& files = *module_of(game).board_files;
    return files.parse_any(board.text).map(files.text);
  }
  return canonical(game, board.text, plan.protocol).map([](const std::string& text) { return text + "\n"; });
}

/// Compares what was listed with one reading.
BoardGrade compare(const Game& game, const Successors& right, const std::vector<Answer>& answers,
                   GradeProtocol protocol) {
  BoardGrade grade;
  grade.reading = game.notation().spec();
  grade.expected = static_cast<int>(right.size());
  std::set<std::string> seen;
  for (const Answer& answer : answers) {
    const auto position = canonical(game, answer.text, protocol);
    if (!position) {
      grade.extra.push_back({answer.where, "", position.error().message});
    } else if (!seen.insert(*position).second) {
      ++grade.repeated;
    } else if (right.contains(*position)) {
      ++grade.correct;
    } else {
      grade.extra.push_back({answer.where, *position, ""});
    }
  }
  for (const auto& [position, turn] : right) {
    if (!seen.contains(position)) grade.missing.push_back(turn);
  }
  return grade;
}

std::size_t wrongs(const BoardGrade& grade) { return grade.missing.size() + grade.extra.size(); }

}  // namespace

void GradeTotals::add(const BoardGrade& grade) {
  ++boards;
  right += grade.right() ? 1 : 0;
  failed += grade.failure.empty() ? 0 : 1;
  expected += grade.expected;
  correct += grade.correct;
  missing += static_cast<int>(grade.missing.size());
  extra += static_cast<int>(grade.extra.size());
}

double GradeTotals::percent() const {
  if (expected == 0) return extra == 0 ? 100 : 0;
  return 100.0 * std::max(0, correct - extra) / expected;
}

Result<Board> read_any_position(const Game& game, std::string_view text) {
  const BoardFiles* files = module_of(game).board_files;
  if (files == nullptr) return game.notation().parse_position(text);
  return files->parse_any(text).map([](const WrittenBoard& written) { return written.board; });
}

Result<Successors> successors_of(const Game& game, std::string_view position) {
  if (const BoardFiles* files = module_of(game).board_files; files != nullptr) {
    return files->parse_any(position).map(
        [&](const WrittenBoard& written) { return files->successors(game, written.board); });
  }
  const auto session = game.start_from_text(position);
  if (!session) return tl::unexpected(session.error());
  Successors all;
  const bool few = (*session)->for_each_turn([&](const ListedTurn& turn) {
    all.emplace(turn.position_after, turn.text);
    return all.size() <= max_answers;
  });
  if (!few) return fail("the position has more than {} successors, too many for grading", max_answers);
  return all;
}

Result<BoardGrade> grade_board(const GradePlan& plan, const GradeBoard& board, const std::stop_token& stop) {
  const auto input = input_for(plan, board);
  if (!input) return fail("the board {}: {}", in_quotes(board.name), input.error().message);
  const auto scratch = sandbox::ScratchFolder::make();
  if (!scratch) return tl::unexpected(scratch.error());
  const auto before = Clock::now();
  const auto run = sandbox::run_program(plan.launch(scratch->path()), *input, before + plan.time, max_output, stop);
  if (!run) return tl::unexpected(run.error());
  const auto time = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - before);
  if (run->cut == sandbox::ProgramRun::Cut::stopped) return fail("stopped");
  const auto answers = plan.protocol == GradeProtocol::files ? files_in(scratch->path()) : lines_of(run->output);
  BoardGrade best;
  for (const GamePtr& reading : plan.readings) {
    const auto right = successors_of(*reading, board.text);
    if (!right) return fail("the board {}: {}", in_quotes(board.name), right.error().message);
    BoardGrade grade = compare(*reading, *right, answers, plan.protocol);
    if (best.reading.empty() || wrongs(grade) < wrongs(best)) best = std::move(grade);
  }
  best.board = board.name;
  best.time = time;
  if (!run->ended_well()) best.failure = words_for(*run);
  return best;
}

// ---- Boards, made by chance ----

namespace {

/// Longer games by chance show nothing new.
constexpr std::uint64_t max_turns = 60;

/// A position after so many turns by chance, or the last one before the turns run out.
std::string wander(const Game& game, Random& random, std::uint64_t turns) {
  std::string position = game.notation().position_text(game.notation().initial());
  for (; turns > 0; --turns) {
    const auto next = successors_of(game, position);
    if (!next || next->empty()) break;
    position = std::next(next->begin(), static_cast<std::ptrdiff_t>(random.index(next->size())))->first;
  }
  return position;
}

}  // namespace

std::vector<GradeBoard> random_boards(const Game& game, int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<GradeBoard> boards;
  const BoardFiles* files = module_of(game).board_files;
  for (int i = 0; i < count; ++i) {
    GradeBoard board{fmt::format("board-{:02}", i), ""};
    if (i == 0) {
      board.text = game.notation().position_text(game.notation().initial());
    } else if (files != nullptr && i % 2 == 0) {
      board.text = game.notation().position_text(files->strewn(random));
    } else {
      board.text = wander(game, random, 1 + random.below(max_turns));
    }
    boards.push_back(std::move(board));
  }
  return boards;
}

// ---- The ways to read the rules of a game: its options with all their values ----

namespace {

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

}  // namespace

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
