// What the engine in the browser does without: opening books in files, and exceptions.
#include <cstddef>
#include <cstdlib>

#include "engine/opening_book.hpp"

namespace paika {

Result<BookPtr> read_book(const std::string& /*spec*/, const std::string& path) {
  return fail("there are no files here, such as {}", path);
}

}  // namespace paika

// The compiler leaves handlers away (-fignore-exceptions), so a throw ends the module, and the page starts another.
namespace __cxxabiv1 {
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): the names are those of the C++ ABI
void* __cxa_allocate_exception(std::size_t /*size*/) noexcept { std::abort(); }
void __cxa_throw(void* /*thrown*/, void* /*type*/, void (* /*destroy*/)(void*)) { std::abort(); }
// NOLINTEND(bugprone-reserved-identifier)
}
}  // namespace __cxxabiv1
