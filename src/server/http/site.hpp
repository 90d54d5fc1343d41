// Site: what answers requests and web sockets, seen from the network; and the network, seen from the site.
//
// Both meet in these plain types, so that everything above the sockets is tested and fuzzed without any. All calls,
// in both directions, are made on the one network thread.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace paika::server {

/// A long body, or the rest of one, piece by piece: the next one only when the one before was taken.
class BodySource {
 public:
  /// Gets the next piece; an empty one is the end. Nothing: it failed, and the client must not take what it has for
  /// all.
  using Ready = std::function<void(std::optional<std::string>)>;

  BodySource() = default;
  BodySource(const BodySource&) = delete;
  BodySource& operator=(const BodySource&) = delete;
  virtual ~BodySource() = default;

  /// Calls `ready` once, now or later; not to be called again before.
  virtual void next(Ready ready) = 0;
};

/// A request as the site sees it. Texts are what the client sent, within the limits of the network, and may hold
/// anything.
struct Request {
  std::string method;                                       // "GET"
  std::string path;                                         // percent-decoded; begins with '/'
  std::map<std::string, std::string, std::less<>> query;    // decoded; the last of a name counts
  std::map<std::string, std::string, std::less<>> headers;  // names in lower case; the last of a name counts
  std::string body;
  /// The body of a request whose body the network does not read by itself (NetworkSettings::stream_prefix). The site
  /// takes it before it answers; of what it leaves, nothing is read, and the connection ends after the answer.
  std::shared_ptr<BodySource> rest = nullptr;
  std::string address;  // the client's, as the proxy tells it where there is a trusted one
  bool secure = false;  // it came by https, as the proxy tells

  /// A header's value; "" if it was not sent.
  [[nodiscard]] std::string_view header(std::string_view name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string_view() : std::string_view(found->second);
  }
  /// The value of a cookie; "" if it was not sent.
  [[nodiscard]] std::string_view cookie(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  std::shared_ptr<BodySource> rest = nullptr;  // what follows the body, if that is not all
};

/// Where texts go out one after the other: a web socket, or the lines of a stream that stays open.
class Subscriber {
 public:
  Subscriber() = default;
  Subscriber(const Subscriber&) = delete;
  Subscriber& operator=(const Subscriber&) = delete;
  virtual ~Subscriber() = default;

  /// Sends a text later, in order; a stream adds the end of the line. A client that does not take what waits for it is
  /// cut off. Nothing happens if it is closed.
  virtual void send(std::shared_ptr<const std::string> text) = 0;
  /// Sends what waits, then closes; `code` is one of web sockets (1000 done, 1001 going away, 1008 policy, …).
  virtual void close(int code, std::string_view reason) = 0;
  [[nodiscard]] virtual bool closed() const = 0;
  /// Called once when it is closed by either side, also if it is closed already.
  virtual void when_closed(std::function<void()> call) = 0;
  /// How much waits for the client, in bytes. Who has much to send looks at this, sends a part and goes on
  /// when_drained().
  [[nodiscard]] virtual std::size_t waiting_bytes() const = 0;
  /// Called once when nothing waits any more, at once if nothing does; never if it is closed before.
  virtual void when_drained(std::function<void()> call) = 0;

  void send(std::string text) { send(std::make_shared<const std::string>(std::move(text))); }
};

/// The answer to one request, given now or later, exactly once. Destroyed without an answer it sends a 500.
class Reply {
 public:
  Reply() = default;
  Reply(const Reply&) = delete;
  Reply& operator=(const Reply&) = delete;
  virtual ~Reply() = default;

  virtual void send(Response response) = 0;
  /// Answers with lines that follow one by one; the body of `head` is not used.
  [[nodiscard]] virtual std::shared_ptr<Subscriber> stream(Response head) = 0;
};

/// What receives the messages of one web socket. Dropped after closed().
class SocketHandler {
 public:
  SocketHandler() = default;
  SocketHandler(const SocketHandler&) = delete;
  SocketHandler& operator=(const SocketHandler&) = delete;
  virtual ~SocketHandler() = default;

  virtual void received(std::string text) = 0;
  virtual void closed() = 0;
};

class Site {
 public:
  Site() = default;
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;
  virtual ~Site() = default;

  virtual void answer(Request request, std::shared_ptr<Reply> reply) = 0;
  /// A client wants a web socket: who takes it, or the response that refuses it.
  [[nodiscard]] virtual std::variant<std::unique_ptr<SocketHandler>, Response> open_socket(
      const Request& request, std::shared_ptr<Subscriber> subscriber) = 0;
};

}  // namespace paika::server
