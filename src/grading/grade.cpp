#include "grading/grade.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/module.hpp"
#include "sandbox/run_program.hpp"
#include "sandbox/scratch.hpp"

namespace paika::grading {

namespace {

using Clock = std::chrono::steady_clock;
using Successors = std::map<std::string, std::string>;

constexpr std::size_t max_output = std::size_t{1} << 26;
constexpr std::size_t max_file = 4096;  // a board file has some 150 bytes
constexpr std::size_t max_error_text = std::size_t{1} << 14;
constexpr std::size_t max_compared = 200;  // wrong successors of a board for which the nearest right one is looked for

/// The one text of a position, however it is written; an answer by files must be a board file.
Result<std::string> canonical(const Game& game, std::string_view text, GradeProtocol protocol) {
  if (protocol == GradeProtocol::files) {
    const auto written = module_of(game).board_files->parse(text);
    if (!written) return tl::unexpected(written.error());
    return game.notation().position_text(written->board);
  }
  return read_any_position(game, text).map([&](const Board& board) { return game.notation().position_text(board); });
}

/// The beginning of a file.
std::string read_start(const std::filesystem::path& path, std::size_t most) {
  std::ifstream file(path, std::ios::binary);
  std::string text(most, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

/// board.000, board.001, …: nothing else in the folder counts, and nothing but plain files.
std::vector<GivenSuccessor> files_in(const std::string& folder) {
  std::vector<GivenSuccessor> answers;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    constexpr std::string_view prefix = "board.";
    if (!name.starts_with(prefix) || name.size() == prefix.size()) continue;
    if (name.find_first_not_of("0123456789", prefix.size()) != std::string::npos) continue;
    if (!std::filesystem::is_regular_file(entry.symlink_status(error)) || answers.size() == max_successors) continue;
    answers.push_back({name, read_start(entry.path(), max_file)});
  }
  std::sort(answers.begin(), answers.end(),
            [](const GivenSuccessor& a, const GivenSuccessor& b) { return a.where < b.where; });
  return answers;
}

std::vector<GivenSuccessor> lines_of(std::string_view output) {
  std::vector<GivenSuccessor> answers;
  int number = 0;
  for (const std::string_view line : split(output, '\n')) {
    ++number;
    if (trimmed(line).empty() || answers.size() == max_successors) continue;
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

/// Compares what was listed with one reading of the rules.
class Comparison {
 public:
  Comparison(const Game& game, const Board& board, const Successors& right, GradeProtocol protocol)
      : game_(game), notation_(game.notation()), board_(board), right_(right), protocol_(protocol) {}

  BoardGrade of(const std::vector<GivenSuccessor>& answers) {
    grade_.reading = notation_.spec();
    grade_.expected = static_cast<int>(right_.size());
    for (const GivenSuccessor& answer : answers) judge(answer);
    for (const auto& [position, turn] : right_) {
      const bool listed = seen_.contains(position);
      grade_.successors.push_back({turn, position, listed});
      if (!listed) grade_.missing.push_back(turn);
    }
    return std::move(grade_);
  }

  /// What takes longer than counting and is asked of one reading only: the rules put to the test, and what wrong
  /// successors look like.
  void explain(BoardGrade& grade) {
    if (const RuleTopics* topics = module_of(game_).topics; topics != nullptr) count_cases(*topics, grade);
    std::size_t compared = 0;
    for (ExtraSuccessor& extra : grade.extra) {
      if (!extra.position.empty() && compared++ < max_compared) find_nearest(extra, grade.successors);
    }
  }

 private:
  void judge(const GivenSuccessor& answer) {
    const auto position = canonical(game_, answer.text, protocol_);
    if (!position) {
      grade_.extra.push_back({answer.where, "", position.error().message});
    } else if (!seen_.insert(*position).second) {
      ++grade_.repeated;
    } else if (right_.contains(*position)) {
      ++grade_.correct;
    } else {
      grade_.extra.push_back({answer.where, *position, ""});
    }
  }

  void count_cases(const RuleTopics& topics, BoardGrade& grade) const {
    grade.topics.resize(topics.topics.size());
    const auto add = [&](std::size_t topic, bool is_right) {
      ++grade.topics[topic].cases;
      grade.topics[topic].right += is_right ? 1 : 0;
    };
    for (const ExpectedSuccessor& successor : grade.successors) {
      const auto turn = notation_.parse_turn(board_, successor.turn);
      if (!turn) continue;
      for (const std::size_t topic : topics.exercised(notation_, board_, *turn)) add(topic, successor.listed);
    }
    std::set<std::string> counted;
    for (const ForbiddenTurn& forbidden : topics.forbidden(notation_, board_)) {
      const std::string position = notation_.position_text(forbidden.after);
      if (right_.contains(position) || !counted.insert(position).second) continue;
      // Who lists nothing right has not left this out for the rule's sake.
      add(forbidden.topic, grade.correct > 0 && !seen_.contains(position));
      for (ExtraSuccessor& extra : grade.extra) {
        if (extra.position != position) continue;
        extra.complaint = fmt::format("{} is forbidden by {}", notation_.turn_text(board_, forbidden.turn),
                                      topic_label(topics.topics[forbidden.topic]));
      }
    }
  }

  /// The expected board that differs least; of equal ones the first that was not listed, for that was probably meant.
  void find_nearest(ExtraSuccessor& extra, const std::vector<ExpectedSuccessor>& successors) const {
    const auto given = read_any_position(game_, extra.position);
    if (!given) return;
    std::optional<std::vector<Square>> best;
    Board best_board;
    for (const bool listed : {false, true}) {
      for (const ExpectedSuccessor& successor : successors) {
        if (successor.listed != listed) continue;
        const auto board = read_any_position(game_, successor.position);
        if (!board) continue;
        auto squares = differing_squares(*given, *board);
        if (best && squares.size() >= best->size()) continue;
        best = std::move(squares);
        best_board = *board;
        extra.nearest = successor.turn;
      }
    }
    for (const Square s : best.value_or(std::vector<Square>{})) {
      extra.differences.push_back(
          {notation_.coordinates().name(s), notation_.glyph(given->cells[s]), notation_.glyph(best_board.cells[s])});
    }
  }

  const Game& game_;
  const Notation& notation_;
  const Board& board_;
  const Successors& right_;
  GradeProtocol protocol_;
  BoardGrade grade_;
  std::set<std::string> seen_;
};

std::size_t wrongs(const BoardGrade& grade) { return grade.missing.size() + grade.extra.size(); }

/// The reading that comes nearest to what the program listed.
Result<BoardGrade> best_reading(const GradePlan& plan, const GradeBoard& board,
                                const std::vector<GivenSuccessor>& answers) {
  const auto complaint = [&](const Error& error) {
    return fail("the board {}: {}", in_quotes(board.name), error.message);
  };
  BoardGrade best;
  for (const GamePtr& reading : plan.readings) {
    auto right = successors_of(*reading, board.text);
    if (!right) return complaint(right.error());
    auto position = read_any_position(*reading, board.text);
    if (!position) return complaint(position.error());
    Comparison comparison(*reading, *position, *right, plan.protocol);
    BoardGrade grade = comparison.of(answers);
    if (!best.reading.empty() && wrongs(grade) >= wrongs(best)) continue;
    comparison.explain(grade);
    best = std::move(grade);
  }
  return best;
}

std::string end_text(const sandbox::ProgramRun& run) { return run.ended_well() ? "exit status 0" : words_for(run); }

}  // namespace

std::string_view verdict(const BoardGrade& grade) noexcept {
  if (!grade.failure.empty()) return "failed";
  return grade.right() ? "right" : "wrong";
}

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

void GradeSummary::add(const BoardGrade& grade) {
  all.add(grade);
  groups[grade.kind].add(grade);
  topics.resize(std::max(topics.size(), grade.topics.size()));
  for (std::size_t i = 0; i < grade.topics.size(); ++i) {
    topics[i].cases += grade.topics[i].cases;
    topics[i].right += grade.topics[i].right;
  }
}

Result<BoardGrade> grade_board(const GradePlan& plan, const GradeBoard& board, const std::stop_token& stop) {
  const auto input = input_for(plan, board);
  if (!input) return fail("the board {}: {}", in_quotes(board.name), input.error().message);
  const auto scratch = sandbox::ScratchFolder::make();
  if (!scratch) return tl::unexpected(scratch.error());
  const auto beside = sandbox::ScratchFolder::make("grade");
  if (!beside) return tl::unexpected(beside.error());
  play::Launch launch = plan.launch(scratch->path());
  launch.error_log = beside->path() + "/errors";
  const auto before = Clock::now();
  const auto run = sandbox::run_program(launch, *input, before + plan.time, max_output, stop);
  if (!run) return tl::unexpected(run.error());
  const auto time = run->use.charged(std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - before));
  if (run->cut == sandbox::ProgramRun::Cut::stopped) return fail("stopped");
  auto answers = plan.protocol == GradeProtocol::files ? files_in(scratch->path()) : lines_of(run->output);
  auto grade = best_reading(plan, board, answers);
  if (!grade) return grade;
  grade->board = board.name;
  grade->kind = board.kind;
  grade->time = time;
  if (!run->ended_well()) grade->failure = words_for(*run);
  grade->input = *input;
  grade->given = std::move(answers);
  grade->standard_error = read_start(launch.error_log, max_error_text);
  grade->end = end_text(*run);
  return grade;
}

}  // namespace paika::grading
