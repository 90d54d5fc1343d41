// Writing records.
#include <fmt/format.h>

#include "base/text.hpp"
#include "play/record.hpp"
#include "play/settings.hpp"

namespace paika::play {

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
  std::string line = fmt::format("turn {}", turn.text);
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
