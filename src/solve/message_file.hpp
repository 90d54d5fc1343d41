// Messages between the parts of a tier, kept in files until the part that it is for is in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "solve/part.hpp"
#include "solve/retrograde.hpp"
#include "solve/table_bytes.hpp"
#include "solve/table_storage.hpp"

namespace paika {

/// A tier cut into runs of equal size (the last may be shorter).
class Parts {
 public:
  /// About `count` parts; all but the last are a multiple of `grain`.
  Parts(std::uint64_t size, std::uint64_t count, std::uint64_t grain)
      : size_(size), each_(std::max<std::uint64_t>(1, (size + count * grain - 1) / (count * grain)) * grain) {}

  [[nodiscard]] std::uint64_t count() const noexcept { return std::max<std::uint64_t>(1, (size_ + each_ - 1) / each_); }
  [[nodiscard]] IndexRun run(std::uint64_t part) const noexcept {
    return {std::min(size_, part * each_), std::min(size_, (part + 1) * each_)};
  }
  [[nodiscard]] std::uint64_t part_of(std::uint64_t index) const noexcept { return index / each_; }

 private:
  std::uint64_t size_;
  std::uint64_t each_;
};

/// What one part sends to the others at one level, a file for each.
class MessageBoxes {
 public:
  /// `path(to)` names the file for a part.
  MessageBoxes(const Parts& parts, std::function<std::string(std::uint64_t to)> path);

  /// A message with an index of the whole tier, from any thread. Write errors come out at finish().
  void put(Message message);
  /// Puts everything on the disk. Each file appears whole or not at all.
  [[nodiscard]] Result<void> finish();
  /// True if there was any message.
  [[nodiscard]] bool any() const noexcept { return any_; }

 private:
  struct Box {
    std::vector<std::uint8_t> waiting;
    RunningChecksum sum;
    std::optional<PartFile> file;
  };
  [[nodiscard]] Result<void> flush(std::uint64_t to);

  Parts parts_;
  std::function<std::string(std::uint64_t)> path_;
  std::mutex mutex_;
  std::vector<Box> boxes_;
  std::optional<Error> failure_;
  bool any_ = false;
};

/// Calls apply(message) for all messages in a file, with indices of the part of `size` places that it is for; none if
/// there is no file.
[[nodiscard]] Result<void> read_messages(const std::string& path, std::uint64_t size,
                                         const std::function<void(Message)>& apply);

}  // namespace paika
