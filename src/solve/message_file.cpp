#include "solve/message_file.hpp"

#include "solve/table_bytes.hpp"
#include "solve/work_folder.hpp"

namespace paika {

namespace {

// A record is the number of the place in its part, times two, plus one if the message is of a loss; five
// bytes are enough for any part that fits into memory. The file ends with a checksum.
constexpr std::size_t record_bytes = 5;
constexpr std::size_t checksum_bytes = 8;
constexpr std::size_t flush_bytes = record_bytes << 14;

}  // namespace

MessageBoxes::MessageBoxes(const Parts& parts, std::function<std::string(std::uint64_t to)> path)
    : parts_(parts), path_(std::move(path)), boxes_(parts.count()) {}

void MessageBoxes::put(Message message) {
  const std::uint64_t to = parts_.part_of(message.index());
  const std::uint64_t record = (message.index() - parts_.run(to).first) << 1 | (message.lost() ? 1U : 0U);
  const std::lock_guard lock(mutex_);
  any_ = true;
  Box& box = boxes_[to];
  for (std::size_t i = 0; i < record_bytes; ++i) box.waiting.push_back(static_cast<std::uint8_t>(record >> (8 * i)));
  if (box.waiting.size() < flush_bytes || failure_) return;
  if (auto done = flush(to); !done) failure_ = done.error();
}

Result<void> MessageBoxes::flush(std::uint64_t to) {
  Box& box = boxes_[to];
  if (!box.file) {
    auto file = PartFile::create(path_(to));
    if (!file) return tl::unexpected(file.error());
    box.file.emplace(std::move(*file));
  }
  box.sum.add(box.waiting);
  auto done = box.file->append(box.waiting);
  box.waiting.clear();
  return done;
}

Result<void> MessageBoxes::finish() {
  if (failure_) return tl::unexpected(*failure_);
  for (std::uint64_t to = 0; to < boxes_.size(); ++to) {
    Box& box = boxes_[to];
    if (box.waiting.empty() && !box.file) continue;
    if (auto done = flush(to); !done) return done;
    std::array<std::uint8_t, checksum_bytes> sum{};
    put_little_endian(sum.data(), box.sum.value());
    if (auto done = box.file->append(sum); !done) return done;
    if (auto done = box.file->commit(); !done) return done;
  }
  return {};
}

Result<void> read_messages(const std::string& path, std::uint64_t size, const std::function<void(Message)>& apply) {
  if (!WorkFolder::exists(path)) return {};
  const auto storage = WholeStorage::map(path);
  if (!storage) return tl::unexpected(storage.error());
  const Bytes bytes = (*storage)->bytes();
  const auto damaged = [&] { return fail("{} is damaged; remove its folder to start over", path); };
  if (bytes.size() < checksum_bytes || (bytes.size() - checksum_bytes) % record_bytes != 0) return damaged();
  const Bytes records = bytes.first(bytes.size() - checksum_bytes);
  if (checksum64(records) != get_little_endian<std::uint64_t>(bytes.data() + records.size())) return damaged();
  for (std::size_t at = 0; at < records.size(); at += record_bytes) {
    std::uint64_t record = 0;
    for (std::size_t i = 0; i < record_bytes; ++i) record |= std::uint64_t{records[at + i]} << (8 * i);
    if (record >> 1 >= size) return damaged();
    apply(Message(record >> 1, (record & 1U) != 0));
  }
  return {};
}

}  // namespace paika
