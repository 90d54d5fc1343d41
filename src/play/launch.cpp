#include "play/launch.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sys/wait.h>
#include <utility>

#include "base/text.hpp"

namespace paika::play {

namespace {

constexpr int last_signal = 64;

using Kind = Ending::Kind;
constexpr std::array<std::pair<Kind, std::string_view>, 5> kinds = {{{Kind::exited, "exited"},
                                                                     {Kind::signalled, "signalled"},
                                                                     {Kind::memory, "memory"},
                                                                     {Kind::processor, "processor"},
                                                                     {Kind::output, "output"}}};

/// What a signal means; the system's own words depend on the language of the environment.
std::string signal_words(int signal) {
  static constexpr std::array<std::pair<int, std::string_view>, 14> known = {{{SIGHUP, "hang-up"},
                                                                              {SIGINT, "interrupt"},
                                                                              {SIGQUIT, "quit"},
                                                                              {SIGILL, "illegal instruction"},
                                                                              {SIGTRAP, "trap"},
                                                                              {SIGABRT, "abort"},
                                                                              {SIGBUS, "bus error"},
                                                                              {SIGFPE, "arithmetic error"},
                                                                              {SIGKILL, "kill"},
                                                                              {SIGSEGV, "segmentation fault"},
                                                                              {SIGPIPE, "broken pipe"},
                                                                              {SIGTERM, "termination"},
                                                                              {SIGXCPU, "processor time"},
                                                                              {SIGSYS, "forbidden system call"}}};
  const auto* const found = std::find_if(known.begin(), known.end(), [&](auto& pair) { return pair.first == signal; });
  return found == known.end() ? fmt::format("signal {}", signal) : fmt::format("signal {} ({})", signal, found->second);
}

constexpr std::string_view how_to_show = "let it read the folder: --read, or read = [...] in a plan";

/// The program as a path, if it names one or is in the search path; else empty.
std::string find_program(std::string_view name, const std::string& folder, std::string_view search_path) {
  std::error_code error;
  if (name.find('/') != std::string_view::npos) {
    const auto path = std::filesystem::path(folder.empty() ? "." : folder) / name;
    return std::filesystem::exists(path, error) ? path.string() : "";
  }
  for (const std::string_view place : split(search_path, ':')) {
    const auto path = std::filesystem::path(place) / name;
    if (std::filesystem::exists(path, error)) return path.string();
  }
  return "";
}

/// The first line of a file without its end; empty if it cannot be read.
std::string first_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line(256, '\0');
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(file.gcount()));
  return line.substr(0, line.find('\n'));
}

}  // namespace

std::string not_found_reason(std::string_view command, const std::string& folder, std::string_view search_path,
                             const std::function<bool(const std::string&)>& visible) {
  const std::string word(take_word(command));
  const std::string program = find_program(word, folder, search_path);
  if (program.empty()) return "";
  if (!visible(program)) return fmt::format("{} is outside what a bot can see; {}", in_quotes(word), how_to_show);
  const std::string first = first_line(program);
  if (!first.starts_with("#!")) return "";
  if (first.ends_with('\r')) {
    return fmt::format("the first line of {} ends with a carriage return: save it with line ends of Unix",
                       in_quotes(word));
  }
  std::string_view rest = std::string_view(first).substr(2);
  std::string interpreter(take_word(rest));
  // `env` looks for the program that follows.
  if (interpreter.ends_with("/env")) interpreter = take_word(rest);
  const std::string found = find_program(interpreter, folder, search_path);
  if (found.empty()) {
    return fmt::format("the interpreter {} that the first line of {} names is not there", in_quotes(interpreter),
                       in_quotes(word));
  }
  if (visible(found)) return "";
  return fmt::format("the interpreter {} that the first line of {} names is outside what a bot can see; {}",
                     in_quotes(interpreter), in_quotes(word), how_to_show);
}

Launch shell_launch(const std::string& command, const std::string& error_log) {
  Launch launch;
  launch.text = command;
  launch.words = {"/bin/sh", "-c", command};
  launch.error_log = error_log;
  return launch;
}

std::string words_for(const Ending& ending) {
  switch (ending.kind) {
    case Kind::exited:
      // The two numbers by which shells say that they could not run something at all.
      if (ending.number == 126) return "it ended with status 126 (the command cannot be run: is it executable?)";
      if (ending.number == not_found_status) {
        return fmt::format("it ended with status 127 ({})",
                           ending.detail.empty() ? "there is no such command" : ending.detail);
      }
      return fmt::format("it ended with status {}", ending.number);
    case Kind::signalled:
      if (!ending.detail.empty()) return "it was ended: " + ending.detail;
      return "it was ended by " + signal_words(ending.number);
    case Kind::memory: return "it used too much memory: " + ending.detail;
    case Kind::processor: return "it used too much of the processor: " + ending.detail;
    case Kind::output: return "it wrote too much: " + ending.detail;
  }
  return "";
}

Failure failure_of(const Ending& ending) noexcept {
  switch (ending.kind) {
    case Kind::memory: return Failure::memory;
    case Kind::processor: return Failure::time;
    case Kind::output: return Failure::flood;
    case Kind::exited:
    case Kind::signalled: break;
  }
  return Failure::crash;
}

Ending ending_of(int wait_status) {
  if (WIFSIGNALED(wait_status)) return {Kind::signalled, WTERMSIG(wait_status), ""};
  const int status = WEXITSTATUS(wait_status);
  if (status > 128 && status <= 128 + last_signal) return {Kind::signalled, status - 128, ""};
  return {Kind::exited, status, ""};
}

std::string status_line(const Ending& ending) {
  const auto* const kind = std::find_if(kinds.begin(), kinds.end(), [&](auto& k) { return k.first == ending.kind; });
  return fmt::format("{} {} {}", kind->second, ending.number, ending.detail);
}

std::optional<Ending> read_status_line(std::string_view line) {
  const std::string_view word = take_word(line);
  const auto* const kind = std::find_if(kinds.begin(), kinds.end(), [&](auto& k) { return k.second == word; });
  const auto number = parse_int(take_word(line));
  if (kind == kinds.end() || !number) return std::nullopt;
  return Ending{kind->first, static_cast<int>(*number), std::string(trimmed(line))};
}

std::string use_line(const ProcessorUse& use) {
  const auto since = std::chrono::duration_cast<std::chrono::microseconds>(use.running_since.time_since_epoch());
  return fmt::format("used {} {} {}", use.used.count(), use.waited.count(), since.count());
}

std::optional<ProcessorUse> read_use_line(std::string_view line) {
  if (take_word(line) != "used") return std::nullopt;
  std::array<std::chrono::microseconds, 3> numbers{};
  for (auto& number : numbers) {
    const auto read = parse_int(take_word(line));
    if (!read || *read < 0) return std::nullopt;
    number = std::chrono::microseconds(*read);
  }
  return ProcessorUse{numbers[0], numbers[1], std::chrono::steady_clock::time_point(numbers[2])};
}

}  // namespace paika::play
