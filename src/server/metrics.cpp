#include "server/metrics.hpp"

#include <array>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace paika::server {

namespace {

void add(std::string& text, std::string_view kind, std::string_view name, std::string_view help, double value) {
  text += fmt::format("# HELP paika_{0} {1}\n# TYPE paika_{0} {2}\npaika_{0} {3}\n", name, help, kind, value);
}

void gauge(std::string& text, std::string_view name, std::string_view help, double value) {
  add(text, "gauge", name, help, value);
}

void counter(std::string& text, std::string_view name, std::string_view help, std::uint64_t value) {
  add(text, "counter", name, help, static_cast<double>(value));
}

/// The lines of one metric with labels; `samples`: the labels and the value of each.
void family(std::string& text, std::string_view kind, std::string_view name, std::string_view help,
            const std::vector<std::pair<std::string, double>>& samples) {
  text += fmt::format("# HELP paika_{0} {1}\n# TYPE paika_{0} {2}\n", name, help, kind);
  for (const auto& [labels, value] : samples) text += fmt::format("paika_{}{{{}}} {}\n", name, labels, value);
}

/// The buckets, the sum and the count of a histogram whose head is written; the last count is of what is beyond all
/// bounds.
template <class Bounds, class Counts>
void histogram(std::string& text, std::string_view name, const std::string& labels, const Bounds& bounds,
               const Counts& counts, double sum) {
  const std::string before = labels.empty() ? "" : labels + ",";
  const std::string alone = labels.empty() ? "" : "{" + labels + "}";
  double below = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    below += static_cast<double>(counts[i]);
    text += fmt::format("paika_{}_bucket{{{}le=\"{}\"}} {}\n", name, before, bounds[i], below);
  }
  below += static_cast<double>(counts[bounds.size()]);
  text += fmt::format("paika_{0}_bucket{{{1}le=\"+Inf\"}} {2}\npaika_{0}_sum{3} {4}\npaika_{0}_count{3} {2}\n", name,
                      before, below, alone, sum);
}

/// What was counted of the queue of jobs, by kind.
void job_metrics(std::string& text, const QueueStats& jobs) {
  std::vector<std::pair<std::string, double>> waiting;
  std::vector<std::pair<std::string, double>> running;
  std::vector<std::pair<std::string, double>> oldest;
  for (const JobDepth& depth : jobs.depths) {
    const std::string kind = fmt::format("kind=\"{}\"", depth.kind);
    waiting.emplace_back(kind, depth.waiting);
    running.emplace_back(kind, depth.running);
    oldest.emplace_back(kind, std::chrono::duration<double>(depth.oldest).count());
  }
  family(text, "gauge", "jobs_waiting", "Jobs that wait for a worker.", waiting);
  family(text, "gauge", "jobs_running", "Jobs that a worker has taken.", running);
  family(text, "gauge", "jobs_oldest_seconds", "So long the first job has waited.", oldest);
  std::map<std::string, std::map<std::string, double>> counts;
  for (const JobCount& count : jobs.counts) counts[count.kind][count.what] = static_cast<double>(count.count);
  constexpr std::array<std::array<const char*, 3>, 5> events = {
      {{"taken", "jobs_taken_total", "Times that a worker took a job."},
       {"expired", "jobs_expired_total", "Leases that ran out: a worker died or was cut off."},
       {"given_back", "jobs_given_back_total", "Jobs that a worker could not do or had no time for."},
       {"rejected", "jobs_rejected_total", "Results that made no sense."},
       {"done", "jobs_done_total", "Jobs that were done."}}};
  for (const auto& [what, name, help] : events) {
    std::vector<std::pair<std::string, double>> samples;
    for (auto& [kind, of_kind] : counts) samples.emplace_back(fmt::format("kind=\"{}\"", kind), of_kind[what]);
    family(text, "counter", name, help, samples);
  }
  text += "# HELP paika_job_seconds How long jobs took.\n# TYPE paika_job_seconds histogram\n";
  for (auto& [kind, of_kind] : counts) {
    std::vector<double> within;
    for (const int bound : duration_bounds) within.push_back(of_kind[fmt::format("within_{}", bound)]);
    within.push_back(of_kind["within_0"]);
    histogram(text, "job_seconds", fmt::format("kind=\"{}\"", kind), duration_bounds, within,
              of_kind["worked_ms"] / 1e3);
  }
}

double processor_seconds() {
  rusage used{};
  if (::getrusage(RUSAGE_SELF, &used) != 0) return 0;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t whole = 0;
  std::size_t resident = 0;
  if (!(file >> whole >> resident)) return 0;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::string metrics_text(const NetworkCounts& network, const HubCounts& hub, const OtherCounts& other) {
  std::string text;
  const auto number = [](std::size_t value) { return static_cast<double>(value); };
  gauge(text, "uptime_seconds", "Since the server started.", other.uptime_seconds);
  gauge(text, "resident_bytes", "Memory of the process.", number(resident_bytes()));
  add(text, "counter", "cpu_seconds_total", "Processor time of the process.", processor_seconds());
  gauge(text, "connections", "Connections open now.", number(network.connections));
  gauge(text, "sockets", "Web sockets open now.", number(network.sockets));
  gauge(text, "streams", "Streams open now.", number(network.streams));
  counter(text, "connections_accepted_total", "Connections accepted.", network.accepted);
  counter(text, "connections_turned_away_total", "Connections beyond a limit.", network.turned_away);
  counter(text, "connections_given_up_total", "Idle connections that were cut to make room for others.",
          network.given_up);
  counter(text, "requests_total", "Requests answered.", network.requests);
  counter(text, "messages_in_total", "Messages from web sockets.", network.messages_in);
  counter(text, "messages_out_total", "Messages and lines sent.", network.messages_out);
  counter(text, "bytes_in_total", "Bytes received.", network.bytes_in);
  counter(text, "bytes_out_total", "Bytes sent.", network.bytes_out);
  counter(text, "too_slow_total", "Clients that did not send or take in time.", network.too_slow);
  counter(text, "too_large_total", "Requests and messages beyond a limit.", network.too_large);
  counter(text, "malformed_total", "Requests and messages that make no sense.", network.malformed);
  counter(text, "cut_off_total", "Clients that did not take what waited for them.", network.cut_off);
  gauge(text, "unsent_bytes", "Bytes of responses that are being sent.", number(network.unsent_bytes));
  gauge(text, "network_task_max_seconds", "Processor time of the longest task on the network thread.",
        std::chrono::duration<double>(network.max_task).count());
  gauge(text, "rooms", "Rooms in memory.", number(hub.rooms));
  gauge(text, "rooms_loading", "Rooms being read.", number(hub.loading));
  gauge(text, "games_running", "Games in progress.", number(hub.running));
  gauge(text, "watchers", "Clients that watch a room.", number(hub.watchers));
  counter(text, "rooms_opened_total", "Rooms opened.", hub.opened);
  counter(text, "moves_total", "Moves of people that were accepted.", hub.turns);
  counter(text, "engine_moves_total", "Moves of the engine.", hub.engine_turns);
  counter(text, "storage_failures_total", "Rooms read anew because the storage failed.", hub.failures);
  gauge(text, "writes_waiting", "Events waiting to be written.", number(other.writes_waiting));
  counter(text, "commits_total", "Transactions committed.", other.commits);
  for (const NamedQueue& queue : other.queues) {
    gauge(text, queue.name + "_running", fmt::format("Threads busy with {}.", queue.what),
          number(queue.counts.running));
    gauge(text, queue.name + "_waiting", fmt::format("Waiting for a thread: {}.", queue.what),
          number(queue.counts.waiting));
  }
  counter(text, "ladder_games_total", "Games of the ladders of classes.", other.ladder.games);
  counter(text, "ladder_accepted_total", "Bots of classes that were accepted.", other.ladder.accepted);
  counter(text, "ladder_refused_total", "Bots of classes that were refused.", other.ladder.refused);
  counter(text, "ladder_put_off_total", "Games that were broken off for a bot that waited.", other.ladder.put_off);
  counter(text, "ladder_failures_total", "Times the ladder had to wait.", other.ladder.failures);
  counter(text, "slow_requests_total", "Requests that took longer than --slow-ms.", other.requests.slow);
  text += "# HELP paika_request_seconds How long requests and messages took.\n# TYPE paika_request_seconds histogram\n";
  histogram(text, "request_seconds", "", RequestTimes::bounds, other.requests.counts, other.requests.seconds);
  job_metrics(text, other.jobs);
  return text;
}

}  // namespace paika::server
