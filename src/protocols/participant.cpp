#include "protocols/participant.hpp"

#include <array>
#include <new>
#include <utility>

#include "base/text.hpp"
#include "play/engine_player.hpp"
#include "play/program_player.hpp"
#include "protocols/board_file_player.hpp"
#include "protocols/nboard_player.hpp"
#include "sandbox/scratch.hpp"

namespace paika::protocols {

namespace {

using play::Failed;
using play::GamePlayer;

constexpr std::array protocols = {BotProtocol::ugi, BotProtocol::nboard, BotProtocol::board_file,
                                  BotProtocol::board_files};

/// A player together with the folder its program may write.
class SandboxedPlayer final : public GamePlayer {
 public:
  SandboxedPlayer(sandbox::ScratchFolder scratch, std::unique_ptr<GamePlayer> guest)
      : scratch_(std::move(scratch)), guest_(std::move(guest)) {}

  [[nodiscard]] std::string name() const override { return guest_->name(); }
  [[nodiscard]] tl::expected<void, Failed> start(std::uint64_t game_number) override {
    return guest_->start(game_number);
  }
  [[nodiscard]] tl::expected<play::Choice, Failed> choose(const play::GameSoFar& game, const play::Allowance& allowance,
                                                          const std::stop_token& stop) override {
    return guest_->choose(game, allowance, stop);
  }
  void tidy() override { guest_->tidy(); }
  [[nodiscard]] bool mortal() const override { return guest_->mortal(); }
  [[nodiscard]] std::optional<Failed> ended() override { return guest_->ended(); }
  void dismiss() override { guest_->dismiss(); }

 private:
  sandbox::ScratchFolder scratch_;
  std::unique_ptr<GamePlayer> guest_;  // ends before its folder goes
};

Result<std::unique_ptr<GamePlayer>> make_engine(const Participant& participant, const GamePtr& game) {
  try {
    return std::make_unique<play::EnginePlayer>(*game, participant.name, participant.player.settings.search);
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory for {}: give it a smaller hash", in_quotes(participant.player.text));
  }
}

Result<std::unique_ptr<GamePlayer>> make_ugi(const Participant& participant, const GamePtr& game,
                                             const SandboxPolicy& policy, const std::string& log) {
  auto scratch = sandbox::ScratchFolder::make();
  if (!scratch) return tl::unexpected(scratch.error());
  play::Launch launch =
      sandbox::confined(policy.confinement, participant.player.command, participant.folder, scratch->path());
  launch.error_log = log.empty() ? "/dev/null" : log;
  launch.log_talk = !log.empty();
  play::ProgramPlayer::Patience patience;
  patience.to_start = policy.to_start;
  patience.beyond_limit += policy.margin;
  patience.to_think = policy.stall_after;
  auto guest =
      std::make_unique<play::ProgramPlayer>(game->notation().spec(), participant.name, std::move(launch), patience);
  return std::make_unique<SandboxedPlayer>(std::move(*scratch), std::move(guest));
}

}  // namespace

std::string_view name(BotProtocol protocol) noexcept {
  switch (protocol) {
    case BotProtocol::ugi: return "ugi";
    case BotProtocol::nboard: return "nboard";
    case BotProtocol::board_file: return "board-file";
    case BotProtocol::board_files: return "board-files";
  }
  return "";
}

Result<BotProtocol> read_protocol(std::string_view text) {
  std::vector<std::string> names;
  for (const BotProtocol protocol : protocols) {
    if (text == name(protocol)) return protocol;
    names.emplace_back(name(protocol));
  }
  return fail("there is no protocol {}{}; the protocols are {}", in_quotes(text), did_you_mean(text, names),
              listed(names, "and"));
}

Result<std::unique_ptr<GamePlayer>> make_game_player(const Participant& participant, const GamePtr& game,
                                                     const SandboxPolicy& policy, const std::string& log) {
  if (participant.player.person)
    return fail("a person cannot take part in a tournament: {}", in_quotes(participant.name));
  if (participant.player.command.empty()) return make_engine(participant, game);
  switch (participant.protocol) {
    case BotProtocol::ugi: return make_ugi(participant, game, policy, log);
    case BotProtocol::nboard: return make_nboard_player(participant, game, policy, log);
    case BotProtocol::board_file:
    case BotProtocol::board_files: return make_board_file_player(participant, game, policy, log);
  }
  return fail("there is no such protocol");
}

}  // namespace paika::protocols
