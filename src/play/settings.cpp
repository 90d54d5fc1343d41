#include "play/settings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "engine/opening_book.hpp"

namespace paika::play {

namespace {

constexpr int max_depth = 1000;

Result<std::int64_t> read_number(std::string_view key, std::string_view value, std::int64_t least, std::int64_t most) {
  const auto number = parse_int(value);
  if (number && *number >= least && *number <= most) return *number;
  return fail(phrase("{} must be a whole number from {} to {}, not {}", key, least, most, in_quotes(value)));
}

Result<bool> read_switch(std::string_view key, std::string_view value) {
  const std::string word = lowered(value);
  if (word == "on" || word == "true") return true;
  if (word == "off" || word == "false") return false;
  return fail(phrase("{} must be on or off, not {}", key, in_quotes(value)));
}

/// A book is "on", "off" or a file; whether it can be read is seen when a player uses it.
Result<std::string> read_book_choice(std::string_view value) {
  const std::string word = lowered(value);
  if (word == "on" || word == "true") return std::string(builtin_book_name);
  if (word == "off" || word == "false") return std::string(no_book_name);
  if (value.empty()) return fail(phrase("{} must be on, off or a file", "book"));
  return std::string(value);
}

/// Reads "60s" or "60s+0.5s".
Result<GameClock> read_clock(std::string_view value) {
  const auto plus = value.find('+');
  const auto left = read_duration(value.substr(0, plus), Milliseconds(1));
  if (!left) return tl::unexpected(left.error());
  GameClock clock{*left, Milliseconds(0)};
  if (plus == std::string_view::npos) return clock;
  const auto increment = read_duration(value.substr(plus + 1), Milliseconds(0));
  if (!increment) return tl::unexpected(increment.error());
  clock.increment = *increment;
  return clock;
}

/// Reads the plan of a level: "DEPTH/POSITIONS/MOVES/TEMPERATURE", such as "2/5000/500/0.7".
Result<LevelPlan> read_plan(std::string_view value) {
  const auto wrong = [&] {
    return fail(phrase("{} is not a plan: give DEPTH/POSITIONS/MOVES/TEMPERATURE, such as {}", in_quotes(value),
                       "2/5000/500/0.7"));
  };
  std::array<double, 4> parts{};
  std::string_view rest = value;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    const auto [end, error] =
        std::from_chars(part.data(), part.data() + part.size(), parts[i], std::chars_format::fixed);
    const bool last = i + 1 == parts.size();
    if (error != std::errc{} || end != part.data() + part.size() || (slash == std::string_view::npos) != last) {
      return wrong();
    }
    if (!last) rest.remove_prefix(slash + 1);
  }
  const auto [depth, positions, moves, temperature] = parts;
  const bool possible = depth >= 0 && depth <= max_depth && positions >= 0 && positions <= 1e12 && moves >= 1 &&
                        moves <= max_lines && temperature >= 0 && temperature <= 1000;
  if (!possible) return wrong();
  return LevelPlan{static_cast<int>(depth), static_cast<std::uint64_t>(positions), static_cast<int>(moves),
                   temperature};
}

/// Puts what was read to its place; hands an error on.
template <class T, class Place>
Result<void> put(const Result<T>& read, Place& place) {
  if (!read) return tl::unexpected(read.error());
  if constexpr (requires { place.emplace(); }) {
    place = typename Place::value_type(*read);
  } else {
    place = static_cast<Place>(*read);
  }
  return {};
}

/// Takes the settings that are limits. `known` becomes false if the key is another one.
Result<void> apply_limit(SearchLimits& limits, std::string_view key, std::string_view value, bool& known) {
  known = true;
  if (key == "time") return put(read_duration(value, Milliseconds(1)), limits.move_time);
  if (key == "clock") return put(read_clock(value), limits.clock);
  if (key == "depth") return put(read_number(key, value, 1, max_depth), limits.depth);
  if (key == "nodes") {
    return put(read_number(key, value, 1, std::numeric_limits<std::int64_t>::max()), limits.nodes);
  }
  known = false;
  return {};
}

Result<void> apply_search_setting(SearchSettings& search, std::string_view key, std::string_view value) {
  if (key == "threads") return put(read_number(key, value, 1, max_search_threads), search.threads);
  if (key == "hash") return put(read_number(key, value, 1, max_hash_mb), search.hash_mb);
  if (key == "multipv") return put(read_number(key, value, 1, max_lines), search.lines);
  if (key == "plan") return put(read_plan(value), search.plan);
  if (key == "level") return put(read_number(key, value, weakest_level, full_level), search.level);
  if (key == "seed") return put(read_number(key, value, 0, std::numeric_limits<std::int64_t>::max()), search.seed);
  if (key == "book") return put(read_book_choice(value), search.book);
  for (const FeatureName& feature : feature_names) {
    if (key == feature.name) return put(read_switch(key, value), search.features.*feature.member);
  }
  return fail(phrase("there is no setting {}; the settings are {}",
                     with_suggestion(in_quotes(key), key, setting_keys()), and_names(setting_keys())));
}

}  // namespace

bool any_limit(const SearchLimits& limits) noexcept {
  return limits.depth || limits.nodes || limits.move_time || limits.clock;
}

Result<Milliseconds> read_duration(std::string_view text, Milliseconds least) {
  const auto wrong = [&] {
    return fail(phrase(
        "{} is not a length of time: give a number and its unit, such as 100ms, 0.5s or 2min (at least {}, at most {})",
        in_quotes(text), duration_text(least), duration_text(max_time)));
  };
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{} || !std::isfinite(number)) return wrong();
  const auto unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const double factor = unit == "ms" ? 1 : unit == "s" ? 1000 : unit == "min" ? 60'000 : 0;
  const double time = std::round(number * factor);
  if (factor == 0 || time < static_cast<double>(least.count()) || time > static_cast<double>(max_time.count())) {
    return wrong();
  }
  return Milliseconds(static_cast<std::int64_t>(time));
}

std::string duration_text(Milliseconds time) {
  if (time.count() % 1000 == 0 && time.count() > 0) return fmt::format("{}s", time.count() / 1000);
  return fmt::format("{}ms", time.count());
}

const std::vector<std::string>& setting_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> all = {"time",  "clock", "depth",   "nodes", "threads", "hash",
                                    "level", "plan",  "multipv", "seed",  "book",    "ponder"};
    for (const FeatureName& feature : feature_names) all.emplace_back(feature.name);
    return all;
  }();
  return keys;
}

Result<void> apply_setting(EngineSettings& settings, std::string_view key, std::string_view value) {
  const std::string name = lowered(key);
  if (name == "ponder") return put(read_switch(name, value), settings.ponder);
  bool known = false;
  auto applied = apply_limit(settings.limits, name, value, known);
  return known ? applied : apply_search_setting(settings.search, name, value);
}

Result<EngineSettings> read_settings(std::string_view text, const EngineSettings& base) {
  EngineSettings settings = base;
  if (trimmed(text).empty()) return settings;
  std::vector<std::string> seen;
  for (const std::string_view piece : split(text, ',')) {
    const std::string_view word = trimmed(piece);
    const auto equals = word.find('=');
    const std::string key = lowered(trimmed(word.substr(0, equals)));
    if (equals == std::string_view::npos) {
      const auto& keys = setting_keys();
      if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
        return fail(phrase("the setting {} needs a value: {}", key, key + "=..."));
      }
      return fail(phrase("{} is not a setting: settings are written as {}", in_quotes(word), "time=100ms,hash=16"));
    }
    if (std::find(seen.begin(), seen.end(), key) != seen.end())
      return fail(phrase("the setting {} is given twice", in_quotes(key)));
    seen.push_back(key);
    if (const auto applied = apply_setting(settings, key, trimmed(word.substr(equals + 1))); !applied) {
      return tl::unexpected(applied.error());
    }
  }
  return settings;
}

std::string limits_text(const SearchLimits& limits) {
  std::vector<std::string> words;
  if (limits.move_time) words.push_back("time=" + duration_text(*limits.move_time));
  if (limits.clock) {
    std::string word = "clock=" + duration_text(limits.clock->left);
    if (limits.clock->increment.count() > 0) word += "+" + duration_text(limits.clock->increment);
    words.push_back(word);
  }
  if (limits.depth) words.push_back(fmt::format("depth={}", *limits.depth));
  if (limits.nodes) words.push_back(fmt::format("nodes={}", *limits.nodes));
  return fmt::format("{}", fmt::join(words, ","));
}

Result<PlayerText> read_player(std::string_view text, const EngineSettings& each) {
  const std::string_view given = trimmed(text);
  const auto colon = given.find(':');
  const std::string kind = lowered(given.substr(0, colon));
  const std::string_view rest = colon == std::string_view::npos ? "" : trimmed(given.substr(colon + 1));
  PlayerText player;
  player.text = given;
  player.settings = each;
  if (kind == "engine") {
    const auto settings = read_settings(rest, {each.search, {}, each.ponder});
    if (!settings) return fail(phrase("in the player {}: {}", in_quotes(given), settings.error().words()));
    player.settings.search = settings->search;
    player.settings.ponder = settings->ponder;
    if (any_limit(settings->limits)) player.settings.limits = settings->limits;
    return player;
  }
  if (kind != "bot") {
    return fail(phrase("{} is not a player: give engine, engine:SETTINGS or bot:COMMAND, such as {}", in_quotes(given),
                       "engine:time=100ms,hash=16"));
  }
  if (rest.empty()) return fail(phrase("the player {} names no program: give bot:COMMAND", in_quotes(given)));
  if (rest.find('\0') != std::string_view::npos)
    return fail(phrase("the player {} contains a zero byte", in_quotes(given)));
  player.command = rest;
  return player;
}

namespace {

/// A person has limits of time only.
Result<PlayerText> read_person(std::string_view given, std::string_view settings_given, const EngineSettings& each) {
  PlayerText player;
  player.text = given;
  player.person = true;
  player.settings.limits.move_time = each.limits.move_time;
  player.settings.limits.clock = each.limits.clock;
  const auto settings = read_settings(settings_given);
  if (!settings) return fail(phrase("in the player {}: {}", in_quotes(given), settings.error().words()));
  if (settings->limits.depth || settings->limits.nodes || settings->ponder ||
      !search_settings_text(settings->search).empty()) {
    return fail(phrase("in the player {}: a person has only time and clock, such as {}", in_quotes(given),
                       "human:clock=5min+3s"));
  }
  if (any_limit(settings->limits)) player.settings.limits = settings->limits;
  return player;
}

}  // namespace

Result<PlayerText> read_seat(std::string_view text, const EngineSettings& each, const SearchLimits& engine_limits) {
  const std::string_view given = trimmed(text);
  const auto colon = given.find(':');
  const std::string kind = lowered(given.substr(0, colon));
  if (kind == "human") return read_person(given, colon == std::string_view::npos ? "" : given.substr(colon + 1), each);
  if (kind != "engine" && kind != "bot") {
    return fail(phrase("{} is not a player: give human, engine, engine:SETTINGS or bot:COMMAND, such as {}",
                       in_quotes(given), "engine:level=3,time=2s"));
  }
  auto player = read_player(text, each);
  if (player && !any_limit(player->settings.limits)) player->settings.limits = engine_limits;
  return player;
}

std::string search_settings_text(const SearchSettings& settings) {
  const SearchSettings standard;
  std::vector<std::string> words;
  const auto add = [&](std::string_view key, auto value, auto usual) {
    if (value != usual) words.push_back(fmt::format("{}={}", key, value));
  };
  add("level", settings.level, standard.level);
  if (settings.plan) {
    const LevelPlan& plan = *settings.plan;
    words.push_back(fmt::format("plan={}/{}/{}/{}", plan.depth, plan.nodes, plan.lines, plan.temperature));
  }
  add("threads", settings.threads, standard.threads);
  add("hash", settings.hash_mb, standard.hash_mb);
  add("multipv", settings.lines, standard.lines);
  add("seed", settings.seed, standard.seed);
  if (settings.book) words.push_back("book=" + *settings.book);
  for (const FeatureName& feature : feature_names) {
    const bool on = settings.features.*feature.member;
    if (on != standard.features.*feature.member) words.push_back(fmt::format("{}={}", feature.name, on ? "on" : "off"));
  }
  return fmt::format("{}", fmt::join(words, ","));
}

std::string seat_text(const PlayerText& player) {
  if (!player.command.empty()) return "bot:" + player.command;
  std::vector<std::string> parts;
  if (!player.person) parts = {search_settings_text(player.settings.search), player.settings.ponder ? "ponder=on" : ""};
  parts.push_back(limits_text(player.settings.limits));
  std::erase(parts, "");
  return fmt::format("{}{}{}", player.person ? "human" : "engine", parts.empty() ? "" : ":", fmt::join(parts, ","));
}

}  // namespace paika::play
