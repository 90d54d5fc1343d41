// Chat: what may be said in a room, and how fast.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "rules/player.hpp"
#include "search/types.hpp"
#include "server/rooms/event.hpp"

namespace paika::server {

/// What somebody typed as it is told to others: without blanks around it. An error if it is empty, too long, no UTF-8,
/// or holds characters that control how others are shown (line breaks, directions): a line of chat is a line.
[[nodiscard]] Result<std::string> chat_text(std::string_view typed);

/// True if the text of an event is a chat of somebody who only watches. Players do not see it before the game has
/// ended.
[[nodiscard]] bool is_watcher_chat(std::string_view event_text);

/// How fast one person may speak in a room, and how fast all who watch it may together: those who play are heard
/// however many strangers come.
inline constexpr std::size_t chats_at_once = 5;
inline constexpr ServerTime chat_window = std::chrono::seconds(10);
inline constexpr int watcher_chats_at_once = 10;
inline constexpr ServerTime watcher_chat_time = std::chrono::seconds(2);  // for each further one

/// How much is said in a room, ever: nobody can fill the store, nor use up what another may say.
inline constexpr std::size_t max_player_chats = 500;     // of each player
inline constexpr std::size_t max_watcher_chats = 500;    // of all who watch together
inline constexpr std::size_t max_chats_of_watcher = 50;  // of one of them

/// Why somebody may not speak.
struct ChatRefusal {
  std::string_view message;
  std::optional<Milliseconds> wait;  // nothing: waiting does not help
};

/// Who spoke lately and how much was said. People who have been silent for the window are forgotten, so it stays small.
class ChatLimit {
 public:
  /// Nothing if the person may speak, who has this seat or only watches. Then it counts for how fast; said() counts it
  /// for how much.
  [[nodiscard]] std::optional<ChatRefusal> take(PersonId person, std::optional<Player> seat, ServerTime now);
  /// Something was said; `person` is 0 where that is not known any more.
  void said(std::optional<Player> seat, PersonId person);

 private:
  struct Speaker {
    PersonId person = 0;
    std::array<ServerTime, chats_at_once> times{};  // the oldest first
    std::size_t count = 0;
  };
  [[nodiscard]] std::optional<Milliseconds> wait_of(PersonId person, ServerTime now);

  std::vector<Speaker> speakers_;
  ServerTime watchers_at_{0};  // the bucket of those who watch is full again at this time
  std::array<std::size_t, 2> players_{};
  std::size_t watchers_ = 0;
  std::unordered_map<PersonId, std::size_t> by_watcher_;
};

}  // namespace paika::server
