// The fuzz targets of the server: what clients send, and what a damaged store could give back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paika::fuzz {

/// The first line and the cookies of a request, and its body; or the head with which another node passes one on.
void run_request(std::string_view bytes);
[[nodiscard]] std::vector<std::string> request_seeds();

/// Lines of messages to a room, from two players and a watcher: whatever is asked, the room's events give it again.
void run_room(std::string_view bytes);
[[nodiscard]] std::vector<std::string> room_seeds();

/// Lines as stored events: a room, or an error.
void run_room_events(std::string_view bytes);
[[nodiscard]] std::vector<std::string> room_events_seeds();

/// A token, and a key set: what comes from issuers. Anybody can send both, and no text is a token that our key signed.
void run_token(std::string_view bytes);
[[nodiscard]] std::vector<std::string> token_seeds();

}  // namespace paika::fuzz
