// Node: one of several servers on one PostgreSQL database. One of them leads: it is the Server, and owns the database.
// The others pass their clients on to it (server/net/forwarder.hpp) and wait. When it has ended, or has been silent for
// some seconds, the first of them to get the database leads (database/owner_watch.hpp).
//
// A leader that cannot reach the database for three seconds, or that the database has not heard of for so long, ends by
// itself; one that has lost the database cannot write from the first moment on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "server/server.hpp"

namespace paika::server {

struct NodeSettings {
  ServerSettings server;  // of a PostgreSQL database
  std::string address;    // where the other nodes reach this one; of no use to anybody else
  std::uint16_t port = 0;
};

class Node {
 public:
  /// Binds both addresses, and leads or finds the leader. An error says what cannot be done.
  [[nodiscard]] static Result<std::unique_ptr<Node>> open(NodeSettings settings);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  /// Of the address for clients.
  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::uint16_t node_port() const;
  /// Serves until stop(). To be called once.
  [[nodiscard]] Result<void> run();
  /// From any thread. A leader ends gracefully and gives the database back.
  void stop();

 private:
  class Impl;
  explicit Node(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace paika::server
