#include "server/classes/bot_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/base64.hpp"
#include "base/text.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_path = 120;
constexpr std::size_t max_parts = 8;
constexpr std::size_t max_part = 80;  // so that archives can hold it

bool fits_in_a_name(char c) {
  const char small = lowered(c);
  return (small >= 'a' && small <= 'z') || is_digit(c) || std::string_view("._+-@ ").find(c) != std::string_view::npos;
}

Result<std::string> content_of(const Json& file, const std::string& path) {
  if (file.contains("text") == file.contains("base64")) {
    return fail(R"(the file {} must have either "text" or "base64")", in_quotes(path));
  }
  if (file.contains("text")) return text_field(file, "text", "");
  const auto text = text_field(file, "base64", "");
  if (!text) return tl::unexpected(text.error());
  auto bytes = from_base64(*text);
  if (!bytes) return fail("the file {}: {}", in_quotes(path), bytes.error().message);
  return bytes;
}

/// True of a path that needs another one to be a folder.
bool is_within(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

Result<void> check_names(const std::vector<BotFile>& files) {
  std::set<std::string> seen;
  for (const BotFile& file : files) {
    if (!seen.insert(file.path).second) return fail("the file {} is there twice", in_quotes(file.path));
  }
  for (const std::string& path : seen) {
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      const std::string folder = path.substr(0, slash);
      if (seen.contains(folder) && is_within(path, folder)) {
        return fail("{} cannot be a file and the folder of {}", in_quotes(folder), in_quotes(path));
      }
    }
  }
  return {};
}

bool is_utf8(const std::string& bytes) {
  if (bytes.find('\0') != std::string::npos) return false;
  try {
    (void)Json(bytes).dump();
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

}  // namespace

Result<void> check_bot_path(std::string_view path) {
  const auto wrong = [&](std::string_view why) { return fail("the path {} {}", in_quotes(path), why); };
  if (path.empty() || path.size() > max_path) return wrong(fmt::format("must have 1 to {} bytes", max_path));
  const auto parts = split(path, '/');
  if (parts.size() > max_parts) return wrong(fmt::format("has more than {} parts", max_parts));
  for (const std::string_view part : parts) {
    if (part.empty()) return wrong("must be relative, without empty parts");
    if (part.size() > max_part) return wrong(fmt::format("has a part with more than {} bytes", max_part));
    if (part.front() == '.') return wrong("has a part that begins with '.': files must not be hidden");
    if (part.front() == ' ' || part.back() == ' ') return wrong("has a part that begins or ends with a blank");
    if (!std::all_of(part.begin(), part.end(), fits_in_a_name)) {
      return wrong("must consist of letters, digits and the signs . _ + - @ and blanks, with / between folders");
    }
  }
  return {};
}

Result<std::vector<BotFile>> read_bot_files(const Json& list) {
  if (!list.is_array() || list.empty()) return fail(R"("files" must be a list with at least one file)");
  if (list.size() > max_bot_files) return fail("there are {} files; a bot has at most {}", list.size(), max_bot_files);
  std::vector<BotFile> files;
  std::size_t bytes = 0;
  for (const Json& file : list) {
    if (!file.is_object()) return fail(R"(each file must be an object with "path" and "text" or "base64")");
    if (const auto known = only_fields(file, {"path", "text", "base64"}); !known) {
      return tl::unexpected(known.error());
    }
    auto path = text_field(file, "path", "");
    if (!path) return tl::unexpected(path.error());
    if (const auto fine = check_bot_path(*path); !fine) return tl::unexpected(fine.error());
    auto content = content_of(file, *path);
    if (!content) return tl::unexpected(content.error());
    bytes += content->size();
    if (bytes > max_bot_bytes) return fail("the files have more than {} bytes in all", max_bot_bytes);
    files.push_back({std::move(*path), std::move(*content)});
  }
  if (const auto fine = check_names(files); !fine) return tl::unexpected(fine.error());
  return files;
}

Json bot_files_json(const std::vector<BotFile>& files) {
  Json list = Json::array();
  for (const BotFile& file : files) {
    Json one = {{"path", file.path}};
    if (is_utf8(file.content)) {
      one["text"] = file.content;
    } else {
      one["base64"] = to_base64(file.content);
    }
    list.push_back(std::move(one));
  }
  return list;
}

Result<void> write_bot_files(const std::string& folder, const std::vector<BotFile>& files) {
  for (const BotFile& file : files) {
    const fs::path path = fs::path(folder) / file.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    std::ofstream out(path, std::ios::binary);
    out << file.content;
    out.close();
    if (error || !out) return fail("the file {} cannot be written", in_quotes(path.string(), 200));
    if (file.content.starts_with("#!")) {
      fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                      fs::perm_options::add, error);
    }
  }
  return {};
}

}  // namespace paika::server
