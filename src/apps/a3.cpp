// a3: reads a board file from standard input and writes every board that can follow it into the
// current directory as board.000, board.001, ... (docs/rules/wildebeest.md, section 7).
//
// It writes all files or none: bad input writes nothing, and boards get their names only when all of
// them have been written. Exit status: 0 done, 2 bad input or a failure, told on stderr.
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

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
    "SPEC is wildebeest (the standard) or wildebeest:pads=cycle,swarm=forbid.\n";

/// A board file is a few hundred bytes; anything this long is a mistake, and is not read to its end.
constexpr std::size_t longest_input = std::size_t{1} << 20;

Result<std::string> read_all(std::istream& in) {
  std::string text(longest_input + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return fail("standard input cannot be read");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > longest_input) return fail("standard input is longer than {} bytes", longest_input);
  return text;
}

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

/// Where a board is written first, so that a failure half way leaves older boards as they were.
std::string draft_of(const std::string& name) { return name + ".a3-draft"; }

void remove_drafts(const std::vector<std::string>& names) {
  std::error_code ignored;
  for (const std::string& name : names) std::filesystem::remove(draft_of(name), ignored);
}

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  return !out.fail();
}

std::string board_name(std::size_t number) { return fmt::format("board.{:03}", number); }

/// Drafts of all boards under `names`; if one fails, none is left.
Result<void> write_drafts(const std::vector<std::string>& texts, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    // A folder of that name would refuse the finished board when others have been named already.
    const bool free = !std::filesystem::is_directory(names[i]);
    if (free && write_file(draft_of(names[i]), texts[i])) continue;
    remove_drafts(names);
    return fail("{} cannot be written, so no board is written", names[i]);
  }
  return {};
}

/// Writes board.000, board.001, ...: first all drafts, then each gets its name.
Result<void> write_all(const std::vector<std::string>& texts) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < texts.size(); ++i) names.push_back(board_name(i));
  if (const auto drafts = write_drafts(texts, names); !drafts) return drafts;
  for (const std::string& name : names) {
    std::error_code error;
    std::filesystem::rename(draft_of(name), name, error);
    if (!error) continue;
    remove_drafts(names);
    return fail("{} cannot be written: {}", name, error.message());
  }
  return {};
}

Result<void> run(std::string_view spec) {
  const auto options = wildebeest::read_options(spec);
  if (!options) return tl::unexpected(options.error());
  const auto text = read_all(std::cin);
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
  if (const auto done = run(arguments.empty() ? "wildebeest" : arguments[0]); !done) {
    std::cerr << "a3: " << done.error().message << "\n";
    return bad_input;
  }
  return 0;
}
