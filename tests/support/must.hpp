// What a test takes for granted: it throws when it is not so, and the test fails with the reason.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace paika_tests {

/// The message of an error, or of a refusal in English.
template <class E>
std::string message_of(const E& error) {
  if constexpr (requires { error.message.english(); }) {
    return error.message.english();
  } else {
    return error.message;
  }
}

/// The value of a result; throws `what` and the error's message if there is none.
template <class R>
typename R::value_type must(R result, std::string_view what) {
  if (!result) throw std::runtime_error(std::string(what) + ": " + message_of(result.error()));
  return *std::move(result);
}

}  // namespace paika_tests
