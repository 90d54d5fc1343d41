// Prints seeded random Wildebeest boards with the reference implementation's answer for each.
//
// A line is `POSITION<TAB>COUNT<TAB>CHECKSUM`: the number of successors (rules 6.2, `wildebeest`) and FNV-1a 64
// over the sorted lines `turn position\n`. The boards are well-formed and mostly impossible, so that every piece
// meets every other one. tests/data/wildebeest_boards.txt is what this program prints.
#include <cstddef>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "tests/reference/checksum.hpp"
#include "tests/reference/reference.hpp"

namespace {

using paika_reference::Successor;
using Rows = std::vector<std::string>;

const std::string all_kinds = "RNZBOKXCGSJPHEW";

std::size_t below(std::mt19937_64& random, std::size_t bound) { return random() % bound; }

Rows empty_rows() {
  Rows rows(11, "...........");
  rows[5][5] = '#';
  for (const std::size_t row : {3U, 7U}) rows[row][1] = rows[row][9] = '*';
  return rows;
}

char random_piece(std::mt19937_64& random, const std::string& kinds) {
  const char piece = kinds[below(random, kinds.size())];
  return below(random, 2) == 0 ? piece : static_cast<char>(piece - 'A' + 'a');
}

/// Puts `count` pieces anywhere; a later one may replace an earlier one.
void scatter(std::mt19937_64& random, Rows& rows, std::size_t count, const std::string& kinds) {
  for (std::size_t i = 0; i < count; ++i) rows[below(random, 11)][below(random, 11)] = random_piece(random, kinds);
}

/// Puts pieces where the special rules look: the pads, the Jet Pack, rows 0, 5 and 10.
void dress_special_squares(std::mt19937_64& random, Rows& rows) {
  for (const std::size_t row : {3U, 7U}) {
    for (const std::size_t col : {1U, 9U}) {
      if (below(random, 2) == 0) rows[row][col] = random_piece(random, all_kinds);
    }
  }
  if (below(random, 3) == 0) rows[5][below(random, 11)] = random_piece(random, "P");
  if (below(random, 3) == 0) rows[5][5] = random_piece(random, all_kinds);
  for (const std::size_t row : {0U, 10U}) rows[row][below(random, 11)] = random_piece(random, "X");
}

Rows random_rows(std::mt19937_64& random, std::size_t number) {
  // Each theme brings the pieces of one rule together: a few of them are drawn again and again.
  static const std::vector<std::string> themes = {all_kinds, "SOEPNK",  "GPKXHCR", "CGKPSJXHB", "ZRBNKXHCG",
                                                  "XPHJ",    "JJPNSOG", "EWKPN",   "RBNPPPK",   "SEOZGC"};
  Rows rows = empty_rows();
  const std::size_t pieces = number % 4 == 3 ? 60 + below(random, 60) : 4 + below(random, 40);
  scatter(random, rows, pieces, themes[number % themes.size()]);
  scatter(random, rows, below(random, 6), all_kinds);
  if (number % 3 != 0) dress_special_squares(random, rows);
  if (number % 5 != 0) scatter(random, rows, 2, "KW");
  return rows;
}

std::string text_of(const Rows& rows, bool white, std::size_t number) {
  std::string text = white ? "W " : "B ";
  for (const std::string& row : rows) text += row + (&row == &rows.back() ? " " : "/");
  return text + std::to_string(number * 7) + " 60000 " + std::to_string(number);
}

}  // namespace

int main() {
  std::mt19937_64 random(20260);
  std::cout << "# Wildebeest boards, most of them impossible, with the answer of the reference implementation:\n"
               "# POSITION<TAB>number of successors (rules 6.2)<TAB>FNV-1a 64 of the sorted lines,\n"
               "# each `turn position` and a newline.\n";
  for (std::size_t number = 0; number < 200; ++number) {
    const bool white = below(random, 2) == 0;
    const std::string position = text_of(random_rows(random, number), white, number);
    const std::vector<Successor> successors = paika_reference::wildebeest_successors({}, position);
    std::cout << position << '\t' << successors.size() << '\t' << paika_reference::checksum(successors) << '\n';
  }
}
