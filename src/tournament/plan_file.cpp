#include "tournament/plan_file.hpp"

#include <array>
#include <filesystem>

#include "base/text.hpp"
#include "play/autosave.hpp"
#include "play/toml.hpp"

namespace paika::tournament {

namespace {

std::string place_of(const std::string& path, const toml::source_region& region) {
  return fmt::format("{}, line {}, column {}", path, region.begin.line, region.begin.column);
}

Result<PlanValue> value_of(const toml::node& node, const std::string& place, std::string_view key) {
  if (const auto* number = node.as_integer()) return PlanValue(number->get());
  if (const auto* text = node.as_string()) return PlanValue(text->get());
  if (const auto* list = node.as_array()) {
    std::vector<std::string> words;
    for (const toml::node& item : *list) {
      const auto* text = item.as_string();
      if (text == nullptr) return fail("{}: {} must be a list of texts in quotes", place, key);
      words.push_back(text->get());
    }
    return PlanValue(std::move(words));
  }
  return fail("{}: {} must be a text in quotes, a whole number or a list of texts", place, key);
}

Result<EntryList> entries_of(const toml::table& table, const std::string& path) {
  EntryList entries;
  for (const auto& [key, node] : table) {
    const std::string place = place_of(path, key.source());
    auto value = value_of(node, place, key.str());
    if (!value) return tl::unexpected(value.error());
    entries.push_back({std::string(key.str()), std::move(*value), place});
  }
  return entries;
}

Result<void> take_players(PlanEntries& entries, const toml::node& node, const std::string& path) {
  const auto* list = node.as_array();
  if (list == nullptr || !list->is_array_of_tables()) {
    return fail("{}: players are written as [[player]], one for each", place_of(path, node.source()));
  }
  for (const toml::node& item : *list) {
    auto player = entries_of(*item.as_table(), path);
    if (!player) return tl::unexpected(player.error());
    entries.players.push_back(std::move(*player));
    entries.player_places.push_back(place_of(path, item.source()));
  }
  return {};
}

Result<void> take_section(PlanEntries& entries, std::string_view key, const toml::node& node, const std::string& place,
                          const std::string& path) {
  static const std::vector<std::string> sections = {"tournament", "limits", "workers", "player"};
  if (key == "player") return take_players(entries, node, path);
  const std::array<std::pair<std::string_view, EntryList*>, 3> targets = {
      {{"tournament", &entries.tournament}, {"limits", &entries.limits}, {"workers", &entries.workers}}};
  for (const auto& [section, target] : targets) {
    if (section != key) continue;
    const auto* table = node.as_table();
    if (table == nullptr) return fail("{}: {} is a section, written as [{}]", place, key, key);
    auto read = entries_of(*table, path);
    if (!read) return tl::unexpected(read.error());
    *target = std::move(*read);
    return {};
  }
  return fail("{}: there is no {} here{}; there are [tournament], [limits], [workers] and [[player]]", place,
              in_quotes(key), did_you_mean(key, sections));
}

}  // namespace

Result<PlanEntries> read_plan_text(std::string_view text, const std::string& path) {
  PlanEntries entries;
  entries.place = path;
  entries.folder = std::filesystem::path(path).parent_path().string();
  try {
    const toml::table root = toml::parse(text, path);
    for (const auto& [key, node] : root) {
      const auto taken = take_section(entries, key.str(), node, place_of(path, key.source()), path);
      if (!taken) return tl::unexpected(taken.error());
    }
  } catch (const toml::parse_error& error) {
    return fail("{}: this is not TOML: {}", place_of(path, error.source()), in_quotes(error.description(), 200));
  }
  return entries;
}

Result<TournamentPlan> read_plan_file(const std::string& path) {
  const auto text = play::read_whole_file(path);
  if (!text) return tl::unexpected(text.error());
  const auto entries = read_plan_text(*text, path);
  if (!entries) return tl::unexpected(entries.error());
  return build_plan(*entries);
}

}  // namespace paika::tournament
