// Where the bytes of table files are: files mapped for reading, and files that appear whole or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "solve/table_bytes.hpp"

namespace paika {

/// Where the bytes of a file are. They stay as they are while somebody holds this.
class TableStorage {
 public:
  TableStorage(const TableStorage&) = delete;
  TableStorage& operator=(const TableStorage&) = delete;
  virtual ~TableStorage() = default;

  /// The path, fit for messages.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// How many bytes the file has.
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
  /// Some of them; an error if they are not there.
  [[nodiscard]] virtual Result<Bytes> read(std::uint64_t offset, std::uint64_t size) const = 0;
  /// All of them, for those who want to be quick; empty if they are not all there.
  [[nodiscard]] virtual Bytes bytes() const noexcept { return {}; }

 protected:
  /// `name` is quoted already.
  explicit TableStorage(std::string name) noexcept : name_(std::move(name)) {}

 private:
  std::string name_;
};

/// All bytes of a file: mapped, or a piece of memory. A file that is cut short or fails to be read while it is mapped
/// ends the program with SIGBUS; nothing of ours changes such a file.
class WholeStorage final : public TableStorage {
 public:
  /// Maps a file; an error if it cannot be opened or is no ordinary file.
  [[nodiscard]] static Result<std::shared_ptr<const TableStorage>> map(const std::string& path);
  /// Takes bytes in memory; `name` stands for the file in messages.
  [[nodiscard]] static std::shared_ptr<const TableStorage> hold(std::string_view name, std::vector<std::uint8_t> bytes);
  ~WholeStorage() override;

  [[nodiscard]] std::uint64_t size() const noexcept override { return bytes_.size(); }
  [[nodiscard]] Result<Bytes> read(std::uint64_t offset, std::uint64_t size) const override;
  [[nodiscard]] Bytes bytes() const noexcept override { return bytes_; }

 private:
  WholeStorage(std::string name, std::vector<std::uint8_t> bytes)
      : TableStorage(std::move(name)), held_(std::move(bytes)), bytes_(held_) {}

  std::vector<std::uint8_t> held_;
  Bytes bytes_;
  bool is_mapped_ = false;
};

/// A file under construction: written as PATH.part, it gets its name only when all of it is on the disk. One that
/// is given up (destroyed before commit, or after an error) leaves nothing behind.
class PartFile {
 public:
  /// Opens PATH.part anew; one that an interrupted run left is overwritten.
  [[nodiscard]] static Result<PartFile> create(std::string path);

  PartFile(PartFile&& other) noexcept;
  PartFile& operator=(PartFile&& other) = delete;
  ~PartFile();

  /// Writes at the end.
  [[nodiscard]] Result<void> append(Bytes bytes);
  /// Writes over bytes that are there already, or are still a hole.
  [[nodiscard]] Result<void> write_at(std::uint64_t offset, Bytes bytes);
  /// Moves the end to `size`; what is between reads as zeros until it is written.
  void leave_hole_until(std::uint64_t size) noexcept { size_ = size; }
  /// How many bytes there are.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Puts everything on the disk, then gives the file its name; nothing may be written afterwards.
  [[nodiscard]] Result<void> commit();

 private:
  PartFile(std::string path, int file);
  [[nodiscard]] tl::unexpected<Error> cannot(const std::string& what) const;

  std::string path_;
  std::string part_path_;
  int file_;
  std::uint64_t size_ = 0;
};

}  // namespace paika
