// Load on a running server: so many games at once, each with so many moves a second, and how long a move takes to
// reach the opponent.
//
// usage: server_load URL [--games N] [--rate MOVES] [--seconds S] [--engine-games K] [--spec SPEC] [--pid N] [--p99 MS]
//                    [--json]
// Every game has two guests, each with a web socket that watches and plays; a game that ends is followed by a rematch.
// Turns are chosen by chance from the legal ones, which this program finds out by itself. Delivery is the time from
// sending the message until the opponent's socket has the event: it contains the check by the rules, the commit to the
// disk and both ways. Engine games are against full strength and answered at once, so that the engine always thinks for
// K games. The server must run with --rate-factor 1000. With --pid the server's processor time is told too. Exit status
// 1 if there were errors, or with --p99 if more than one of a hundred deliveries took longer.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <queue>
#include <sstream>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include "base/random.hpp"
#include "engine/json.hpp"
#include "engine/registry.hpp"
#include "load_client.hpp"

namespace paika::load {
namespace {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;

struct Settings {
  std::string url;
  std::string spec = "othello";
  int games = 1000;
  int engine_games = 0;
  double rate = 1;
  int seconds = 30;
  int warm_up = 3;  // seconds that are played but not counted
  int pid = 0;
  double p99_ms = 0;
  std::uint64_t seed = 1;
  bool json = false;
};

struct Counts {
  std::vector<double> delivery_us, answer_us;
  std::uint64_t moves = 0, engine_turns = 0, new_games = 0, errors = 0, reconnects = 0, lagging = 0;
  std::string first_error;
};

/// One of the two people of a game.
struct Person {
  std::string token;
  std::optional<WebSocket> socket;
  std::string room;               // the one that is watched
  std::string last_number = "0";  // of an event there
};

struct PlayedGame {
  std::array<Person, 2> people;  // the second one has no socket in a game against the engine
  bool against_engine = false;
  std::size_t first = 0;  // who of them moves first
  std::unique_ptr<Session> session;
  std::size_t begun = 0;  // so many of them know that it has begun
  TimePoint due, sent;
  std::size_t mover = 0;
  std::string under_way;  // the message with a turn that the opponent does not have yet
};

/// The text between `before` and the next quotation mark or comma; nothing if it is not there. Enough for messages of
/// our server, and much cheaper than reading them whole.
std::optional<std::string_view> value_after(std::string_view text, std::string_view before, std::size_t from = 0) {
  const auto found = text.find(before, from);
  if (found == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(found + before.size());
  return rest.substr(0, rest.find_first_of("\",}"));
}

// ---- Setting up ----

struct Asked {
  std::string path, token, body;
};

/// Sends requests over several connections at once; the server keeps what they do with one commit for many.
Result<std::vector<Json>> ask_all(const Address& address, const std::vector<Asked>& requests, int status) {
  constexpr std::size_t at_once = 32;
  std::vector<HttpClient> clients;
  for (std::size_t i = 0; i < std::min(at_once, requests.size()); ++i) {
    auto client = HttpClient::open(address);
    if (!client) return tl::unexpected(client.error());
    clients.push_back(std::move(*client));
  }
  std::vector<Json> answers;
  for (std::size_t begin = 0; begin < requests.size(); begin += clients.size()) {
    const std::size_t end = std::min(requests.size(), begin + clients.size());
    for (std::size_t i = begin; i < end; ++i) {
      const Asked& asked = requests[i];
      const auto sent = clients[i - begin].begin("POST", asked.path, asked.token, asked.body);
      if (!sent) return tl::unexpected(sent.error());
    }
    for (std::size_t i = begin; i < end; ++i) {
      auto answer = clients[i - begin].finish();
      if (!answer) return tl::unexpected(answer.error());
      if (answer->status != status) {
        return fail("POST {} was answered with {}: {} (is the server started with --rate-factor 1000?)",
                    requests[i].path, answer->status, answer->body);
      }
      answers.push_back(Json::parse(answer->body, nullptr, false));
    }
  }
  return answers;
}

// ---- The load ----

class Load {
 public:
  Load(Settings settings, Address address, GamePtr game)
      : settings_(std::move(settings)),
        address_(std::move(address)),
        game_(std::move(game)),
        random_(settings_.seed),
        epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}

  [[nodiscard]] Result<void> set_up();
  void run();
  [[nodiscard]] const Counts& counts() const { return counts_; }
  [[nodiscard]] std::size_t under_way() const;

 private:
  [[nodiscard]] Result<void> find_people();
  [[nodiscard]] Result<void> open_rooms();
  [[nodiscard]] Result<void> connect(std::size_t game, std::size_t person);
  void reconnect(std::size_t game, std::size_t person);
  void watch(Person& person) const;

  void take(std::size_t game, std::size_t person, std::string_view message);
  void take_event(std::size_t game, std::size_t person, std::string_view message);
  void take_turn(std::size_t game, std::size_t person, std::string_view message);
  void begin(std::size_t game);
  void go_on(std::size_t game);
  void play(std::size_t game);
  void complain(std::string_view what);

  [[nodiscard]] bool counted(TimePoint when) const { return when >= counted_from_; }
  [[nodiscard]] std::size_t person_to_move(const PlayedGame& game) const {
    const bool first = game.session->board().to_move == Player::first;
    return first ? game.first : 1 - game.first;
  }

  Settings settings_;
  Address address_;
  GamePtr game_;
  Random random_;
  Handle epoll_;
  std::vector<PlayedGame> games_;
  using Due = std::pair<TimePoint, std::size_t>;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  TimePoint counted_from_ = TimePoint::max();
  Counts counts_;
};

Result<void> Load::set_up() {
  games_.resize(static_cast<std::size_t>(settings_.games) + static_cast<std::size_t>(settings_.engine_games));
  for (std::size_t i = static_cast<std::size_t>(settings_.games); i < games_.size(); ++i) {
    games_[i].against_engine = true;
  }
  if (auto done = find_people(); !done) return done;
  if (auto done = open_rooms(); !done) return done;
  for (std::size_t i = 0; i < games_.size(); ++i) {
    for (const std::size_t person : {std::size_t{0}, std::size_t{1}}) {
      if (games_[i].people.at(person).token.empty()) continue;
      if (auto done = connect(i, person); !done) return done;
    }
  }
  return {};
}

Result<void> Load::find_people() {
  std::vector<std::string*> tokens;
  for (PlayedGame& game : games_) {
    tokens.push_back(&game.people[0].token);
    if (!game.against_engine) tokens.push_back(&game.people[1].token);
  }
  const auto guests = ask_all(address_, std::vector<Asked>(tokens.size(), {"/api/guests", "", ""}), 201);
  if (!guests) return tl::unexpected(guests.error());
  for (std::size_t i = 0; i < tokens.size(); ++i) *tokens[i] = (*guests)[i].value("token", "");
  return {};
}

Result<void> Load::open_rooms() {
  constexpr int clock_ms = 3'600'000;
  std::vector<Asked> opening;
  for (const PlayedGame& game : games_) {
    Json plan = {{"spec", settings_.spec}, {"side", "first"}};
    if (game.against_engine) {
      plan["engine"] = 10;
    } else {
      plan["clock_ms"] = clock_ms;
    }
    opening.push_back({"/api/rooms", game.people[0].token, plan.dump()});
  }
  const auto rooms = ask_all(address_, opening, 201);
  if (!rooms) return tl::unexpected(rooms.error());
  std::vector<Asked> joining;
  for (std::size_t i = 0; i < games_.size(); ++i) {
    const std::string room = (*rooms)[i].value("room", "");
    for (Person& person : games_[i].people) person.room = room;
    if (!games_[i].against_engine) joining.push_back({"/api/rooms/" + room + "/join", games_[i].people[1].token, "{}"});
  }
  const auto joined = ask_all(address_, joining, 200);
  if (!joined) return tl::unexpected(joined.error());
  return {};
}

void Load::watch(Person& person) const {
  person.socket->send(fmt::format(R"({{"do":"watch","room":"{}","since":{}}})", person.room, person.last_number));
}

Result<void> Load::connect(std::size_t game, std::size_t person) {
  Person& who = games_[game].people.at(person);
  auto socket = WebSocket::open(address_, who.token);
  if (!socket) return tl::unexpected(socket.error());
  who.socket = std::move(*socket);
  epoll_event wanted{};
  wanted.events = EPOLLIN;
  wanted.data.u64 = game * 2 + person;
  if (::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, who.socket->number(), &wanted) != 0) return fail("epoll failed");
  watch(who);
  return {};
}

/// A socket has ended: a new one takes up where it was, and a turn without an answer is sent again.
void Load::reconnect(std::size_t game, std::size_t person) {
  ++counts_.reconnects;
  games_[game].people.at(person).socket.reset();
  if (const auto done = connect(game, person); !done) {
    complain(done.error().message);
    return;
  }
  if (!games_[game].under_way.empty() && games_[game].mover == person) {
    games_[game].people.at(person).socket->send(games_[game].under_way);
  }
}

void Load::run() {
  const TimePoint start = Clock::now();
  counted_from_ = start + std::chrono::seconds(settings_.warm_up);
  const TimePoint end = counted_from_ + std::chrono::seconds(settings_.seconds);
  constexpr int max_events = 512;
  std::array<epoll_event, max_events> events{};
  for (TimePoint now = start; now < end; now = Clock::now()) {
    const TimePoint next = due_.empty() ? end : std::min(due_.top().first, end);
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(std::max(next - now, Clock::duration(0)));
    constexpr int max_wait = 100;
    const int count = ::epoll_wait(epoll_.number(), events.data(), max_events,
                                   static_cast<int>(std::min<std::int64_t>(wait.count(), max_wait)));
    for (int i = 0; i < count; ++i) {
      const std::size_t game = events.at(static_cast<std::size_t>(i)).data.u64 / 2;
      const std::size_t person = events.at(static_cast<std::size_t>(i)).data.u64 % 2;
      auto& socket = games_[game].people.at(person).socket;
      if (!socket) continue;
      if (!socket->receive([&](std::string_view message) { take(game, person, message); })) reconnect(game, person);
    }
    for (now = Clock::now(); !due_.empty() && due_.top().first <= now;) {
      const std::size_t game = due_.top().second;
      due_.pop();
      play(game);
    }
  }
}

std::size_t Load::under_way() const {
  return static_cast<std::size_t>(
      std::count_if(games_.begin(), games_.end(), [](const PlayedGame& game) { return !game.under_way.empty(); }));
}

void Load::complain(std::string_view what) {
  if (counts_.errors++ == 0) counts_.first_error = what;
}

// ---- What the server says ----

void Load::take(std::size_t game, std::size_t person, std::string_view message) {
  constexpr std::string_view of_room = R"({"room":")";
  if (message.starts_with(of_room)) {
    if (value_after(message, of_room) == games_[game].people.at(person).room) take_event(game, person, message);
  } else if (message.starts_with(R"({"accepted")")) {
    const TimePoint sent = games_[game].sent;
    if (message.find(R"("ref":"move")") != std::string_view::npos && counted(sent)) {
      counts_.answer_us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - sent).count());
    }
  } else if (message.starts_with(R"({"error")")) {
    complain(message);
  }
}

void Load::take_event(std::size_t game, std::size_t person, std::string_view message) {
  const auto kind = value_after(message, R"("event":")");
  if (!kind) return;  // a snapshot, or who is there
  Person& who = games_[game].people.at(person);
  who.last_number = value_after(message, R"("number":)").value_or("0");
  if (*kind == "begun") {
    const std::size_t sockets = games_[game].against_engine ? 1 : 2;
    if (++games_[game].begun == sockets) begin(game);
  } else if (*kind == "move") {
    take_turn(game, person, message);
  } else if (*kind == "ended") {
    games_[game].under_way.clear();
    who.socket->send(fmt::format(R"({{"do":"offer","what":"rematch","room":"{}"}})", who.room));
  } else if (*kind == "rematch") {
    if (person == 0) {
      ++counts_.new_games;
      games_[game].begun = 0;
      games_[game].first = 1 - games_[game].first;
      games_[game].session.reset();
    }
    who.socket->send(fmt::format(R"({{"do":"leave","room":"{}"}})", who.room));
    who.room = value_after(message, R"("room":")", message.find(R"("rematch")")).value_or("");
    who.last_number = "0";
    watch(who);
  }
}

void Load::take_turn(std::size_t game, std::size_t person, std::string_view message) {
  PlayedGame& played = games_[game];
  const auto number = value_after(message, R"("move":)", message.find(R"("move",)"));
  const auto text = value_after(message, R"("text":")");
  if (!played.session || !number || !text) return complain(message);
  const std::size_t mover = person_to_move(played);
  if (*number == std::to_string(played.session->turns_played() + 1)) {
    if (!played.session->try_play(*text)) return complain(message);
    if (played.against_engine) {
      counts_.engine_turns += mover == 1 && counted(Clock::now()) ? 1 : 0;
      played.under_way.clear();
      if (!played.session->outcome().over() && person_to_move(played) == 0) due_.emplace(Clock::now(), game);
      return;
    }
  }
  if (person == played.mover || played.under_way.empty()) return;
  if (counted(played.sent)) {
    counts_.delivery_us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - played.sent).count());
    ++counts_.moves;
  }
  played.under_way.clear();
  if (!played.session->outcome().over()) go_on(game);
}

// ---- Playing ----

/// Everybody knows that the game has begun.
void Load::begin(std::size_t game) {
  PlayedGame& played = games_[game];
  played.session = game_->start();
  played.under_way.clear();
  const auto between = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / settings_.rate));
  played.due = Clock::now() + Clock::duration(static_cast<std::int64_t>(random_.below(
                                  static_cast<std::uint64_t>(std::max<std::int64_t>(1, between.count())))));
  if (!played.against_engine) {
    due_.emplace(played.due, game);
  } else if (person_to_move(played) == 0) {
    due_.emplace(Clock::now(), game);
  }
}

/// The next turn's time.
void Load::go_on(std::size_t game) {
  PlayedGame& played = games_[game];
  played.due += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / settings_.rate));
  if (const TimePoint now = Clock::now(); played.due < now) {
    played.due = now;
    ++counts_.lagging;
  }
  due_.emplace(played.due, game);
}

void Load::play(std::size_t game) {
  PlayedGame& played = games_[game];
  if (!played.session || !played.under_way.empty()) return;
  std::vector<std::string> turns;
  played.session->for_each_turn([&](const ListedTurn& turn) {
    turns.push_back(turn.text);
    return true;
  });
  if (turns.empty()) return;
  const std::size_t mover = person_to_move(played);
  Person& who = played.people.at(mover);
  if (!who.socket) return;
  const int number = played.session->turns_played() + 1;
  played.mover = mover;
  played.under_way = fmt::format(R"({{"do":"play","room":"{}","move":"{}","id":"{}","number":{},"ref":"move"}})",
                                 who.room, turns[random_.index(turns.size())], number, number);
  played.sent = Clock::now();
  who.socket->send(played.under_way);
}

// ---- The report ----

double processor_seconds(int pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  if (!std::getline(file, text)) return 0;
  // After the name, which may hold anything but ends with the last ')': state, then numbers; the 12th and 13th of the
  // fields after it are the ticks in the program and in the system.
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string word;
  double ticks = 0;
  for (int i = 1; fields >> word; ++i) {
    if (i == 12 || i == 13) ticks += std::stod(word);
  }
  return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double metric(const Address& address, std::string_view name) {
  auto client = HttpClient::open(address);
  if (!client || !client->begin("GET", "/metrics", "", "")) return 0;
  const auto answer = client->finish();
  if (!answer) return 0;
  const auto value = answer->body.find(fmt::format("\npaika_{} ", name));
  if (value == std::string::npos) return 0;
  return std::strtod(answer->body.c_str() + value + name.size() + sizeof("\npaika_"), nullptr);
}

Json times_json(std::vector<double> us) {
  std::sort(us.begin(), us.end());
  const auto at = [&](double part) {
    if (us.empty()) return 0.0;
    return us[std::min(us.size() - 1, static_cast<std::size_t>(static_cast<double>(us.size()) * part))];
  };
  return {{"count", us.size()}, {"p50_us", at(0.5)}, {"p90_us", at(0.9)}, {"p99_us", at(0.99)}, {"max_us", at(1)}};
}

void print_times(std::string_view what, const Json& times) {
  const auto ms = [&](const char* key) { return times[key].get<double>() / 1000; };
  fmt::print("{:<9} p50 {:8.2f} ms   p90 {:8.2f} ms   p99 {:8.2f} ms   max {:8.2f} ms\n", what, ms("p50_us"),
             ms("p90_us"), ms("p99_us"), ms("max_us"));
}

void print_report(const Json& r, const Settings& settings) {
  if (settings.json) {
    fmt::print("{}\n", r.dump());
    return;
  }
  fmt::print("{} games ({} sockets) of {}, {} moves a second each, {} games against the engine, {} s\n", settings.games,
             2 * settings.games + settings.engine_games, settings.spec, settings.rate, settings.engine_games,
             settings.seconds);
  print_times("delivery", r["delivery"]);
  print_times("answer", r["answer"]);
  fmt::print("moves     {} ({:.0f} a second), turns of the engine {}, new games {}\n", r["moves"].get<std::uint64_t>(),
             r["moves"].get<double>() / settings.seconds, r["engine_moves"].get<std::uint64_t>(),
             r["new_games"].get<std::uint64_t>());
  fmt::print("errors    {}, reconnects {}, moves sent late {}, without an answer {}\n",
             r["errors"].get<std::uint64_t>(), r["reconnects"].get<std::uint64_t>(), r["lagging"].get<std::uint64_t>(),
             r["unanswered"].get<std::size_t>());
  fmt::print("memory    {:.1f} MB of the server\n", r["resident_bytes"].get<double>() / 1e6);
  const std::string server =
      settings.pid > 0 ? fmt::format("{:.2f}", r["server_cpu_seconds"].get<double>()) : "not asked for";
  fmt::print("processor {} s of the server, {:.2f} s of this program\n", server, r["own_cpu_seconds"].get<double>());
  if (const auto first = r["first_error"].get<std::string>(); !first.empty()) fmt::print("first error: {}\n", first);
}

int run_load(const Settings& settings) {
  const auto complain = [](const Error& error) {
    fmt::print(stderr, "server_load: {}\n", error.message);
    return 2;
  };
  const auto address = read_address(settings.url);
  if (!address) return complain(address.error());
  const auto game = open_game(settings.spec);
  if (!game) return complain(game.error());
  raise_file_limit();
  Load load(settings, *address, *game);
  if (const auto done = load.set_up(); !done) return complain(done.error());
  const double server_before = processor_seconds(settings.pid);
  const double own_before = processor_seconds(::getpid());
  load.run();
  const Counts& counts = load.counts();
  Json report = {{"games", settings.games},
                 {"engine_games", settings.engine_games},
                 {"spec", settings.spec},
                 {"rate", settings.rate},
                 {"seconds", settings.seconds}};
  report["delivery"] = times_json(counts.delivery_us);
  report["answer"] = times_json(counts.answer_us);
  report["moves"] = counts.moves;
  report["engine_moves"] = counts.engine_turns;
  report["new_games"] = counts.new_games;
  report["errors"] = counts.errors;
  report["reconnects"] = counts.reconnects;
  report["lagging"] = counts.lagging;
  report["unanswered"] = load.under_way();
  report["resident_bytes"] = metric(*address, "resident_bytes");
  report["server_cpu_seconds"] = processor_seconds(settings.pid) - server_before;
  report["own_cpu_seconds"] = processor_seconds(::getpid()) - own_before;
  report["first_error"] = counts.first_error;
  print_report(report, settings);
  const bool slow = settings.p99_ms > 0 && report["delivery"]["p99_us"].get<double>() > settings.p99_ms * 1000;
  return slow || counts.errors > 0 || counts.moves == 0 ? 1 : 0;
}

}  // namespace
}  // namespace paika::load

int main(int argc, char** argv) {
  using namespace paika::load;
  Settings settings;
  CLI::App app{"Load on a running paika server, and how long moves take to be delivered"};
  app.add_option("URL", settings.url, "Where the server is, such as http://127.0.0.1:7420")->required();
  app.add_option("--games", settings.games, "Games between two guests (1000)")->check(CLI::Range(1, 20000));
  app.add_option("--rate", settings.rate, "Moves a second in each (1)")->check(CLI::Range(0.001, 1000.0));
  app.add_option("--seconds", settings.seconds, "How long it is measured (30)")->check(CLI::Range(1, 86400));
  app.add_option("--warm-up", settings.warm_up, "Seconds before that (3)")->check(CLI::Range(0, 3600));
  app.add_option("--engine-games", settings.engine_games, "Games against the engine beside them (0)")
      ->check(CLI::Range(0, 10000));
  app.add_option("--spec", settings.spec, "The game (othello)");
  app.add_option("--seed", settings.seed, "The same seed, the same turns (1)");
  app.add_option("--pid", settings.pid, "The server's process, for its processor time");
  app.add_option("--p99", settings.p99_ms, "Exit status 1 if the p99 of the delivery is more milliseconds");
  app.add_flag("--json", settings.json, "One JSON object");
  CLI11_PARSE(app, argc, argv);
  return run_load(settings);
}
