// The head with which a node passes a client on to the leader (server/net/forwarder.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace paika::server::net {

inline constexpr std::size_t passage_head_bytes = 128;

struct PassedClient {
  std::string address;  // in its usual form
  std::string passage;  // the id that both nodes log: 16 digits from 0 to f
  bool operator==(const PassedClient&) const = default;
};

/// "PAIKA1 SECRET ADDRESS PASSAGE\n" and spaces.
[[nodiscard]] std::string passage_head(std::string_view secret, const PassedClient& client);

/// The client; nothing if this is no head, or not with this secret. How long it takes says nothing of the secret.
[[nodiscard]] std::optional<PassedClient> client_of_passage(std::string_view head, std::string_view secret);

}  // namespace paika::server::net
