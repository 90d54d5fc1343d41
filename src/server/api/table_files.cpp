#include "server/api/table_files.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "engine/json.hpp"
#include "engine/numbering.hpp"
#include "engine/registry.hpp"
#include "engine/table_distances.hpp"
#include "server/api/positions_parts.hpp"
#include "server/http/answers.hpp"
#include "solve/table_header.hpp"

namespace paika::server {

namespace {

/// The bytes from `first` to before `end`.
struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// What "bytes=5-9", "bytes=5-" or "bytes=-5" (the last five) asks of a file of `size` bytes; nothing if it is none of
/// these. A range that begins after the file's end is empty.
std::optional<ByteRange> read_range(std::string_view text, std::uint64_t size) {
  constexpr std::string_view unit = "bytes=";
  if (!text.starts_with(unit)) return std::nullopt;
  text.remove_prefix(unit.size());
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto first = number_of(text.substr(0, dash));
  const auto last = number_of(text.substr(dash + 1));
  if (dash == 0) return last ? std::optional(ByteRange{size - std::min(*last, size), size}) : std::nullopt;
  if (!first || (!last && dash + 1 != text.size()) || (last && *last < *first)) return std::nullopt;
  if (*first >= size) return ByteRange{size, size};
  return ByteRange{*first, last && *last < size ? *last + 1 : size};
}

/// Names as table_path() makes them: no way leads out of the folder.
bool is_table_name(std::string_view name) {
  constexpr std::string_view ending = ".table";
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return name.size() > ending.size() && name.ends_with(ending) &&
         std::all_of(name.begin(), name.end() - static_cast<std::ptrdiff_t>(ending.size()), fits);
}

Response no_table() {
  return error_response(404, "no_table", "there is no such table; GET /api/tables lists the files");
}

/// Reads the range in pieces from a file that stays open, so that it is the same one to the end.
std::function<std::optional<std::string>()> pieces(std::shared_ptr<std::ifstream> file, ByteRange range) {
  return [file = std::move(file), range]() mutable -> std::optional<std::string> {
    if (range.first == range.end) return std::nullopt;
    std::string piece(std::min<std::uint64_t>(piece_bytes, range.end - range.first), '\0');
    file->seekg(static_cast<std::streamoff>(range.first));
    if (!file->read(piece.data(), static_cast<std::streamsize>(piece.size()))) {
      throw std::runtime_error("a table could not be read to its end");
    }
    range.first += piece.size();
    return piece;
  };
}

/// {spec, position, win_in}; null if this program cannot tell the position.
Json longest_json(const ValueTable& table, TierIndex place) {
  const std::string spec = table.spec().substr(0, table.spec().find(' '));
  const auto game = open_game(spec);
  const auto board = board_in(table, place);
  if (!game || !board) return {};
  TableReader reader = table.reader(1);
  const auto value = table.lookup(reader, place.tier, place.index);
  if (!value) return {};
  return {{"spec", spec}, {"position", (*game)->notation().position_text(*board)}, {"win_in", value->turns()}};
}

}  // namespace

TableDownload download_table(const std::string& folder, std::string_view name, const Request& request) {
  if (folder.empty() || !is_table_name(name)) return {no_table(), {}};
  const std::string path = folder + "/" + std::string(name);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {no_table(), {}};
  // Opened before its checksum is taken: a file that takes its place meanwhile gives a wrong tag, and no mixture.
  auto file = std::make_shared<std::ifstream>(path, std::ios::binary);
  const auto table = ValueTable::open(path);
  if (!file->is_open() || !table) return {no_table(), {}};
  file->seekg(0, std::ios::end);
  const auto size = static_cast<std::uint64_t>(file->tellg());
  const std::string tag = fmt::format("\"{}\"", checksum_text(table->checksum()));

  Response response;
  response.type = "application/octet-stream";
  response.headers = {{"ETag", tag}, {"Accept-Ranges", "bytes"}, {"Cache-Control", "no-cache"}};
  if (request.header("if-none-match") == tag) {
    response.status = 304;
    return {std::move(response), {}};
  }
  ByteRange range{0, size};
  const bool same = request.header("if-range").empty() || request.header("if-range") == tag;
  if (const auto asked = same ? read_range(request.header("range"), size) : std::nullopt) {
    if (asked->first == asked->end) {
      Response refused = error_response(416, "bad_range", fmt::format("the table has {} bytes", size));
      refused.headers.emplace_back("Content-Range", fmt::format("bytes */{}", size));
      return {std::move(refused), {}};
    }
    range = *asked;
    response.status = 206;
    response.headers.emplace_back("Content-Range", fmt::format("bytes {}-{}/{}", range.first, range.end - 1, size));
  }
  return {std::move(response), pieces(std::move(file), range)};
}

Response table_distances(const std::string& folder, std::string_view name) {
  if (folder.empty() || !is_table_name(name)) return no_table();
  const auto table = ValueTable::open(folder + "/" + std::string(name));
  if (!table) return no_table();
  const auto counted = count_distances(*table);
  const auto longest = longest_win_of(*table);
  if (!counted || !longest) return error_response(500, "bad_table", "the table of this game is damaged");
  return json_response({{"wins", counted->wins},
                        {"losses", counted->losses},
                        {"draws", counted->draws},
                        {"longest", *longest ? longest_json(*table, **longest) : Json()}});
}

bool is_table_of(const std::string& label, const std::vector<std::string>& specs) {
  return std::ranges::any_of(specs, [&](const std::string& spec) {
    const auto kinds = table_kinds(spec);
    return std::ranges::find(kinds, label, &TableKind::label) != kinds.end();
  });
}

std::vector<Route> table_file_routes(const std::string& folder, const RatedSpecs& rated_specs) {
  const auto run = [folder, rated_specs](const Call& call, Store& /*store*/) -> LongAnswer {
    const std::string& name = call.params.at("file");
    if (const auto specs = rated_specs(call); !specs.empty() && is_table_name(name)) {
      const auto table = ValueTable::open(folder + "/" + name);
      if (table && is_table_of(table->spec(), specs)) return {in_rated_play(), {}};
    }
    TableDownload download = download_table(folder, name, call.request);
    LongAnswer answer{std::move(download.response), {}};
    if (download.next) answer.next = [next = std::move(download.next)](Store&) mutable { return next(); };
    return answer;
  };
  const auto count = [folder](const Call& call) { return table_distances(folder, call.params.at("file")); };
  return {{"GET", "/api/tables/{file}", Rate::reading, Need::nobody, LongHandler{run}},
          {"GET", "/api/tables/{file}/distances", Rate::analysis, Need::nobody, PureHandler{count}}};
}

}  // namespace paika::server
