#include "server/sso/tool_keys.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/text.hpp"
#include "database/files.hpp"
#include "play/autosave.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

constexpr WallTime day_ms = std::chrono::milliseconds(std::chrono::hours(24)).count();
constexpr WallTime signing_time = 90 * day_ms;
constexpr WallTime published_before = day_ms;
constexpr WallTime published_after = 7 * day_ms;

}  // namespace

Result<ToolKeys> ToolKeys::open(std::string path, WallTime now) {
  struct stat about = {};
  std::vector<Dated> keys;
  if (::stat(path.c_str(), &about) == 0 && about.st_size > 0) {
    if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
      return fail("others may read the private keys in {}: do `chmod 600`", in_quotes(path, 200));
    }
    const auto text = play::read_whole_file(path);
    if (!text) return tl::unexpected(text.error());
    const Json json = Json::parse(*text, nullptr, false);
    const Json list = json.is_object() ? json.value("keys", Json()) : Json();
    for (const Json& item : list) {
      const auto pem = text_field(item, "pem", "");
      const auto created = number_field(item, "created_ms", 0, 0, INT64_MAX);
      auto key = pem ? SigningKey::from_pem(*pem) : tl::unexpected(pem.error());
      if (!key || !created) return fail("{} is not a file of keys that this server wrote", in_quotes(path, 200));
      keys.push_back({*created, std::move(*key)});
    }
    if (keys.empty()) return fail("{} is not a file of keys that this server wrote", in_quotes(path, 200));
  }
  ToolKeys opened(std::move(path), std::move(keys));
  if (auto rotated = opened.rotate(now); !rotated) return tl::unexpected(rotated.error());
  return opened;
}

Result<void> ToolKeys::rotate(WallTime now) {
  std::vector<Dated> keys;
  {
    const std::scoped_lock lock(mutex_);
    keys = keys_;
  }
  const std::size_t before = keys.size();
  // A key that has gone out of use is dropped once its successor has signed for a week.
  while (keys.size() > 1 && keys[1].created + published_before + published_after <= now) keys.erase(keys.begin());
  bool changed = keys.size() != before;
  if (keys.empty() || keys.back().created + signing_time <= now) {
    auto key = SigningKey::generate();
    if (!key) return tl::unexpected(key.error());
    keys.push_back({now, std::move(*key)});
    changed = true;
  }
  if (!changed) return {};
  if (auto saved = save(path_, keys); !saved) return saved;
  const std::scoped_lock lock(mutex_);
  keys_ = std::move(keys);
  return {};
}

SigningKey ToolKeys::current(WallTime now) const {
  const std::scoped_lock lock(mutex_);
  const auto usable = std::find_if(keys_.rbegin(), keys_.rend(),
                                   [&](const Dated& dated) { return dated.created + published_before <= now; });
  return usable == keys_.rend() ? keys_.front().key : usable->key;  // the very first one signs at once
}

Json ToolKeys::public_set() const {
  const std::scoped_lock lock(mutex_);
  Json list = Json::array();
  for (const Dated& dated : keys_) list.push_back(dated.key.public_jwk());
  return {{"keys", list}};
}

Result<void> ToolKeys::save(const std::string& path, const std::vector<Dated>& keys) {
  Json list = Json::array();
  for (const Dated& dated : keys) list.push_back({{"created_ms", dated.created}, {"pem", dated.key.pem()}});
  // Written beside it and put in its place: whatever happens, there is a whole file.
  const std::string fresh = path + ".new";
  std::error_code ignored;
  std::filesystem::remove(fresh, ignored);
  if (auto made = make_private_file(fresh); !made) return made;
  std::ofstream file(fresh, std::ios::binary);
  file << Json{{"keys", list}}.dump(2) << '\n';
  file.close();
  if (!file) return system_failure("write", fresh);
  if (auto synced = sync_file(fresh); !synced) return synced;
  if (std::rename(fresh.c_str(), path.c_str()) != 0) return system_failure("replace", path);
  return sync_folder_of(path);
}

}  // namespace paika::server
