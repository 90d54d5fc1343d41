// Result<T>: a value, or an Error that a person can act on.
//
// Everything a person, a file or a peer can get wrong is reported through a Result. The message says
// what was wrong, where, and what would be right. Our own bugs are checks (base/check.hpp) instead.
#pragma once

#include <fmt/format.h>
#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "base/phrase.hpp"

namespace paika {

/// Why an input was refused, as a sentence for the person who gave it.
struct Error {
  std::string message;  // in English, for the command line, protocols and files
  Phrase phrase{};      // the same for a screen in any language; empty: only the message is known

  /// What a Catalogue says of it, or a part of a longer sentence.
  [[nodiscard]] Phrase words() const { return phrase.empty() ? Phrase::verbatim(message) : phrase; }
  friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = tl::expected<T, Error>;

/// An error whose message is built as by fmt::format: one that no player of a game meets on a screen.
template <class... Args>
[[nodiscard]] tl::unexpected<Error> fail(fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected<Error>(Error{fmt::format(format, std::forward<Args>(args)...)});
}

/// An error that can be said in every language.
[[nodiscard]] inline tl::unexpected<Error> fail(Phrase words) {
  std::string message = words.english();
  return tl::unexpected<Error>(Error{std::move(message), std::move(words)});
}

}  // namespace paika
