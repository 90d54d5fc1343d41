#include "server/net/context.hpp"

#include <fmt/format.h>

#include "server/http/wire.hpp"

namespace paika::server::net {

Connection::Connection(Context& context)
    : context_(context), place_(context.connections_.insert(context.connections_.end(), this)) {}

Connection::~Connection() { context_.connections_.erase(place_); }

Context::Context(asio::io_context& io, const NetworkSettings& settings) : io_(io), settings_(settings) {}

const std::string& Context::date() {
  const auto now = std::chrono::system_clock::now();
  if (now >= date_until_ || date_until_ - now > std::chrono::seconds(1)) {
    const auto second = std::chrono::floor<std::chrono::seconds>(now);
    date_ = http_date(second.time_since_epoch().count());
    date_until_ = second + std::chrono::seconds(1);
  }
  return date_;
}

void Context::log(std::string_view line) const {
  if (settings_.log) settings_.log(line);
}

void Context::log_failure(std::string_view what, std::string_view why) const {
  log(fmt::format("{} failed: {}", what, why));
}

void Context::stop() {
  if (stopping_) return;
  stopping_ = true;
  for (Connection* connection : connections_) connection->finish();
  end_if_empty();
}

void Context::cut_all() {
  for (Connection* connection : connections_) connection->cut();
}

void Context::check_all(SteadyClock::time_point now) {
  for (Connection* connection : connections_) connection->check(now);
}

bool Context::enter(const std::string& client) {
  if (stopping_ || counts_.connections >= settings_.max_connections) return false;
  std::size_t& own = clients_[client];
  if (own >= settings_.max_per_address) {
    if (own == 0) clients_.erase(client);
    return false;
  }
  ++own;
  ++counts_.connections;
  return true;
}

void Context::leave(const std::string& client) {
  const auto found = clients_.find(client);
  if (found != clients_.end() && --found->second == 0) clients_.erase(found);
  --counts_.connections;
  end_if_empty();
}

void Context::end_if_empty() {
  if (stopping_ && counts_.connections == 0) io_.stop();
}

}  // namespace paika::server::net
