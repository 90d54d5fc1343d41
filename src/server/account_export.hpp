// The export of an account: everything that is stored about a person, for that person.
#pragma once

#include "server/http/route.hpp"

namespace paika::server {

/// GET /api/account/export: {person, ratings, puzzles, tokens, games: [a row of a list and its events …], classes}. A
/// game that is damaged has the events that could be read.
[[nodiscard]] LongAnswer export_account(const Call& call, Store& store);

}  // namespace paika::server
