// The language and the character set of the terminal, from the options and the environment.
#pragma once

#include <string>

namespace paika::terminal {

/// The language that LC_ALL, LC_MESSAGES or LANG (in this order) asks for; "en" if it is not ours.
[[nodiscard]] std::string language_of_environment();

/// True if the locale's characters are UTF-8.
[[nodiscard]] bool unicode_of_environment();

}  // namespace paika::terminal
