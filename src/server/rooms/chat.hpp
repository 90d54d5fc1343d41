// Chat: what may be said in a room, and how fast.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "search/types.hpp"
#include "server/rooms/event.hpp"

namespace paika::server {

/// What somebody typed as it is told to others: without blanks around it. An error if it is empty, too long, no UTF-8,
/// or holds characters that control how others are shown (line breaks, directions): a line of chat is a line.
[[nodiscard]] Result<std::string> chat_text(std::string_view typed);

/// How fast one person may speak in a room.
inline constexpr std::size_t chats_at_once = 5;
inline constexpr ServerTime chat_window = std::chrono::seconds(10);

/// Who spoke lately. People who have been silent for the window are forgotten, so it stays small.
class ChatLimit {
 public:
  /// Nothing if the person may speak, and then it is counted; else how long there is to wait.
  [[nodiscard]] std::optional<Milliseconds> take(PersonId person, ServerTime now);

 private:
  struct Speaker {
    PersonId person = 0;
    std::array<ServerTime, chats_at_once> times{};  // the oldest first
    std::size_t count = 0;
  };
  std::vector<Speaker> speakers_;
};

}  // namespace paika::server
