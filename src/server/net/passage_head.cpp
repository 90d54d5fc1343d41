#include "server/net/passage_head.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "server/http/address.hpp"

namespace paika::server::net {

namespace {

constexpr std::string_view word = "PAIKA1 ";

bool are_same_secrets(std::string_view one, std::string_view two) {
  unsigned difference = one.size() == two.size() ? 0 : 1;
  for (std::size_t i = 0; i < one.size(); ++i) {
    difference |= static_cast<unsigned char>(one[i]) ^ static_cast<unsigned char>(i < two.size() ? two[i] : '\0');
  }
  return difference == 0;
}

}  // namespace

std::string passage_head(std::string_view secret, const PassedClient& client) {
  std::string head = fmt::format("{}{} {} {}\n", word, secret, client.address, client.passage);
  PAIKA_CHECK(head.size() <= passage_head_bytes);
  head.resize(passage_head_bytes, ' ');
  return head;
}

std::optional<PassedClient> client_of_passage(std::string_view head, std::string_view secret) {
  if (head.size() != passage_head_bytes || !head.starts_with(word)) return std::nullopt;
  head.remove_prefix(word.size());
  const std::size_t gap = head.find(' ');
  const std::size_t end = head.find('\n');
  if (end == std::string_view::npos || gap > end || secret.empty()) return std::nullopt;
  if (!are_same_secrets(head.substr(0, gap), secret)) return std::nullopt;
  const std::string_view said = head.substr(gap + 1, end - gap - 1);
  const std::size_t space = said.find(' ');
  auto address = plain_address(std::string(said.substr(0, space)));
  if (!address || space == std::string_view::npos) return std::nullopt;
  const std::string_view passage = said.substr(space + 1);
  const bool is_id = passage.size() == 16 && passage.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  if (!is_id) return std::nullopt;
  return PassedClient{*address, std::string(passage)};
}

}  // namespace paika::server::net
