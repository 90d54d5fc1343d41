// a3: reads a board file from standard input and writes every board that can follow it into the
// current directory as board.000, board.001, ... (docs/rules/wildebeest.md, section 7).
//
// Bad input writes nothing, and boards get their names only when all of them have been written, so a
// full disk leaves older boards as they were. Exit status: 0 done, 2 bad input or a failure, told on
// stderr.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "apps/read_input.hpp"
#include "base/text.hpp"
#include "games/wildebeest/board_file.hpp"
#include "games/wildebeest/instances.hpp"

namespace {

namespace wildebeest = paika::wildebeest;
using paika::fail;
using paika::Result;

constexpr std::string_view usage =
    "usage: a3 [SPEC] < board.txt\n"
    "Writes each board that can follow the one read into board.000, board.001, ... in the current directory.\n"
    "SPEC is wildebeest (the standard) or has options, such as wildebeest:pads=cycle,swarm=forbid.\n";

/// The text of every successor board (6.2), in the order of generation.
std::vector<std::string> successor_files(const wildebeest::BoardFile& file, const wildebeest::Options& options) {
  std::vector<std::string> texts;
  wildebeest::with_rules(options, [&](const auto& rules) {
    const auto position = rules.from_board(file.board);
    rules.for_each_successor(position, [&](const auto& move) {
      texts.push_back(wildebeest::board_file_text(rules.to_board(rules.play(position, move)), file.integers));
      return true;
    });
  });
  return texts;
}

/// A folder of this run's own inside the current one, removed with all that is left in it.
class Drafts {
 public:
  Drafts() : made_(mkdtemp(path_.data()) != nullptr) {}
  Drafts(const Drafts&) = delete;
  Drafts& operator=(const Drafts&) = delete;
  ~Drafts() {
    std::error_code ignored;
    if (made_) std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] bool made() const { return made_; }
  [[nodiscard]] std::string path_of(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_ = ".a3-XXXXXX";
  bool made_;
};

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  return !out.fail();
}

tl::unexpected<paika::Error> cannot_write(const std::string& name, const std::string& why) {
  return fail("{} cannot be written, so no board is written: {}", name, why);
}

/// Writes board.000, board.001, ...: all of them aside first, then each gets its place.
Result<void> write_all(const std::vector<std::string>& texts) {
  const Drafts drafts;
  if (!drafts.made()) return cannot_write("the current directory", std::strerror(errno));
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    names.push_back(fmt::format("board.{:03}", names.size()));
    // Only a folder of that name could refuse the finished board later, when others have been named.
    std::error_code ignored;
    if (std::filesystem::is_directory(names.back(), ignored)) return cannot_write(names.back(), "it is a directory");
    if (!write_file(drafts.path_of(names.back()), text)) return cannot_write(names.back(), std::strerror(errno));
  }
  for (const std::string& name : names) {
    std::error_code error;
    std::filesystem::rename(drafts.path_of(name), name, error);
    if (error) return fail("{} cannot be written: {}", name, error.message());
  }
  return {};
}

Result<void> run(std::string_view spec) {
  const auto options = wildebeest::read_options(spec);
  if (!options) return tl::unexpected(options.error());
  // Input that is too long arrives cut, and then has a wrong line to point at.
  const auto text = paika::apps::read_input(stdin, "standard input");
  if (!text) return tl::unexpected(text.error());
  const auto file = wildebeest::parse_board_file(*text);
  if (!file) return tl::unexpected(file.error());
  return write_all(successor_files(*file, *options));
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.size() == 1 && (arguments[0] == "--help" || arguments[0] == "-h")) {
    std::cout << usage;
    return 0;
  }
  constexpr int bad_input = 2;
  if (arguments.size() > 1 || (arguments.size() == 1 && arguments[0].starts_with('-'))) {
    std::cerr << "a3: it takes one spec at most, not " << paika::in_quotes(arguments.back()) << "\n" << usage;
    return bad_input;
  }
  if (const auto done = run(arguments.empty() ? wildebeest::info().name : arguments[0]); !done) {
    std::cerr << "a3: " << done.error().message << "\n";
    return bad_input;
  }
  return 0;
}
