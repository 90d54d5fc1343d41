// Manual pages in the macros of man(7), from the same texts as --help.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

#include "apps/command_tree.hpp"

namespace paika::apps {

namespace {

/// A text in which troff sees nothing of its own: hyphens that can be copied, no requests, no escapes.
std::string in_roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '`': out += "\\(ga"; break;
      case '\'': out += "\\(aq"; break;
      case '"': out += "\\(dq"; break;
      case '~': out += "\\(ti"; break;
      case '^': out += "\\(ha"; break;
      default: out += c;
    }
  }
  return out;
}

/// A sentence as it ends a paragraph.
std::string sentence(const std::string& text) {
  const bool ended = text.empty() || std::string_view(".?!)").find(text.back()) != std::string_view::npos;
  return in_roff(text) + (ended && !text.ends_with(')') ? "\n" : ".\n");
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", in_roff(text)); }
std::string slanted(std::string_view text) { return fmt::format("\\fI{}\\fR", in_roff(text)); }

std::string in_synopsis(const CommandOption& argument) {
  const std::string name = slanted(argument.names.front()) + (argument.repeats ? "..." : "");
  return argument.required ? " " + name : fmt::format(" [{}]", name);
}

std::string synopsis(const CommandNode& node) {
  std::string line = bold(node.path);
  if (!node.options.empty()) line += fmt::format(" [{}]", slanted("OPTION"));
  for (const CommandOption& argument : node.arguments) line += in_synopsis(argument);
  if (!node.commands.empty()) line += " " + slanted("COMMAND") + " ...";
  return line + "\n";
}

std::string option_names(const CommandOption& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(bold(name));
  std::string line = fmt::format("{}", fmt::join(names, ", "));
  if (option.value.empty()) return line;
  return line + (option.value_optional ? fmt::format(" [{}]", slanted(option.value)) : " " + slanted(option.value));
}

std::string options_text(const std::vector<CommandOption>& options, bool by_place) {
  std::string text;
  for (const CommandOption& option : options) {
    const std::string head = by_place ? slanted(option.names.front()) : option_names(option);
    text += fmt::format(".TP\n{}\n{}", head, option.meaning.empty() ? "\\&\n" : sentence(option.meaning));
  }
  return text;
}

/// The commands under a command, each with all it takes.
std::string subcommands_text(const CommandNode& node) {
  std::string text;
  for (const CommandNode& command : node.commands) {
    text += fmt::format(".SS {}\n{}.PP\n{}{}{}", in_roff(command.name()), synopsis(command), sentence(command.about),
                        options_text(command.arguments, true), options_text(command.options, false));
  }
  return text;
}

std::string page_name(const CommandNode& node) {
  std::string name = node.path;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string capitals(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::string section(const char* title, const std::string& text) {
  return text.empty() ? "" : fmt::format(".SH {}\n{}", title, text);
}

/// Paragraphs, one per line of the text.
std::string paragraphs(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (at > 0) out += ".PP\n";
    out += in_roff(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return out;
}

const char* const exit_statuses =
    ".TP\n0\nDone.\n.TP\n1\nThe answer is no.\n.TP\n2\nBad input; standard error says what is wrong and what would be "
    "right.\n";

std::string page(const CommandNode& node, const std::string& head, const std::string& name_line,
                 const std::string& description, const std::string& commands, const std::string& see_also) {
  return head + section("NAME", name_line) + section("SYNOPSIS", synopsis(node)) + section("DESCRIPTION", description) +
         section("ARGUMENTS", options_text(node.arguments, true)) +
         section("OPTIONS", options_text(node.options, false)) + section("COMMANDS", commands) +
         section("EXIT STATUS", exit_statuses) + section("SEE ALSO", see_also);
}

}  // namespace

std::vector<ManPage> man_pages(const CommandNode& root, std::string_view version, std::string_view date) {
  const auto head = [&](const CommandNode& node) {
    return fmt::format(".TH {} 1 {} \"{} {}\" \"User Commands\"\n.nh\n.ad l\n", in_roff(capitals(page_name(node))),
                       date, root.name(), version);
  };
  std::vector<ManPage> pages;
  std::string list;
  std::vector<std::string> others;
  for (const CommandNode& node : root.commands) {
    const std::string name = page_name(node);
    list += fmt::format(".TP\n\\fB{}\\fR(1)\n{}", in_roff(name), sentence(node.about));
    others.push_back(fmt::format("\\fB{}\\fR(1)", in_roff(name)));
    pages.push_back(
        {name + ".1", page(node, head(node), fmt::format("{} \\- {}\n", in_roff(name), in_roff(node.about)),
                           sentence(node.about), subcommands_text(node), fmt::format("\\fB{}\\fR(1)\n", root.name()))});
  }
  const std::string title = root.about.substr(0, root.about.find('\n'));
  const std::size_t colon = title.find(": ");
  const std::string what = colon == std::string::npos ? title : title.substr(colon + 2);
  const std::string about = paragraphs(root.about) + (root.footer.empty() ? "" : ".PP\n" + paragraphs(root.footer));
  pages.push_back(
      {page_name(root) + ".1", page(root, head(root), fmt::format("{} \\- {}\n", root.name(), in_roff(what)), about,
                                    list, fmt::format("{}\n", fmt::join(others, ",\n")))});
  return pages;
}

}  // namespace paika::apps
