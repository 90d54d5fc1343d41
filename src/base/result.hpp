// Result<T>: a value, or an Error that a person can act on.
//
// Everything a person, a file or a peer can get wrong is reported through a Result. The message says
// what was wrong, where, and what would be right. Our own bugs are checks (base/check.hpp) instead.
#pragma once

#include <fmt/format.h>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace paika {

/// Why an input was refused, as a sentence for the person who gave it.
struct Error {
  std::string message;
  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = tl::expected<T, Error>;

/// An error whose message is built as by fmt::format.
template <class... Args>
[[nodiscard]] tl::unexpected<Error> fail(fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected<Error>(Error{fmt::format(format, std::forward<Args>(args)...)});
}

}  // namespace paika
