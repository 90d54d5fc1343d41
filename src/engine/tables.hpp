// TableBook: the table of one game, opened for looking positions up.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/game.hpp"
#include "engine/json.hpp"
#include "engine/numbering.hpp"
#include "solve/table_file.hpp"

namespace paika {

/// Where tables are kept if nobody says otherwise: in the user's data folder.
[[nodiscard]] std::string default_tables_folder();
/// The file in `folder` for the table with this label.
[[nodiscard]] std::string table_path(const std::string& folder, const std::string& label);

/// A legal turn with what it is worth for the side that plays it.
struct ValuedTurn {
  Turn steps;
  std::string text;
  Value value;  // how the game ends if it is played, counted from before it
};

/// Not thread-safe: everyone who looks things up opens the book anew, which costs little.
class TableBook {
 public:
  /// The book of a game with the table in `folder`; nothing if there is none (or the game has no tables).
  /// An error if the file is damaged, or is no table of this game.
  [[nodiscard]] static Result<std::unique_ptr<TableBook>> open(const std::string& spec, const std::string& folder);
  /// The same with a given file.
  [[nodiscard]] static Result<std::unique_ptr<TableBook>> open_file(const std::string& spec, const std::string& path);
  /// The same with a numbering that is there already: it takes memory and time.
  [[nodiscard]] static Result<std::unique_ptr<TableBook>> open_file(std::shared_ptr<const Numbering> numbering,
                                                                    const std::string& path);

  /// What gives the value of a place.
  using Lookup = std::function<Result<Value>(TierIndex)>;
  /// A book of values that lie elsewhere than in a file; `name` stands for them in messages.
  [[nodiscard]] static std::unique_ptr<TableBook> over(std::shared_ptr<const Numbering> numbering, Lookup lookup,
                                                       std::string name);

  [[nodiscard]] const Numbering& numbering() const noexcept { return *numbering_; }
  /// Requires that it was opened from a file.
  [[nodiscard]] const ValueTable& table() const noexcept { return *table_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// What a position is worth for its mover, the game's limit of moves counted and repetition not; nothing if the
  /// table does not hold it. An error if the table is damaged there.
  [[nodiscard]] Result<std::optional<Value>> value(const Session& session);
  /// All legal turns with their values, best first, in a stable order; nothing if the table does not hold
  /// them all.
  [[nodiscard]] Result<std::optional<std::vector<ValuedTurn>>> turns(const Session& session);

 private:
  TableBook(std::shared_ptr<const Numbering> numbering, std::shared_ptr<const ValueTable> table, Lookup lookup,
            std::string path);
  [[nodiscard]] static std::unique_ptr<TableBook> over_file(std::shared_ptr<const Numbering> numbering,
                                                            ValueTable table, const std::string& path);

  std::shared_ptr<const Numbering> numbering_;
  std::shared_ptr<const ValueTable> table_;  // of a file
  Lookup lookup_;
  std::string path_;
};

/// What a position is worth for its mover if that is the same, distance and all, whichever player is to move on its
/// board; nothing if it is not, or if the table cannot tell: the other player cannot be to move there, the game is
/// over, or one of the two positions is not in the table. An error if the table is damaged there.
[[nodiscard]] Result<std::optional<Value>> value_for_either(TableBook& book, const Session& session);

/// The labels of the tables in a folder with what is counted in them; files that are no whole table are left out.
/// [{table, spec, positions, bytes, file, checksum, tiers: [{tier, positions, bytes, wins, losses, draws, void,
/// longest_win, longest_loss}]}], by label. `table` is the label, of which `spec` is the first word.
[[nodiscard]] Json tables_json(const std::string& folder);
/// One of these, without `bytes` and `file`.
[[nodiscard]] Json table_json(const ValueTable& table);

/// The best turns from a position to the end, at most `most` of them; or to the first position that is drawn, or whose
/// distance from the end the table does not tell.
[[nodiscard]] Result<std::vector<ValuedTurn>> perfect_line(TableBook& book, const Session& session, std::size_t most);

}  // namespace paika
