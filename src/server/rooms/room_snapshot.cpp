#include "server/rooms/room_snapshot.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ranges>

#include "base/check.hpp"
#include "base/text.hpp"
#include "engine/json.hpp"
#include "server/rooms/room_impl.hpp"

namespace paika::server {

namespace {

struct SnapshotLine {
  bool brief = false;
  std::string at;    // microseconds
  std::string text;  // JSON
};

/// The fields of an event that Room::restore() reads. Kinds that are not here stay whole.
struct BriefKind {
  std::string_view kind;
  std::array<std::string_view, 4> fields;
};
constexpr std::array<BriefKind, 3> brief_kinds = {{{"move", {"move", "seat", "id", "text"}},
                                                   {"begun", {"rated", "", "", ""}},
                                                   {"taken_back", {"moves", "seat", "", ""}}}};

Json brief_chat(const Json& event, Json brief) {
  const Json who = event.value("who", Json::object());
  brief["who"] = {{"name", ""}, {"seat", who.is_object() ? who.value("seat", Json(nullptr)) : Json(nullptr)}};
  brief["text"] = "";
  return brief;
}

/// An event without what only watchers need; null if all of it is needed.
Json brief_event(const Json& event) {
  const Json kind = event.value("event", Json(nullptr));
  Json brief{{"number", event["number"]}, {"at_us", event["at_us"]}, {"event", kind}};
  if (kind == "chat") return brief_chat(event, std::move(brief));
  const auto* const found =
      std::find_if(brief_kinds.begin(), brief_kinds.end(), [&](const BriefKind& k) { return kind == k.kind; });
  if (found == brief_kinds.end()) return nullptr;
  for (const std::string_view field : found->fields) {
    if (event.contains(field)) brief[std::string(field)] = event[std::string(field)];
  }
  return brief;
}

Result<std::vector<SnapshotLine>> read_lines(std::string_view text) {
  std::vector<SnapshotLine> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::size_t blank = line.find(' ', 2);
    const bool known = line.starts_with("w ") || line.starts_with("b ");
    if (end == std::string_view::npos || !known || blank == std::string_view::npos) {
      return fail("line {} of the snapshot makes no sense", lines.size() + 1);
    }
    lines.push_back({line.front() == 'b', std::string(line.substr(2, blank - 2)), std::string(line.substr(blank + 1))});
    text.remove_prefix(end + 1);
  }
  return lines;
}

/// Makes brief what is no longer shown: all but the last move and the last chats.
void shorten(std::vector<SnapshotLine>& lines) {
  std::size_t moves = 0;
  std::size_t chats = 0;
  for (SnapshotLine& line : std::views::reverse(lines)) {
    if (line.brief) continue;
    const Json event = Json::parse(line.text, nullptr, false);
    if (!event.is_object() || !event.contains("number") || !event.contains("at_us")) continue;
    const Json kind = event.value("event", Json(nullptr));
    if (kind == "move") ++moves;
    if (kind == "chat") ++chats;
    const bool shown = (kind == "move" && moves <= 1) || (kind == "chat" && chats <= shown_chats);
    if (shown) continue;
    const Json brief = brief_event(event);
    if (brief.is_null()) continue;
    line.brief = true;
    line.text = json_text(brief);
  }
}

}  // namespace

Result<std::string> extended_snapshot(std::string_view before, std::span<const Event> events) {
  auto lines = read_lines(before);
  if (!lines) return tl::unexpected(lines.error());
  for (const Event& event : events) {
    if (event.number != lines->size() + 1) return fail("event {} does not follow the snapshot", event.number);
    PAIKA_CHECK(event.text != nullptr);
    lines->push_back({false, std::to_string(event.at.count()), *event.text});
  }
  shorten(*lines);
  std::string text;
  for (const SnapshotLine& line : *lines) {
    text.append(line.brief ? "b " : "w ").append(line.at).append(" ").append(line.text).append("\n");
  }
  return text;
}

Result<std::vector<Event>> snapshot_events(std::string_view text) {
  auto lines = read_lines(text);
  if (!lines) return tl::unexpected(lines.error());
  std::vector<Event> events;
  events.reserve(lines->size());
  for (SnapshotLine& line : *lines) {
    const auto at = parse_int(line.at);
    if (!at) return fail("line {} of the snapshot has no time", events.size() + 1);
    events.push_back(
        {events.size() + 1, ServerTime(*at), std::make_shared<const std::string>(std::move(line.text)), 0, line.brief});
  }
  return events;
}

}  // namespace paika::server
