// The engine as a WebAssembly module: what a worker of the page calls. docs/web.md tells how it is used.
//
// Texts go in by take(), which makes room for one that the caller then fills, and come out by result(). What the engine
// says while it thinks goes out by the import `emit`. One call at a time; a call that traps leaves the module useless.
//
// Tables of perfect play are announced by tables(). An answer that needs bytes of one that have not come is not made:
// the result lists them, the caller brings them by supply() and asks again.
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/wasm/remote_tables.hpp"
#include "base/text.hpp"
#include "engine/game.hpp"
#include "engine/registry.hpp"
#include "play/start.hpp"
#include "server/api/position_site.hpp"

/// The page's, with lines that the engine says: 0 when no more are wanted.
extern "C" [[clang::import_module("page"), clang::import_name("emit")]] int emit(const char* text, std::size_t size);

namespace {

using paika::server::PositionApi;
using paika::server::PositionSite;
using paika::server::Response;

std::string input;
Response output;

const PositionSite& site() {
  static const PositionSite only = [] {
    PositionApi api;
    api.tables = "page";  // which has them
    api.analysis_threads = 0;
    api.write_now = false;  // a worker that thinks needs none of them
    return PositionSite(api);
  }();
  return only;
}

/// Takes the first line off a text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::int64_t refuse(const std::string& why) {
  output = Response{.status = 400, .type = "text/plain", .body = why, .headers = {}};
  return -1;
}

/// What answer() returns if bytes of tables are missing.
constexpr int bytes_are_missing = 0;

}  // namespace

extern "C" {

/// Room for a text of so many bytes, which the next call reads.
[[clang::export_name("take")]] char* take(std::size_t size) {
  input.assign(size, '\0');
  return input.data();
}

/// Answers a request as the server does: "POST\n/api/position\n{…}". Returns the status; the body is the result. The
/// status 0 means that bytes of tables are missing, [{file, offset, size}]; no more than progress was said then.
[[clang::export_name("answer")]] int answer() {
  std::string_view rest = input;
  const std::string_view method = take_line(rest);
  const std::string_view target = take_line(rest);
  std::stop_source missed;
  const auto say = [&](const std::string& line) {
    return !missed.stop_requested() && emit(line.data(), line.size()) != 0;
  };
  paika::wasm::on_missing_bytes([&missed] { missed.request_stop(); });
  output = site().answer(method, target, rest, say, missed.get_token());
  paika::wasm::on_missing_bytes(nullptr);
  if (std::string missing = paika::wasm::take_missing_bytes(); !missing.empty()) {
    output =
        Response{.status = bytes_are_missing, .type = "application/json", .body = std::move(missing), .headers = {}};
  } else {
    paika::wasm::tidy_tables(missed.stop_requested());  // what failed and is not missing is damaged
  }
  return output.status;
}

/// Announces tables, as `GET /api/tables` lists them: "[{table, file, bytes, checksum, …}, …]". -1 if the result says
/// what is wrong.
[[clang::export_name("tables")]] std::int64_t tables() {
  const auto taken = paika::wasm::announce_tables(input);
  return taken ? 0 : refuse(taken.error().message);
}

/// Brings bytes of a table's file: its name in a line, then the bytes.
[[clang::export_name("supply")]] void supply(double offset) {
  std::string_view rest = input;
  const std::string_view file = take_line(rest);
  paika::wasm::supply_bytes(file, static_cast<std::uint64_t>(offset),
                            std::vector<std::uint8_t>(rest.begin(), rest.end()));
}

/// Counts the lines of `depth` turns from "SPEC\nPOSITION" (the game's own start if that is empty); -1 if the result
/// says what is wrong.
[[clang::export_name("perft")]] std::int64_t perft(int depth) {
  std::string_view rest = input;
  const std::string_view spec = take_line(rest);
  const auto game = paika::open_game_for(spec, rest);
  if (!game) return refuse(game.error().message);
  const auto session = paika::play::start_at(**game, rest);
  if (!session) return refuse(session.error().message);
  paika::PerftRequest request;
  request.depth = depth;
  return static_cast<std::int64_t>((*session)->perft(request).nodes);
}

/// The text of the last answer, and its size.
[[clang::export_name("result")]] const char* result() { return output.body.data(); }
[[clang::export_name("result_size")]] std::size_t result_size() { return output.body.size(); }

}  // extern "C"
