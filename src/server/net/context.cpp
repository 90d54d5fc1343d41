#include "server/net/context.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/http/wire.hpp"

namespace paika::server::net {

Share::Share(Context& context, std::string client) : context_(context), client_(std::move(client)) {
  context_.change_count(client_, 1);
}

Share::~Share() { context_.change_count(client_, -1); }

Connection::Connection(Context& context, SharePtr share)
    : context_(context),
      share_(std::move(share)),
      place_(context.connections_.insert(context.connections_.end(), this)) {
  if (!share_) return;
  Places& own = context_.clients_[share_->client()].open;
  own_place_ = own.insert(own.end(), this);
}

Connection::~Connection() {
  if (share_) context_.clients_[share_->client()].open.erase(own_place_);
  context_.connections_.erase(place_);
}

void Connection::touch() {
  if (!share_) return;
  Places& own = context_.clients_[share_->client()].open;
  own.splice(own.end(), own, own_place_);
}

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
  if (stopping_) return false;
  if (counts_.connections >= settings_.max_connections && !make_room(client)) return false;
  ++counts_.connections;
  return true;
}

SharePtr Context::share(const std::string& client) {
  if (count_of(client) >= settings_.max_per_address) return nullptr;
  return std::make_shared<const Share>(*this, client);
}

std::size_t Context::count_of(const std::string& client) const {
  const auto found = clients_.find(client);
  return found == clients_.end() ? 0 : found->second.count;
}

void Context::change_count(const std::string& client, int by) {
  const auto found = clients_.try_emplace(client).first;
  const std::size_t before = found->second.count;
  found->second.count = before + static_cast<std::size_t>(by);
  by_count_.erase({before, client});
  if (found->second.count > 0) {
    by_count_.emplace(found->second.count, client);
  } else {
    clients_.erase(found);
  }
}

bool Context::make_room(const std::string& client) {
  if (by_count_.empty() || by_count_.rbegin()->first <= count_of(client) + 1) return false;
  const Connection::Places& most = clients_.at(by_count_.rbegin()->second).open;
  const auto idle =
      std::find_if(most.begin(), most.end(), [](const Connection* c) { return !c->given_up_ && !c->is_busy(); });
  if (idle == most.end()) return false;
  (*idle)->given_up_ = true;
  ++counts_.given_up;
  (*idle)->cut();
  return true;
}

void Context::leave() {
  --counts_.connections;
  end_if_empty();
}

void Context::end_if_empty() {
  if (stopping_ && counts_.connections == 0) io_.stop();
}

}  // namespace paika::server::net
