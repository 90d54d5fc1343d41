// ScratchFolder: a temporary folder, such as one to exchange files with a bot; gone with the object.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.hpp"

namespace paika::sandbox {

class ScratchFolder {
 public:
  /// A new empty folder where the system keeps temporary files; `kind` is a part of its name.
  [[nodiscard]] static Result<ScratchFolder> make(std::string_view kind = "bot");

  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace paika::sandbox
