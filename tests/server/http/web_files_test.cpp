// The files of the web app.
#include "server/http/web_files.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "server/http/guard.hpp"
#include "tests/server/http/headers.hpp"
#include "tests/support/must.hpp"

namespace paika::server {
namespace {

namespace fs = std::filesystem;

/// A folder that is gone after the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("paika_web_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

Request get(std::string path, std::map<std::string, std::string, std::less<>> headers = {}) {
  Request request;
  request.method = "GET";
  request.path = std::move(path);
  request.headers = std::move(headers);
  return request;
}

class Files : public testing::Test {
 protected:
  Files() {
    folder_.put("index.html", "<!doctype html>");
    folder_.put("assets/app.js", "plain script");
    folder_.put("assets/app.js.gz", "gzipped script");
    folder_.put("assets/app.js.br", "brotli script");
    folder_.put("assets/a.css", "css");
    folder_.put("icon.SVG", "<svg/>");
    folder_.put("engine.wasm", "wasm");
    folder_.put("odd.xyz", "odd");
    folder_.put("alone.gz", "gz");
    folder_.put(".secret", "no");
    folder_.put(".git/config", "no");
    folder_.put(".well-known/security.txt", "contact");
    folder_.put("empty.txt", "");
    files_ = paika_tests::must(WebFiles::read(folder_.path()), "the files");
  }
  [[nodiscard]] std::optional<Response> find(const Request& request) { return files_->find(request); }
  [[nodiscard]] std::string body(const std::string& path) {
    const auto response = find(get(path));
    return response ? response->body : "none";
  }

 private:
  Folder folder_;
  std::optional<WebFiles> files_;
};

TEST_F(Files, have_their_types) {
  for (const auto& [path, type] :
       std::vector<std::pair<std::string, std::string>>{{"/", "text/html; charset=utf-8"},
                                                        {"/assets/app.js", "text/javascript; charset=utf-8"},
                                                        {"/assets/a.css", "text/css; charset=utf-8"},
                                                        {"/icon.SVG", "image/svg+xml"},
                                                        {"/engine.wasm", "application/wasm"},
                                                        {"/odd.xyz", "application/octet-stream"},
                                                        {"/alone.gz", "application/octet-stream"},
                                                        {"/.well-known/security.txt", "text/plain; charset=utf-8"}}) {
    const auto response = find(get(path));
    ASSERT_TRUE(response) << path;
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->type, type) << path;
  }
  EXPECT_EQ(body("/empty.txt"), "");
}

TEST_F(Files, paths_of_the_app_are_its_page) {
  for (const char* path : {"/", "/index.html", "/room/x7", "/settings", "/a/b/"})
    EXPECT_EQ(body(path), "<!doctype html>") << path;
  for (const char* path : {"/missing.js", "/assets/x.css", "/.secret", "/../x.y", "/a.b/c.d"})
    EXPECT_EQ(body(path), "none") << path;
  EXPECT_EQ(body("/.git/config"), "<!doctype html>");
  EXPECT_EQ(header_of(*find(get("/assets/gone")), "Cache-Control"), "no-cache");
  Request post = get("/");
  post.method = "POST";
  EXPECT_FALSE(find(post));
  post.method = "HEAD";
  EXPECT_TRUE(find(post));
}

TEST(EmbedPage, is_the_only_one_for_frames_of_other_sites) {
  const Folder folder;
  folder.put("index.html", "<!doctype html>");
  const auto policy = [&](const std::string& path) {
    auto files = paika_tests::must(WebFiles::read(folder.path()), "the files");
    auto response = files.find(get(path)).value_or(Response{});
    add_security_headers(get(path), response);
    return header_of(response, "Content-Security-Policy");
  };
  // Where the app was built without it, the path is one of the app's own.
  EXPECT_NE(policy("/embed").find("frame-ancestors 'none'"), std::string::npos);
  folder.put("embed/index.html", "<!doctype html>embedded");
  EXPECT_NE(policy("/embed").find("frame-ancestors *"), std::string::npos);
  EXPECT_EQ(policy("/embed").find("wasm-unsafe-eval"), std::string::npos);
  for (const char* path : {"/", "/embed/", "/embed/index.html", "/embed/x", "/embedded", "/Embed"}) {
    EXPECT_NE(policy(path).find("frame-ancestors 'none'"), std::string::npos) << path;
  }
}

TEST_F(Files, are_compressed_for_who_takes_that) {
  const auto form = [&](const std::string& accepted) {
    const auto response = find(get("/assets/app.js", {{"accept-encoding", accepted}}));
    EXPECT_EQ(header_of(*response, "Vary"), "Accept-Encoding");
    return header_of(*response, "Content-Encoding") + ":" + response->body;
  };
  EXPECT_EQ(form("gzip, deflate, br"), "br:brotli script");
  EXPECT_EQ(form("GZIP;q=0.5"), "gzip:gzipped script");
  EXPECT_EQ(form("br;q=0, gzip"), "gzip:gzipped script");
  EXPECT_EQ(form("br;q=0.0, gzip;q=0.000"), ":plain script");
  EXPECT_EQ(form("brr, xgzip"), ":plain script");
  EXPECT_EQ(form(""), ":plain script");
  const auto plain = find(get("/assets/a.css", {{"accept-encoding", "br, gzip"}}));
  EXPECT_EQ(plain->body, "css");
  EXPECT_EQ(header_of(*plain, "Vary"), "");
}

TEST_F(Files, are_not_sent_twice) {
  const std::string tag = header_of(*find(get("/assets/app.js")), "ETag");
  EXPECT_EQ(tag.size(), 18U);
  const auto status = [&](const std::string& known, const std::string& accepted = "") {
    const auto response = find(get("/assets/app.js", {{"if-none-match", known}, {"accept-encoding", accepted}}));
    if (response->status == 304) {
      EXPECT_EQ(response->body, "");
    }
    return response->status;
  };
  EXPECT_EQ(status(tag), 304);
  EXPECT_EQ(status("\"other\", W/" + tag), 304);
  EXPECT_EQ(status("*"), 304);
  EXPECT_EQ(status("\"other\""), 200);
  EXPECT_EQ(status(tag, "gzip"), 200);
  EXPECT_NE(header_of(*find(get("/index.html")), "ETag"), tag);
  EXPECT_EQ(header_of(*find(get("/assets/app.js")), "Cache-Control"), "public, max-age=31536000, immutable");
  EXPECT_EQ(header_of(*find(get("/")), "Cache-Control"), "no-cache");
}

/// The engine of the browser is built while the server runs.
class Engine : public testing::Test {
 protected:
  Engine() {
    folder_.put("index.html", "<!doctype html>");
    folder_.put("other.wasm", "as it was");
    files_ = paika_tests::must(WebFiles::read(folder_.path()), "the files");
  }
  /// As the launcher places it: never half written, the compressed form first, later than what was there.
  void place(const std::string& text) {
    folder_.put(".new", text + " in brotli");
    fs::rename(folder_.path() + "/.new", folder_.path() + "/engine.wasm.br");
    folder_.put(".new", text);
    fs::last_write_time(folder_.path() + "/.new", date_ += std::chrono::milliseconds(1));
    fs::rename(folder_.path() + "/.new", folder_.path() + "/engine.wasm");
  }
  [[nodiscard]] Response engine(const std::string& tag = "", const std::string& accepted = "") {
    const auto found = files_->find(get("/engine.wasm", {{"if-none-match", tag}, {"accept-encoding", accepted}}));
    Response none;
    none.status = 404;
    return found.value_or(none);
  }
  void remove(const std::string& name) const { fs::remove(folder_.path() + "/" + name); }
  void put(const std::string& name, const std::string& text) const { folder_.put(name, text); }
  [[nodiscard]] std::string body(const std::string& path) { return files_->find(get(path))->body; }

 private:
  Folder folder_;
  fs::file_time_type date_ = fs::file_time_type::clock::now();
  std::optional<WebFiles> files_;
};

TEST_F(Engine, is_picked_up_when_it_comes) {
  EXPECT_EQ(engine().status, 404);
  place("first");
  EXPECT_EQ(engine().body, "first");
  EXPECT_EQ(engine().type, "application/wasm");
  EXPECT_EQ(engine("", "br").body, "first in brotli");
  EXPECT_EQ(header_of(engine(), "Cache-Control"), "no-cache");
  const std::string tag = header_of(engine(), "ETag");
  EXPECT_EQ(engine(tag).status, 304);
  place("second");
  EXPECT_EQ(engine(tag).status, 200);
  EXPECT_EQ(engine().body, "second");
  EXPECT_EQ(engine("", "br").body, "second in brotli");
}

TEST_F(Engine, stays_whole_while_it_is_replaced) {
  place("first");
  EXPECT_EQ(engine("", "br").body, "first in brotli");
  put("engine.wasm.br", "second in brotli");  // its other form is still the first
  EXPECT_EQ(engine("", "br").body, "first in brotli");
  remove("engine.wasm");
  EXPECT_EQ(engine().body, "first");
}

TEST_F(Engine, is_the_only_file_that_changes) {
  put("other.wasm", "new");
  put("index.html", "new");
  EXPECT_EQ(body("/other.wasm"), "as it was");
  EXPECT_EQ(body("/"), "<!doctype html>");
}

TEST(OwnPage, stands_in_for_the_app) {
  WebFiles files = paika_tests::must(WebFiles::read(""), "the page");
  const auto page = files.find(get("/"));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->type, "text/html; charset=utf-8");
  EXPECT_NE(page->body.find("href=\"/api/games\""), std::string::npos);
  for (const char* refused : {"<script", "<style", "style=", "onload", "http:", "https:"})
    EXPECT_EQ(page->body.find(refused), std::string::npos) << refused;
  EXPECT_FALSE(files.find(get("/favicon.ico")));
}

TEST(OwnPage, a_folder_without_a_page_is_an_error) {
  const Folder folder;
  EXPECT_NE(WebFiles::read(folder.path()).error().message.find("index.html"), std::string::npos);
  EXPECT_FALSE(WebFiles::read(folder.path() + "/missing"));
  folder.put("index.html", "x");
  EXPECT_TRUE(WebFiles::read(folder.path()));
  EXPECT_TRUE(WebFiles::read(folder.path() + "/"));
  EXPECT_FALSE(WebFiles::read(folder.path() + "/index.html"));
  folder.put("large.bin", std::string((64U << 20U) + 1, 'x'));
  EXPECT_NE(WebFiles::read(folder.path()).error().message.find("64 MB"), std::string::npos);
}

}  // namespace
}  // namespace paika::server
