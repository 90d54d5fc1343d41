// What the engine in the browser does without: tables of perfect play, opening books in files, and exceptions.
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <utility>

#include "engine/move_value.hpp"
#include "engine/opening_book.hpp"
#include "engine/table_engine.hpp"
#include "server/api/positions_parts.hpp"
#include "server/api/positions_request.hpp"

namespace paika {

std::unique_ptr<Engine> with_tables(const Game& /*game*/, std::unique_ptr<Engine> searcher,
                                    const SearchSettings& /*settings*/) {
  return searcher;
}

Result<BookPtr> read_book(const std::string& /*spec*/, const std::string& path) {
  return fail("there are no files here, such as {}", path);
}

Result<Oracle> certain_oracle(const Game& game, const SearchSettings& settings, int max_empty,
                              const std::stop_token& stop) {
  return ending_oracle(game, settings, max_empty, stop);
}

namespace server {

std::vector<Route> value_routes(const PositionApi& /*api*/) {
  const auto none = [](const Call& call) {
    const auto session = read_session(call.body);
    return session ? no_values(**session) : session.error();
  };
  return {{"POST", "/api/position/values", Rate::position, Need::nobody, PureHandler{none}}};
}

}  // namespace server

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
