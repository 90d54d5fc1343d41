#include "tournament/wire.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sodium.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/text.hpp"
#include "play/autosave.hpp"

namespace paika::tournament {

namespace {

constexpr int wire_version = 1;
constexpr std::size_t nonce_bytes = 32;

using Mac = std::array<unsigned char, crypto_auth_hmacsha256_BYTES>;

const unsigned char* bytes_of(std::string_view text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libsodium takes bytes
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string hex(const unsigned char* bytes, std::size_t size) {
  std::string text(2 * size + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), bytes, size);
  text.pop_back();
  return text;
}

template <class Key>
std::string mac_hex(const Key& key, std::string_view text) {
  Mac mac{};
  crypto_auth_hmacsha256(mac.data(), bytes_of(text), text.size(), key.data());
  return hex(mac.data(), mac.size());
}

bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string new_nonce() {
  std::array<unsigned char, nonce_bytes> bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  return hex(bytes.data(), bytes.size());
}

/// Waits until the socket can be read or written; false if the time is over.
bool ready(int socket, short events, WireTime deadline) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd item{socket, events, 0};
    const int wait = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1 << 20));
    const int found = poll(&item, 1, wait);
    if (found > 0) return true;
    if (found == 0 && wait == left.count()) return false;
    if (found == 0 && left.count() <= 0) return false;
    if (found < 0 && errno != EINTR) return false;
  }
}

}  // namespace

std::string text_in(const Json& message, const char* key) {
  const auto found = message.find(key);
  return found != message.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Result<void> Wire::write_all(std::string_view bytes, WireTime deadline) {
  while (!bytes.empty()) {
    if (!ready(socket_.number(), POLLOUT, deadline)) return fail("the other side does not read");
    const auto count = ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) return fail("the connection is lost: {}", std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Result<std::optional<std::string>> Wire::receive_line(WireTime deadline) {
  while (true) {
    if (const auto line = lines_.next()) {
      if (line->too_long || (!settled_ && line->text.size() > max_before)) return fail("a message is too long");
      return std::optional(std::string(line->text));
    }
    if (!ready(socket_.number(), POLLIN, deadline)) return std::optional<std::string>{};
    std::array<char, std::size_t{1} << 16> chunk{};
    const std::size_t most = settled_ ? chunk.size() : max_before;
    const auto count = recv(socket_.number(), chunk.data(), most, MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) return fail("the connection is lost: {}", std::strerror(errno));
    if (count == 0) return fail("the other side has hung up");
    heard_ += static_cast<std::size_t>(count);
    if (!settled_ && heard_ > 2 * max_before) return fail("the other side sends too much");
    lines_.add({chunk.data(), static_cast<std::size_t>(count)});
  }
}

Result<void> Wire::send_plain(const Json& message, WireTime deadline) {
  return write_all(message.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n", deadline);
}

Result<Json> Wire::receive_plain(WireTime deadline) {
  const auto line = receive_line(deadline);
  if (!line) return tl::unexpected(line.error());
  if (!*line) return fail("the other side did not answer in time");
  Json json = Json::parse(**line, nullptr, false);
  if (!json.is_object()) return fail("the other side does not speak this protocol");
  if (const std::string error = text_in(json, "error"); !error.empty()) {
    refused_ = true;
    return fail("the other side refuses: {}", in_quotes(error, 200));
  }
  return json;
}

void Wire::settle(const Key& secret, const std::string& nonces, bool coordinator) {
  const std::string text = "session" + nonces;
  crypto_auth_hmacsha256(key_.data(), bytes_of(text), text.size(), secret.data());
  own_direction_ = coordinator ? 'c' : 'w';
  settled_ = true;
}

namespace {

/// A key of the right length from a secret of any.
std::array<unsigned char, 32> key_of(std::string_view secret) {
  std::array<unsigned char, 32> key{};
  crypto_hash_sha256(key.data(), bytes_of(secret), secret.size());
  return key;
}

}  // namespace

Result<Wire::Peer> Wire::greet_worker(std::string_view secret, std::string_view version, WireTime deadline) {
  const Key key = key_of(secret);
  const std::string own = new_nonce();
  auto sent = send_plain({{"paika_tournament", wire_version}, {"version", version}, {"nonce", own}}, deadline);
  if (!sent) return tl::unexpected(sent.error());
  const auto answer = receive_plain(deadline);
  if (!answer) return tl::unexpected(answer.error());
  const std::string nonces = own + text_in(*answer, "nonce");
  const std::string name = text_in(*answer, "name");
  if (!same(text_in(*answer, "proof"), mac_hex(key, "worker" + nonces + name))) {
    static_cast<void>(send_plain({{"error", "the secret is wrong"}}, deadline));
    return fail("a worker does not know the secret");
  }
  if (text_in(*answer, "version") != version) {
    static_cast<void>(send_plain({{"error", fmt::format("the coordinator has version {}", version)}}, deadline));
    return fail("the worker {} has version {}, not {}", in_quotes(name), in_quotes(text_in(*answer, "version")),
                version);
  }
  sent = send_plain({{"proof", mac_hex(key, "coordinator" + nonces)}}, deadline);
  if (!sent) return tl::unexpected(sent.error());
  settle(key, nonces, true);
  return Peer{name};
}

Result<void> Wire::greet_coordinator(std::string_view secret, std::string_view version, std::string_view own_name,
                                     WireTime deadline) {
  const Key key = key_of(secret);
  const auto hello = receive_plain(deadline);
  if (!hello) return tl::unexpected(hello.error());
  if (hello->value("paika_tournament", Json()) != wire_version || text_in(*hello, "version") != version) {
    refused_ = true;
    return fail("the coordinator has version {}, not {}", in_quotes(text_in(*hello, "version")), version);
  }
  const std::string own = new_nonce();
  const std::string nonces = text_in(*hello, "nonce") + own;
  const std::string proof = mac_hex(key, "worker" + nonces + std::string(own_name));
  const auto sent = send_plain({{"nonce", own}, {"proof", proof}, {"version", version}, {"name", own_name}}, deadline);
  if (!sent) return tl::unexpected(sent.error());
  const auto answer = receive_plain(deadline);
  if (!answer) return tl::unexpected(answer.error());
  if (!same(text_in(*answer, "proof"), mac_hex(key, "coordinator" + nonces))) {
    refused_ = true;
    return fail("the coordinator does not know the secret");
  }
  settle(key, nonces, false);
  return {};
}

Result<void> Wire::send(const Json& message, WireTime deadline) {
  const std::string text = message.dump(-1, ' ', true, Json::error_handler_t::replace);
  const std::string mac = mac_hex(key_, fmt::format("{}{} {}", own_direction_, sent_, text));
  ++sent_;
  return write_all(fmt::format("{} {}\n", mac, text), deadline);
}

Result<std::optional<Json>> Wire::receive(WireTime deadline) {
  const auto line = receive_line(deadline);
  if (!line) return tl::unexpected(line.error());
  if (!*line) return std::optional<Json>{};
  const std::string_view whole = **line;
  constexpr std::size_t digits = std::size_t{2} * crypto_auth_hmacsha256_BYTES;
  if (whole.size() <= digits) return fail("a message has no proof");
  const std::string_view text = whole.substr(digits + 1);
  const char direction = own_direction_ == 'w' ? 'c' : 'w';
  if (!same(whole.substr(0, digits), mac_hex(key_, fmt::format("{}{} {}", direction, received_, text)))) {
    return fail("a message is forged");
  }
  ++received_;
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return fail("a message is not a JSON object");
  return std::optional(std::move(json));
}

Result<std::string> read_secret(const std::string& path) {
  constexpr std::size_t least = 16;
  struct stat found = {};
  if (::stat(path.c_str(), &found) == 0 && (found.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return fail("{} has the mode {:04o}: others could read the secret, so its mode must be 0600 (chmod 600)",
                in_quotes(path, 200), found.st_mode & 07777U);
  }
  const auto text = play::read_whole_file(path);
  if (!text) return tl::unexpected(text.error());
  const std::string_view secret = trimmed(*text);
  if (secret.size() < least) return fail("the secret in {} is shorter than {} bytes", in_quotes(path, 200), least);
  return std::string(secret);
}

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256(hash.data(), bytes_of(bytes), bytes.size());
  return hex(hash.data(), hash.size());
}

Result<std::pair<std::string, int>> read_address(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return fail("{} is not an address: give HOST:PORT", in_quotes(text));
  std::string_view host = text.substr(0, colon);
  const auto port = parse_int(text.substr(colon + 1));
  constexpr int max_port = 65535;
  if (!port || *port < 0 || *port > max_port)
    return fail("{} is not an address: the port is from 0 to 65535", in_quotes(text));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return std::pair(std::string(host.empty() ? "*" : host), static_cast<int>(*port));
}

}  // namespace paika::tournament
