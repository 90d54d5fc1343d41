// What a running tournament shows: a table that is drawn anew on a terminal, else one line per game; and its state
// file.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "tournament/report.hpp"

namespace paika::apps {

class TournamentScreen {
 public:
  /// Shows what happens until it goes. `state_file` is written anew, whole, as games end; empty: none.
  TournamentScreen(const tournament::TournamentPlan& plan, const tournament::Director& director, std::string state_file,
                   bool quiet);
  TournamentScreen(const TournamentScreen&) = delete;
  TournamentScreen& operator=(const TournamentScreen&) = delete;
  ~TournamentScreen();

  /// No more is shown; wipes the table.
  void close();

 private:
  void watch(const std::stop_token& over);
  void update();
  void draw(const std::string& text);

  const tournament::TournamentPlan& plan_;
  const tournament::Director& director_;
  std::string state_file_;
  bool quiet_;
  bool terminal_;
  std::size_t told_ = 0;  // games that were told
  std::uint64_t seen_ = 0;
  int drawn_ = 0;  // lines
  std::mutex mutex_;
  std::condition_variable_any closing_;  // what the watcher waits for
  std::jthread watcher_;
};

/// Writes the state file; what cannot be written is said on stderr, once a run.
void write_state(const tournament::Report& report, const std::string& path);

}  // namespace paika::apps
