// Files of games in every format that is read and written: trees, records, GGF, NBoard, the class's notations, and what
// the modules of the games bring (engine/record_format.hpp). Bytes in, games out: no file is opened here.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/record_format.hpp"
#include "study/game_tree.hpp"

namespace paika::study {

/// The format that games are kept in.
inline constexpr std::string_view tree_format = "tree";

struct FormatInfo {
  std::string name;
  std::string about;
};
/// All formats, in the order people see them.
[[nodiscard]] std::vector<FormatInfo> formats();

struct ReadRequest {
  std::string format;  // empty: what the bytes look like
  std::string spec;    // the game, for formats that do not tell; empty: the standard one of the format's game
};

/// All games of a file; the parts after the first are those that belong to it. Errors name line or game.
[[nodiscard]] Result<std::vector<GameTree>> read_games(std::span<const FilePart> files,
                                                       const ReadRequest& request = {});
[[nodiscard]] Result<std::vector<GameTree>> read_games(std::string_view text, const ReadRequest& request = {});

/// Visits the games of a file one after the other; in the place of a bad one an error that names its line, or its
/// number where the format has no lines. The games after it are visited all the same. An error if there is no such
/// format.
[[nodiscard]] Result<void> for_each_game(std::span<const FilePart> files, const ReadRequest& request,
                                         const std::function<void(Result<GameTree>)>& visit);

/// The games as files, the first that of the games. What a format has no place for is left out: only trees keep
/// variations. An error if a game cannot be said in the format.
[[nodiscard]] Result<std::vector<FilePart>> write_games(std::span<const GameTree> games, std::string_view format);

}  // namespace paika::study
