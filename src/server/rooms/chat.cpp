#include "server/rooms/chat.hpp"

#include <algorithm>

#include "base/names.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "server/rooms/room.hpp"

namespace paika::server {

namespace {

constexpr std::array<std::string_view, 10> presets = {
    "hello", "good_luck", "thanks", "good_game", "well_played", "oops", "sorry", "one_moment", "rematch_later", "bye"};

/// Whatever cannot be seen or changes how a text is shown. Joiners and variants stay allowed: emoji and some scripts
/// are written with them.
bool is_control(char32_t code) { return is_hidden(code) && !is_joiner(code); }

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
    visible = visible || (!is_hidden(*code) && !is_blank(*code));
  }
  if (!visible) return fail("the text is empty");
  return std::string(text);
}

bool is_watcher_chat(std::string_view event_text) {
  // Quotation marks within what was said are escaped: these are the event's own fields.
  constexpr auto none = std::string_view::npos;
  return event_text.find(R"("event":"chat")") != none && event_text.find(R"("seat":null)") != none;
}

std::optional<ChatRefusal> ChatLimit::take(PersonId person, std::optional<Player> seat, ServerTime now) {
  constexpr std::string_view too_many = "You have reached the limit of messages in this room.";
  constexpr std::string_view too_fast = "You are sending messages too fast.";
  if (seat) {
    if (players_.at(seat_of(*seat)) >= max_player_chats) return ChatRefusal{too_many, std::nullopt};
    if (const auto wait = wait_of(person, now)) return ChatRefusal{too_fast, wait};
    return std::nullopt;
  }
  if (watchers_ >= max_watcher_chats) {
    return ChatRefusal{"Those who watch have reached their limit of messages in this room.", std::nullopt};
  }
  const auto own = by_watcher_.find(person);
  if (own != by_watcher_.end() && own->second >= max_chats_of_watcher) return ChatRefusal{too_many, std::nullopt};
  // As a time: each message moves the moment at which the bucket is full; it is empty when that is too far away.
  const ServerTime full_at = std::max(watchers_at_, now) + watcher_chat_time;
  if (const ServerTime over = full_at - now - watcher_chats_at_once * watcher_chat_time; over.count() > 0) {
    return ChatRefusal{"Those who watch are sending messages too fast.", std::chrono::ceil<Milliseconds>(over)};
  }
  if (const auto wait = wait_of(person, now)) return ChatRefusal{too_fast, wait};
  watchers_at_ = full_at;
  return std::nullopt;
}

void ChatLimit::said(std::optional<Player> seat, PersonId person) {
  if (seat) {
    ++players_.at(seat_of(*seat));
    return;
  }
  ++watchers_;
  if (person != 0) ++by_watcher_[person];
}

std::optional<Milliseconds> ChatLimit::wait_of(PersonId person, ServerTime now) {
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
