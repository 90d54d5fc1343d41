// paika._core: the extension module under the Python package.
#include "bindings.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the name that Python asks for
PYBIND11_MODULE(_core, module) {
  module.attr("__module__") = "paika";  // where people find what is defined here
  module.doc() = "The engine of Paika. Use the package paika instead.";
  module.attr("__version__") = PAIKA_VERSION;
  paika::python::bind_positions(module);
  paika::python::bind_search(module);
  paika::python::bind_environments(module);
}
