#include "engine/tables.hpp"
#include "games/wildebeest/game.hpp"
#include "games/wildebeest/rules.hpp"
#include "games/wildebeest/space.hpp"
#include "instances/typed_prover.hpp"
#include "instances/wildebeest/module.hpp"

namespace paika::wildebeest {

namespace {

/// Asks the table of endings, if there is one.
class EndingProbe {
 public:
  EndingProbe(const BitboardRules& rules, const TableBook* book)
      : rules_(rules), space_(rules, table_pieces), book_(book) {
    if (book_ != nullptr) reader_.emplace(book_->table().reader(std::size_t{16} << 20));
  }

  [[nodiscard]] ProbeAnswer operator()(const Position& p, Player attacker) const {
    if (book_ == nullptr || p.occupied().count() > table_pieces) return ProbeAnswer::unknown;
    const auto place = space_.place(p);
    if (!place) return ProbeAnswer::unknown;
    const auto value = book_->table().lookup(*reader_, place->tier, place->index);
    if (!value || value->kind() == ValueKind::none) return ProbeAnswer::unknown;
    const bool wins = rules_.to_move(p) == attacker ? value->is_win() : value->is_loss();
    return wins ? ProbeAnswer::attacker_wins : ProbeAnswer::attacker_does_not_win;
  }

 private:
  BitboardRules rules_;
  Space space_;
  const TableBook* book_;
  mutable std::optional<TableReader> reader_;  // looking up changes only which blocks are at hand
};

}  // namespace

Result<ProofReport> prove(const Session& session, const ProofRequest& request) {
  const auto options = read_options(session.notation().spec());
  if (!options) return tl::unexpected(options.error());
  const auto book = TableBook::open(session.notation().spec(), request.tables);
  if (!book) return tl::unexpected(book.error());
  const BitboardRules rules(*options);
  return prove_with(session, rules, request, PlainKey{}, EndingProbe(rules, book->get()));
}

}  // namespace paika::wildebeest
