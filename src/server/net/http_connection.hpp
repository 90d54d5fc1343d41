// HttpConnection: one connection as long as it speaks HTTP. Requests are answered one after the other, in their order.
#pragma once

#include <boost/asio/buffer.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/net/outbox.hpp"
#include "server/net/reply.hpp"
#include "server/net/request_reader.hpp"
#include "server/net/wake.hpp"

namespace paika::server::net {

/// A connection that becomes a web socket: all that is needed to go on.
struct Upgrade {
  Stream stream;
  RequestReader::Message message;
  std::unique_ptr<SocketHandler> handler;
  std::shared_ptr<Outbox> outbox;
  SharePtr share;
};

/// The body of a request that is read as the site takes it. Either side may end first.
class RequestBody final : public BodySource {
 public:
  explicit RequestBody(Wake& wake) : wake_(&wake) {}

  void next(Ready ready) override;
  [[nodiscard]] bool wanted() const noexcept { return ready_ != nullptr; }
  /// Requires wanted().
  void give(std::optional<std::string> piece);
  /// Nothing is read any more.
  void close();

 private:
  Wake* wake_;  // of the connection; nullptr once it is closed
  Ready ready_;
};

class HttpConnection final : public Connection, public std::enable_shared_from_this<HttpConnection> {
 public:
  /// `address` is the peer's.
  HttpConnection(Context& context, Stream stream, std::string address, SharePtr share);
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;
  ~HttpConnection() override = default;

  /// Serves until the connection has ended or becomes a web socket: that is what it gives then.
  [[nodiscard]] Task<std::unique_ptr<Upgrade>> run();

  void finish() override;
  void cut() override;
  void check(SteadyClock::time_point /*now*/) override {}  // the stream's own deadlines do that
  [[nodiscard]] bool is_busy() const override { return answering_; }

 private:
  using Buffers = std::vector<asio::const_buffer>;

  /// The share of the request's client; nullptr if it has as many as it may.
  [[nodiscard]] SharePtr request_share();
  /// Answers the reader's request; true if another one may follow.
  [[nodiscard]] Task<bool> answer();
  /// Waits until the site has answered, and reads the body meanwhile where the site takes it in pieces. False if there
  /// is nobody to answer any more.
  [[nodiscard]] Task<bool> wait_for_answer(Pending& pending, const std::shared_ptr<RequestBody>& body);
  [[nodiscard]] Task<bool> send(const Response& response, bool keep_alive);
  /// Sends the rest of a body as it is made.
  [[nodiscard]] Task<bool> send_rest(BodySource& rest, bool chunked);
  [[nodiscard]] Task<std::optional<std::string>> next_piece(BodySource& rest);
  [[nodiscard]] Task<bool> send_piece(std::string_view piece, bool chunked);
  [[nodiscard]] Task<bool> write(Buffers buffers);
  /// Sends the lines of a stream until either side ends it.
  [[nodiscard]] Task<void> send_lines(Outbox& outbox);
  [[nodiscard]] Task<bool> send_batch(Outbox& outbox, bool chunked);
  [[nodiscard]] Task<bool> send_line_end(bool chunked);
  /// Notices that the client of a stream goes: reads and forgets what it sends.
  static Task<void> watch(std::shared_ptr<HttpConnection> self);
  /// Tells the site that nobody listens to it any more.
  void finish_outbox(Outbox& outbox) const;
  /// Ends so that the client gets all that was sent.
  [[nodiscard]] Task<void> end();
  /// Asks the site for a web socket; nullptr if the answer is a response, which was sent.
  [[nodiscard]] Task<std::unique_ptr<Upgrade>> open_socket(SharePtr share);
  [[nodiscard]] std::shared_ptr<Pending> ask_site();

  Stream stream_;
  RequestReader reader_;
  Wake wake_;
  std::shared_ptr<Outbox> outbox_;  // of the stream that is being sent
  Response stream_head_;
  bool is_head_ = false;  // the request asks for the head alone
  bool broken_ = false;   // the site threw an exception: nothing more on this connection
  bool cut_ = false;
  bool answering_ = false;
  bool watched_ = false;
  bool peer_gone_ = false;
};

}  // namespace paika::server::net
