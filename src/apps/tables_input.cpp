#include "apps/tables_input.hpp"

#include <charconv>

#include "base/text.hpp"

namespace paika::apps {

Result<std::uint64_t> read_memory(std::string_view text, std::uint64_t least) {
  const auto wrong = [&] { return fail("{} is not an amount of memory; write 500M or 2G", in_quotes(text)); };
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return wrong();
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  int shift = 0;
  if (unit == "K" || unit == "k")
    shift = 10;
  else if (unit == "M" || unit == "m")
    shift = 20;
  else if (unit == "G" || unit == "g")
    shift = 30;
  else if (!unit.empty())
    return wrong();
  if (number > (UINT64_MAX >> shift)) return wrong();
  if ((number << shift) < least) {
    return fail("{} is too little memory; at least {}M is needed", in_quotes(text), least >> 20U);
  }
  return number << shift;
}

std::string memory_text(std::uint64_t bytes) {
  const auto amount = static_cast<double>(bytes);
  if (bytes >= std::uint64_t{1} << 30) return fmt::format("{:.1f} GB", amount / (1 << 30));
  if (bytes >= std::uint64_t{1} << 20) return fmt::format("{:.0f} MB", amount / (1 << 20));
  return fmt::format("{:.0f} KB", amount / (1 << 10));
}

std::string tables_folder(const std::string& asked) { return asked.empty() ? default_tables_folder() : asked; }

Result<std::unique_ptr<TableBook>> open_book(const std::string& spec, const std::string& asked_folder) {
  const std::string folder = tables_folder(asked_folder);
  auto book = TableBook::open(spec, folder);
  if (book && *book == nullptr) {
    return fail("there is no table for {} in {}; paika solve {} makes one if the board is small enough", spec, folder,
                spec);
  }
  return book;
}

std::string value_sentence(const Notation& notation, Player to_move, Value value) {
  if (value.is_draw()) return "a draw";
  const Player winner = value.is_win() ? to_move : other(to_move);
  if (!value.has_distance()) return fmt::format("{} wins", notation.player_name(winner));
  return fmt::format("{} wins in {} move{}", notation.player_name(winner), value.turns(),
                     value.turns() == 1 ? "" : "s");
}

std::string value_words(const MoveValue& value) {
  if (value.kind == ValueKind::draw || value.measure == Measure::none) return std::string(name(value.kind));
  return fmt::format("{}{} {}", name(value.kind), value.measure == Measure::discs ? " by" : "", value.amount);
}

std::string value_words(Value value) { return value_words(move_value(value)); }

Result<Oracle> open_oracle(const Game& game, const std::string& asked_folder, int max_empty) {
  if (solved_by_search(game)) {
    auto search = ExactSearch::open(game, 1, SearchSettings().hash_mb);
    if (!search) return tl::unexpected(search.error());
    return search_oracle(std::move(*search), max_empty);
  }
  auto book = open_book(game.notation().spec(), asked_folder);
  if (!book) return tl::unexpected(book.error());
  return table_oracle(std::move(*book));
}

}  // namespace paika::apps
