#include "server/gate.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"
#include "server/http/address.hpp"
#include "server/http/answers.hpp"
#include "server/http/guard.hpp"

namespace paika::server {

namespace {

constexpr std::chrono::seconds check_again(1);
constexpr int policy_violation = 1008;

Response banned_response() {
  return error_response(403, "banned", "the operator of this server has banned this address");
}

Response health_response(const std::optional<std::string>& fault) {
  if (!fault) return json_response({{"ok", true}});
  return json_response({{"ok", false}, {"reasons", {*fault}}}, 503);
}

/// A web socket whose address may be banned while it is open.
class GatedSocket final : public SocketHandler {
 public:
  GatedSocket(std::unique_ptr<SocketHandler> handler, std::shared_ptr<Subscriber> subscriber, std::string client,
              std::shared_ptr<const std::set<std::string>> banned)
      : handler_(std::move(handler)),
        subscriber_(std::move(subscriber)),
        client_(std::move(client)),
        banned_(std::move(banned)) {}

  void received(std::string text) override {
    if (banned_->contains(client_)) return subscriber_->close(policy_violation, "banned");
    handler_->received(std::move(text));
  }
  void closed() override { handler_->closed(); }

 private:
  std::unique_ptr<SocketHandler> handler_;
  std::shared_ptr<Subscriber> subscriber_;
  std::string client_;
  std::shared_ptr<const std::set<std::string>> banned_;
};

}  // namespace

void Health::check(Report report) {
  const auto now = std::chrono::steady_clock::now();
  if (waiting_.empty() && checked_ && now - *checked_ < check_again) return report(fault_);
  waiting_.push_back(std::move(report));
  if (waiting_.size() > 1) return;
  const auto found = std::make_shared<std::optional<std::string>>();
  writer_.submit(
      [found](Store& store) { *found = store.storage_fault(); },
      [this, found](const std::optional<std::string>& failure) {
        if (failure) log_.write(LogLevel::error, "health", {{"what", *failure}});
        // The whole message names files, which is for the log alone.
        const auto said = failure ? failure->rfind(": ") : std::string::npos;
        known(!failure ? *found
                       : "the database cannot be written" + (said == std::string::npos ? "" : failure->substr(said)));
      });
}

void Health::known(std::optional<std::string> fault) {
  checked_ = std::chrono::steady_clock::now();
  if (fault && fault != fault_) log_.write(LogLevel::error, "unhealthy", {{"what", *fault}});
  if (!fault && fault_) log_.write(LogLevel::info, "healthy");
  fault_ = std::move(fault);
  for (const Report& report : std::exchange(waiting_, {})) report(fault_);
}

void Gate::answer(Request request, std::shared_ptr<Reply> reply) {
  const auto send = [&request](const std::shared_ptr<Reply>& to, Response response) {
    add_security_headers(request, response);
    to->send(std::move(response));
  };
  if (request.path == "/healthz") {
    health_.check([about = std::move(request), reply](const std::optional<std::string>& fault) {
      Response response = health_response(fault);
      add_security_headers(about, response);
      reply->send(std::move(response));
    });
    return;
  }
  if (is_banned(request)) return send(reply, banned_response());
  site_.answer(std::move(request), std::move(reply));
}

std::variant<std::unique_ptr<SocketHandler>, Response> Gate::open_socket(const Request& request,
                                                                         std::shared_ptr<Subscriber> subscriber) {
  if (is_banned(request)) {
    Response response = banned_response();
    add_security_headers(request, response);
    return response;
  }
  auto opened = site_.open_socket(request, subscriber);
  if (auto* handler = std::get_if<std::unique_ptr<SocketHandler>>(&opened)) {
    return std::make_unique<GatedSocket>(std::move(*handler), std::move(subscriber), client_of(request.address),
                                         banned_);
  }
  return opened;
}

void Gate::set_banned(const std::vector<std::string>& clients) { *banned_ = {clients.begin(), clients.end()}; }

bool Gate::is_banned(const Request& request) const {
  return !banned_->empty() && banned_->contains(client_of(request.address));
}

}  // namespace paika::server
