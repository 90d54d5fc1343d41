#include "server/rooms/chat.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "server/rooms/room.hpp"

namespace paika::server {

namespace {

constexpr std::array<std::string_view, 10> presets = {
    "hello", "good_luck", "thanks", "good_game", "well_played", "oops", "sorry", "one_moment", "rematch_later", "bye"};

/// Control characters of ASCII and Latin-1, ends of lines and paragraphs, and whatever turns the direction of a text.
/// Joiners and variants stay allowed: emoji and some scripts are written with them.
bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

}  // namespace

std::span<const std::string_view> chat_presets() noexcept { return presets; }

Result<std::string> chat_text(std::string_view typed) {
  const std::string_view text = trimmed(typed);
  if (text.size() > max_chat) {
    return fail("the text has {} bytes; at most {} are allowed", text.size(), max_chat);
  }
  bool visible = false;
  for (std::string_view rest = text; !rest.empty();) {
    const auto code = code_of(take_character(rest));
    if (!code) return fail("the text is not UTF-8");
    if (is_control(*code)) return fail("the text has a control character (U+{:04X})", static_cast<unsigned>(*code));
    visible = visible || (!is_invisible(*code) && *code != ' ' && *code != 0xa0);
  }
  if (!visible) return fail("the text is empty");
  return std::string(text);
}

std::optional<Milliseconds> ChatLimit::take(PersonId person, ServerTime now) {
  std::erase_if(speakers_, [&](const Speaker& s) { return s.times[s.count - 1] + chat_window <= now; });
  auto found = std::find_if(speakers_.begin(), speakers_.end(), [&](const Speaker& s) { return s.person == person; });
  if (found == speakers_.end()) found = speakers_.insert(found, Speaker{person, {}, 0});
  if (found->count == chats_at_once) {
    const ServerTime free_at = found->times.front() + chat_window;
    if (now < free_at) return std::chrono::ceil<Milliseconds>(free_at - now);
    std::rotate(found->times.begin(), found->times.begin() + 1, found->times.end());
    --found->count;
  }
  found->times[found->count++] = now;
  return std::nullopt;
}

}  // namespace paika::server
