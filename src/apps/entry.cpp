#include "apps/entry.hpp"

#include <fmt/format.h>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include "apps/stderr.hpp"
#include "base/text.hpp"
#include "protocols/participant.hpp"
#include "sandbox/confine.hpp"

namespace paika::apps {

namespace {

using protocols::BotProtocol;

constexpr Milliseconds to_think{600'000};  // a turn without a limit of time

/// The policy for the person's own programs.
protocols::SandboxPolicy open_policy(Milliseconds margin) {
  protocols::SandboxPolicy policy;
  policy.confinement.sandbox = sandbox::Sandbox::none;
  policy.confinement.trusted = true;
  policy.margin = margin;
  policy.stall_after = to_think;
  return policy;
}

/// A policy with a sandbox, and the folder whose files programs may see in it.
Result<std::pair<protocols::SandboxPolicy, std::string>> sandboxed_policy(Milliseconds margin) {
  const auto sandbox = sandbox::find_sandbox();
  if (!sandbox) return fail("{}; or leave out --confine", sandbox.error().message);
  auto folder = sandbox::real_folder(".");
  if (!folder) return tl::unexpected(folder.error());
  protocols::SandboxPolicy policy;
  policy.confinement.sandbox = *sandbox;
  policy.margin = margin;
  return std::pair{policy, std::move(*folder)};
}

/// What a program of this text speaks, and its command; the engine protocol if the text names no other.
Result<protocols::Participant> read_participant(std::string_view text, const play::EngineSettings& each) {
  const auto colon = text.find(':');
  const std::string kind = lowered(text.substr(0, colon));
  protocols::Participant participant{std::string(text), {}, BotProtocol::ugi, ""};
  std::string program(text);
  for (const BotProtocol protocol : {BotProtocol::nboard, BotProtocol::board_file, BotProtocol::board_files}) {
    if (kind != protocols::name(protocol)) continue;
    participant.protocol = protocol;
    program = "bot:";
    if (colon != std::string_view::npos) program += text.substr(colon + 1);
  }
  auto player = play::read_player(program, each);
  if (!player && participant.protocol == BotProtocol::ugi) return tl::unexpected(player.error());
  if (!player) return fail("the player {} names no program: give {}:COMMAND", in_quotes(text), kind);
  participant.player = std::move(*player);
  participant.player.text = text;
  return participant;
}

}  // namespace

void notice_weak_sandbox() {
  static std::once_flag once;
  std::call_once(once, [] {
    const std::string trouble = sandbox::accounting_trouble();
    if (trouble.empty()) return;
    to_stderr(fmt::format(
        "paika: the limits of bots are only sampled here, since {} (docs/write-a-bot.md#the-sandbox)\n", trouble));
  });
}

Result<play::MatchEntry> read_entry(std::string_view text, const play::EngineSettings& each, const GamePtr& game,
                                    const ProgramTerms& terms) {
  auto participant = read_participant(trimmed(text), each);
  if (!participant) return tl::unexpected(participant.error());
  if (SearchLimits& limits = participant->player.settings.limits; !play::any_limit(limits)) {
    limits.move_time = participant->player.command.empty() ? play::standard_move_time : program_move_time;
  }
  const bool confine = terms.confine && !participant->player.command.empty();
  if (participant->protocol == BotProtocol::ugi && !confine)
    return play::enter(game, participant->player, terms.margin);
  protocols::SandboxPolicy policy = open_policy(terms.margin);
  if (confine) {
    auto sandboxed = sandboxed_policy(terms.margin);
    if (!sandboxed) return tl::unexpected(sandboxed.error());
    std::tie(policy, participant->folder) = std::move(*sandboxed);
    participant->readable = terms.readable;
    notice_weak_sandbox();
  }
  const auto make = [participant = *participant, game, policy] {
    return make_game_player(participant, game, policy, "");
  };
  if (const auto trial = make(); !trial) return tl::unexpected(trial.error());
  return play::MatchEntry{participant->player.text, participant->player.settings.limits, make};
}

}  // namespace paika::apps
