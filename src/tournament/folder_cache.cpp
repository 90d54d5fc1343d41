#include "tournament/folder_cache.hpp"

#include <filesystem>
#include <utility>

#include "tournament/folder_pack.hpp"
#include "tournament/order.hpp"

namespace paika::tournament {

namespace {

namespace fs = std::filesystem;

}  // namespace

FolderCache::FolderCache(std::string folder, std::chrono::seconds keep) : folder_(std::move(folder)), keep_(keep) {
  std::error_code error;
  fs::create_directories(folder_, error);
  // Bots that run as users of their own must get through to their folder, but nobody need see which there are.
  fs::permissions(folder_, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec, error);
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    fs::remove_all(it->path(), ignored);
  }
}

Result<std::shared_ptr<const std::string>> FolderCache::get(
    const std::string& hash, const std::function<std::optional<std::string>(const std::string&)>& fetch) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = entries_.find(hash); found != entries_.end()) {
    found->second.used = Clock::now();
    return found->second.folder;
  }
  const auto pack = fetch(hash);
  if (!pack) return fail("the folder of a program is not in the queue");
  if (sha256_hex(*pack) != hash) return fail("the folder of a program is not what its hash says");
  auto folder = std::make_shared<const std::string>(folder_ + "/" + hash);
  if (const auto unpacked = unpack_folder(*pack, *folder); !unpacked) return tl::unexpected(unpacked.error());
  entries_[hash] = {folder, Clock::now()};
  return folder;
}

void FolderCache::tidy() {
  const std::scoped_lock lock(mutex_);
  const auto now = Clock::now();
  std::erase_if(entries_, [&](const auto& item) {
    const Entry& entry = item.second;
    if (entry.folder.use_count() > 1 || now - entry.used < keep_) return false;
    std::error_code error;
    fs::remove_all(*entry.folder, error);
    return true;
  });
}

}  // namespace paika::tournament
