// Completion scripts for bash, zsh and fish. Each has two generated tables, what can follow a command and what the
// value of an option may be, and a fixed part that walks the words typed so far.
//
// What may stand in a place is a list of words: plain ones to choose from, and @games, @files, @folders, @commands for
// what the shell or the table of games knows; "-" is a value that nothing can guess.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <initializer_list>
#include <utility>

#include "apps/command_tree.hpp"

namespace paika::apps {

namespace {

using Words = std::vector<std::string>;

/// What may stand where --help says `value`: "SPEC", "NUMBER|FILE", "first|mover".
Words candidates(const std::string& value) {
  Words found;
  const auto add = [&](const std::string& part) {
    for (const auto& [name, kind] : {std::pair{"SPEC", "@games"},
                                     {"FILE", "@files"},
                                     {"PATH", "@files"},
                                     {"DATABASE", "@files"},
                                     {"FOLDER", "@folders"},
                                     {"COMMAND", "@commands"}}) {
      if (part == name) found.emplace_back(kind);
    }
    if (std::all_of(part.begin(), part.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; })) {
      found.push_back(part);
    }
  };
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find('|', at), value.size());
    if (end > at) add(value.substr(at, end - at));
    at = end + 1;
  }
  if (found.empty()) found.emplace_back("-");
  return found;
}

/// In single quotes, as bash and zsh read them (close, quote, open), or as fish does.
std::string shell_quoted(std::string_view text, bool fish = false) {
  std::string out = "'";
  for (const char c : text) {
    if (fish && (c == '\'' || c == '\\')) {
      out += '\\';
      out += c;
    } else if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Words all_names(const std::vector<CommandOption>& options) {
  Words names;
  for (const CommandOption& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

template <typename Visit>
void visit_nodes(const CommandNode& node, const Visit& visit) {
  visit(node);
  for (const CommandNode& command : node.commands) visit_nodes(command, visit);
}

/// The patterns and results of a `case` over "PATH OPTION", for options that take a value. `row` is filled with both.
std::string value_rows(const CommandNode& root, std::string_view row, const char* between, bool fish = false) {
  std::string text;
  visit_nodes(root, [&](const CommandNode& node) {
    for (const CommandOption& option : node.options) {
      if (option.value.empty()) continue;
      Words patterns;
      for (const std::string& name : option.names) patterns.push_back(shell_quoted(node.path + " " + name, fish));
      const std::string kinds =
          fmt::format("{}{}", option.value_optional ? "? " : "", fmt::join(candidates(option.value), " "));
      text += fmt::format(fmt::runtime(row), fmt::join(patterns, between), shell_quoted(kinds, fish));
    }
  });
  return text;
}

/// What may stand in each place of a node's arguments, and in all after them.
std::pair<Words, std::string> places(const CommandNode& node) {
  Words all;
  std::string more;
  for (const CommandOption& argument : node.arguments) {
    const std::string kinds = fmt::format("{}", fmt::join(candidates(argument.value), " "));
    all.push_back(shell_quoted(kinds));
    if (argument.repeats) more = kinds;
  }
  return {all, more};
}

std::string with_games(std::string text, const Words& games) {
  const std::string_view hole = "@GAMES@";
  const std::size_t at = text.find(hole);
  return text.replace(at, hole.size(), fmt::format("{}", fmt::join(games, " ")));
}

// ---- bash ----

const char* const bash_walk = R"sh(
# Adds what the kinds allow to the reply.
_paika_reply() {
  local kind words='' found
  for kind in $1; do
    case $kind in
      '?' | -) ;;
      @games) words+=' @GAMES@' ;;
      @files | @folders)
        compopt -o filenames 2>/dev/null
        if [[ $kind == @files ]]; then mapfile -t found < <(compgen -f -- "$cur"); else mapfile -t found < <(compgen -d -- "$cur"); fi
        COMPREPLY+=("${found[@]}")
        ;;
      @commands) mapfile -t found < <(compgen -c -- "$cur") && COMPREPLY+=("${found[@]}") ;;
      *) words+=" $kind" ;;
    esac
  done
  mapfile -t found < <(compgen -W "$words" -- "$cur")
  COMPREPLY+=("${found[@]}")
}

_paika() {
  local IFS=$' \t\n' cur=${COMP_WORDS[COMP_CWORD]} where=paika word commands options arguments more values place=0 i
  COMPREPLY=()
  _paika_command "$where"
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case $word in
      : | =) # bash cuts words here: the rest of the word before
        ((++i < COMP_CWORD)) || return 0
        continue
        ;;
      -*)
        _paika_value "$where $word"
        [[ $values ]] || continue
        [[ ${COMP_WORDS[i + 1]} == = ]] && ((i++))
        if ((i + 1 > COMP_CWORD)); then # --option= and nothing yet
          cur=''
          _paika_reply "$values"
          return 0
        elif ((i + 1 == COMP_CWORD)); then
          [[ $values == '?'* && $cur == -* ]] && continue
          [[ $cur == = ]] && cur=''
          _paika_reply "$values"
          return 0
        fi
        [[ $values == '?'* && ${COMP_WORDS[i + 1]} == -* ]] || ((i++))
        ;;
      *)
        if [[ " $commands " == *" $word "* ]]; then
          where+=" $word"
          place=0
          _paika_command "$where"
        else
          ((place++))
        fi
        ;;
    esac
  done
  [[ $cur == [:=] ]] && return 0
  if [[ $cur == -* ]]; then
    _paika_reply "$options"
  else
    _paika_reply "$commands ${arguments[place]-$more}"
  fi
}

complete -F _paika paika
)sh";

std::string bash_script(const CommandNode& root, const Words& games) {
  std::string text =
      "# Completes command lines of paika in bash. Written by `paika completion bash`.\n\n"
      "# What can follow a command.\n_paika_command() {\n  commands='' options='' more='' arguments=()\n  case $1 in\n";
  visit_nodes(root, [&](const CommandNode& node) {
    Words commands;
    for (const CommandNode& command : node.commands) commands.push_back(command.name());
    const auto [arguments, more] = places(node);
    text += fmt::format("    {}) commands='{}' options='{}' arguments=({}) more={} ;;\n", shell_quoted(node.path),
                        fmt::join(commands, " "), fmt::join(all_names(node.options), " "), fmt::join(arguments, " "),
                        shell_quoted(more));
  });
  text += "  esac\n}\n\n# What the value of an option may be; empty: it takes none.\n_paika_value() {\n  case $1 in\n";
  text += value_rows(root, "    {}) values={} ;;\n", " | ") + "    *) values='' ;;\n  esac\n}\n";
  return with_games(text + bash_walk, games);
}

// ---- zsh ----

const char* const zsh_walk = R"sh(
# Offers what the kinds allow.
_paika_offer() {
  local kind
  local -a plain
  for kind in ${=1}; do
    case $kind in
      '?' | -) ;;
      @games) plain+=(@GAMES@) ;;
      @files) _files ;;
      @folders) _files -/ ;;
      @commands) _command_names -e ;;
      *) plain+=($kind) ;;
    esac
  done
  if (( $#plain )); then compadd -a plain; fi
}

_paika() {
  local where=paika word more values
  local -a commands options arguments
  integer i place=1
  _paika_command $where
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    case $word in
      --*=*) ;;
      -*)
        _paika_value "$where $word"
        [[ -n $values ]] || continue
        if (( i + 1 == CURRENT )); then
          [[ $values == '?'* && $words[CURRENT] == -* ]] && continue
          _paika_offer $values
          return
        fi
        [[ $values == '?'* && $words[i+1] == -* ]] || (( i++ ))
        ;;
      *)
        if (( ${commands[(I)$word:*]} )); then
          where+=" $word"
          place=1
          _paika_command $where
        else
          (( place++ ))
        fi
        ;;
    esac
  done
  if [[ $words[CURRENT] == --*=* ]]; then
    _paika_value "$where ${words[CURRENT]%%=*}"
    compset -P '*='
    _paika_offer "$values"
  elif [[ $words[CURRENT] == -* ]]; then
    _describe -o option options
  else
    (( $#commands )) && _describe command commands
    _paika_offer "${arguments[place]-$more}"
  fi
}

if [[ $funcstack[1] == _paika ]]; then _paika "$@"; else compdef _paika paika; fi
)sh";

/// "NAME:MEANING" for _describe, which reads a colon as the end of the name.
std::string zsh_entry(const std::string& name, const std::string& meaning) {
  return shell_quoted(meaning.empty() ? name : fmt::format("{}:{}", name, first_line(meaning)));
}

std::string zsh_script(const CommandNode& root, const Words& games) {
  std::string text =
      "#compdef paika\n# Completes command lines of paika in zsh. Written by `paika completion zsh`.\n\n"
      "_paika_command() {\n  commands=() options=() arguments=() more=''\n  case $1 in\n";
  visit_nodes(root, [&](const CommandNode& node) {
    Words commands;
    Words options;
    for (const CommandNode& command : node.commands) commands.push_back(zsh_entry(command.name(), command.about));
    for (const CommandOption& option : node.options) {
      for (const std::string& name : option.names) options.push_back(zsh_entry(name, option.meaning));
    }
    const auto [arguments, more] = places(node);
    text += fmt::format("    {})\n      commands=({})\n      options=({})\n      arguments=({}) more={}\n      ;;\n",
                        shell_quoted(node.path), fmt::join(commands, "\n        "), fmt::join(options, "\n        "),
                        fmt::join(arguments, " "), shell_quoted(more));
  });
  text += "  esac\n}\n\n_paika_value() {\n  case $1 in\n" + value_rows(root, "    {}) values={} ;;\n", " | ") +
          "    *) values='' ;;\n  esac\n}\n";
  return with_games(text + zsh_walk, games);
}

// ---- fish ----

const char* const fish_walk = R"sh(
# Prints the command that the words so far lead to, and how many arguments follow it.
function __paika_place
    set -l where paika
    set -l place 0
    set -l words (commandline -opc)
    set -l i 2
    while test $i -le (count $words)
        set -l word $words[$i]
        set i (math $i + 1)
        if string match -q -- '-*' $word
            set -l values (__paika_value "$where $word")
            if test -n "$values"; and test $i -le (count $words)
                if not string match -q -- '\?*' $values; or not string match -q -- '-*' $words[$i]
                    set i (math $i + 1)
                end
            end
        else if contains -- $word (__paika_commands $where)
            set where "$where $word"
            set place 0
        else
            set place (math $place + 1)
        end
    end
    echo $where
    echo $place
end

# Whether the words so far lead to a command and, if a number is given, to that argument of it.
function __paika_at
    set -l place (__paika_place)
    test "$place[1]" = "$argv[1]"; or return 1
    test (count $argv) -eq 1; or test "$place[2]" = "$argv[2]"
end

complete -c paika -f
)sh";

/// The part of a fish rule that says what may stand there.
std::string fish_kinds(const Words& kinds, const Words& games) {
  std::string rule;
  Words plain;
  for (const std::string& kind : kinds) {
    if (kind == "@games") {
      plain.insert(plain.end(), games.begin(), games.end());
    } else if (kind == "@files") {
      rule += " -F";
    } else if (kind == "@folders") {
      rule += " -a '(__fish_complete_directories)'";
    } else if (kind == "@commands") {
      rule += " -a '(__fish_complete_command)'";
    } else if (kind != "-") {
      plain.push_back(kind);
    }
  }
  if (!plain.empty()) rule += fmt::format(" -a '{}'", fmt::join(plain, " "));
  return rule;
}

std::string fish_option(const CommandNode& node, const CommandOption& option, const Words& games) {
  std::string rule = fmt::format("complete -c paika -n '__paika_at \"{}\"'", node.path);
  for (const std::string& name : option.names) {
    rule += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty()) {
    const Words kinds = candidates(option.value);
    const bool files = std::find(kinds.begin(), kinds.end(), "@files") != kinds.end();
    // -x: without it fish offers files wherever a value is required.
    if (!option.value_optional) rule += files ? " -r" : " -x";
    rule += fish_kinds(kinds, games);
  }
  if (!option.meaning.empty()) rule += " -d " + shell_quoted(first_line(option.meaning), true);
  return rule + "\n";
}

std::string fish_rules(const CommandNode& node, const Words& games) {
  std::string text;
  for (const CommandNode& command : node.commands) {
    text += fmt::format("complete -c paika -n '__paika_at \"{}\" 0' -a {} -d {}\n", node.path, command.name(),
                        shell_quoted(first_line(command.about), true));
  }
  for (std::size_t i = 0; i < node.arguments.size(); ++i) {
    const std::string kinds = fish_kinds(candidates(node.arguments[i].value), games);
    if (kinds.empty()) continue;
    const std::string place = node.arguments[i].repeats ? "" : fmt::format(" {}", i);
    text += fmt::format("complete -c paika -n '__paika_at \"{}\"{}'{}\n", node.path, place, kinds);
  }
  for (const CommandOption& option : node.options) text += fish_option(node, option, games);
  return text;
}

std::string fish_script(const CommandNode& root, const Words& games) {
  std::string text =
      "# Completes command lines of paika in fish. Written by `paika completion fish`.\n\n"
      "# The commands under a command, one per line.\nfunction __paika_commands\n    switch \"$argv[1]\"\n";
  std::string rules;
  visit_nodes(root, [&](const CommandNode& node) {
    rules += fish_rules(node, games);
    if (node.commands.empty()) return;
    text += fmt::format("        case {}\n            printf '%s\\n'", shell_quoted(node.path, true));
    for (const CommandNode& command : node.commands) text += " " + command.name();
    text += "\n";
  });
  text +=
      "    end\nend\n\n# What the value of an option may be; nothing if it takes none.\nfunction __paika_value\n"
      "    switch \"$argv[1]\"\n" +
      value_rows(root, "        case {}\n            echo {}\n", " ", true) + "    end\nend\n";
  return text + fish_walk + rules;
}

}  // namespace

std::optional<std::string> completion_script(const CommandNode& root, std::string_view name,
                                             const std::vector<std::string>& games) {
  if (name == "bash") return bash_script(root, games);
  if (name == "zsh") return zsh_script(root, games);
  if (name == "fish") return fish_script(root, games);
  return std::nullopt;
}

}  // namespace paika::apps
