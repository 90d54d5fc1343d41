// The tables of perfect play that this module may read. Their bytes come from the page, when they are needed
// (solve/remote_table.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace paika::wasm {

/// Takes the list of tables, as `GET /api/tables` answers; one that is listed as before keeps its bytes.
[[nodiscard]] Result<void> announce_tables(std::string_view json);
/// Takes bytes of a table's file.
void supply_bytes(std::string_view file, std::uint64_t offset, std::vector<std::uint8_t> bytes);
/// Calls `when` as soon as bytes are missing, until the next call of this; null: nobody is told.
void on_missing_bytes(std::function<void()> when);
/// The bytes that were missing since the last call, as [{file, offset, size}]; empty if none were.
[[nodiscard]] std::string take_missing_bytes();
/// Lets go of everything if too much is held, or if a table turned out to be damaged. Not while an answer is made.
void tidy_tables(bool damaged);

}  // namespace paika::wasm
