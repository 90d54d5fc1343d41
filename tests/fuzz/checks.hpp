// What every fuzz target promises of its messages.
#pragma once

#include <string_view>

#include "base/check.hpp"

namespace paika::fuzz {

/// A message for people: there, of bounded length, printable.
inline void check_message(std::string_view message) {
  constexpr std::size_t most = 1500;
  PAIKA_CHECK(!message.empty() && message.size() < most);
  for (const char c : message) PAIKA_CHECK(c == '\n' || (c >= 0x20 && c < 0x7f));
}

}  // namespace paika::fuzz
