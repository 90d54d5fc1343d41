// Server: everything together, from settings to a graceful end.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "server/log.hpp"
#include "server/net/network.hpp"
#include "server/sso/config.hpp"

namespace paika::server {

struct ServerSettings {
  NetworkSettings network;
  std::string database;                   // a file, made if it does not exist, or a PostgreSQL URL
  std::string owner;                      // what it says of itself to those who wait to be next; empty: nobody does
  std::string files;                      // what the paths of files beside the database begin with; found by open()
  std::string web;                        // the folder of the built web app; empty: a plain page of our own
  std::string tables;                     // the folder of tables of perfect play; empty: none
  std::vector<std::string> origins;       // of the pages that may use the server; none: its own
  std::string games;                      // a database of games that the explorer shows; empty: none
  std::string tournaments;                // the folder whose tournaments are shown; empty: none
  bool unsafe_bots = false;               // bots of classes run without a sandbox where none works
  bool weak_sandbox = false;              // bots of classes run although the kernel does not enforce their limits
  std::vector<std::string> bot_readable;  // files and folders that bots of classes may read beside their own
  int workers = 1;                        // threads that think
  int remote_analyses = 0;                // so many analyses at a time are left to workers elsewhere; 0: done here
  int ladder_workers = 1;                 // bots of classes that are built, checked or play here at the same time
  std::string version;                    // of workers that may help with them
  bool approved_teachers = false;         // only people whom an operator has approved open classes
  SsoConfig sso;                          // providers and platforms of single sign-on
  double rate_factor = 1;                 // multiplies what a client may do
  std::chrono::milliseconds slow{0};      // requests that take longer are logged; 0: none
  LogLevel log_level = LogLevel::info;
  Log::Write log;  // where the log goes
};

class Server {
 public:
  /// Opens the store, reads the games that go on and binds the address. An error says what cannot be done.
  [[nodiscard]] static Result<std::unique_ptr<Server>> open(ServerSettings settings);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  [[nodiscard]] std::uint16_t port() const;
  /// The number of this owner of the database (Connection::epoch()).
  [[nodiscard]] std::int64_t epoch() const;
  /// How long ago the clocks of its games went on.
  [[nodiscard]] std::chrono::steady_clock::duration clock_age() const;
  /// Serves until stop(); everything that was accepted is kept when it returns. An error if it could not go on, because
  /// the database has another owner or has lost what was committed. `on_loaded` is called when all rooms are there.
  [[nodiscard]] Result<void> run(const std::function<void()>& on_loaded = [] {});
  /// From any thread.
  void stop();
  /// From any thread: serves a connection that was taken elsewhere (Network::adopt).
  void adopt(Descriptor socket, std::string address);

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace paika::server
