// ListeningSocket: an address on which connections arrive, bound once. Several may take connections from it in turn;
// what arrives while nobody does waits in the system.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace paika::server {

class ListeningSocket {
 public:
  /// Binds "127.0.0.1", "::1" or "localhost"; port 0: any free one. An error says why that cannot be done ("port 8080
  /// of 127.0.0.1 is taken: …").
  [[nodiscard]] static Result<std::shared_ptr<const ListeningSocket>> open(const std::string& address,
                                                                           std::uint16_t port);

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  [[nodiscard]] bool is_ipv6() const noexcept { return is_ipv6_; }
  /// One more descriptor of the same socket.
  [[nodiscard]] Result<Descriptor> share() const;

 private:
  ListeningSocket(Descriptor descriptor, std::uint16_t port, bool is_ipv6)
      : descriptor_(std::move(descriptor)), port_(port), is_ipv6_(is_ipv6) {}

  Descriptor descriptor_;
  std::uint16_t port_;
  bool is_ipv6_;
};

}  // namespace paika::server
