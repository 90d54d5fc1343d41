// What the sources of the extension share: pybind11, errors, and moves as Python gives them.
#pragma once

#include <cstdint>
#include <optional>
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <unistd.h>
#include <utility>

#include "base/result.hpp"
#include "play/played_position.hpp"

namespace paika::python {

namespace py = pybind11;
using play::PlayedPosition;

/// The value, or ValueError with our message.
template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw py::value_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Deletes the object only in the process that made it: its threads do not exist in a fork.
template <class T>
struct DeleteWhereMade {
  pid_t made_in = getpid();
  [[nodiscard]] bool here() const { return getpid() == made_in; }
  void operator()(T* made) const {
    if (here()) delete made;
  }
};

// Arguments as Python gives them. `what` names the argument in the TypeError or ValueError that says what is wrong with
// it.

/// Text; ValueError if it has surrogates, which UTF-8 cannot write.
[[nodiscard]] std::string text_of(const py::object& text, const char* what);
/// A whole number; nothing if 64 bits do not hold it.
[[nodiscard]] std::optional<std::int64_t> whole_number(const py::object& number, const char* what);
/// A whole number from min to max; ValueError if it is another.
[[nodiscard]] std::int64_t number_of(const py::object& number, const char* what, std::int64_t min, std::int64_t max);
/// A path, as the file system wants it.
[[nodiscard]] std::string path_of(const py::object& path, const char* what);
/// A paika.Position; it lives as long as the argument.
[[nodiscard]] const PlayedPosition& position_of(const py::object& position);
/// A game: its spec, or a paika.Game. ValueError says what is wrong with a spec.
[[nodiscard]] std::shared_ptr<Game> game_of(const py::object& game);

/// Raises paika.IllegalMove with the sentence, its clause and its squares.
[[noreturn]] void throw_refusal(const Notation& notation, const Refusal& refusal);

/// A move as Python gives it: its text, or its steps as pairs like ("from", "c2"), ("approach", "").
[[nodiscard]] Turn turn_of(const PlayedPosition& position, const py::object& move);
/// Likewise without asking whether it is legal; ValueError if it is not even of the right form.
[[nodiscard]] Turn steps_of(const Notation& notation, const py::object& steps);
/// Steps as Python sees them.
[[nodiscard]] py::list step_list(const Notation& notation, const Turn& turn);

void bind_positions(py::module_& module);
void bind_search(py::module_& module);
void bind_environments(py::module_& module);

}  // namespace paika::python
