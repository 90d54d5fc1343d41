#include "apps/entry.hpp"

#include <string>
#include <tuple>
#include <utility>

#include "arena/confine.hpp"
#include "arena/entrant.hpp"
#include "base/text.hpp"

namespace paika::apps {

namespace {

using arena::BotProtocol;

constexpr Milliseconds to_think{600'000};  // a turn without a limit of time

/// The house of the person's own programs.
arena::House open_house(Milliseconds margin) {
  arena::House house;
  house.confinement.walls = arena::Walls::none;
  house.confinement.trusted = true;
  house.margin = margin;
  house.stall_after = to_think;
  return house;
}

/// A house with walls, and the folder whose files programs may see in it.
Result<std::pair<arena::House, std::string>> walled_house(Milliseconds margin) {
  const auto walls = arena::find_walls();
  if (!walls) return fail("{}; or leave out --confine", walls.error().message);
  auto folder = arena::real_folder(".");
  if (!folder) return tl::unexpected(folder.error());
  arena::House house;
  house.confinement.walls = *walls;
  house.margin = margin;
  return std::pair{house, std::move(*folder)};
}

/// What a program of this text speaks, and its command; the engine protocol if the text names no other.
Result<arena::Entrant> read_entrant(std::string_view text, const play::EngineSettings& each) {
  const auto colon = text.find(':');
  const std::string kind = lowered(text.substr(0, colon));
  arena::Entrant entrant{std::string(text), {}, BotProtocol::ugi, ""};
  std::string program(text);
  for (const BotProtocol protocol : {BotProtocol::nboard, BotProtocol::board_file, BotProtocol::board_files}) {
    if (kind != arena::name(protocol)) continue;
    entrant.protocol = protocol;
    program = "bot:";
    if (colon != std::string_view::npos) program += text.substr(colon + 1);
  }
  auto player = play::read_player(program, each);
  if (!player && entrant.protocol == BotProtocol::ugi) return tl::unexpected(player.error());
  if (!player) return fail("the player {} names no program: give {}:COMMAND", in_quotes(text), kind);
  entrant.player = std::move(*player);
  entrant.player.text = text;
  return entrant;
}

}  // namespace

Result<play::Entry> read_entry(std::string_view text, const play::EngineSettings& each, const GamePtr& game,
                               const ProgramTerms& terms) {
  auto entrant = read_entrant(trimmed(text), each);
  if (!entrant) return tl::unexpected(entrant.error());
  const bool confine = terms.confine && !entrant->player.command.empty();
  if (entrant->protocol == BotProtocol::ugi && !confine) return play::enter(game, entrant->player, terms.margin);
  arena::House house = open_house(terms.margin);
  if (confine) {
    auto walled = walled_house(terms.margin);
    if (!walled) return tl::unexpected(walled.error());
    std::tie(house, entrant->folder) = std::move(*walled);
  }
  const auto make = [entrant = *entrant, game, house] { return make_contestant(entrant, game, house, ""); };
  if (const auto trial = make(); !trial) return tl::unexpected(trial.error());
  return play::Entry{entrant->player.text, entrant->player.settings.limits, make};
}

}  // namespace paika::apps
