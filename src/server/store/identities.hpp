// IdentityStore: the part of the store that knows people by what a provider of sign-on calls them.
//
// A view of a Store, made where it is needed and used by the same thread. An identity is an issuer and a subject within
// it. A person may have several; an identity belongs to one person.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/store.hpp"

namespace paika::server {

struct IdentityRow {
  std::int64_t id = 0;
  std::string issuer;
  std::string subject;
  PersonId person = 0;
  WallTime created = 0;
  WallTime used = 0;  // when somebody last signed in by it
};

class IdentityStore {
 public:
  explicit IdentityStore(Store& store) : store_(store) {}

  [[nodiscard]] std::optional<IdentityRow> find(std::string_view issuer, std::string_view subject);
  /// The oldest first.
  [[nodiscard]] std::vector<IdentityRow> of_person(PersonId person);
  /// False, and nothing happens, if it belongs to somebody else. True also if it is this person's already.
  [[nodiscard]] bool add(std::string_view issuer, std::string_view subject, PersonId person, WallTime now);
  void set_used(std::int64_t id, WallTime now);
  enum class Dropped : unsigned char {
    done,
    unknown,    // the person has no such identity
    only_login  // there would be no way to log in any more
  };
  [[nodiscard]] Dropped drop(PersonId person, std::int64_t id);

 private:
  [[nodiscard]] Database& database();
  Store& store_;
};

}  // namespace paika::server
