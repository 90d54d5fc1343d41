// Folder packs: a program's folder as one text that can be sent to another machine and is unpacked there.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace paika::tournament {

inline constexpr std::size_t max_pack_bytes = std::size_t{64} << 20;
inline constexpr std::size_t max_pack_files = 10'000;

enum class Links : unsigned char {
  refused,  // what they lead to is not sent
  kept,     // as they are: they may lead to what is there or not
};

/// All files of a folder, by name. Refuses devices, links if they are refused, and more than may be sent.
[[nodiscard]] Result<std::string> pack_folder(const std::string& folder, Links links = Links::refused);

/// An error if this is no pack, or would lead out of its folder.
[[nodiscard]] Result<void> check_pack(std::string_view pack);

/// Makes `folder`, which must not exist, with the files of a pack, all read-only. Refuses names that lead out of it;
/// then nothing is left of it.
[[nodiscard]] Result<void> unpack_folder(std::string_view pack, const std::string& folder);

}  // namespace paika::tournament
