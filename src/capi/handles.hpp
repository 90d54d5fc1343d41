// What the handles of include/paika.h are, and how errors of the engine become those of C.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <paika.h>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/in_use.hpp"
#include "base/result.hpp"
#include "engine/engine.hpp"
#include "engine/tables.hpp"
#include "play/played_position.hpp"
#include "play/settings.hpp"
#include "rules/notation.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names of C
struct paika_game {
  paika::GamePtr game;
  std::string spec;
};

struct paika_position {
  paika::play::PlayedPosition position;
};

struct paika_moves {
  std::vector<std::string> texts;
  std::vector<std::vector<paika_step>> steps;
  std::vector<paika_value> values;  // of a table; else none
  bool truncated = false;
};

struct paika_effects {
  std::vector<paika_effect> effects;
  std::vector<std::string> clauses;  // what the effects point to
  std::vector<std::string> texts;
};

struct paika_engine {
  paika::GamePtr game;
  std::unique_ptr<paika::Engine> engine;
  paika::SearchLimits limits;
  std::atomic<bool> busy{false};
  std::mutex mutex;  // guards stop
  std::stop_source stop;
};

struct paika_table {
  paika::GamePtr game;
  std::unique_ptr<paika::TableBook> book;
  std::atomic<bool> busy{false};
};

struct paika_records {
  std::vector<paika::play::GameRecord> records;
};
// NOLINTEND(readability-identifier-naming)

namespace paika::capi {

/// Keeps what paika_error() and its like say to this thread; returns the status.
paika_status fail_with(paika_status status, std::string message);
paika_status fail_with(const Notation& notation, const Refusal& refusal);
void clear_error() noexcept;
/// For when there is no memory even for a message.
paika_status fail_without_memory() noexcept;

/// Runs the body of a function of the interface, which is told the function's name: no exception leaves it.
template <class F>
paika_status guarded(const char* function, F&& body) noexcept {
  try {
    clear_error();
    return body(function);
  } catch (const std::bad_alloc&) {
    return fail_without_memory();
  } catch (const std::exception& error) {
    try {
      return fail_with(PAIKA_INTERNAL, std::string("internal error: ") + error.what());
    } catch (...) {
      return fail_without_memory();
    }
  } catch (...) {
    return PAIKA_INTERNAL;
  }
}

/// PAIKA_BAD_ARGUMENT and its message: "paika_game_open: spec is null".
paika_status null_argument(std::string_view function, std::string_view argument);

/// `text` as the caller will free it.
[[nodiscard]] char* copied(std::string_view text);

/// The words of enums and the names of players are literals, which end with a zero.
[[nodiscard]] constexpr const char* c_word(std::string_view literal) noexcept { return literal.data(); }

[[nodiscard]] paika_cell c_cell(const Notation& notation, const Cell& cell);
[[nodiscard]] paika_outcome c_outcome(const Outcome& outcome) noexcept;
[[nodiscard]] std::vector<paika_step> c_steps(const Turn& turn);
/// The steps of a caller; nothing if one is of no kind.
[[nodiscard]] std::optional<Turn> turn_of(const paika_step* steps, std::size_t count);

/// True if the two are the same game with the same options.
[[nodiscard]] bool same_game(const Game& a, const Game& b);
paika_status other_game(std::string_view function, const Game& wanted, const Game& given);

}  // namespace paika::capi

// The check that most bodies begin with; it names the parameter that is null.
#define PAIKA_NEED(argument) \
  if ((argument) == nullptr) return ::paika::capi::null_argument(function, #argument)
