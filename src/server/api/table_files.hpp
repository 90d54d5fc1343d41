// The files of tables of perfect play, for whoever looks positions up without a server: whole, or a range of bytes.
//
// A table's header and indices hold a checksum for every block (docs/table-format.md), so that a range can be checked
// by itself. The name of a file is what GET /api/tables lists; nothing else of the folder can be reached.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/route.hpp"

namespace paika::server {

/// What is sent at once, and what makes the pieces that follow; empty: the response is all.
struct TableDownload {
  Response response;
  /// The next piece, never empty; nothing after the last. Throws if the file cannot be read to its end.
  std::function<std::optional<std::string>()> next;
};

/// Answers a request for the file `name` of a folder: 200 all of it, 206 the one range of bytes that the request has,
/// 304 what the client has already, 404, or 416 if the range begins after the end. A range that makes no sense, or more
/// than one, is ignored, as HTTP allows.
[[nodiscard]] TableDownload download_table(const std::string& folder, std::string_view name, const Request& request);

/// How many positions are won, lost and drawn by distance, and a win that takes longest: {wins: [by moves], losses: [by
/// moves], draws, longest: null or {spec, position, win_in}}. Reads the whole table.
[[nodiscard]] Response table_distances(const std::string& folder, std::string_view name);

/// The specs of the rated games that somebody plays now.
using RatedSpecs = std::function<std::vector<std::string>(const Call&)>;

/// True if a table, by its label, is of the board of one of these games.
[[nodiscard]] bool is_table_of(const std::string& label, const std::vector<std::string>& specs);

/// GET /api/tables/{file} and /api/tables/{file}/distances. The file is read piece by piece on threads of the exports,
/// as fast as the client takes it. Who plays a rated game on the table's board gets 409 in_play instead.
[[nodiscard]] std::vector<Route> table_file_routes(const std::string& folder, const RatedSpecs& rated_specs);

}  // namespace paika::server
