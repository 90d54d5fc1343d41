// Records: each turn is checked by the rules of the game when it is read.
#include "play/record.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/registry.hpp"
#include "play/game_player.hpp"
#include "play/settings.hpp"

namespace paika::play {

namespace {

constexpr std::array verdicts = {Verdict::ongoing, Verdict::first_wins, Verdict::second_wins, Verdict::draw};

/// The keys in their order in a record; each but note and move at most once.
enum class Key : unsigned char {
  spec,
  first,
  second,
  first_limits,
  second_limits,
  first_since,
  second_since,
  note,
  start,
  opening,
  move,
  pending,
  result,
  remark
};

constexpr std::array<std::pair<std::string_view, Key>, 14> keys = {{{"spec", Key::spec},
                                                                    {"first", Key::first},
                                                                    {"second", Key::second},
                                                                    {"first-limits", Key::first_limits},
                                                                    {"second-limits", Key::second_limits},
                                                                    {"first-since", Key::first_since},
                                                                    {"second-since", Key::second_since},
                                                                    {"note", Key::note},
                                                                    {"start", Key::start},
                                                                    {"opening", Key::opening},
                                                                    {"move", Key::move},
                                                                    {"pending", Key::pending},
                                                                    {"result", Key::result},
                                                                    {"remark", Key::remark}}};

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (const auto& [name, key] : keys) names.emplace_back(name);
  return names;
}

/// One record being read: its lines in order, from after "paika-record" to "end".
class RecordReader {
 public:
  Result<void> take(std::string_view word, std::string_view value) {
    if (word == "turn") word = "move";  // as older records have it
    const auto* const found = std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return k.first == word; });
    if (found == keys.end()) {
      auto names = key_names();
      names.emplace_back("end");
      return fail(phrase("there is no keyword {}; the keywords are {}", with_suggestion(in_quotes(word), word, names),
                         and_names(names)));
    }
    const Key key = found->second;
    const bool again = key == Key::note || key == Key::move;
    if (last_ && (key < *last_ || (key == *last_ && !again))) {
      return fail(phrase("{} cannot come after {}", word, key_names()[static_cast<std::size_t>(*last_)]));
    }
    if (key != Key::spec && !session_) return fail(phrase("a record begins with its spec, not with {}", word));
    last_ = key;
    return take(key, value);
  }

  Result<GameRecord> finish() {
    if (!session_) return fail(phrase("the record has no spec"));
    if (!has_result_) return fail(phrase("the record has no result"));
    return std::move(record_);
  }

 private:
  Result<void> take(Key key, std::string_view value) {
    switch (key) {
      case Key::spec: return take_spec(value);
      case Key::first: record_.players[0] = value; return {};
      case Key::second: record_.players[1] = value; return {};
      case Key::first_limits: return take_limits(0, value);
      case Key::second_limits: return take_limits(1, value);
      case Key::first_since: return take_count("first-since", value, record_.since[0]);
      case Key::second_since: return take_count("second-since", value, record_.since[1]);
      case Key::note: record_.notes.emplace_back(value); return {};
      case Key::start: return take_start(value);
      case Key::opening: return take_count("opening", value, record_.opening);
      case Key::move: return take_turn(value);
      case Key::pending: return take_pending(value);
      case Key::result: return take_result(value);
      case Key::remark: record_.result.remark = value; return {};
    }
    return {};
  }

  Result<void> take_spec(std::string_view value) {
    auto game = open_game(value);
    if (!game) return tl::unexpected(game.error());
    game_ = std::move(*game);
    session_ = game_->start();
    record_.spec = game_->notation().spec();
    return {};
  }

  Result<void> take_limits(std::size_t side, std::string_view value) {
    const auto settings = read_settings(value);
    if (!settings) return tl::unexpected(settings.error());
    if (limits_text(settings->limits) != value)
      return fail(phrase("{} are not the limits of a record", in_quotes(value)));
    record_.limits[side] = settings->limits;
    return {};
  }

  Result<void> take_start(std::string_view value) {
    auto session = game_->start_from_text(value);
    if (!session) return tl::unexpected(session.error());
    session_ = std::move(*session);
    record_.start = session_->position_text();
    return {};
  }

  /// A number of turns; zero is told by leaving the line out.
  static Result<void> take_count(std::string_view key, std::string_view value, int& count) {
    constexpr int most = 1'000'000;
    const auto number = parse_int(value);
    if (!number || *number < 1 || *number > most) {
      return fail(phrase("{} must be a whole number from {} to {}, not {}", key, 1, most, in_quotes(value)));
    }
    count = static_cast<int>(*number);
    return {};
  }

  Result<void> take_pending(std::string_view value) {
    RecordedTurn unplayed;
    if (!take_remark(unplayed, value) || !unplayed.time) {
      return fail(phrase("pending must be time=NUMBERus, not {}", in_quotes(value)));
    }
    record_.pending = unplayed.time;
    return {};
  }

  Result<void> take_turn(std::string_view value) {
    RecordedTurn turn;
    const std::string_view text = take_word(value);
    const Board before = session_->board();
    const auto played = session_->try_play(text);
    if (!played) {
      return fail(phrase("move {}, {}: {}", record_.turns.size() + 1, in_quotes(text),
                         refusal_phrase(session_->notation(), played.error())));
    }
    turn.text = session_->notation().turn_text(before, *played);
    for (std::string_view word = take_word(value); !word.empty(); word = take_word(value)) {
      if (!take_remark(turn, word)) {
        return fail(phrase("{} is none of time=NUMBERus, score=NUMBER and depth=NUMBER", in_quotes(word)));
      }
    }
    record_.turns.push_back(std::move(turn));
    return {};
  }

  /// Reads "time=98312us", "score=-31" or "depth=9"; false if it is none of them.
  static bool take_remark(RecordedTurn& turn, std::string_view word) {
    const auto equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    std::string_view digits = equals == std::string_view::npos ? "" : word.substr(equals + 1);
    const bool is_time = key == "time";
    if (is_time && !digits.ends_with("us")) return false;
    if (is_time) digits.remove_suffix(2);
    const auto number = parse_int(digits);
    constexpr std::int64_t bound = 1'000'000'000;
    if (!number || *number > (is_time ? 1000 * bound : bound) || *number < (key == "score" ? -bound : 0)) return false;
    if (is_time) turn.time = std::chrono::microseconds(*number);
    if (key == "score") turn.score = static_cast<int>(*number);
    if (key == "depth") turn.depth = static_cast<int>(*number);
    return is_time || key == "score" || key == "depth";
  }

  Result<void> take_result(std::string_view value) {
    if (record_.opening > static_cast<int>(record_.turns.size())) {
      return fail(phrase("the opening has {} moves, but the game only {}", record_.opening, record_.turns.size()));
    }
    for (const int since : record_.since) {
      if (since > static_cast<int>(record_.turns.size())) {
        return fail(phrase("limits cannot begin at move {} of a game of {}", since, record_.turns.size()));
      }
    }
    const std::string_view verdict = take_word(value);
    const std::string_view reason = take_word(value);
    const auto* const found =
        std::find_if(verdicts.begin(), verdicts.end(), [&](Verdict v) { return name(v) == verdict; });
    if (found == verdicts.end() || !trimmed(value).empty()) {
      return fail(phrase("a result is ongoing, first_wins, second_wins or draw, and the reason"));
    }
    has_result_ = true;
    record_.result.verdict = *found;
    record_.result.reason = read_reason(reason);
    return check_result(session_->outcome(), record_.result);
  }

  GamePtr game_;
  std::unique_ptr<Session> session_;
  GameRecord record_;
  std::optional<Key> last_;
  bool has_result_ = false;
};

/// Checks the first line of a record.
Result<void> check_header(std::string_view word, std::string_view value) {
  if (word != "paika-record")
    return fail(phrase("a record begins with {}, not {}", in_quotes(fmt::format("paika-record {}", record_version)),
                       in_quotes(word)));
  if (parse_int(value) == record_version) return {};
  return fail(phrase("the record has version {}; this program reads version {}", in_quotes(value), record_version));
}

}  // namespace

std::string read_reason(std::string_view written) {
  return std::string(written == "max_turns" ? too_long_reason : written);
}

Result<void> check_result(const Outcome& outcome, const GameResult& result) {
  const Verdict verdict = result.verdict;
  const std::string_view reason = result.reason;
  if (outcome.over()) {
    if (verdict == outcome.verdict && reason == name(outcome.reason)) return {};
    return fail(phrase("by the rules the game ended {} {}", name(outcome.verdict), name(outcome.reason)));
  }
  if (verdict == Verdict::ongoing && (reason == unfinished_reason || reason == abandoned_reason)) return {};
  if (verdict == Verdict::draw && (reason == too_long_reason || reason == agreed_reason)) return {};
  const bool lost = reason == resigned_reason ||
                    std::any_of(failures.begin(), failures.end(), [&](Failure f) { return play::name(f) == reason; });
  if (lost && (verdict == Verdict::first_wins || verdict == Verdict::second_wins)) return {};
  return fail(
      phrase("the game is not over by the rules, so its result is ongoing {} or {}, draw {} or {}, or a win by "
             "illegal, time, crash, protocol, stall, memory, flood or {}",
             unfinished_reason, abandoned_reason, too_long_reason, agreed_reason, resigned_reason));
}

Result<std::vector<GameRecord>> parse_records(std::string_view text) {
  std::vector<GameRecord> records;
  std::optional<RecordReader> reader;
  int number = 0;
  const auto at_line = [&](const Error& error) { return fail(phrase("line {}: {}", number, error.words())); };
  while (!text.empty()) {
    ++number;
    const auto end = text.find('\n');
    std::string_view value = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (value.empty() || value.front() == '#') continue;
    const std::string_view word = take_word(value);
    value = trimmed(value);
    if (!reader) {
      if (const auto good = check_header(word, value); !good) return at_line(good.error());
      reader.emplace();
    } else if (word == "end") {
      auto record = reader->finish();
      if (!record) return at_line(record.error());
      records.push_back(std::move(*record));
      reader.reset();
    } else if (const auto taken = reader->take(word, value); !taken) {
      return at_line(taken.error());
    }
  }
  if (reader) return fail(phrase("line {}: the last record has no end", number));
  return records;
}

// ---- Writing ----

namespace {

/// A value fit for one line: control bytes become question marks, blanks at the ends go.
std::string one_line(std::string_view text) {
  std::string out(trimmed(text));
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return out;
}

void put(std::string& out, std::string_view key, std::string_view value) {
  const std::string line = one_line(value);
  if (!line.empty()) out += fmt::format("{} {}\n", key, line);
}

std::string turn_line(const RecordedTurn& turn) {
  std::string line = fmt::format("move {}", turn.text);
  if (turn.time) line += fmt::format(" time={}us", turn.time->count());
  if (turn.score) line += fmt::format(" score={}", *turn.score);
  if (turn.depth > 0) line += fmt::format(" depth={}", turn.depth);
  return line + "\n";
}

}  // namespace

std::string record_text(const GameRecord& record) {
  std::string out = fmt::format("paika-record {}\n", record_version);
  put(out, "spec", record.spec);
  put(out, "first", record.players[0]);
  put(out, "second", record.players[1]);
  put(out, "first-limits", limits_text(record.limits[0]));
  put(out, "second-limits", limits_text(record.limits[1]));
  if (record.since[0] > 0) put(out, "first-since", fmt::to_string(record.since[0]));
  if (record.since[1] > 0) put(out, "second-since", fmt::to_string(record.since[1]));
  for (const std::string& note : record.notes) put(out, "note", note);
  put(out, "start", record.start);
  if (record.opening > 0) put(out, "opening", fmt::to_string(record.opening));
  for (const RecordedTurn& turn : record.turns) out += turn_line(turn);
  if (record.pending) put(out, "pending", fmt::format("time={}us", record.pending->count()));
  put(out, "result", fmt::format("{} {}", name(record.result.verdict), record.result.reason));
  put(out, "remark", record.result.remark);
  return out + "end\n";
}

}  // namespace paika::play
