#include "server/classes/push_hook.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "server/git/git_program.hpp"
#include "server/git/repositories.hpp"

namespace paika::server {

namespace {

constexpr std::string_view only_branch = "refs/heads/main";
constexpr std::size_t max_updates = std::size_t{1} << 16;
constexpr std::size_t max_list = std::size_t{1} << 20;  // of a tree

bool is_zero(std::string_view object) { return object.find_first_not_of('0') == std::string_view::npos; }

/// What git prints, or an error if it fails.
Result<std::string> ask_git(std::vector<std::string> words, std::string_view input = {},
                            std::size_t max_output = std::size_t{1} << 16) {
  auto run = run_git({.words = std::move(words), .as_hook = true}, input, max_output);
  if (!run) return tl::unexpected(run.error());
  if (run->status != 0) return fail("{}", trimmed(run->errors));
  return std::move(run->output);
}

/// Whether git would take the update after we have: what it finds wrong later would come too late.
Result<void> check_update(const RefUpdate& update) {
  const auto kind = ask_git({"cat-file", "-t", update.after});
  if (!kind) return tl::unexpected(kind.error());
  if (trimmed(*kind) != "commit") return fail("main must be a commit, not a {}", trimmed(*kind));
  if (is_zero(update.before)) return {};
  const auto run = run_git({.words = {"merge-base", "--is-ancestor", update.before, update.after}, .as_hook = true});
  if (!run) return tl::unexpected(run.error());
  if (run->status == 0) return {};
  return fail("what was pushed before must stay in the history of main: pull it first (git pull --rebase), then push");
}

/// The contents of the files, in their order.
Result<std::vector<BotFile>> read_files(const std::vector<TreeFile>& tree) {
  std::string wanted;
  for (const TreeFile& file : tree) wanted += file.object + "\n";
  constexpr std::size_t max_heads = max_bot_files * 128;
  auto contents = ask_git({"cat-file", "--batch"}, wanted, max_bot_bytes + max_heads);
  if (!contents) return tl::unexpected(contents.error());
  std::string_view rest = *contents;
  std::vector<BotFile> files;
  for (const TreeFile& file : tree) {
    // "OBJECT blob SIZE", the content, and the end of a line.
    const std::string_view head = rest.substr(0, rest.find('\n'));
    const auto size = parse_int(head.substr(head.rfind(' ') + 1));
    if (!size || *size < 0 || head.size() + 2 + static_cast<std::size_t>(*size) > rest.size()) {
      return fail("{} cannot be read", in_quotes(file.path));
    }
    files.push_back({file.path, std::string(rest.substr(head.size() + 1, static_cast<std::size_t>(*size)))});
    rest.remove_prefix(head.size() + 2 + static_cast<std::size_t>(*size));
  }
  return files;
}

Result<std::vector<BotFile>> read_push(std::string_view updates) {
  const auto update = read_updates(updates);
  if (!update) return tl::unexpected(update.error());
  if (const auto fine = check_update(*update); !fine) return tl::unexpected(fine.error());
  const auto list = ask_git({"ls-tree", "-r", "-l", "-z", "--full-tree", update->after}, {}, max_list);
  if (!list) return fail("the files of the commit cannot be listed: {}", list.error().message);
  const auto tree = read_tree(*list);
  if (!tree) return tl::unexpected(tree.error());
  return read_files(*tree);
}

bool send_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::send(hook_socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
  return ::shutdown(hook_socket, SHUT_WR) == 0;
}

void report(std::string_view text) {
  fmt::print("{}\n", text);
  static_cast<void>(std::fflush(stdout));
}

/// Says the server's lines; true if it has accepted.
bool relay() {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::recv(hook_socket, buffer.data(), buffer.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      report("the server has ended: push again in a moment");
      return false;
    }
    text.append(buffer.data(), static_cast<std::size_t>(count));
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      const std::string line = text.substr(0, end);
      text.erase(0, end + 1);
      if (line == accepted_line || line == refused_line) return line == accepted_line;
      report(std::string_view(line).substr(std::min<std::size_t>(1, line.size())));
    }
  }
}

int run_hook() {
  std::string updates;
  for (std::string line; updates.size() < max_updates && std::getline(std::cin, line);) updates += line + "\n";
  const auto files = read_push(updates);
  if (!files) {
    report("refused: " + plain_text(files.error().message));
    return 1;
  }
  if (!send_all(bot_files_json(*files).dump())) {
    report("refused: the server does not answer");
    return 1;
  }
  return relay() ? 0 : 1;
}

}  // namespace

std::optional<int> run_as_push_hook(const char* program) {
  const std::string_view path = program == nullptr ? "" : program;
  if (path.substr(path.rfind('/') + 1) != hook_name) return std::nullopt;
  return run_hook();
}

Result<RefUpdate> read_updates(std::string_view text) {
  const auto lines = split(trimmed(text), '\n');
  const auto words = split(lines.front(), ' ');
  if (lines.size() != 1 || words.size() != 3 || words[2] != only_branch) {
    return fail("only the branch main is taken, without tags and other branches: git push URL main");
  }
  if (is_zero(words[1])) return fail("main cannot be deleted");
  return RefUpdate{std::string(words[0]), std::string(words[1]), std::string(words[2])};
}

Result<std::vector<TreeFile>> read_tree(std::string_view list) {
  std::vector<TreeFile> files;
  std::size_t bytes = 0;
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find('\0'));
    list.remove_prefix(std::min(list.size(), entry.size() + 1));
    // "MODE KIND OBJECT SIZE\tPATH", the size with blanks before it.
    const std::size_t tab = entry.find('\t');
    std::string_view head = entry.substr(0, tab);
    const std::string path(tab == std::string_view::npos ? "" : entry.substr(tab + 1));
    const std::string_view mode = take_word(head);
    const std::string_view kind = take_word(head);
    const std::string_view object = take_word(head);
    if (kind == "commit") return fail("{} is a submodule: add its files instead", in_quotes(path));
    if (mode == "120000") return fail("{} is a symbolic link: add the file itself", in_quotes(path));
    const auto size = parse_int(trimmed(head));
    if (kind != "blob" || !size || *size < 0) return fail("{} is no file", in_quotes(path));
    const auto parts = split(path, '/');
    if (std::any_of(parts.begin(), parts.end(), [](std::string_view part) { return part.starts_with('.'); })) continue;
    if (const auto fine = check_bot_path(path); !fine) return tl::unexpected(fine.error());
    bytes += static_cast<std::size_t>(*size);
    if (bytes > max_bot_bytes) return fail("the files have more than {} bytes in all", max_bot_bytes);
    if (files.size() == max_bot_files) return fail("a bot has at most {} files", max_bot_files);
    files.push_back({std::string(object), path});
  }
  if (files.empty()) return fail("the commit has no files");
  return files;
}

}  // namespace paika::server
