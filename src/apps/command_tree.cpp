#include "apps/command_tree.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "base/text.hpp"

namespace paika::apps {

namespace {

CommandOption read_option(const CLI::Option& option) {
  CommandOption read;
  read.meaning = option.get_description();
  read.required = option.get_required();
  if (option.get_positional()) {
    read.names = {option.get_name(true)};
    read.value = read.names.front();
    read.repeats = option.get_items_expected_max() > 1;
    return read;
  }
  for (const std::string& name : option.get_lnames()) read.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) read.names.push_back("-" + name);
  if (option.get_items_expected_max() > 0) read.value = option.get_type_name();
  read.value_optional = !read.value.empty() && option.get_items_expected_min() == 0;
  return read;
}

/// Hidden commands and options are those without a group.
CommandNode read_node(const CLI::App& app, const std::string& path, const std::vector<CommandOption>& from_above) {
  CommandNode node;
  node.path = path;
  node.about = app.get_description();
  node.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? node.arguments : node.options).push_back(read_option(*option));
  }
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_group().empty()) continue;
    const auto& above = command->get_fallthrough() ? node.options : std::vector<CommandOption>{};
    node.commands.push_back(read_node(*command, path + " " + command->get_name(), above));
  }
  for (const CommandOption& option : from_above) {
    const bool known = std::any_of(node.options.begin(), node.options.end(),
                                   [&](const CommandOption& own) { return own.names == option.names; });
    if (!known) node.options.push_back(option);
  }
  return node;
}

/// CLI11 repeats the user's words as they were; here they are made safe to print, and short.
std::string printable(std::string_view text) {
  constexpr std::size_t most = 300;
  std::string out;
  for (const char c : text.substr(0, most)) out += c == '\n' || (c >= 0x20 && c < 0x7f) ? c : '?';
  return text.size() > most ? out + "..." : out;
}

bool looks_like_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && (word[1] < '0' || word[1] > '9');
}

/// Names the first option that the command of these words does not have; nothing if it has them all.
std::string unknown_option(const CommandNode& tree, std::span<char* const> words) {
  const CommandNode* node = &tree;
  std::size_t at = 0;
  for (; at < words.size(); ++at) {
    const std::string path = node->path + " " + words[at];
    const auto next = std::ranges::find(node->commands, path, &CommandNode::path);
    if (next == node->commands.end()) break;
    node = &*next;
  }
  std::vector<std::string> names;
  for (const CommandOption& option : node->options) names.insert(names.end(), option.names.begin(), option.names.end());
  for (const std::string_view word : words.subspan(at)) {
    const std::string_view name = word.substr(0, word.find('='));
    if (!looks_like_option(name) || std::ranges::find(names, name) != names.end()) continue;
    return fmt::format("{} has no option {}{}; `{} --help` lists them", node->path, in_quotes(name),
                       did_you_mean(name, names), node->path);
  }
  return "";
}

}  // namespace

CommandNode command_tree(const CLI::App& app) { return read_node(app, app.get_name(), {}); }

std::string parse_complaint(const CLI::App& app, int argc, char** argv, std::string_view error) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  if (argc < 2 || argv[1][0] == '-' || std::find(names.begin(), names.end(), argv[1]) != names.end()) {
    const bool extra = error.starts_with("The following argument");
    const std::string unknown =
        extra ? unknown_option(command_tree(app), {argv + 1, static_cast<std::size_t>(argc - 1)}) : "";
    return unknown.empty() ? printable(error) + "\nRun with --help to see what is valid." : unknown;
  }
  return fmt::format("there is no command {}{}; the commands are {}", in_quotes(argv[1]), did_you_mean(argv[1], names),
                     listed(names, "and"));
}

}  // namespace paika::apps
