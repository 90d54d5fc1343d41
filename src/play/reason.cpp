#include "play/reason.hpp"

#include "rules/outcome.hpp"

namespace paika::play {

namespace {

/// How a player lost beside the rules.
Phrase loss_phrase(std::string_view reason, const Phrase& loser, const Phrase& winner) {
  if (reason == resigned_reason) return phrase("{} resigns: {} wins.", loser, winner);
  if (reason == name(Failure::time)) return phrase("{} ran out of time: {} wins.", loser, winner);
  if (reason == name(Failure::illegal)) return phrase("{} played an illegal move: {} wins.", loser, winner);
  if (reason == name(Failure::crash)) return phrase("{}'s program ended: {} wins.", loser, winner);
  if (reason == name(Failure::stall)) return phrase("{}'s program does not answer: {} wins.", loser, winner);
  if (reason == name(Failure::memory)) return phrase("{}'s program used too much memory: {} wins.", loser, winner);
  if (reason == name(Failure::flood)) return phrase("{}'s program wrote too much: {} wins.", loser, winner);
  return phrase("{}'s program does not speak the engine protocol: {} wins.", loser, winner);
}

}  // namespace

Phrase failure_phrase(Failure failure) {
  switch (failure) {
    case Failure::illegal: return phrase("illegal move");
    case Failure::time: return phrase("out of time");
    case Failure::crash: return phrase("program ended");
    case Failure::protocol: return phrase("answer not understood");
    case Failure::stall: return phrase("no answer");
    case Failure::memory: return phrase("too much memory");
    case Failure::flood: return phrase("too much output");
    case Failure::stopped: return phrase("stopped");
  }
  return {};
}

Phrase reason_phrase(std::string_view reason) {
  constexpr auto last_rule = static_cast<unsigned>(EndReason::empty_board);
  for (unsigned i = 0; i <= last_rule; ++i) {
    const auto rule = static_cast<EndReason>(i);
    if (reason == name(rule)) return paika::reason_phrase(rule);
  }
  for (const Failure failure : failures) {
    if (reason == name(failure)) return failure_phrase(failure);
  }
  if (reason == name(Failure::stopped)) return failure_phrase(Failure::stopped);
  if (reason == too_long_reason) return phrase("too many moves");
  if (reason == "resigned") return phrase("resigned");
  if (reason == "agreed") return phrase("draw agreed");
  if (reason == "abandoned") return phrase("abandoned");
  return Phrase::verbatim(std::string(reason));
}

Phrase result_phrase(const Notation& notation, const GameResult& result) {
  if (result.reason == agreed_reason) return phrase("Draw: both players agreed.");
  if (result.reason == too_long_reason) return phrase("Draw: the game went on too long.");
  if (result.verdict == Verdict::ongoing) return phrase("The game was abandoned; nobody won.");
  const Player winner = result.verdict == Verdict::first_wins ? Player::first : Player::second;
  return loss_phrase(result.reason, player_phrase(notation, other(winner)), player_phrase(notation, winner));
}

}  // namespace paika::play
