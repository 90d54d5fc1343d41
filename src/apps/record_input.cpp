#include "apps/record_input.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/text.hpp"
#include "play/ggf.hpp"

namespace paika::apps {

namespace {

/// Files of records grow with every match; beyond this somebody named the wrong file.
constexpr std::size_t max_file_bytes = std::size_t{64} << 20;

}  // namespace

Result<std::string> read_text_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) return fail("{} is a folder, not a file", in_quotes(path));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return fail("cannot open {}: {}", in_quotes(path), std::strerror(errno));
  std::string text;
  std::array<char, 65536> block{};
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    text.append(block.data(), count);
    if (text.size() > max_file_bytes) return fail("{} is longer than {} bytes", in_quotes(path), max_file_bytes);
  }
  if (std::ferror(file.get()) != 0) return fail("cannot read {}: {}", in_quotes(path), std::strerror(errno));
  return text;
}

Result<play::GameRecord> read_game(const std::string& path, int number) {
  const auto text = read_text_file(path);
  if (!text) return tl::unexpected(text.error());
  if (trimmed(*text).starts_with("(;")) {
    if (number > 1) return fail("of a GGF file only the first game is read");
    auto record = play::record_of_ggf(*text);
    if (!record) return fail("{}: {}", in_quotes(path), record.error().message);
    return record;
  }
  const auto records = play::parse_records(*text);
  if (!records) return fail("{}: {}", in_quotes(path), records.error().message);
  if (records->empty()) return fail("{} holds no game", in_quotes(path));
  if (number > static_cast<int>(records->size())) {
    return fail("{} holds {} game{}; there is no game {}", in_quotes(path), records->size(),
                records->size() == 1 ? "" : "s", number);
  }
  return (*records)[static_cast<std::size_t>(number - 1)];
}

}  // namespace paika::apps
