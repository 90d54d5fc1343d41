// What Python gives where text, a number or a path is wanted: read here, so that errors are ours and name the argument.
#include <fmt/format.h>

#include "bindings.hpp"
#include "engine/registry.hpp"

namespace paika::python {

namespace {

/// How Python writes a value.
std::string written(const py::handle& value) { return text_of(py::repr(value), "what repr() returns"); }

/// Raises TypeError for an argument that is not what it should be.
[[noreturn]] void throw_type(const char* what, const char* wanted, const py::handle& given) {
  throw py::type_error(fmt::format("{} must be {}, not {}", what, wanted, written(given)));
}

/// Raises `what must be wanted` if Python has just raised TypeError, else what Python has raised.
[[noreturn]] void rethrow(const char* what, const char* wanted, const py::handle& given) {
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw py::error_already_set();
  PyErr_Clear();
  throw_type(what, wanted, given);
}

}  // namespace

std::string text_of(const py::object& text, const char* what) {
  if (!py::isinstance<py::str>(text)) throw_type(what, "a text", text);
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  throw py::value_error(fmt::format("{} has a character that UTF-8 cannot write: {}", what, written(text)));
}

std::optional<std::int64_t> whole_number(const py::object& number, const char* what) {
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(number.ptr()));
  if (!index) rethrow(what, "a whole number", number);
  int overflow = 0;
  const std::int64_t value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  return overflow == 0 ? std::optional(value) : std::nullopt;
}

std::int64_t number_of(const py::object& number, const char* what, std::int64_t min, std::int64_t max) {
  const auto value = whole_number(number, what);
  if (value && *value >= min && *value <= max) return *value;
  throw py::value_error(fmt::format("{} must be from {} to {}, not {}", what, min, max, written(number)));
}

std::string path_of(const py::object& path, const char* what) {
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(path.ptr(), static_cast<void*>(&bytes)) == 0) rethrow(what, "a path", path);
  return py::reinterpret_steal<py::bytes>(bytes);
}

const PlayedPosition& position_of(const py::object& position) {
  if (py::isinstance<PlayedPosition>(position)) return position.cast<const PlayedPosition&>();
  throw_type("the position", "a paika.Position, such as paika.game('othello').start()", position);
}

std::shared_ptr<Game> game_of(const py::object& game) {
  if (py::isinstance<Game>(game)) return game.cast<std::shared_ptr<Game>>();
  if (!py::isinstance<py::str>(game)) throw_type("the game", "a spec such as 'othello:6x6', or a paika.Game", game);
  return std::const_pointer_cast<Game>(value_or_throw(open_game(text_of(game, "the spec"))));
}

}  // namespace paika::python
