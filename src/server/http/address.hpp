// Addresses of clients: one way of writing each, and who counts as one client.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/rooms/event.hpp"

namespace paika::server {

/// An IPv4 or IPv6 address in its usual form, an IPv4 one inside IPv6 ("::ffff:10.0.0.1") as IPv4; nothing if it is
/// none. A zone ("%eth0") is left away.
[[nodiscard]] std::optional<std::string> plain_address(std::string_view text);

/// What limits are counted for: an IPv4 address itself; of an IPv6 address its first 64 bits, which every subscriber
/// has to himself ("2001:db8:0:7::/64"). A text that is no address is its own client.
[[nodiscard]] std::string client_of(std::string_view address);

/// Who is charged for something: always the address, and the person too where one is known.
struct Client {
  std::string address;  // as client_of() writes it; empty: the server itself
  PersonId person = 0;  // 0: nobody that is known
};

/// True for 127.0.0.0/8 and ::1.
[[nodiscard]] bool is_loopback(std::string_view address);

}  // namespace paika::server
