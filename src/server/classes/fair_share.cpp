#include "server/classes/fair_share.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.hpp"

namespace paika::server {

std::size_t FairShare::next(std::span<const Path> waiting) const {
  PAIKA_CHECK(!waiting.empty());
  std::vector<std::size_t> left(waiting.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  const Group* group = &root_;
  for (std::size_t level = 0; level < waiting.front().size(); ++level) {
    const auto load = [&](std::size_t i) {
      if (group == nullptr) return std::pair(0, 0.0);
      const auto member = group->members.find(waiting[i][level]);
      if (member == group->members.end()) return std::pair(0, group->current);
      return std::pair(member->second.running, std::max(member->second.used, group->current));
    };
    const std::size_t best =
        *std::min_element(left.begin(), left.end(), [&](std::size_t a, std::size_t b) { return load(a) < load(b); });
    const std::string& chosen = waiting[best][level];
    std::erase_if(left, [&](std::size_t i) { return waiting[i][level] != chosen; });
    if (group == nullptr) continue;
    const auto member = group->members.find(chosen);
    group = member == group->members.end() ? nullptr : &member->second;
  }
  return left.front();
}

void FairShare::begin(const Path& path) {
  Group* group = &root_;
  for (const std::string& name : path) {
    Group& member = group->members[name];
    member.used = std::max(member.used, group->current);
    group->current = member.used;
    ++member.running;
    group = &member;
  }
}

void FairShare::end(const Path& path, double seconds) {
  Group* group = &root_;
  for (const std::string& name : path) {
    Group& member = group->members[name];
    PAIKA_CHECK(member.running > 0);
    --member.running;
    member.used += seconds;
    // Who has nothing at work and is not ahead of a newcomer need not be remembered.
    std::erase_if(group->members, [&](const auto& item) {
      return &item.second != &member && item.second.running == 0 && item.second.used <= group->current;
    });
    group = &member;
  }
}

}  // namespace paika::server
