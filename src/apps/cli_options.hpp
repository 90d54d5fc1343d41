// What the sources that define options of the command line share. CLI11 is heavy to compile: only those include this.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <functional>
#include <string>

#include "apps/commands.hpp"
#include "base/text.hpp"

namespace paika::apps {

inline constexpr int max_number = 2'000'000'000;

/// A whole number in decimal. CLI11's own reading takes 010 for eight and says of "x" that it is too large.
inline CLI::Option* add_number(CLI::App& command, const std::string& name, int& value, const std::string& meaning,
                               int least, int most) {
  return command
      .add_option_function<std::string>(
          name,
          [&value, name, least, most](const std::string& text) {
            const auto number = parse_int(text);
            if (!number || *number < least || *number > most) {
              throw CLI::ValidationError(
                  name, fmt::format("must be a whole number from {} to {}, not {}", least, most, in_quotes(text)));
            }
            value = static_cast<int>(*number);
          },
          meaning)
      ->type_name("NUMBER");
}

/// What the commands for programs of the classes fill in.
struct ClassArgs {
  FanoronaArgs& server;
  FanoronaArgs& client;
  GradeArgs& grade;
};

/// Adds fanorona-server, fanorona-client and grade; what is to be run goes to `chosen` (class_commands.cpp).
void add_class_commands(CLI::App& app, ClassArgs args, std::function<int()>& chosen);

}  // namespace paika::apps
