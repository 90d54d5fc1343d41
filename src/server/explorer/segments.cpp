#include "server/explorer/segments.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace paika::server {

namespace {

/// So many segments of one level are merged; a level's segments have about as many times the postings of the one below.
constexpr std::size_t fan_in = 8;

struct SegmentRow {
  std::int64_t id = 0;
  std::int64_t level = 0;
  std::int64_t first_block = 0;
  std::int64_t blocks = 0;
  std::int64_t postings = 0;
};

std::vector<SegmentRow> all_segments(Database& database) {
  return all_rows(database.query("SELECT id, level, first_block, blocks, postings FROM segments ORDER BY id"),
                  [](const Query& row) {
                    return SegmentRow{row.number(0), row.number(1), row.number(2), row.number(3), row.number(4)};
                  });
}

std::int64_t level_of(std::size_t postings) {
  return static_cast<std::int64_t>((std::bit_width(postings) - 1) / 3);  // 8 is 2 to the power of 3
}

std::string bytes_of_block(Database& database, std::int64_t id) {
  Query row = database.query("SELECT data FROM blocks WHERE id = ?", id);
  if (!row.next()) throw StoreError(fmt::format("{} is damaged: block {} is missing", database.name(), id));
  return row.text(0);
}

[[noreturn]] void damaged(const Database& database, const Error& error) {
  throw StoreError(fmt::format("{} is damaged: {}", database.name(), error.message));
}

/// Writes the blocks of one segment, from the first to the last, and its row in the end.
class SegmentWriter {
 public:
  SegmentWriter(Database& database, std::size_t postings)
      : database_(database), blocks_(block_count(postings)), postings_(postings) {
    Query row = database.query("SELECT coalesce(max(first_block + blocks), 0) FROM segments");
    if (row.next()) first_ = row.number(0);
  }

  [[nodiscard]] std::size_t blocks() const noexcept { return blocks_; }
  void write(std::size_t block, std::span<const Posting> postings) {
    const std::string bytes = block_bytes(postings);
    database_.run("INSERT INTO blocks (id, data) VALUES (?, ?)", first_ + static_cast<std::int64_t>(block),
                  Blob{bytes});
  }
  void finish() {
    database_.run("INSERT INTO segments (level, first_block, blocks, postings) VALUES (?, ?, ?, ?)",
                  level_of(postings_), first_, blocks_, postings_);
  }

 private:
  Database& database_;
  std::size_t blocks_;
  std::size_t postings_;
  std::int64_t first_ = 0;
};

/// Reads a segment from its first block to its last.
class SegmentReader {
 public:
  SegmentReader(Database& database, const SegmentRow& row) : database_(&database), row_(row) {}

  /// Moves the postings that belong to block `block` of `blocks` to `out`.
  void take(std::size_t block, std::size_t blocks, std::vector<Posting>& out) {
    while (next_ < row_.blocks && (held_.empty() || block_of(held_.back().key, blocks) <= block)) load();
    const auto end = std::find_if(held_.begin(), held_.end(),
                                  [&](const Posting& posting) { return block_of(posting.key, blocks) > block; });
    out.insert(out.end(), held_.begin(), end);
    held_.erase(held_.begin(), end);
  }

 private:
  void load() {
    const std::string bytes = bytes_of_block(*database_, row_.first_block + next_++);
    const auto read = read_block(bytes, [&](const Posting& posting) { held_.push_back(posting); });
    if (!read) damaged(*database_, read.error());
  }

  Database* database_;
  SegmentRow row_;
  std::int64_t next_ = 0;
  std::vector<Posting> held_;  // read and not yet taken
};

void merge(Database& database, std::span<const SegmentRow> rows) {
  std::size_t postings = 0;
  std::vector<SegmentReader> readers;
  for (const SegmentRow& row : rows) {
    postings += static_cast<std::size_t>(row.postings);
    readers.emplace_back(database, row);
  }
  SegmentWriter writer(database, postings);
  std::vector<Posting> block;
  for (std::size_t b = 0; b < writer.blocks(); ++b) {
    block.clear();
    for (SegmentReader& reader : readers) reader.take(b, writer.blocks(), block);
    std::sort(block.begin(), block.end());
    writer.write(b, block);
  }
  writer.finish();
  for (const SegmentRow& row : rows) {
    database.run("DELETE FROM blocks WHERE id >= ? AND id < ?", row.first_block, row.first_block + row.blocks);
    database.run("DELETE FROM segments WHERE id = ?", row.id);
  }
}

/// The segments of a level that has enough of them; none if there is no such level.
std::vector<SegmentRow> to_merge(Database& database) {
  const std::vector<SegmentRow> all = all_segments(database);
  for (const SegmentRow& row : all) {
    std::vector<SegmentRow> same;
    std::copy_if(all.begin(), all.end(), std::back_inserter(same),
                 [&](const SegmentRow& other) { return other.level == row.level; });
    if (same.size() >= fan_in) return same;
  }
  return {};
}

}  // namespace

void add_segment(Database& database, std::vector<Posting> postings) {
  if (postings.empty()) return;
  std::sort(postings.begin(), postings.end());
  postings.erase(std::unique(postings.begin(), postings.end()), postings.end());
  SegmentWriter writer(database, postings.size());
  const std::span<const Posting> all(postings);
  std::size_t begin = 0;
  for (std::size_t b = 0; b < writer.blocks(); ++b) {
    std::size_t end = begin;
    while (end < all.size() && block_of(all[end].key, writer.blocks()) == b) ++end;
    writer.write(b, all.subspan(begin, end - begin));
    begin = end;
  }
  writer.finish();
  for (auto rows = to_merge(database); !rows.empty(); rows = to_merge(database)) merge(database, rows);
}

void visit_postings(Database& database, std::uint64_t key, FunctionRef<void(const Posting&)> visit) {
  for (const SegmentRow& row : all_segments(database)) {
    const std::size_t block = block_of(key, static_cast<std::size_t>(row.blocks));
    const std::string bytes = bytes_of_block(database, row.first_block + static_cast<std::int64_t>(block));
    if (const auto read = read_block(bytes, key, visit); !read) damaged(database, read.error());
  }
}

}  // namespace paika::server
