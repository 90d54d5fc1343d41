// WebFiles: the built web app, held in memory and served with checks for what a browser has already.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "server/http/site.hpp"

namespace paika::server {

class WebFiles {
 public:
  /// Reads a folder whole, at most 64 MB, without hidden files; beside FILE a FILE.gz or FILE.br is its compressed
  /// form. Without a folder (""), a small page of our own that says that the server runs and what it offers. An error
  /// if the folder cannot be read or has no index.html.
  ///
  /// One file may come or be replaced while the server runs: /engine.wasm, which takes minutes to build and is not
  /// waited for. Whoever places it renames its compressed forms into the folder first and the file itself last.
  [[nodiscard]] static Result<WebFiles> read(const std::string& folder);

  /// The file of a path for GET and HEAD: with ETag (304 if the browser has it), its type, compressed if the browser
  /// takes that; files under /assets/ (whose names change with their content) may be kept for ever, others are asked
  /// for again. A path without a dot in its last part that is no file is the app's own page: index.html. /embed is
  /// embed/index.html, if there is one, with a policy of its own that allows frames. Nothing if there is no such file.
  /// For one thread at a time.
  [[nodiscard]] std::optional<Response> find(const Request& request);

 private:
  struct File {
    std::string type;
    std::string etag;                 // without quotes; each form adds its own ending
    std::string plain, gzip, brotli;  // empty: not there in that form
  };
  /// The file that answers a path; nullptr if there is none.
  [[nodiscard]] const File* file(std::string_view path) const;
  void add(const std::string& path, std::string plain, std::string gzip, std::string brotli);
  /// Takes the engine from the folder if another one lies there now; a removed one stays.
  void renew_engine();

  std::string folder_;  // "" if there is none
  std::filesystem::file_time_type engine_date_ = std::filesystem::file_time_type::min();
  std::map<std::string, File, std::less<>> files_;  // by path
};

}  // namespace paika::server
