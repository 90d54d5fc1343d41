#include "apps/terminal/locale.hpp"

#include <cstdlib>
#include <string_view>

#include "base/catalogue.hpp"
#include "base/text.hpp"

namespace paika::terminal {

namespace {

/// The first of the variables that is set and not empty; "" if none is.
std::string_view locale_name(const char* category) {
  for (const char* variable : {"LC_ALL", category, "LANG"}) {
    const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nothing here sets the environment
    if (value != nullptr && *value != '\0') return value;
  }
  return "";
}

}  // namespace

std::string language_of_environment() { return language_of_locale(locale_name("LC_MESSAGES")); }

bool unicode_of_environment() {
  const std::string name = lowered(locale_name("LC_CTYPE"));
  return name.find("utf-8") != std::string::npos || name.find("utf8") != std::string::npos;
}

}  // namespace paika::terminal
