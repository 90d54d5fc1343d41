// WebFiles: the built web app, held in memory and served with checks for what a browser has already.
#pragma once

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
  [[nodiscard]] static Result<WebFiles> read(const std::string& folder);

  /// The file of a path for GET and HEAD: with ETag (304 if the browser has it), its type, compressed if the browser
  /// takes that; files under /assets/ (whose names change with their content) may be kept for ever, others are asked
  /// for again. A path without a dot in its last part that is no file is the app's own page: index.html. Nothing if
  /// there is no such file.
  [[nodiscard]] std::optional<Response> find(const Request& request) const;

 private:
  struct File {
    std::string type;
    std::string etag;                 // without quotes; each form adds its own ending
    std::string plain, gzip, brotli;  // empty: not there in that form
  };
  /// The file that answers a path; nullptr if there is none.
  [[nodiscard]] const File* file(std::string_view path) const;

  std::map<std::string, File, std::less<>> files_;  // by path
};

}  // namespace paika::server
