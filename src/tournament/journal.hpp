// Journal: the file that is the tournament. Its first line holds the plan, each further line a game that is over.
//
// Only ever added to, a line at a time by one write that is on the disk before it counts. Each line has a checksum. A
// process that is killed leaves whole lines and perhaps a torn last one, which was never counted and is dropped.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tournament/job.hpp"

namespace paika::tournament {

/// What a results file holds.
struct JournalContent {
  Json plan;                        // null: not even the first line is whole
  std::vector<FinishedGame> games;  // no id twice
  std::size_t whole = 0;            // bytes of the whole lines
  std::size_t torn = 0;             // bytes after them
};

/// Reads the bytes of a results file. An error names the line and what is wrong with it.
[[nodiscard]] Result<JournalContent> read_journal(std::string_view bytes);

/// A line of the file with its end.
[[nodiscard]] std::string journal_line(const Json& entry);

class Journal {
 public:
  /// Opens or makes the results file of a plan and takes the lock that keeps others off. Refuses the file of another
  /// plan, saying what differs, and a damaged one. A torn last line is cut off.
  [[nodiscard]] static Result<std::unique_ptr<Journal>> open(const std::string& path, const TournamentPlan& plan);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  /// The games that were there.
  [[nodiscard]] const std::vector<FinishedGame>& games() const { return games_; }
  /// How many bytes were cut off.
  [[nodiscard]] std::size_t torn() const { return torn_; }

  /// Adds a game; it is on the disk when this returns.
  [[nodiscard]] Result<void> add(const FinishedGame& game);

 private:
  Journal(int file, std::string path) : file_(file), path_(std::move(path)) {}
  [[nodiscard]] Result<void> load(const TournamentPlan& plan);
  [[nodiscard]] Result<void> write_line(const Json& entry);

  int file_;
  std::string path_;
  std::vector<FinishedGame> games_;
  std::size_t torn_ = 0;
  std::size_t size_ = 0;
};

/// Reads a results file without taking the lock, as reports and pages do.
[[nodiscard]] Result<JournalContent> read_journal_file(const std::string& path);

}  // namespace paika::tournament
