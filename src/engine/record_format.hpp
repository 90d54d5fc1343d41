// RecordFormat: how the files of other programs have the games of a module. Bytes in, moves out, and back; no file is
// opened here, and whether moves are legal is looked at elsewhere.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace paika {

/// One of the files that a collection of games is made of, by the end of its name.
struct FilePart {
  std::string extension;  // "wtb"; empty: any
  std::string bytes;
};

/// A game as a file has it.
struct FileGame {
  std::string spec;
  std::string start;  // a position's text; empty: the game's own start
  std::array<std::string, 2> players;
  std::vector<std::pair<std::string, std::string>> tags;
  std::vector<std::string> moves;  // as the game reads them; forced passes may be left out
  std::string end;                 // for writing: the position after the last move
};

struct RecordFormat {
  std::string_view name;
  std::string_view about;
  /// True if the bytes look like it; a program that was told the format does not ask.
  bool (*recognises)(std::string_view bytes);
  /// The first file holds the games, the others what belongs to it. `spec`: the game, where the file does not tell.
  Result<std::vector<FileGame>> (*read)(std::span<const FilePart> files, std::string_view spec);
  /// The first file is that of the games.
  Result<std::vector<FilePart>> (*write)(std::span<const FileGame> games);
};

}  // namespace paika
