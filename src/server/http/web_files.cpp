#include "server/http/web_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include "base/text.hpp"
#include "solve/table_bytes.hpp"

namespace paika::server {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t max_bytes = 64U << 20U;
constexpr std::size_t max_files = 10'000;
constexpr std::string_view engine_path = "/engine.wasm";
constexpr std::string_view embed_path = "/embed";
constexpr std::string_view embed_file = "/embed/index.html";

// The one page that other sites may put into a frame. It has no cookies there and asks about positions alone, so it
// needs less than the app: no sockets, no workers, no WebAssembly.
constexpr std::string_view embed_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri "
    "'none'; "
    "form-action 'none'; frame-ancestors *";

constexpr std::array<std::pair<std::string_view, std::string_view>, 17> types = {{
    {"html", "text/html; charset=utf-8"},
    {"js", "text/javascript; charset=utf-8"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"css", "text/css; charset=utf-8"},
    {"json", "application/json"},
    {"svg", "image/svg+xml"},
    {"png", "image/png"},
    {"jpg", "image/jpeg"},
    {"webp", "image/webp"},
    {"ico", "image/x-icon"},
    {"woff2", "font/woff2"},
    {"wasm", "application/wasm"},
    {"webmanifest", "application/manifest+json"},
    {"txt", "text/plain; charset=utf-8"},
    {"mp3", "audio/mpeg"},
    {"ogg", "audio/ogg"},
    {"map", "application/json"},
}};

// No style and no script in it: our own policy would refuse them.
constexpr std::string_view own_page = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Paika</title>
</head>
<body>
<h1>Paika</h1>
<p>The game server runs. It was started without a web app; programs can use everything it offers.</p>
<ul>
<li><a href="/api/games">the games and their options</a></li>
<li><a href="/api/rooms">rooms that are open or running</a></li>
<li><a href="/openapi.json">the description of the interface (OpenAPI)</a></li>
<li><a href="/healthz">health</a></li>
<li><a href="/metrics">metrics</a></li>
</ul>
</body>
</html>
)";

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string type_of(std::string_view path) {
  const std::string_view name = last_part(path);
  const auto dot = name.rfind('.');
  const std::string ending = dot == std::string_view::npos ? "" : lowered(name.substr(dot + 1));
  for (const auto& [known, type] : types) {
    if (known == ending) return std::string(type);
  }
  return "application/octet-stream";
}

std::string etag_of(std::string_view content) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(content.data());
  return fmt::format("{:016x}", checksum64(Bytes(bytes, content.size())));
}

Result<std::string> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad()) return fail("the file {} cannot be read", in_quotes(path.string(), 200));
  return text;
}

/// Hidden files are not meant for the world, but for what is agreed on to lie there.
bool is_hidden(const fs::path& relative) {
  return std::any_of(relative.begin(), relative.end(), [](const fs::path& part) {
    const std::string name = part.string();
    return name.starts_with('.') && name != ".well-known";
  });
}

using Contents = std::map<std::string, std::string, std::less<>>;

/// All files of a folder by their paths on the web.
Result<Contents> read_folder(const fs::path& folder) {
  Contents contents;
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code file_error;
    const fs::path relative = entry->path().lexically_relative(folder);
    if (!entry->is_regular_file(file_error) || is_hidden(relative)) continue;
    bytes += entry->file_size(file_error);
    if (bytes > max_bytes || contents.size() >= max_files)
      return fail("the folder {} has more than {} files or {} MB; is it that of the built web app?",
                  in_quotes(folder.string(), 200), max_files, max_bytes >> 20U);
    auto text = read_file(entry->path());
    if (!text) return tl::unexpected(text.error());
    contents.emplace("/" + relative.generic_string(), *std::move(text));
  }
  if (error) return fail("the folder {} cannot be read: {}", in_quotes(folder.string(), 200), error.message());
  return contents;
}

std::string take_form(Contents& contents, const std::string& path) {
  auto node = contents.extract(path);
  return node.empty() ? "" : std::move(node.mapped());
}

/// True if a list such as Accept-Encoding's names the word, and not with the weight 0.
bool takes(std::string_view list, std::string_view word) {
  for (const std::string_view item : split(list, ',')) {
    const auto parts = split(item, ';');
    if (lowered(trimmed(parts[0])) != word) continue;
    return std::none_of(parts.begin() + 1, parts.end(), [](std::string_view part) {
      const std::string weight = lowered(trimmed(part));
      return weight.starts_with("q=0") && weight.find_first_not_of("0.", 2) == std::string::npos;
    });
  }
  return false;
}

/// True if If-None-Match names the tag.
bool names_tag(std::string_view list, std::string_view tag) {
  for (const std::string_view item : split(list, ',')) {
    std::string_view named = trimmed(item);
    if (named.starts_with("W/")) named.remove_prefix(2);
    if (named == "*" || named == tag) return true;
  }
  return false;
}

}  // namespace

Result<WebFiles> WebFiles::read(const std::string& folder) {
  WebFiles files;
  files.folder_ = folder;
  Contents contents;
  if (folder.empty()) {
    contents.emplace("/index.html", own_page);
  } else {
    auto read = read_folder(folder);
    if (!read) return tl::unexpected(read.error());
    contents = *std::move(read);
  }
  if (!contents.contains("/index.html"))
    return fail("the folder {} has no index.html; is it that of the built web app?", in_quotes(folder, 200));
  // Plain names come before their compressed forms, and those are taken out with them.
  while (!contents.empty()) {
    const std::string path = contents.begin()->first;
    std::string plain = take_form(contents, path);
    files.add(path, std::move(plain), take_form(contents, path + ".gz"), take_form(contents, path + ".br"));
  }
  return files;
}

void WebFiles::add(const std::string& path, std::string plain, std::string gzip, std::string brotli) {
  const std::string etag = etag_of(plain);
  files_.insert_or_assign(path, File{type_of(path), etag, std::move(plain), std::move(gzip), std::move(brotli)});
}

void WebFiles::renew_engine() {
  if (folder_.empty()) return;
  const std::string path = folder_ + std::string(engine_path);
  std::error_code error;
  const auto date = fs::last_write_time(path, error);
  if (error || date == engine_date_ || fs::file_size(path, error) > max_bytes || error) return;
  const auto plain = read_file(path);
  if (!plain) return;
  const std::string gzip = read_file(path + ".gz").value_or("");
  const std::string brotli = read_file(path + ".br").value_or("");
  // Replaced while it was read: what was read may not belong together, and the next request reads again.
  if (fs::last_write_time(path, error) != date || error) return;
  add(std::string(engine_path), *plain, gzip, brotli);
  engine_date_ = date;
}

const WebFiles::File* WebFiles::file(std::string_view path) const {
  if (path == "/") path = "/index.html";
  if (path == embed_path && files_.contains(embed_file)) path = embed_file;
  auto found = files_.find(path);
  if (found == files_.end() && last_part(path).find('.') == std::string_view::npos)
    found = files_.find(std::string_view("/index.html"));
  return found == files_.end() ? nullptr : &found->second;
}

std::optional<Response> WebFiles::find(const Request& request) {
  if (request.method != "GET" && request.method != "HEAD") return std::nullopt;
  if (request.path == engine_path) renew_engine();
  const File* const found = file(request.path);
  if (found == nullptr) return std::nullopt;
  const std::string_view accepted = request.header("accept-encoding");
  const bool brotli = !found->brotli.empty() && takes(accepted, "br");
  const bool gzip = !brotli && !found->gzip.empty() && takes(accepted, "gzip");
  // Each form is another text to a cache, so each has its own tag.
  const std::string tag = fmt::format("\"{}{}\"", found->etag, brotli ? "-br" : gzip ? "-gz" : "");
  Response response;
  response.type = found->type;
  response.headers.emplace_back("ETag", tag);
  if (!found->brotli.empty() || !found->gzip.empty()) response.headers.emplace_back("Vary", "Accept-Encoding");
  // A page that stands in for a missing file must not be kept in its place.
  const bool forever = request.path.starts_with("/assets/") && files_.contains(request.path);
  response.headers.emplace_back("Cache-Control", forever ? "public, max-age=31536000, immutable" : "no-cache");
  // The page itself: where there is none, the path is one of the app's, which refuses frames.
  if (request.path == embed_path && files_.contains(embed_file)) {
    response.headers.emplace_back("Content-Security-Policy", embed_policy);
  }
  if (names_tag(request.header("if-none-match"), tag)) {
    response.status = 304;
    return response;
  }
  if (brotli || gzip) response.headers.emplace_back("Content-Encoding", brotli ? "br" : "gzip");
  response.body = brotli ? found->brotli : gzip ? found->gzip : found->plain;
  return response;
}

}  // namespace paika::server
