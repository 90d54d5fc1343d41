// `paika serve`: the game server, until Ctrl-C or SIGTERM.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <thread>

#include "apps/commands.hpp"
#include "apps/database_input.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/stderr.hpp"
#include "apps/tables_input.hpp"
#include "base/text.hpp"
#include "server/node.hpp"
#include "server/server.hpp"

namespace paika::apps {

namespace {

struct Endpoint {
  std::string address;
  std::uint16_t port = 0;
};

/// Reads "127.0.0.1:7420", "[::1]:7420" or "7420", which `option` takes.
Result<Endpoint> read_endpoint(std::string_view option, std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const bool port_alone = colon == std::string_view::npos;
  const auto port = parse_int(port_alone ? text : text.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535) {
    return fail("{} takes an address and a port from 0 to 65535, such as 127.0.0.1:7420, not {}", option,
                in_quotes(text));
  }
  std::string_view address = port_alone ? "127.0.0.1" : text.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  if (address.empty()) {
    return fail("{} lacks the address in {}: 127.0.0.1 is this machine only", option, in_quotes(text));
  }
  return Endpoint{std::string(address), static_cast<std::uint16_t>(*port)};
}

/// An origin as browsers send it: "https://play.example.org", "http://localhost:8080".
Result<void> check_origin(const std::string& text) {
  std::string_view rest = text;
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (rest.starts_with(scheme)) rest.remove_prefix(scheme.size());
  }
  const bool plain = rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-:[]") == std::string_view::npos;
  if (rest.size() < text.size() && !rest.empty() && plain) return {};
  return fail(
      "--origin takes scheme://host or scheme://host:port as browsers send it, such as https://play.example.org, "
      "not {}",
      in_quotes(text));
}

/// The usual limit of 1024 open files is for programs that do not serve: takes all that the machine allows, and returns
/// how many of them can be connections.
std::size_t max_sockets() {
  constexpr std::size_t for_others = 200;  // the store's files, those of bots, tables
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return SIZE_MAX;
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
  if (limit.rlim_max == RLIM_INFINITY) return SIZE_MAX;
  return std::max<std::size_t>(1, limit.rlim_max - std::min<std::size_t>(limit.rlim_max, for_others));
}

/// Keeps what was freed, and asks the system for memory in large pieces. While one thread asks, the others that ask
/// wait; and a thread of the engine, which lets everything else go first, may be pushed aside meanwhile for as long as
/// the processors are busy: the network would wait for it.
void keep_memory() {
#ifdef __GLIBC__
  static_cast<void>(mallopt(M_MMAP_THRESHOLD, 32 << 20));
  static_cast<void>(mallopt(M_TRIM_THRESHOLD, 256 << 20));
  static_cast<void>(mallopt(M_TOP_PAD, 16 << 20));
#endif
}

/// Where the web app is if nobody says: the launcher knows where it has built it; `cmake --install` puts it beside the
/// program. Empty: nowhere.
std::string default_web() {
  const char* built = std::getenv("PAIKA_WEB");  // NOLINT(concurrency-mt-unsafe): nothing here sets the environment
  if (built != nullptr) return built;
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto installed = program.parent_path().parent_path() / "share" / "paika" / "web";
  return std::filesystem::is_regular_file(installed / "index.html", error) ? installed.string() : "";
}

Result<server::ServerSettings> settings_of(const ServeArgs& args) {
  const auto endpoint = read_endpoint("--listen", args.listen);
  if (!endpoint) return tl::unexpected(endpoint.error());
  const auto level = server::read_log_level(args.log_level);
  if (!level) return tl::unexpected(level.error());
  server::ServerSettings settings;
  settings.network.address = endpoint->address;
  settings.network.port = endpoint->port;
  settings.network.max_connections = std::min(static_cast<std::size_t>(args.max_connections), max_sockets());
  settings.network.max_per_address = args.max_per_address > 0
                                         ? static_cast<std::size_t>(args.max_per_address)
                                         : std::max<std::size_t>(1, settings.network.max_connections / 4);
  settings.network.behind_proxy = args.behind_proxy;
  const auto database = database_file(args.database);
  if (!database) return tl::unexpected(database.error());
  settings.database = *database;
  for (const std::string& origin : args.origins) {
    if (const auto fine = check_origin(origin); !fine) return tl::unexpected(fine.error());
  }
  settings.web = args.web.empty() ? default_web() : args.web;
  settings.tables = tables_folder(args.tables);
  std::error_code error;
  if (!args.tournaments.empty() && !std::filesystem::is_directory(args.tournaments, error)) {
    return fail("--tournaments: there is no folder {}", in_quotes(args.tournaments));
  }
  settings.tournaments = args.tournaments;
  settings.games = args.games;
  settings.unsafe_bots = args.unsafe_bots;
  settings.weak_sandbox = args.weak_sandbox;
  settings.bot_readable = args.bot_readable;
  for (const std::string& path : args.bot_readable) {
    if (!std::filesystem::exists(path, error)) return fail("--bot-read: there is nothing at {}", in_quotes(path, 200));
  }
  settings.origins = args.origins;
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  settings.workers = args.workers > 0 ? args.workers : std::max(1, processors - 1);
  settings.ladder_workers = args.ladder_workers >= 0 ? args.ladder_workers : std::max(1, processors / 2);
  settings.version = PAIKA_VERSION;
  settings.remote_analyses = args.remote_analyses;
  if (args.teachers != "anyone" && args.teachers != "approved") {
    return fail("--teachers takes anyone or approved, not {}", in_quotes(args.teachers));
  }
  settings.approved_teachers = args.teachers == "approved";
  if (!args.sso.empty()) {
    auto sso = server::read_sso_file(args.sso);
    if (!sso) return fail("--sso: {}", sso.error().message);
    settings.sso = std::move(*sso);
  }
  settings.rate_factor = args.rate_factor;
  settings.slow = std::chrono::milliseconds(args.slow_ms);
  settings.log_level = *level;
  settings.log = [](std::string_view line) { to_stderr(std::string(line)); };
  return settings;
}

/// Runs a Server or a Node that was opened, until it is interrupted.
template <class Opened>
int run_until_interrupted(const Opened& server, const std::string& address, const Interrupt& interrupt) {
  if (!server) return complain(server.error().message);
  const bool is_ipv6 = address.find(':') != std::string::npos;
  fmt::print("Paika is at http://{}:{}/ (Ctrl-C stops it)\n", is_ipv6 ? fmt::format("[{}]", address) : address,
             (*server)->port());
  std::fflush(stdout);
  const std::stop_callback stop(interrupt.token(), [&] { (*server)->stop(); });
  const Result<void> done = (*server)->run();
  return done ? finish(exit_done) : complain(done.error().message);
}

}  // namespace

int run_serve(const ServeArgs& args) {
  keep_memory();
  auto settings = settings_of(args);
  if (!settings) return complain(settings.error().message);
  const std::string address = settings->network.address;
  const Interrupt interrupt;
  if (args.node.empty()) return run_until_interrupted(server::Server::open(std::move(*settings)), address, interrupt);
  const auto node = read_endpoint("--node", args.node);
  if (!node) return complain(node.error().message);
  // A client that is passed on takes two.
  settings->network.max_connections =
      std::max<std::size_t>(1, std::min(settings->network.max_connections, max_sockets() / 2));
  return run_until_interrupted(server::Node::open({std::move(*settings), node->address, node->port}), address,
                               interrupt);
}

}  // namespace paika::apps
