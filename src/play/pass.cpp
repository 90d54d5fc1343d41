#include "play/pass.hpp"

namespace paika::play {

bool must_pass(const Session& session) {
  bool pass = false;  // never one turn among others
  session.for_each_turn([&](const ListedTurn& turn) {
    pass = turn.steps.front().kind == StepKind::pass;
    return false;
  });
  return pass;
}

tl::expected<Turn, Refusal> read_after_pass(Session& session, std::string_view text) {
  auto turn = session.read_turn(text);
  if (turn || session.outcome().over() || !must_pass(session)) return turn;
  session.play({{StepKind::pass, {}}});
  auto after = session.read_turn(text);
  if (after) return after;
  session.undo();
  return turn;
}

}  // namespace paika::play
