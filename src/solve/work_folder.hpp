// WorkFolder: where a solve in progress keeps its files, for one process at a time.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace paika {

class WorkFolder {
 public:
  /// Opens or makes the folder for the table of `spec`; an error if it belongs to another table. As its
  /// `owner` takes it for this process; an error if another one works in it.
  [[nodiscard]] static Result<WorkFolder> open(const std::string& path, const std::string& spec, bool owner = true);
  WorkFolder(WorkFolder&& other) noexcept;
  WorkFolder& operator=(WorkFolder&& other) = delete;
  /// Leaves the folder to others; its files stay.
  ~WorkFolder();

  /// The path of a tier's file: FOLDER/0003.section.
  [[nodiscard]] std::string path(std::uint32_t tier, const std::string& kind) const;
  /// The same for one part of the tier: FOLDER/0003.state-2.
  [[nodiscard]] std::string path(std::uint32_t tier, const std::string& kind, std::uint64_t part) const;
  /// What one part told another at a level.
  [[nodiscard]] std::string message_path(std::uint32_t tier, std::uint64_t from, std::uint64_t to, int level) const;

  /// Also true if the system cannot tell: whoever opens it then hears why.
  [[nodiscard]] static bool exists(const std::string& path);
  /// Removes a file if it is there.
  static void remove_file(const std::string& path);
  /// Removes a finished tier's files that are no longer needed.
  void remove_all_but_sections(std::uint32_t tier) const;
  /// Removes the folder with all its files, once the table is written.
  void remove() const;

 private:
  WorkFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_;
};

}  // namespace paika
