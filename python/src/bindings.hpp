// What the sources of the extension share: pybind11, errors, and moves as Python gives them.
#pragma once

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

/// Deletes what has threads where it was made. A process that was forked from there has none of them, and would wait
/// for them in vain.
template <class T>
struct DeleteWhereMade {
  pid_t made_in = getpid();
  [[nodiscard]] bool here() const { return getpid() == made_in; }
  void operator()(T* made) const {
    if (here()) delete made;
  }
};

/// A game as Python gives it: its spec, or a paika.Game. ValueError says what is wrong with a spec.
[[nodiscard]] std::shared_ptr<Game> game_of(const py::object& game);

/// Raises paika.IllegalMove with the sentence, its clause and its squares.
[[noreturn]] void throw_refusal(const Notation& notation, const Refusal& refusal);

/// A move as Python gives it: its text, or its steps as pairs like ("from", "c2"), ("approach", "").
[[nodiscard]] Turn turn_of(const PlayedPosition& position, const py::object& move);
/// Likewise without asking whether it is legal; ValueError if it is not even of the right form.
[[nodiscard]] Turn steps_of(const Notation& notation, const py::iterable& steps);
/// Steps as Python sees them.
[[nodiscard]] py::list step_list(const Notation& notation, const Turn& turn);

void bind_positions(py::module_& module);
void bind_search(py::module_& module);
void bind_environments(py::module_& module);

}  // namespace paika::python
