#include "protocols/participant.hpp"

#include <array>
#include <new>
#include <utility>

#include "base/text.hpp"
#include "engine/opening_book.hpp"
#include "play/engine_player.hpp"
#include "play/program_player.hpp"
#include "protocols/board_file_player.hpp"
#include "protocols/nboard_player.hpp"

namespace paika::protocols {

namespace {

using play::GamePlayer;

constexpr std::array protocols = {BotProtocol::ugi, BotProtocol::nboard, BotProtocol::board_file,
                                  BotProtocol::board_files};

Result<std::unique_ptr<GamePlayer>> make_engine(const Participant& participant, const GamePtr& game) {
  const auto book = choose_book(game->notation().spec(), participant.player.settings.search.book.value_or(""));
  if (!book) return tl::unexpected(book.error());
  try {
    return std::make_unique<play::EnginePlayer>(*game, participant.name, participant.player.settings.search,
                                                participant.player.settings.ponder);
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory for {}: give it a smaller hash", in_quotes(participant.player.text));
  }
}

Result<std::unique_ptr<GamePlayer>> make_ugi(const Participant& participant, const GamePtr& game,
                                             const SandboxPolicy& policy, const std::string& log) {
  play::Launch launch = sandbox::confined(policy.confinement, participant.player.command, participant.folder, "");
  launch.error_log = log.empty() ? "/dev/null" : log;
  launch.log_talk = !log.empty();
  play::ProgramPlayer::Patience patience;
  patience.to_start = policy.to_start;
  patience.beyond_limit += policy.margin;
  patience.to_think = policy.stall_after;
  return std::make_unique<play::ProgramPlayer>(game->notation().spec(), participant.name, std::move(launch), patience);
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
                                                     const SandboxPolicy& general, const std::string& log) {
  if (participant.player.person)
    return fail("a person cannot take part in a tournament: {}", in_quotes(participant.name));
  if (participant.player.command.empty()) return make_engine(participant, game);
  SandboxPolicy policy = general;
  auto& readable = policy.confinement.readable;
  readable.insert(readable.end(), participant.readable.begin(), participant.readable.end());
  switch (participant.protocol) {
    case BotProtocol::ugi: return make_ugi(participant, game, policy, log);
    case BotProtocol::nboard: return make_nboard_player(participant, game, policy, log);
    case BotProtocol::board_file:
    case BotProtocol::board_files: return make_board_file_player(participant, game, policy, log);
  }
  return fail("there is no such protocol");
}

}  // namespace paika::protocols
