#include "play/reason.hpp"

#include "play/record.hpp"
#include "rules/outcome.hpp"

namespace paika::play {

Phrase failure_phrase(Failure failure) {
  switch (failure) {
    case Failure::illegal: return phrase("illegal turn");
    case Failure::time: return phrase("out of time");
    case Failure::crash: return phrase("program ended");
    case Failure::protocol: return phrase("answer not understood");
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
  for (const Failure failure : {Failure::illegal, Failure::time, Failure::crash, Failure::protocol, Failure::stopped}) {
    if (reason == name(failure)) return failure_phrase(failure);
  }
  if (reason == too_long_reason) return phrase("too many turns");
  if (reason == "resigned") return phrase("resigned");
  if (reason == "agreed") return phrase("draw agreed");
  if (reason == "abandoned") return phrase("abandoned");
  return Phrase::verbatim(std::string(reason));
}

}  // namespace paika::play
