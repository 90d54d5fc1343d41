// ToolKeys: the keys by which we prove to learning platforms that we are ourselves, in a file of this user alone.
//
// They are rotated by themselves: a key signs for 90 days, its successor is published a day before it signs first, and
// the last one stays published for a week. Platforms fetch our JWK Set when they meet a name of a key that they do not
// know.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/json.hpp"
#include "server/sso/jose.hpp"
#include "server/store/store.hpp"

namespace paika::server {

/// From any thread.
class ToolKeys {
 public:
  /// Reads the file, or makes it with a first key. An error if it cannot be read or written, or if others may read it.
  [[nodiscard]] static Result<ToolKeys> open(std::string path, WallTime now);

  ToolKeys(ToolKeys&& other) noexcept : path_(std::move(other.path_)), keys_(std::move(other.keys_)) {}
  ToolKeys(const ToolKeys&) = delete;
  ToolKeys& operator=(const ToolKeys&) = delete;
  ~ToolKeys() = default;

  /// Makes a new key and drops old ones if it is time. Takes a good part of a second then.
  [[nodiscard]] Result<void> rotate(WallTime now);
  /// The one that signs at this time.
  [[nodiscard]] SigningKey current(WallTime now) const;
  /// The JWK Set for platforms.
  [[nodiscard]] Json public_set() const;

 private:
  struct Dated {
    WallTime created = 0;
    SigningKey key;
  };
  ToolKeys(std::string path, std::vector<Dated> keys) : path_(std::move(path)), keys_(std::move(keys)) {}
  [[nodiscard]] static Result<void> save(const std::string& path, const std::vector<Dated>& keys);

  std::string path_;
  mutable std::mutex mutex_;
  std::vector<Dated> keys_;  // the oldest first, never none
};

}  // namespace paika::server
