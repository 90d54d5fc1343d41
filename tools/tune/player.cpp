#include "tools/tune/player.hpp"

#include <array>
#include <fstream>
#include <sstream>

#include "base/text.hpp"

namespace paika::tune {

namespace {

struct NumberName {
  std::string_view name;
  int SearchParams::* member;
};
struct SwitchName {
  std::string_view name;
  bool SearchParams::* member;
};

constexpr std::array<NumberName, 7> numbers = {{{"unit", &SearchParams::unit},
                                                {"null_move_cut", &SearchParams::null_move_cut},
                                                {"first_reduced", &SearchParams::first_reduced},
                                                {"quiescence_plies", &SearchParams::quiescence_plies},
                                                {"quiescence_width", &SearchParams::quiescence_width},
                                                {"probcut", &SearchParams::probcut},
                                                {"futility", &SearchParams::futility}}};
// These have switches of their own, which are found first; a parameter that is off needs both.
constexpr std::array<SwitchName, 3> switches = {{{"null_move", &SearchParams::null_move},
                                                 {"reductions", &SearchParams::reductions},
                                                 {"quiescence", &SearchParams::quiescence}}};

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const auto& n : numbers) names.emplace_back(n.name);
  for (const auto& n : switches) names.emplace_back(n.name);
  for (const auto& n : feature_names) names.emplace_back(n.name);
  names.emplace_back("nodes");
  return names;
}

/// False if there is no such name.
bool set(Player& player, std::string_view name, int value) {
  bool known = false;
  for (const auto& n : numbers) {
    if (n.name == name) player.params.*n.member = value, known = true;
  }
  for (const auto& n : switches) {
    if (n.name == name) player.params.*n.member = value != 0, known = true;
  }
  for (const auto& n : feature_names) {
    if (n.name == name) player.features.*n.member = value != 0, known = true;
  }
  if (name == "nodes") player.nodes = static_cast<std::uint64_t>(value), known = true;
  return known;
}

Result<std::vector<Weight>> weights_of_file(const std::string& path, const Arena& arena) {
  const std::ifstream file(path);
  if (!file) return fail("cannot read the weights file {}", in_quotes(path));
  std::stringstream text;
  text << file.rdbuf();
  auto weights = read_weights(text.str(), arena.feature_names());
  if (!weights) return fail("{}: {}", path, weights.error().message);
  return weights;
}

}  // namespace

Result<Player> read_player(std::string_view text, const Arena& arena) {
  const auto parts = split(text, ',');
  Player player = arena.player(parts[0] == "plain" ? Evaluation::plain : Evaluation::tuned);
  if (parts[0] != "plain" && parts[0] != "tuned") {
    auto weights = weights_of_file(std::string(parts[0]), arena);
    if (!weights) return tl::unexpected(weights.error());
    player.weights = *weights;
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    const std::string_view name = parts[i].substr(0, equals);
    const auto value = equals == std::string_view::npos ? std::nullopt : parse_int(parts[i].substr(equals + 1));
    if (!value || *value < 0 || *value > INT32_MAX) {
      return fail("{} is no change of a player; write name=number, as in first_reduced=4", in_quotes(parts[i]));
    }
    if (!set(player, name, static_cast<int>(*value))) {
      return fail("a player has no {}{}; there are {}", in_quotes(name), did_you_mean(name, known_names()),
                  listed(known_names(), "and"));
    }
  }
  return player;
}

}  // namespace paika::tune
