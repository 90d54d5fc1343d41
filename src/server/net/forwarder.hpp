// Forwarder: takes the clients of a node while another node leads, and passes their bytes to that node; and, where this
// node leads, takes those whom the other nodes pass on.
//
// A node has two addresses. At one it takes clients, at the other those whom other nodes pass on. Each begins with a
// head of 128 bytes, "PAIKA1 SECRET ADDRESS PASSAGE\n" and spaces: the leader's secret, which nodes learn from the
// database, the client's address and an id of the passage for the logs of both. The leader answers "+" and serves it;
// who leads no more closes the connection. There the node also says how it is: GET /healthz, GET /metrics.
//
// While nobody leads clients wait; after some seconds they are turned away. What a passage costs is bounded: two
// sockets whose buffers have 256 KB in each direction and two buffers of 8 KB; who takes nothing for too long is cut
// off.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "server/net/listening_socket.hpp"

namespace paika::server {

/// Where the clients of a node go.
struct NobodyLeads {};
struct AnotherLeads {
  std::string address;  // of the leader, for nodes
  std::uint16_t port = 0;
  std::string secret;
  bool operator==(const AnotherLeads&) const = default;
};
struct ThisLeads {
  std::function<void(Descriptor socket, std::string address)> adopt;  // a client's connection; called on any thread
};
using ForwardingRoute = std::variant<NobodyLeads, AnotherLeads, ThisLeads>;

/// What both nodes say of a client that is passed on.
struct PassageNote {
  std::string_view event;  // "passage" and "passage_over" at the node that passes it on, "passage_taken" at the leader
  std::string_view passage;
  std::string_view client;
  std::uint64_t bytes = 0;  // when it is over: in both directions
};

struct ForwarderSettings {
  std::shared_ptr<const ListeningSocket> clients;
  std::shared_ptr<const ListeningSocket> nodes;
  std::string secret;  // that others must know to pass clients on to this node
  std::size_t max_connections = 20'000;
  std::chrono::milliseconds patience{6'000};  // of a client while nobody leads
  std::function<void(std::string_view)> log;
  std::function<void(const PassageNote&)> note;
  std::chrono::milliseconds write_time{30'000};  // in which either side must take something
};

class Forwarder {
 public:
  /// Begins at once, on a thread of its own; nobody leads.
  [[nodiscard]] static Result<std::unique_ptr<Forwarder>> open(ForwarderSettings settings);
  Forwarder(const Forwarder&) = delete;
  Forwarder& operator=(const Forwarder&) = delete;
  /// Cuts all connections.
  ~Forwarder();

  /// From any thread. Clients that are passed to another leader are cut off; they connect anew. When it returns the
  /// last route is not used any more.
  void set_route(ForwardingRoute route);

 private:
  class Impl;
  explicit Forwarder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace paika::server
