// What the engine in the browser does without: exceptions.
#include <cstddef>
#include <cstdlib>

// The compiler leaves handlers away (-fignore-exceptions), so a throw ends the module, and the page starts another.
namespace __cxxabiv1 {
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier): the names are those of the C++ ABI
void* __cxa_allocate_exception(std::size_t /*size*/) noexcept { std::abort(); }
void __cxa_throw(void* /*thrown*/, void* /*type*/, void (* /*destroy*/)(void*)) { std::abort(); }
// NOLINTEND(bugprone-reserved-identifier)
}
}  // namespace __cxxabiv1
