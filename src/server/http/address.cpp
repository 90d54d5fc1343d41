#include "server/http/address.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <sys/socket.h>

namespace paika::server {

namespace {

std::string text_of(int family, const void* bytes) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  return inet_ntop(family, bytes, text.data(), static_cast<socklen_t>(text.size())) == nullptr ? "" : text.data();
}

std::optional<in_addr> read_v4(const std::string& text) {
  in_addr address{};
  if (inet_pton(AF_INET, text.c_str(), &address) != 1) return std::nullopt;
  return address;
}

std::optional<in6_addr> read_v6(const std::string& text) {
  in6_addr address{};
  if (inet_pton(AF_INET6, text.c_str(), &address) != 1) return std::nullopt;
  return address;
}

}  // namespace

std::optional<std::string> plain_address(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  const std::string whole(text.substr(0, text.find('%')));
  if (const auto v4 = read_v4(whole)) return text_of(AF_INET, &*v4);
  const auto v6 = read_v6(whole);
  if (!v6) return std::nullopt;
  if (IN6_IS_ADDR_V4MAPPED(&*v6)) return text_of(AF_INET, &v6->s6_addr[12]);
  return text_of(AF_INET6, &*v6);
}

std::string client_of(std::string_view address) {
  auto plain = plain_address(address);
  if (!plain) return std::string(address);
  auto v6 = read_v6(*plain);
  if (!v6) return *std::move(plain);
  std::fill(v6->s6_addr + 8, v6->s6_addr + 16, std::uint8_t{0});
  return text_of(AF_INET6, &*v6) + "/64";
}

bool is_loopback(std::string_view address) {
  const auto plain = plain_address(address);
  return plain && (*plain == "::1" || plain->starts_with("127."));
}

}  // namespace paika::server
