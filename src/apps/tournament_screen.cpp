#include "apps/tournament_screen.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include "apps/stderr.hpp"
#include "play/autosave.hpp"

namespace paika::apps {

namespace {

constexpr auto interval = std::chrono::milliseconds(200);

int terminal_rows() {
  winsize size{};
  constexpr int usual = 24;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : usual;
}

}  // namespace

void write_state(const tournament::Report& report, const std::string& path) {
  static std::atomic<bool> complained = false;
  const std::string text = state_json(report).dump(2, ' ', false, tournament::Json::error_handler_t::replace) + "\n";
  const auto written = play::write_whole_file(path, text);
  if (!written && !complained.exchange(true)) to_stderr(fmt::format("paika: {}\n", written.error().message));
}

TournamentScreen::TournamentScreen(const tournament::TournamentPlan& plan, const tournament::Director& director,
                                   std::string state_file, bool quiet)
    : plan_(plan),
      director_(director),
      state_file_(std::move(state_file)),
      quiet_(quiet),
      terminal_(!quiet && isatty(STDOUT_FILENO) == 1),
      told_(director.ended_since(0).size()),
      watcher_([this](const std::stop_token& over) { watch(over); }) {}

TournamentScreen::~TournamentScreen() { close(); }

void TournamentScreen::close() {
  if (!watcher_.joinable()) return;
  watcher_.request_stop();
  watcher_.join();
  update();
  if (terminal_) draw("");
}

void TournamentScreen::watch(const std::stop_token& over) {
  while (!over.stop_requested()) {
    if (const std::uint64_t version = director_.version(); version != seen_) {
      seen_ = version;
      update();
    }
    std::unique_lock lock(mutex_);
    closing_.wait_for(lock, over, interval, [] { return false; });
  }
}

void TournamentScreen::update() {
  if (!terminal_ && !quiet_) {
    for (const auto& game : director_.ended_since(told_)) {
      ++told_;
      fmt::print("{}\n", game_line(game));
    }
    std::fflush(stdout);
  }
  const tournament::Snapshot snapshot = director_.snapshot();
  const auto report =
      report_of(plan_, snapshot, snapshot.draining ? tournament::Progress::draining : tournament::Progress::running);
  if (!state_file_.empty()) write_state(report, state_file_);
  if (!terminal_) return;
  std::string text = table_text(report);
  if (!snapshot.running.empty()) text += "\n";
  for (const auto& running : snapshot.running) {
    text += fmt::format("playing {}: {} - {}{}\n", running.fixture.id, plan_.players[running.fixture.players[0]].name,
                        plan_.players[running.fixture.players[1]].name,
                        running.worker.empty() ? "" : " on " + running.worker);
  }
  draw(text);
}

void TournamentScreen::draw(const std::string& text) {
  // What does not fit would scroll away and could not be drawn over.
  const int rows = terminal_rows() - 1;
  std::string shown;
  int lines = 0;
  for (std::size_t begin = 0; begin < text.size() && lines < rows; ++lines) {
    const std::size_t end = text.find('\n', begin);
    shown += text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  if (drawn_ > 0) fmt::print("\x1b[{}A\x1b[J", drawn_);
  fmt::print("{}", shown);
  std::fflush(stdout);
  drawn_ = lines;
}

}  // namespace paika::apps
