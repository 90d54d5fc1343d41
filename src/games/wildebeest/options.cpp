#include "games/wildebeest/game.hpp"

namespace paika::wildebeest {

const GameInfo& info() {
  static const GameInfo table = {
      .name = "wildebeest",
      .aliases = {"2pw"},
      .title = translatable("Two-player Wildebeest"),
      .summary =
          translatable("A chess variant on 11 by 11 squares with carts, catapults, Gorillas, poison and explosions."),
      .size_form = "",
      .standard_size = "11x11",
      .options =
          {{.key = "pads",
            .values = {"diagonal", "cycle"},
            .bare = "",
            .standard = "diagonal",
            .meaning = translatable("where transporter pads send a piece: to the opposite corner, or around a cycle"),
            .disputed = true},
           {.key = "swarm",
            .values = {"enter", "forbid"},
            .bare = "",
            .standard = "enter",
            .meaning = translatable("whether a piece may end its own move next to an opposing Beekeeper"),
            .disputed = true},
           {.key = "poison",
            .values = {"twice", "once"},
            .bare = "",
            .standard = "twice",
            .meaning =
                translatable("how often pieces are poisoned in a turn: again after the pads, or after the move only"),
            .disputed = true},
           {.key = "serpent",
            .values = {"dies", "survives"},
            .bare = "",
            .standard = "dies",
            .meaning = translatable("the fate of a Serpent that poisons an Old Woman together with a piece beside her"),
            .disputed = true}},
      .presets = {},
      .examples = {"wildebeest", "wildebeest:pads=cycle", "wildebeest:swarm=forbid"},
  };
  return table;
}

Result<Options> read_options(std::string_view spec) {
  const auto values = read_spec(spec, info());
  if (!values) return tl::unexpected(values.error());
  Options options;
  if (values->value("pads") == "cycle") options.pads = Pads::cycle;
  if (values->value("swarm") == "forbid") options.swarm = Swarm::forbid;
  if (values->value("poison") == "once") options.poison = Poison::once;
  if (values->value("serpent") == "survives") options.serpent = Serpent::survives;
  return options;
}

std::string canonical_spec(const Options& options) {
  std::string spec = info().name;
  char separator = ':';
  const auto add = [&](std::string_view word) {
    spec += separator;
    spec += word;
    separator = ',';
  };
  if (options.pads == Pads::cycle) add("pads=cycle");
  if (options.swarm == Swarm::forbid) add("swarm=forbid");
  if (options.poison == Poison::once) add("poison=once");
  if (options.serpent == Serpent::survives) add("serpent=survives");
  return spec;
}

}  // namespace paika::wildebeest
