#include "apps/terminal/typed_turn.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"

namespace paika::terminal {

namespace {

/// True if `whole` begins with `typed` at the end of a name: "b1" does not begin "b10".
bool begins_text(std::string_view whole, std::string_view typed) {
  if (whole.size() <= typed.size() || lowered(whole.substr(0, typed.size())) != lowered(typed)) return false;
  return !is_digit(typed.back()) || !is_digit(whole[typed.size()]);
}

bool begins_steps(const Turn& whole, const Turn& typed) {
  return whole.size() > typed.size() && std::equal(typed.begin(), typed.end(), whole.begin());
}

/// The legal turns that fulfil `wanted`.
template <class Wanted>
SeveralTurns matching(const Session& session, Turn& only, const Wanted& wanted) {
  SeveralTurns found;
  std::size_t looked_at = 0;
  session.for_each_turn([&](const ListedTurn& turn) {
    if (++looked_at > max_turns_looked_at) {
      found.more = true;
      return false;
    }
    if (!wanted(turn)) return true;
    if (++found.count == 1) only = turn.steps;
    if (found.texts.size() < max_choices) found.texts.push_back(turn.text);
    return true;
  });
  return found;
}

}  // namespace

TypedTurn read_typed_turn(const Session& session, std::string_view text) {
  constexpr std::size_t max_turn = 1000;
  const std::string_view typed = trimmed(text);
  const auto parsed = session.notation().parse_turn(session.board(), typed);
  if (typed.empty() || typed.size() > max_turn || session.outcome().over()) {
    return parsed ? TypedTurn(WholeTurn{*parsed}) : NoTurn{parsed.error()};
  }
  if (parsed && !session.refuse(*parsed)) return WholeTurn{*parsed};
  Turn only;
  SeveralTurns found =
      parsed ? matching(session, only, [&](const ListedTurn& t) { return begins_steps(t.steps, *parsed); })
             : matching(session, only, [&](const ListedTurn& t) { return begins_text(t.text, typed); });
  if (found.count == 1 && !found.more) return WholeTurn{only};
  if (found.count > 0) return found;
  if (parsed) return WholeTurn{*parsed};
  return NoTurn{parsed.error()};
}

}  // namespace paika::terminal
