// The head with which nodes pass clients on: who does not know the secret gets nobody in.
#include "server/net/passage_head.hpp"

#include <gtest/gtest.h>

namespace paika::server::net {
namespace {

constexpr std::string_view secret = "3jWkgXK8X0s6rLJJdseC3GuO5iwF1KX_A0A50KbaV3k";
const std::string passage = "0123456789abcdef";

TEST(PassageHead, brings_the_client) {
  for (const std::string address : {"10.0.0.1", "2001:db8:1234:5678:9abc:def0:1234:5678", "::1"}) {
    const PassedClient client{address, passage};
    const std::string head = passage_head(secret, client);
    EXPECT_EQ(head.size(), passage_head_bytes);
    EXPECT_EQ(client_of_passage(head, secret), client);
  }
}

TEST(PassageHead, has_the_secret) {
  const std::string head = passage_head(secret, {"10.0.0.1", passage});
  EXPECT_FALSE(client_of_passage(head, ""));
  EXPECT_FALSE(client_of_passage(head, secret.substr(1)));
  EXPECT_FALSE(client_of_passage(head, secret.substr(0, secret.size() - 1)));
  EXPECT_FALSE(client_of_passage(head, std::string(secret) + "x"));
  EXPECT_FALSE(client_of_passage(passage_head("", {"10.0.0.1", passage}), ""));
}

TEST(PassageHead, of_anything_else_there_is_no_client) {
  const std::string head = passage_head(secret, {"10.0.0.1", passage});
  EXPECT_FALSE(client_of_passage(passage_head(secret, {"nowhere", passage}), secret));
  EXPECT_FALSE(client_of_passage(passage_head(secret, {"", passage}), secret));
  EXPECT_FALSE(client_of_passage(passage_head(secret, {"10.0.0.1", "0123456789abcdeg"}), secret));
  EXPECT_FALSE(client_of_passage(passage_head(secret, {"10.0.0.1", "0123"}), secret));
  EXPECT_FALSE(client_of_passage(head.substr(0, 60), secret));
  EXPECT_FALSE(client_of_passage(head + " ", secret));
  EXPECT_FALSE(client_of_passage(std::string(passage_head_bytes, ' '), secret));
  std::string one_line = head;
  one_line[one_line.find('\n')] = ' ';
  EXPECT_FALSE(client_of_passage(one_line, secret));
}

}  // namespace
}  // namespace paika::server::net
