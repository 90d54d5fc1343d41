#include "rules/spec.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace paika {

namespace {

/// "5x5" taken apart; nothing if the word does not have that form at all.
std::optional<std::pair<std::string_view, std::string_view>> size_parts(std::string_view word) {
  const auto x = word.find_first_of("xX");
  if (x == std::string_view::npos || x == 0) return std::nullopt;
  const auto numeric = [](std::string_view t) {
    return !t.empty() && std::all_of(t.begin(), t.end(), [](char c) { return is_digit(c) || c == '-'; });
  };
  if (!numeric(word.substr(0, x)) || !numeric(word.substr(x + 1))) return std::nullopt;
  return std::pair{word.substr(0, x), word.substr(x + 1)};
}

Result<int> read_side(std::string_view text, std::string_view word, const GameInfo& info) {
  const auto value = parse_int(text);
  constexpr int far_too_large = 1'000'000;
  if (!value || *value < 1 || *value > far_too_large) {
    return fail(
        phrase("size {} is out of range for {}: it must be {}", in_quotes(word), info.name, phrase_of(info.size_form)));
  }
  return static_cast<int>(*value);
}

Phrase valid_words(const GameInfo& info) {
  std::vector<Phrase> words;
  if (!info.size_form.empty()) words.push_back(phrase("a size ({})", phrase_of(info.size_form)));
  for (const auto& p : info.presets) words.push_back(Phrase::verbatim(p.key));
  for (const auto& o : info.options) {
    if (!o.bare.empty()) words.push_back(Phrase::verbatim(o.key));
    words.push_back(Phrase::verbatim(option_form(o)));
  }
  return and_list(std::move(words));
}

std::vector<std::string> known_keys(const GameInfo& info) {
  std::vector<std::string> keys;
  for (const auto& p : info.presets) keys.push_back(p.key);
  for (const auto& o : info.options) keys.push_back(o.key);
  return keys;
}

const OptionInfo* find_key(const std::vector<OptionInfo>& options, std::string_view key) {
  const auto it = std::find_if(options.begin(), options.end(), [&](const OptionInfo& o) { return o.key == key; });
  return it == options.end() ? nullptr : &*it;
}

Result<std::string> read_value(const OptionInfo& option, std::optional<std::string> given) {
  if (!given) {
    if (!option.bare.empty()) return option.bare;
    return fail(phrase("option {} needs a value: {}", option.key, option_form(option)));
  }
  if (option.values.empty()) {
    if (!parse_int(*given))
      return fail(phrase("option {} takes a whole number, not {}", option.key, in_quotes(*given)));
    return *given;
  }
  if (std::find(option.values.begin(), option.values.end(), *given) == option.values.end()) {
    return fail(phrase("option {} takes {}, not {}", option.key, or_names(option.values), in_quotes(*given)));
  }
  return *given;
}

Result<void> read_size(std::string_view word, const GameInfo& info, SpecValues& values) {
  const auto parts = *size_parts(word);
  if (info.size_form.empty())
    return fail(phrase("{} has only one size: {} cannot be given", info.name, in_quotes(word)));
  if (values.size) return fail(phrase("the size is given twice: {}", in_quotes(word)));
  const auto before = read_side(parts.first, word, info);
  if (!before) return tl::unexpected(before.error());
  const auto after = read_side(parts.second, word, info);
  if (!after) return tl::unexpected(after.error());
  values.size = SizeGiven{*before, *after};
  return {};
}

Result<void> read_word(std::string_view word, const GameInfo& info, SpecValues& values) {
  if (size_parts(word)) return read_size(word, info, values);
  const auto equals = word.find('=');
  const std::string key = lowered(word.substr(0, equals));
  const bool has_value = equals != std::string_view::npos;
  if (!has_value && find_key(info.presets, key) != nullptr) {
    if (values.preset) return fail(phrase("two presets are given: {} and {}", *values.preset, key));
    values.preset = key;
    return {};
  }
  const OptionInfo* option = find_key(info.options, key);
  if (option == nullptr) {
    return fail(phrase("{} has no option {}; the options are {}", info.name,
                       with_suggestion(in_quotes(word), key, known_keys(info)), valid_words(info)));
  }
  if (values.value(key)) return fail(phrase("option {} is given twice", key));
  auto value = read_value(*option, has_value ? std::optional(lowered(word.substr(equals + 1))) : std::nullopt);
  if (!value) return tl::unexpected(value.error());
  values.options.emplace_back(key, *value);
  return {};
}

}  // namespace

std::string option_form(const OptionInfo& option) {
  if (option.values.empty()) return option.key + "=NUMBER";
  return fmt::format("{}={}", option.key, fmt::join(option.values, "|"));
}

std::optional<std::string> SpecValues::value(std::string_view key) const {
  for (const auto& [k, v] : options)
    if (k == key) return v;
  return std::nullopt;
}

std::optional<std::int64_t> SpecValues::number(std::string_view key) const {
  const auto text = value(key);
  return text ? parse_int(*text) : std::nullopt;
}

std::string_view spec_name(std::string_view spec) noexcept { return spec.substr(0, spec.find(':')); }

bool answers_to(const GameInfo& info, std::string_view name) noexcept {
  const auto is_name = [name](std::string_view word) {
    return std::equal(name.begin(), name.end(), word.begin(), word.end(),
                      [](char a, char b) { return lowered(a) == lowered(b); });
  };
  return is_name(info.name) || std::any_of(info.aliases.begin(), info.aliases.end(), is_name);
}

Result<SpecValues> read_spec(std::string_view spec, const GameInfo& info) {
  if (!answers_to(info, spec_name(spec))) {
    std::vector<std::string> names = {info.name};
    names.insert(names.end(), info.aliases.begin(), info.aliases.end());
    return fail(phrase("{} is not a spec of {}: it must begin with {}", in_quotes(spec), phrase_of(info.title),
                       or_names(names)));
  }
  SpecValues values;
  const auto colon = spec.find(':');
  if (colon == std::string_view::npos) return values;
  for (const auto word : split(spec.substr(colon + 1), ',')) {
    if (word.empty())
      return fail(phrase("an option is missing in {}; the options are {}", in_quotes(spec), valid_words(info)));
    if (const auto read = read_word(word, info, values); !read) return tl::unexpected(read.error());
  }
  return values;
}

}  // namespace paika
