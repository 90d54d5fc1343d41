// Addresses and sockets of workers and coordinators.
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.hpp"
#include "tournament/wire.hpp"

namespace paika::tournament {

namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Result<Addresses> find(std::string_view text, int flags) {
  const auto parts = read_address(text);
  if (!parts) return tl::unexpected(parts.error());
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  const int error =
      getaddrinfo(parts->first.empty() ? nullptr : parts->first.c_str(), parts->second.c_str(), &hints, &found);
  if (error != 0) return fail("there is no address {}: {}", in_quotes(text), gai_strerror(error));
  return Addresses(found, &freeaddrinfo);
}

void set_option(int socket, int level, int option) {
  const int on = 1;
  static_cast<void>(setsockopt(socket, level, option, &on, sizeof(on)));
}

int port_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): addresses of all families look alike to the system
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<sockaddr_in6*>(&address)->sin6_port);
  return ntohs(reinterpret_cast<sockaddr_in*>(&address)->sin_port);
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
}

/// Waits until a connection that is being made is there.
bool connected(int socket, WireTime deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  pollfd item{socket, POLLOUT, 0};
  if (poll(&item, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) != 1) return false;
  int error = 0;
  socklen_t size = sizeof(error);
  return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

}  // namespace

Result<std::pair<std::string, std::string>> read_address(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return fail("{} is no address: give HOST:PORT", in_quotes(text));
  std::string_view host = text.substr(0, colon);
  const auto port = parse_int(text.substr(colon + 1));
  constexpr int max_port = 65535;
  if (!port || *port < 0 || *port > max_port)
    return fail("{} is no address: the port is from 0 to 65535", in_quotes(text));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return std::pair(std::string(host), std::string(text.substr(colon + 1)));
}

Result<int> listen_at(std::string_view address, int& port) {
  const auto found = find(address, AI_PASSIVE);
  if (!found) return tl::unexpected(found.error());
  const addrinfo& info = **found;
  const int socket = ::socket(info.ai_family, info.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, info.ai_protocol);
  if (socket < 0) return fail("cannot listen at {}: {}", in_quotes(address), std::strerror(errno));
  set_option(socket, SOL_SOCKET, SO_REUSEADDR);
  constexpr int backlog = 64;
  if (bind(socket, info.ai_addr, info.ai_addrlen) != 0 || listen(socket, backlog) != 0) {
    const int error = errno;
    close(socket);
    return fail("cannot listen at {}: {}", in_quotes(address), std::strerror(error));
  }
  port = port_of(socket);
  return socket;
}

Result<int> connect_to(std::string_view address, WireTime deadline) {
  const auto found = find(address, 0);
  if (!found) return tl::unexpected(found.error());
  for (const addrinfo* info = found->get(); info != nullptr; info = info->ai_next) {
    const int socket = ::socket(info->ai_family, info->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, info->ai_protocol);
    if (socket < 0) continue;
    if (connect(socket, info->ai_addr, info->ai_addrlen) == 0 ||
        (errno == EINPROGRESS && connected(socket, deadline))) {
      set_option(socket, IPPROTO_TCP, TCP_NODELAY);
      return socket;
    }
    close(socket);
  }
  return fail("nobody answers at {}", in_quotes(address));
}

}  // namespace paika::tournament
