#include "tests/fuzz/study_targets.hpp"

#include "base/check.hpp"
#include "engine/registry.hpp"
#include "study/book_growth.hpp"
#include "study/formats.hpp"
#include "study/puzzles.hpp"
#include "study/tree_text.hpp"
#include "tests/fuzz/checks.hpp"

namespace paika::fuzz {

void run_game_tree(std::string_view bytes) {
  const auto trees = study::parse_trees(bytes);
  if (!trees) {
    PAIKA_CHECK(trees.error().message.starts_with("line "));
    check_message(trees.error().message);
    return;
  }
  const std::string text = study::trees_text(*trees);
  const auto again = study::parse_trees(text);
  PAIKA_CHECK(again && again->size() == trees->size());
  PAIKA_CHECK(study::trees_text(*again) == text);
}

std::vector<std::string> game_tree_seeds() {
  return {
      "[Game \"othello:8x8\"]\n[First \"Ann\"]\n[Result \"1-0\"]\n[Reason \"resigned\"]\n\n{Start.} 1. f5! {[%clock "
      "0:04:59.5] [%arrow f5 d6 red] [%circle c4] x} 1... d6 (1... f4?! 2. e3) (1... f6 2. e6 f4 (2... d6)) 2. c3 "
      "1-0\n",
      "[Game \"fanorona:5x5\"]\n\n1. c2c3A $2 {[%time 1.5] [%score -31 9] [%depth 3] \\} [%x]} *\n\n[Game "
      "\"abalone\"]\n[Start \"(w bbb- b--w ---w bwww)\"]\n\n; a\n*\n",
      "[Game \"wildebeest\"]\n[Note \"\\\"\\\\\"]\n\n1. b1b2 ({before} 1. e1e3) *\n"};
}

namespace {

/// All formats but trees, which have a target of their own.
std::vector<std::string> file_formats() {
  std::vector<std::string> names;
  for (const study::FormatInfo& format : study::formats()) {
    if (format.name != study::tree_format) names.push_back(format.name);
  }
  return names;
}

}  // namespace

void run_game_file(std::string_view bytes) {
  static const std::vector<std::string> names = file_formats();
  if (bytes.empty()) return;
  const std::string& format = names[static_cast<unsigned char>(bytes.front()) % names.size()];
  bytes.remove_prefix(1);
  const auto games = study::read_games(bytes, {format, format == "positions" ? "abalone" : ""});
  if (!games) return check_message(games.error().message);
  const auto files = study::write_games(*games, format);
  if (!files) return check_message(files.error().message);
  const auto again = study::read_games(*files, {format, format == "positions" ? "abalone" : ""});
  PAIKA_CHECK(again && again->size() == games->size());
}

std::vector<std::string> game_file_seeds() {
  std::vector<std::string> seeds = {
      "\001(;GM[Othello]PC[x]DT[y]PB[a]PW[b]RE[+64:r]TI[15:00//02:00]TY[8]BO[8 "
      "---------------------------O*------*O--------------------------- *]B[F5//1.5]W[F6/0.1/2]B[D3];)\n",
      "\002nboard 2\nset game (;GM[Othello]BO[6 --------------O*----*O-------------- *]B[C2];)\nmove B2/1/2\n",
      "\003INFO 5 5 B 0\nA 3 2 3 3\n", "\004(b bbb- b--w b--w -www)\n(w -bb- bb-w b--w -www)\n",
      "\006f5d6c3d3c4\ne6f4\n"};
  std::string wthor = "\005";
  wthor += std::string("\x14\x01\x02\x03\x01\0\0\0\0\0\xea\x07\x08\0\0\0", 16);
  wthor += std::string("\x01\0\x02\0\0\0\x28\x26\x38\x40\x21\x22", 12);
  wthor.resize(1 + 16 + 68, '\0');
  seeds.push_back(wthor);
  return seeds;
}

void run_puzzles(std::string_view bytes) {
  const auto puzzles = study::parse_puzzles(bytes);
  if (!puzzles) return check_message(puzzles.error().message);
  const auto again = study::parse_puzzles(study::puzzles_text(*puzzles));
  PAIKA_CHECK(again && *again == *puzzles);
}

std::vector<std::string> puzzles_seeds() {
  return {study::puzzles_text(std::vector<study::Puzzle>{
      {"othello-1", "othello:6x6", "-- X", ValueKind::draw, 0, "b6", 3, {"corner", "parity"}, "ending"},
      {"abalone-2", "abalone", "(b)", ValueKind::win, 3, "a1b2", 10, {}, "proof"}})};
}

namespace {

void read_book_bytes(const std::vector<std::uint8_t>& bytes) {
  const auto book = OpeningBook::parse(bytes);
  if (!book) return check_message(book.error().message);
  PAIKA_CHECK(book->bytes() == bytes);
  const auto game = open_game("othello:6x6");
  auto graph = study::BookGraph::open(*game, *book);
  if (!graph) return check_message(graph.error().message);
  if (const auto contradiction = graph->contradiction()) return check_message(*contradiction);
  PAIKA_CHECK(graph->book().positions() == book->positions());
  BookReader reader(std::make_shared<const OpeningBook>(*book), (*game)->notation());
  (void)reader.line(*(*game)->start(), 100);
}

}  // namespace

void run_book(std::string_view bytes) {
  std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
  read_book_bytes(copy);
  // With a right checksum, or no changed byte would get past it.
  if (copy.size() < 8) return;
  put_little_endian(copy.data() + copy.size() - 8, checksum64(Bytes(copy).first(copy.size() - 8)));
  read_book_bytes(copy);
}

std::vector<std::string> book_seeds() {
  const auto game = open_game("othello:6x6");
  auto graph = study::BookGraph::open(*game, OpeningBook("othello:6x6", {}));
  study::BookGrowth growth;
  growth.nodes = 20;
  growth.hash_mb = 1;
  std::vector<std::string> seeds;
  for (const std::size_t positions : {0U, 1U, 12U}) {
    growth.max_positions = positions;
    if (positions > 0) study::grow_book(*game, *graph, growth, {}, {});
    seeds.emplace_back(as_text(graph->book().bytes()));
  }
  return seeds;
}

}  // namespace paika::fuzz
