#include "tournament/plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "base/names.hpp"
#include "base/text.hpp"
#include "database/postgresql.hpp"
#include "engine/registry.hpp"
#include "play/autosave.hpp"
#include "play/opening_list.hpp"

namespace paika::tournament {

namespace {

constexpr std::array systems = {System::round_robin, System::double_round_robin, System::gauntlet, System::swiss,
                                System::knockout};

Result<std::string> text_of(const PlanEntry& entry) {
  if (const auto* text = std::get_if<std::string>(&entry.value)) return *text;
  return fail("{}: {} must be a text in quotes", entry.place, entry.key);
}

Result<std::int64_t> number_of(const PlanEntry& entry, std::int64_t least, std::int64_t most) {
  std::optional<std::int64_t> number;
  if (const auto* given = std::get_if<std::int64_t>(&entry.value)) number = *given;
  if (number && *number >= least && *number <= most) return *number;
  return fail("{}: {} must be a whole number from {} to {}{}", entry.place, entry.key, least, most,
              number ? fmt::format(", not {}", *number) : "");
}

/// "1G", "64M", "1000": bytes.
Result<std::uint64_t> bytes_of(const PlanEntry& entry) {
  constexpr std::uint64_t most = std::uint64_t{1} << 50;
  if (std::holds_alternative<std::int64_t>(entry.value)) {
    return number_of(entry, 1, static_cast<std::int64_t>(most)).map([](std::int64_t n) { return std::uint64_t(n); });
  }
  const auto text = text_of(entry);
  if (!text) return tl::unexpected(text.error());
  std::string_view digits = *text;
  constexpr std::string_view units = "kmg";
  int shift = 0;
  if (!digits.empty()) {
    const auto unit = units.find(lowered(digits.back()));
    if (unit != std::string_view::npos) {
      shift = 10 * (static_cast<int>(unit) + 1);
      digits.remove_suffix(1);
    }
  }
  const auto number = parse_int(digits);
  if (!number || *number < 1 || static_cast<std::uint64_t>(*number) > (most >> shift)) {
    return fail("{}: {} must be a size such as \"512M\" or \"1G\", not {}", entry.place, entry.key, in_quotes(*text));
  }
  return static_cast<std::uint64_t>(*number) << shift;
}

Result<Milliseconds> duration_of(const PlanEntry& entry, Milliseconds least) {
  const auto text = text_of(entry);
  if (!text) return tl::unexpected(text.error());
  const auto time = play::read_duration(*text, least);
  if (!time) return fail("{}: {}: {}", entry.place, entry.key, time.error().message);
  return *time;
}

/// Puts a number into a member.
template <class Number>
Result<void> take_number(Number& to, const PlanEntry& entry, std::int64_t least, std::int64_t most) {
  const auto number = number_of(entry, least, most);
  if (!number) return tl::unexpected(number.error());
  to = static_cast<Number>(*number);
  return {};
}

Result<void> take_text(std::string& to, const PlanEntry& entry) {
  auto text = text_of(entry);
  if (!text) return tl::unexpected(text.error());
  to = std::move(*text);
  return {};
}

/// A text that people read as a name.
Result<void> take_title(std::string& to, const PlanEntry& entry) {
  if (auto taken = take_text(to, entry); !taken) return taken;
  if (const auto fine = check_title(to); !fine) return fail("{}: name: {}", entry.place, fine.error().message);
  return {};
}

template <class Value>
Result<void> take(Value& to, Result<Value> value) {
  if (!value) return tl::unexpected(value.error());
  to = *value;
  return {};
}

std::string found_from(const std::string& folder, const std::string& path) {
  if (path.empty() || folder.empty() || path.front() == '/') return path;
  return (std::filesystem::path(folder) / path).string();
}

using Setter = std::function<Result<void>(const PlanEntry&)>;
using Setters = std::map<std::string, Setter>;

/// Gives each entry to the setter of its key.
Result<void> apply(const Setters& setters, const EntryList& entries, std::string_view section) {
  std::vector<std::string> keys;
  for (const auto& setter : setters) keys.push_back(setter.first);
  std::set<std::string> seen;
  for (const PlanEntry& entry : entries) {
    const auto found = setters.find(entry.key);
    if (found == setters.end()) {
      return fail("{}: {} has no key {}{}; it has {}", entry.place, section, in_quotes(entry.key),
                  did_you_mean(entry.key, keys), listed(keys, "and"));
    }
    if (!seen.insert(entry.key).second) return fail("{}: {} is given twice", entry.place, entry.key);
    if (const auto set = found->second(entry); !set) return set;
  }
  return {};
}

bool good_name(std::string_view name) {
  constexpr std::size_t longest = 40;
  if (name.empty() || name.size() > longest || name.front() == '.' || name.front() == '-') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return is_digit(c) || (lowered(c) >= 'a' && lowered(c) <= 'z') || c == '-' || c == '_' || c == '.';
  });
}

/// Makes a plan of entries, part by part.
class Builder {
 public:
  explicit Builder(const PlanEntries& entries) : entries_(entries) {}

  Result<TournamentPlan> build() {
    const std::array<std::function<Result<void>()>, 6> steps = {
        [this] { return apply(tournament_setters(), entries_.tournament, "[tournament]"); },
        [this] { return apply(limit_setters(), entries_.limits, "[limits]"); },
        [this] { return apply(worker_setters(), entries_.workers, "[workers]"); },
        [this] { return read_settings(); },
        [this] { return read_players(); },
        [this] { return check(); },
    };
    for (const auto& step : steps) {
      if (const auto done = step(); !done) return tl::unexpected(done.error());
    }
    return plan_;
  }

 private:
  Setters tournament_setters() {
    constexpr std::int64_t many = 1'000'000;
    return {
        {"name", [this](const PlanEntry& e) { return take_title(plan_.name, e); }},
        {"system", [this](const PlanEntry& e) { return take_system(e); }},
        {"games", [this](const PlanEntry& e) { return take_games(e); }},
        {"rounds", [this](const PlanEntry& e) { return take_number(plan_.rounds, e, 1, max_rounds); }},
        {"legs",
         [this](const PlanEntry& e) {
           has_legs_ = true;
           return take_number(plan_.legs, e, 1, max_legs);
         }},
        {"seed", [this](const PlanEntry& e) { return take_number(plan_.seed, e, 0, INT64_MAX); }},
        {"openings", [this](const PlanEntry& e) { return take_openings(e); }},
        {"balance", [this](const PlanEntry& e) { return take_number(plan_.balance, e, 0, many); }},
        {"settings", [this](const PlanEntry& e) { return take_setting(e, ""); }},
        {"time", [this](const PlanEntry& e) { return take_setting(e, "time"); }},
        {"clock", [this](const PlanEntry& e) { return take_setting(e, "clock"); }},
        {"depth", [this](const PlanEntry& e) { return take_setting(e, "depth"); }},
        {"nodes", [this](const PlanEntry& e) { return take_setting(e, "nodes"); }},
        {"max_moves", [this](const PlanEntry& e) { return take_number(plan_.max_turns, e, 0, many); }},
        {"margin", [this](const PlanEntry& e) { return take(plan_.policy.margin, duration_of(e, Milliseconds(0))); }},
        {"extra_pairs", [this](const PlanEntry& e) { return take_number(plan_.extra_pairs, e, 0, max_legs); }},
        {"tie_break", [this](const PlanEntry& e) { return take_tie_break(e); }},
        {"concurrency",
         [this](const PlanEntry& e) { return take_number(plan_.concurrency, e, 1, max_search_threads); }},
    };
  }

  Setters limit_setters() {
    sandbox::BotLimits& limits = plan_.policy.confinement.limits;
    constexpr std::int64_t many = 1'000'000;
    return {
        {"memory", [&limits](const PlanEntry& e) { return take(limits.memory, bytes_of(e)); }},
        {"written", [&limits](const PlanEntry& e) { return take(limits.written, bytes_of(e)); }},
        {"output", [&limits](const PlanEntry& e) { return take(limits.output, bytes_of(e)); }},
        {"processes", [&limits](const PlanEntry& e) { return take_number(limits.processes, e, 1, many); }},
        {"open_files", [&limits](const PlanEntry& e) { return take_number(limits.open_files, e, 8, many); }},
        {"cpu_seconds", [&limits](const PlanEntry& e) { return take_number(limits.cpu_seconds, e, 0, many); }},
        {"processors", [&limits](const PlanEntry& e) { return take_number(limits.processors, e, 1, many); }},
        {"start", [this](const PlanEntry& e) { return take(plan_.policy.to_start, duration_of(e, Milliseconds(1))); }},
        {"stall",
         [this](const PlanEntry& e) { return take(plan_.policy.stall_after, duration_of(e, Milliseconds(1))); }},
    };
  }

  Setters worker_setters() {
    return {
        {"database",
         [this](const PlanEntry& e) {
           auto taken = take_text(plan_.database, e);
           if (!is_postgresql_url(plan_.database)) plan_.database = found_from(entries_.folder, plan_.database);
           return taken;
         }},
    };
  }

  Result<void> take_system(const PlanEntry& entry) {
    const auto text = text_of(entry);
    if (!text) return tl::unexpected(text.error());
    std::vector<std::string> names;
    for (const System system : systems) {
      if (name(system) == *text) {
        plan_.system = system;
        return {};
      }
      names.emplace_back(name(system));
    }
    return fail("{}: there is no system {}{}; there are {}", entry.place, in_quotes(*text), did_you_mean(*text, names),
                listed(names, "and"));
  }

  Result<void> take_games(const PlanEntry& entry) {
    std::vector<std::string> specs;
    if (const auto* one = std::get_if<std::string>(&entry.value)) specs = {*one};
    if (const auto* list = std::get_if<std::vector<std::string>>(&entry.value)) specs = *list;
    if (specs.empty()) return fail("{}: games must be specs of games, such as [\"othello\"]", entry.place);
    for (const std::string& spec : specs) {
      const auto game = open_game(spec);
      if (!game) return fail("{}: {}", entry.place, game.error().message);
      const std::string canonical = (*game)->notation().spec();
      if (std::find(plan_.games.begin(), plan_.games.end(), canonical) != plan_.games.end()) {
        return fail("{}: {} is listed twice; legs says how often each game is played", entry.place, canonical);
      }
      plan_.games.push_back(canonical);
    }
    return {};
  }

  Result<void> take_openings(const PlanEntry& entry) {
    openings_place_ = entry.place;
    constexpr int most = 1000;
    if (std::holds_alternative<std::int64_t>(entry.value)) return take_number(plan_.opening_plies, entry, 0, most);
    if (std::holds_alternative<std::string>(entry.value)) return take_text(plan_.openings_file, entry);
    return fail("{}: openings must be a whole number of random moves, or a file's name", entry.place);
  }

  Result<void> take_tie_break(const PlanEntry& entry) {
    const auto text = text_of(entry);
    if (!text) return tl::unexpected(text.error());
    for (const TieBreak tie_break : {TieBreak::seed, TieBreak::lot}) {
      if (name(tie_break) != *text) continue;
      plan_.tie_break = tie_break;
      return {};
    }
    return fail("{}: tie_break must be \"seed\" or \"lot\", not {}", entry.place, in_quotes(*text));
  }

  /// Adds to the settings of all players: `key`=value, or a whole settings text if the key is empty.
  Result<void> take_setting(const PlanEntry& entry, std::string_view key) {
    std::string text;
    if (const auto* number = std::get_if<std::int64_t>(&entry.value)) text = fmt::format("{}", *number);
    if (const auto* given = std::get_if<std::string>(&entry.value)) text = *given;
    if (text.empty()) return fail("{}: {} must be a text or a number", entry.place, entry.key);
    const std::string setting = key.empty() ? text : fmt::format("{}={}", key, text);
    if (const auto read = play::read_settings(setting); !read) return fail("{}: {}", entry.place, read.error().message);
    plan_.settings += fmt::format("{}{}", plan_.settings.empty() ? "" : ",", setting);
    return {};
  }

  Result<void> read_settings() {
    auto each = play::read_settings(plan_.settings);
    if (!each) return fail("{}: in the settings of all players: {}", entries_.place, each.error().message);
    if (!play::any_limit(each->limits)) {
      plan_.settings +=
          fmt::format("{}time={}", plan_.settings.empty() ? "" : ",", play::duration_text(play::standard_move_time));
    }
    return {};
  }

  Result<void> read_players() {
    for (std::size_t i = 0; i < entries_.players.size(); ++i) {
      if (const auto read = read_player(entries_.players[i], entries_.player_places[i]); !read) return read;
    }
    return {};
  }

  Result<void> read_player(const EntryList& entries, const std::string& place) {
    PlannedPlayer player;
    std::string engine;
    std::string bot;
    bool is_engine = false;
    const Setters setters = {
        {"name", [&](const PlanEntry& e) { return take_title(player.name, e); }},
        {"bot", [&](const PlanEntry& e) { return take_text(bot, e); }},
        {"engine",
         [&](const PlanEntry& e) {
           is_engine = true;
           return take_text(engine, e);
         }},
        {"player", [&](const PlanEntry& e) { return take_text(player.text, e); }},
        {"protocol",
         [&](const PlanEntry& e) -> Result<void> {
           const auto text = text_of(e);
           if (!text) return tl::unexpected(text.error());
           const auto protocol = protocols::read_protocol(*text);
           if (!protocol) return fail("{}: {}", e.place, protocol.error().message);
           player.protocol = *protocol;
           return {};
         }},
        {"folder", [&](const PlanEntry& e) { return take_text(player.folder, e); }},
        {"owner", [&](const PlanEntry& e) { return take_text(player.owner, e); }},
        {"read", [&](const PlanEntry& e) { return take_readable(player, e); }},
    };
    if (const auto applied = apply(setters, entries, "[[player]]"); !applied) return applied;
    if (int(is_engine) + int(!bot.empty()) + int(!player.text.empty()) != 1) {
      return fail("{}: a player has either bot = \"COMMAND\" or engine = \"SETTINGS\"", place);
    }
    if (is_engine) player.text = engine.empty() ? "engine" : "engine:" + engine;
    if (!bot.empty()) player.text = "bot:" + bot;
    return add_player(std::move(player), place);
  }

  /// Files and folders beside its own that a program may read: its interpreter's, for example.
  Result<void> take_readable(PlannedPlayer& player, const PlanEntry& entry) {
    if (const auto* one = std::get_if<std::string>(&entry.value)) player.readable = {*one};
    if (const auto* list = std::get_if<std::vector<std::string>>(&entry.value)) player.readable = *list;
    if (player.readable.empty()) {
      return fail("{}: read must be files and folders, such as [\"/opt/python\"]", entry.place);
    }
    for (std::string& path : player.readable) {
      path = found_from(entries_.folder, path);
      std::error_code error;
      if (!std::filesystem::exists(path, error)) {
        return fail("{}: there is nothing to read at {}", entry.place, in_quotes(path, 200));
      }
    }
    return {};
  }

  Result<void> add_player(PlannedPlayer player, const std::string& place) {
    if (player.name.empty()) player.name = fmt::format("player{}", plan_.players.size() + 1);
    if (!good_name(player.name)) {
      return fail("{}: {} is not a name: 1 to 40 letters, digits, '-', '_' and '.', not beginning with '-' or '.'",
                  place, in_quotes(player.name));
    }
    for (const PlannedPlayer& other : plan_.players) {
      if (lowered(other.name) == lowered(player.name)) {
        return fail("{}: there are two players {}: names must differ", place, in_quotes(player.name));
      }
    }
    const auto each = play::read_settings(plan_.settings);
    const auto read = play::read_player(player.text, *each);
    if (!read) return fail("{}: {}", place, read.error().message);
    player.folder_found = found_from(entries_.folder, player.folder);
    std::error_code error;
    if (!player.folder.empty() && !std::filesystem::is_directory(player.folder_found, error)) {
      return fail("{}: there is no folder {}", place, in_quotes(player.folder_found, 200));
    }
    plan_.players.push_back(std::move(player));
    return {};
  }

  Result<void> check() {
    const std::string& place = entries_.place;
    if (plan_.games.empty()) return fail("{}: no game is named: give games = [\"othello\"] or --game othello", place);
    const std::size_t players = plan_.players.size();
    if (players < 2 || players > max_players) {
      return fail("{}: a tournament has 2 to {} players, not {}", place, max_players, players);
    }
    if (plan_.system == System::swiss) {
      const int most = static_cast<int>(players) - 1 + static_cast<int>(players % 2);
      if (plan_.rounds == 0) {
        for (int reached = 1; reached < static_cast<int>(players); reached *= 2) ++plan_.rounds;
      }
      if (plan_.rounds > most) {
        return fail("{}: {} players can play {} rounds without meeting twice, not {}", place, players, most,
                    plan_.rounds);
      }
    } else if (plan_.rounds != 0) {
      return fail("{}: only swiss has rounds; for more games of each pairing give legs", place);
    }
    if (!has_legs_ && (plan_.system == System::knockout || plan_.system == System::gauntlet)) plan_.legs = 2;
    return read_openings();
  }

  Result<void> read_openings() {
    if (plan_.openings_file.empty()) return {};
    if (plan_.games.size() != 1) {
      return fail("{}: a file of openings is for one game, and there are {}", openings_place_, plan_.games.size());
    }
    const std::string path = found_from(entries_.folder, plan_.openings_file);
    const auto text = play::read_whole_file(path);
    if (!text) return fail("{}: {}", openings_place_, text.error().message);
    auto list = play::read_opening_list(plan_.games.front(), *text);
    if (!list) return fail("{}: {}: {}", openings_place_, path, list.error().message);
    if (list->game->notation().spec() != plan_.games.front()) {
      return fail("{}: the openings in {} are for {}, not {}", openings_place_, path, list->game->notation().spec(),
                  plan_.games.front());
    }
    plan_.starts = std::move(list->starts);
    return {};
  }

  const PlanEntries& entries_;
  TournamentPlan plan_;
  bool has_legs_ = false;
  std::string openings_place_;
};

}  // namespace

std::string_view name(System system) noexcept {
  switch (system) {
    case System::round_robin: return "round-robin";
    case System::double_round_robin: return "double-round-robin";
    case System::gauntlet: return "gauntlet";
    case System::swiss: return "swiss";
    case System::knockout: return "knockout";
  }
  return "";
}

std::string_view name(TieBreak tie_break) noexcept { return tie_break == TieBreak::seed ? "seed" : "lot"; }

int games_of_pairing(const TournamentPlan& plan) noexcept { return plan.legs * static_cast<int>(plan.games.size()); }

Json plan_json(const TournamentPlan& plan) {
  const sandbox::BotLimits& limits = plan.policy.confinement.limits;
  Json players = Json::array();
  for (const PlannedPlayer& player : plan.players) {
    players.push_back({{"name", player.name},
                       {"player", player.text},
                       {"protocol", protocols::name(player.protocol)},
                       {"folder", player.folder}});
  }
  return {{"name", plan.name},
          {"system", name(plan.system)},
          {"games", plan.games},
          {"rounds", plan.rounds},
          {"legs", plan.legs},
          {"seed", plan.seed},
          {"openings", plan.starts.empty() ? Json(plan.opening_plies) : Json(plan.starts)},
          {"balance", plan.balance},
          {"settings", plan.settings},
          {"max_moves", plan.max_turns},
          {"margin_ms", plan.policy.margin.count()},
          {"extra_pairs", plan.extra_pairs},
          {"tie_break", name(plan.tie_break)},
          {"limits",
           {{"memory", limits.memory},
            {"written", limits.written},
            {"output", limits.output},
            {"processes", limits.processes},
            {"open_files", limits.open_files},
            {"cpu_seconds", limits.cpu_seconds},
            {"processors", limits.processors},
            {"start_ms", plan.policy.to_start.count()},
            {"stall_ms", plan.policy.stall_after.count()}}},
          {"players", players}};
}

Result<TournamentPlan> build_plan(const PlanEntries& entries) { return Builder(entries).build(); }

std::string difference(const Json& before, const Json& after) {
  constexpr std::size_t most = 4;
  std::vector<std::string> words;
  const Json was = before.flatten();
  const Json is = after.flatten();
  std::set<std::string> keys;
  for (const auto& item : was.items()) keys.insert(item.key());
  for (const auto& item : is.items()) keys.insert(item.key());
  for (const std::string& key : keys) {
    const Json one = was.contains(key) ? was[key] : Json("nothing");
    const Json two = is.contains(key) ? is[key] : Json("nothing");
    if (one == two) continue;
    const auto shown = [](const Json& value) { return value.dump(-1, ' ', true, Json::error_handler_t::replace); };
    words.push_back(fmt::format("{} was {} and is {}", key.substr(1), shown(one), shown(two)));
  }
  const std::size_t count = words.size();
  if (count > most) words.resize(most);
  std::string text = fmt::format("{}", fmt::join(words, ", "));
  if (count > most) text += fmt::format(", and {} more", count - most);
  return text;
}

}  // namespace paika::tournament
