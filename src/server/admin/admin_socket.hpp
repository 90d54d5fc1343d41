// AdminSocket: where a running server hears its operators: a UNIX socket beside the database, for its owner and root.
//
// A request is one line and so is its answer; then the connection ends. One is served at a time, on a thread of its
// own.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/result.hpp"
#include "database/files.hpp"

namespace paika::server {

/// The path of the socket of a database.
[[nodiscard]] std::string admin_socket_path(const std::string& database);

class AdminSocket {
 public:
  /// Answers a line from the user with this number of the machine. May take its time.
  using Handler = std::function<std::string(const std::string& line, unsigned uid)>;

  /// Makes the socket, readable by this user alone, in the place of one that a crash has left.
  [[nodiscard]] static Result<std::unique_ptr<AdminSocket>> open(const std::string& path, Handler handler);
  AdminSocket(const AdminSocket&) = delete;
  AdminSocket& operator=(const AdminSocket&) = delete;
  ~AdminSocket();

  /// Ends and removes the socket; a request under way is answered first.
  void close();

 private:
  AdminSocket(std::string path, int listening, int waking, Handler handler);
  void serve();
  void answer(int connection) const;

  std::string path_;
  FileIdentity made_;  // what was made there
  int listening_;
  int waking_;  // an eventfd that ends the thread
  Handler handler_;
  std::thread thread_;
};

/// Sends a line to the server of this socket and waits for its answer; nothing if no server listens there. An error
/// says why it cannot be asked.
[[nodiscard]] Result<std::optional<std::string>> ask_server(const std::string& path, const std::string& line);

}  // namespace paika::server
