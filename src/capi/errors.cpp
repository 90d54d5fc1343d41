// Errors, memory and plain values of the C interface.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

#include "capi/handles.hpp"
#include "engine/diagram.hpp"

namespace paika::capi {

namespace {

struct LastError {
  std::string message;
  std::string clause;
  std::vector<paika_square> squares;
  bool no_memory = false;
};

LastError& last_error() noexcept {
  thread_local LastError error;
  return error;
}

// The numbers of C are those of the engine, so that steps and verdicts are carried over as they are.
static_assert(static_cast<int>(StepKind::place) == PAIKA_STEP_PLACE);
static_assert(static_cast<int>(StepKind::fling) == PAIKA_STEP_FLING && all_step_kinds.size() == PAIKA_STEP_FLING + 1);
static_assert(static_cast<int>(Verdict::first_wins) == PAIKA_FIRST_WINS);
static_assert(static_cast<int>(Verdict::second_wins) == PAIKA_SECOND_WINS);
static_assert(static_cast<int>(Verdict::draw) == PAIKA_DRAW);

}  // namespace

void clear_error() noexcept {
  LastError& error = last_error();
  error.message.clear();
  error.clause.clear();
  error.squares.clear();
  error.no_memory = false;
}

paika_status fail_with(paika_status status, std::string message) {
  last_error().message = std::move(message);
  return status;
}

paika_status fail_with(const Notation& notation, const Refusal& refusal) {
  LastError& error = last_error();
  error.message = refusal_sentence(notation, refusal);
  error.clause = refusal.clause;
  for (const Square s : refusal.squares) error.squares.push_back({s.col, s.row});
  return PAIKA_REFUSED;
}

paika_status fail_without_memory() noexcept {
  clear_error();
  last_error().no_memory = true;
  return PAIKA_NO_MEMORY;
}

paika_status null_argument(std::string_view function, std::string_view argument) {
  return fail_with(PAIKA_BAD_ARGUMENT, fmt::format("{}: {} is null", function, argument));
}

char* copied(std::string_view text) {
  char* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

paika_cell c_cell(const Notation& notation, const Cell& cell) {
  const int owner = cell.owner == Owner::nobody ? -1 : cell.owner == Owner::first ? 0 : 1;
  return {owner, cell.kind, notation.glyph(cell)};
}

paika_outcome c_outcome(const Outcome& outcome) noexcept {
  return {static_cast<paika_verdict>(outcome.verdict), c_word(name(outcome.reason))};
}

std::vector<paika_step> c_steps(const Turn& turn) {
  std::vector<paika_step> steps;
  steps.reserve(turn.size());
  for (const Step& step : turn) {
    steps.push_back({static_cast<paika_step_kind>(step.kind), {step.square.col, step.square.row}});
  }
  return steps;
}

std::optional<Turn> turn_of(const paika_step* steps, std::size_t count) {
  Turn turn;
  for (std::size_t i = 0; i < count; ++i) {
    const auto kind = static_cast<unsigned>(steps[i].kind);
    if (kind >= all_step_kinds.size()) return std::nullopt;
    turn.push_back({static_cast<StepKind>(kind), {steps[i].square.col, steps[i].square.row}});
  }
  return turn;
}

bool same_game(const Game& a, const Game& b) { return &a == &b || a.notation().spec() == b.notation().spec(); }

paika_status other_game(std::string_view function, const Game& wanted, const Game& given) {
  return fail_with(PAIKA_BAD_ARGUMENT, fmt::format("{}: the position is one of {}, not of {}", function,
                                                   given.notation().spec(), wanted.notation().spec()));
}

}  // namespace paika::capi

using paika::capi::last_error;

const char* paika_error(void) {
  return last_error().no_memory ? "there is not enough memory" : last_error().message.c_str();
}

const char* paika_error_clause(void) { return last_error().clause.c_str(); }

size_t paika_error_squares(const paika_square** squares) {
  const auto& found = last_error().squares;
  if (squares != nullptr) *squares = found.empty() ? nullptr : found.data();
  return found.size();
}

void paika_free(void* text) { std::free(text); }

const char* paika_version(void) { return PAIKA_VERSION; }
