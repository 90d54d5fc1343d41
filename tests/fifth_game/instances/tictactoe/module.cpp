#include "module.hpp"

#include "engine/table_solver.hpp"
#include "instances/typed_engine.hpp"
#include "instances/typed_prover.hpp"
#include "solve/typed_space.hpp"
#include "tests/fifth_game/rules.hpp"

namespace paika::tictactoe {

Result<GamePtr> open(std::string_view spec) {
  return read_options(spec).map([](const Options& options) {
    return make_game<BitboardTraits>(info(), make_notation(options), BitboardRules());
  });
}

Result<std::string> table_label(std::string_view spec, int /*stones*/) {
  return read_options(spec).map(canonical_spec);
}

Result<std::unique_ptr<Numbering>> open_numbering(std::string_view spec, int /*stones*/) {
  return read_options(spec).map([](const Options& options) -> std::unique_ptr<Numbering> {
    return std::make_unique<SpaceNumbering<Space>>(canonical_spec(options), TurnsLeft{});
  });
}

Result<std::unique_ptr<Solver>> open_solver(std::string_view spec, int /*stones*/) {
  return read_options(spec).map([](const Options& options) {
    return make_table_solver(canonical_spec(options), make_notation(options),
                             std::make_unique<const TypedSpace<Space>>());
  });
}

Result<ProofReport> prove(const Session& session, const ProofRequest& request) {
  return prove_with(session, BitboardRules(), request, PlainKey{}, NoProbe{});
}

}  // namespace paika::tictactoe
