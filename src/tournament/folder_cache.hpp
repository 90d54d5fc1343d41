// FolderCache: folders of programs that came out of a queue, unpacked, so that each is unpacked once.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.hpp"

namespace paika::tournament {

/// May be used by several threads.
class FolderCache {
 public:
  using Clock = std::chrono::steady_clock;

  /// In `folder`, which is made if there is none; what was unpacked there before is removed. What nobody has used for
  /// `keep` goes.
  explicit FolderCache(std::string folder, std::chrono::seconds keep = std::chrono::minutes(10));

  /// Where a pack with this hash is unpacked; it stays as long as somebody holds that. `fetch` gives the pack, if there
  /// is one.
  [[nodiscard]] Result<std::shared_ptr<const std::string>> get(
      const std::string& hash, const std::function<std::optional<std::string>(const std::string&)>& fetch);
  /// Removes what nobody has used for a while.
  void tidy();

 private:
  struct Entry {
    std::shared_ptr<const std::string> folder;
    Clock::time_point used;
  };

  std::string folder_;
  std::chrono::seconds keep_;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;  // by hash
};

}  // namespace paika::tournament
