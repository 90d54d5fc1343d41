#include "play/live_game.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/check.hpp"
#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/opening_book.hpp"
#include "engine/registry.hpp"
#include "play/match.hpp"
#include "play/start.hpp"
#include "play/worker.hpp"

namespace paika::play {

namespace {

/// A game's start and where it is.
struct Opened {
  std::unique_ptr<Session> session;
  std::string start;  // canonical; empty: the game's own
};

Result<Opened> open_at(const GamePtr& game, const std::string& start) {
  auto session = start_at(*game, start);
  if (!session) return fail(phrase("bad position for {}: {}", game->notation().spec(), session.error().words()));
  std::string text = start.empty() ? "" : (*session)->position_text();
  return Opened{std::move(*session), std::move(text)};
}

/// A turn that was played, or taken back.
struct Played {
  Turn turn;
  RecordedTurn recorded;
  Microseconds thought{0};  // of the turn after it, when this one was taken back
};

bool same(const std::optional<GameClock>& a, const std::optional<GameClock>& b) {
  if (!a || !b) return !a && !b;
  return a->left == b->left && a->increment == b->increment;
}

struct Seat {
  PlayerText who;
  std::unique_ptr<Worker> worker;  // none: a person
  int since = 0;                   // its clock began when so many turns had been played
};

}  // namespace

MakePlayer default_players(const std::string& error_log, const std::string& tables) {
  return [error_log, tables](const GamePtr& game, PlayerText player) {
    player.settings.search.tables = tables;
    if (!player.settings.search.book) player.settings.search.book = builtin_book_name;
    return enter(game, player, live_margin, error_log).make();
  };
}

class LiveGame::Impl {
 public:
  Impl(GamePtr played, Opened opened, LiveSetup around)
      : game(std::move(played)),
        session(std::move(opened.session)),
        start(std::move(opened.start)),
        setup(std::move(around)),
        boards{session->board()} {}

  // ---- Seats ----

  Result<std::unique_ptr<Worker>> hire(const PlayerText& who) {
    if (who.person) return std::unique_ptr<Worker>();
    auto made = setup.make(game, who);
    if (!made) return tl::unexpected(made.error());
    try {
      return std::make_unique<Worker>(std::move(*made), setup.now, setup.wake, setup.number);
    } catch (const std::system_error&) {
      return fail(phrase("there is no thread left for {}", in_quotes(who.text)));
    }
  }

  Result<void> sit(Player player, const PlayerText& who, int since) {
    auto worker = hire(who);
    if (!worker) return tl::unexpected(worker.error());
    seats[seat_of(player)] = {who, std::move(*worker), since};
    return {};
  }

  [[nodiscard]] Seat& mover() { return seats[seat_of(boards.back().to_move)]; }
  [[nodiscard]] const Seat& mover() const { return seats[seat_of(boards.back().to_move)]; }
  [[nodiscard]] bool over() const { return result.reason != unfinished_reason; }

  // ---- Turns ----

  void push(Played played) {
    session->play(played.turn);
    boards.push_back(session->board());
    moves.push_back(std::move(played.turn));
    turns.push_back(std::move(played.recorded));
    take_outcome();
  }

  void take_outcome() {
    const Outcome outcome = session->outcome();
    result = {};
    if (outcome.over()) result = {outcome.verdict, std::string(name(outcome.reason)), ""};
  }

  Played pop() {
    Played played{std::move(moves.back()), std::move(turns.back()), Microseconds(0)};
    moves.pop_back();
    turns.pop_back();
    boards.pop_back();
    PAIKA_CHECK(session->undo());
    return played;
  }

  /// Plays a turn of the side to move that has been checked.
  void play(const Turn& turn, RecordedTurn recorded) {
    recorded.text = session->notation().turn_text(boards.back(), turn);
    undone.clear();
    push({turn, std::move(recorded), Microseconds(0)});
    begin_turn(Microseconds(0));
  }

  /// Starts the clock of the side to move, and lets it think if it is a player.
  void begin_turn(Microseconds used) {
    held = false;
    thought_at_end = Microseconds(0);
    turn_began = setup.now() - used + grace_left();
    if (over()) return let_rest();
    if (!mover().worker) return;
    Question question{session->clone(), start, {}, allowance()};
    for (const RecordedTurn& turn : turns) question.texts.push_back(turn.text);
    mover().worker->ask(std::move(question));
  }

  /// After turns were taken back or played again: people go on at once, players wait. `used` is what the
  /// person to move has thought of this turn before.
  void settle(Microseconds used) {
    turn_began = setup.now() - used + grace_left();
    thought_at_end = Microseconds(0);
    held = !over() && mover().worker != nullptr;
  }

  /// How long the person to move has thought of the turn, also if the game was ended by hand meanwhile: going
  /// back and forth must not fill up a clock. Who lost on time and is forgiven begins the turn anew.
  [[nodiscard]] Microseconds thought() const {
    if (mover().worker) return Microseconds(0);
    if (over()) return result.reason == play::name(Failure::time) ? Microseconds(0) : thought_at_end;
    return time_used();
  }

  /// Takes back the last turn; `thought` is what was thought of the one that would have followed.
  void take_back(Microseconds thought) {
    Played played = pop();
    played.thought = thought;
    undone.push_back(std::move(played));
  }

  /// Plays the last turn again that was taken back; `thought` of it since then counts as its time too. Returns
  /// what had been thought of the turn after it.
  Microseconds play_again(Microseconds thought) {
    Played played = std::move(undone.back());
    undone.pop_back();
    const Microseconds of_next = played.thought;
    if (thought.count() > 0) played.recorded.time = played.recorded.time.value_or(Microseconds(0)) + thought;
    push(std::move(played));
    return of_next;
  }

  void stop_thinking() {
    for (Seat& seat : seats) {
      if (seat.worker) seat.worker->cancel();
    }
    let_rest();
  }
  void let_rest() {
    for (Seat& seat : seats) {
      if (seat.worker) seat.worker->rest();
    }
  }

  // ---- Time ----

  [[nodiscard]] TimeLeft left_at_turn(Player player) const {
    const Seat& seat = seats[seat_of(player)];
    std::vector<Microseconds> times;
    for (auto i = static_cast<std::size_t>(std::max(seat.since, opening)); i < turns.size(); ++i) {
      if (boards[i].to_move == player) times.push_back(turns[i].time.value_or(Microseconds(0)));
    }
    return play::time_left(seat.who.settings.limits, times);
  }

  [[nodiscard]] Microseconds time_used() const {
    if (over() || held) return Microseconds(0);
    if (mover().worker) return mover().worker->time_used();
    return std::max(std::chrono::duration_cast<Microseconds>(setup.now() - turn_began), Microseconds(0));
  }

  /// How long the clock waits before the turn that begins now: only before a player's first one.
  [[nodiscard]] Microseconds grace_left() const {
    for (std::size_t i = 0; i < turns.size(); ++i) {
      if (boards[i].to_move == boards.back().to_move) return Microseconds(0);
    }
    return grace;
  }

  [[nodiscard]] Allowance allowance() const {
    const auto clock_of = [&](Player player) {
      const SearchLimits& limits = seats[seat_of(player)].who.settings.limits;
      if (!limits.clock) return GameClock{};
      return GameClock{std::chrono::floor<Milliseconds>(*left_at_turn(player).game), limits.clock->increment};
    };
    const Player player = boards.back().to_move;
    Allowance allowed{mover().who.settings.limits, {}};
    if (!allowed.limits.clock) return allowed;
    allowed.limits.clock = clock_of(player);
    allowed.opponent = clock_of(other(player));
    return allowed;
  }

  /// Ends the game if the person to move has no time left.
  bool flag_person() {
    if (over() || mover().worker) return false;
    const auto left = less(left_at_turn(boards.back().to_move), time_used()).least();
    if (!left || left->count() >= 0) return false;
    lose(boards.back().to_move, {Failure::time, ""});
    return true;
  }

  /// Why no person may play now, whatever the turn; nothing if one may. Ends the game if the time is over.
  [[nodiscard]] std::optional<NotPlayed::Why> bars_person() {
    if (over()) return NotPlayed::Why::over;
    if (mover().worker) return NotPlayed::Why::not_yours;
    if (flag_person()) return NotPlayed::Why::too_late;
    return std::nullopt;
  }

  // ---- Ends ----

  void lose(Player player, const Failed& failed) {
    end({player == Player::first ? Verdict::second_wins : Verdict::first_wins, std::string(play::name(failed.how)),
         failed.message});
  }

  bool end(GameResult how) {
    if (over()) return false;
    thought_at_end = thought();
    stop_thinking();
    held = false;
    result = std::move(how);
    return true;
  }

  // ---- Players ----

  /// Looks at the player to move; true if something happened.
  bool poll_player(std::vector<LiveEvent>& events) {
    const Player player = boards.back().to_move;
    Worker& worker = *mover().worker;
    const auto allowed = left_at_turn(player).least();
    const auto late = [&](Microseconds time) { return allowed && time > *allowed + live_margin; };
    if (auto answer = worker.collect()) {
      judge(player, *answer, late(answer->time) ? allowed : std::nullopt);
      if (!over() || turn_was_played) events.push_back(TurnPlayed{static_cast<int>(turns.size()), player});
      if (over()) events.push_back(GameEnded{});
      return true;
    }
    if (!late(worker.time_used())) return false;
    lose(player, {Failure::time, fmt::format("no move in {:.1f} ms", static_cast<double>(allowed->count()) / 1000)});
    events.push_back(GameEnded{});
    return true;
  }

  /// Ends the game if a program has ended while the other side thinks.
  bool bury_players() {
    for (const Player player : {Player::first, Player::second}) {
      Worker* const worker = seats[seat_of(player)].worker.get();
      const auto death = worker != nullptr ? worker->collect_death() : std::nullopt;
      if (!death || over() || held) continue;
      lose(player, *death);
      return true;
    }
    return false;
  }

  /// Plays a player's choice or ends the game by it; `overstepped` is the time allowed if it took longer.
  void judge(Player player, const Answer& answer, std::optional<Microseconds> overstepped) {
    turn_was_played = false;
    if (!answer.choice) return lose(player, answer.choice.error());
    const Choice& choice = *answer.choice;
    if (overstepped) {
      return lose(player, {Failure::time, fmt::format("{} took {:.1f} ms of {:.1f} ms", in_quotes(choice.turn),
                                                      static_cast<double>(answer.time.count()) / 1000,
                                                      static_cast<double>(overstepped->count()) / 1000)});
    }
    const auto turn = session->read_turn(choice.turn);
    if (!turn) {
      return lose(player, {Failure::illegal, fmt::format("{}: {}", in_quotes(choice.turn),
                                                         refusal_sentence(session->notation(), turn.error()))});
    }
    turn_was_played = true;
    play(*turn, {"", answer.time, choice.score, choice.depth});
  }

  GamePtr game;
  std::unique_ptr<Session> session;
  std::string start;
  LiveSetup setup;
  std::vector<Board> boards;  // before each turn, and now
  std::vector<Turn> moves;
  std::vector<RecordedTurn> turns;
  std::vector<Played> undone;  // the last one is the next to be played again
  std::vector<std::string> notes;
  Microseconds grace{0};
  int opening = 0;
  GameResult result;
  TimePoint turn_began;
  Microseconds thought_at_end{0};  // of the turn that a game was ended in by hand
  bool held = false;
  bool turn_was_played = false;  // by the last judge()
  std::array<Seat, 2> seats;     // last: players go first
};

LiveGame::LiveGame(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LiveGame::~LiveGame() = default;

Result<std::unique_ptr<LiveGame>> LiveGame::begin(LivePlan plan, LiveSetup setup) {
  auto opened = open_at(plan.game, plan.start);
  if (!opened) return tl::unexpected(opened.error());
  auto impl = std::make_unique<Impl>(std::move(plan.game), std::move(*opened), std::move(setup));
  impl->notes = std::move(plan.notes);
  impl->grace = plan.grace;
  impl->take_outcome();
  if (impl->over()) {
    return fail(phrase("the game is already over in this position: {}",
                       ending_phrase(impl->game->notation(), impl->boards.back(), impl->session->outcome())));
  }
  for (const Player player : {Player::first, Player::second}) {
    if (auto seated = impl->sit(player, plan.players[seat_of(player)], 0); !seated) {
      return tl::unexpected(seated.error());
    }
  }
  impl->begin_turn(Microseconds(0));
  return std::unique_ptr<LiveGame>(new LiveGame(std::move(impl)));
}

namespace {

/// A player as a record names it, with the limits it tells.
Result<PlayerText> recorded_player(const GameRecord& record, Player player) {
  const std::string& text = record.players[seat_of(player)];
  const SearchLimits& limits = record.limits[seat_of(player)];
  EngineSettings each;
  each.limits = limits;
  SearchLimits usual;
  usual.move_time = standard_move_time;
  auto who = read_seat(text.empty() ? "human" : text, each, usual);
  if (who && any_limit(limits)) who->settings.limits = limits;
  return who;
}

}  // namespace

Result<std::unique_ptr<LiveGame>> LiveGame::from_record(const GameRecord& record, LiveSetup setup) {
  auto game = open_game(record.spec);
  if (!game) return tl::unexpected(game.error());
  auto opened = open_at(*game, record.start);
  if (!opened) return tl::unexpected(opened.error());
  auto impl = std::make_unique<Impl>(*game, std::move(*opened), std::move(setup));
  impl->notes = record.notes;
  impl->opening = record.opening;
  for (const RecordedTurn& turn : record.turns) {
    const auto read = impl->session->read_turn(turn.text);
    if (!read) {
      return fail(phrase("move {}, {}: {}", impl->turns.size() + 1, in_quotes(turn.text),
                         refusal_phrase((*game)->notation(), read.error())));
    }
    impl->push({*read, turn, Microseconds(0)});
  }
  impl->take_outcome();
  if (!impl->over()) impl->result = record.result;
  for (const Player player : {Player::first, Player::second}) {
    const auto who = recorded_player(record, player);
    if (!who) return tl::unexpected(who.error());
    if (auto seated = impl->sit(player, *who, record.since[seat_of(player)]); !seated) {
      return tl::unexpected(seated.error());
    }
  }
  impl->begin_turn(record.pending.value_or(Microseconds(0)));
  return std::unique_ptr<LiveGame>(new LiveGame(std::move(impl)));
}

// ---- The game as it stands ----

const Game& LiveGame::game() const { return *impl_->game; }
const GamePtr& LiveGame::game_ptr() const { return impl_->game; }
const Session& LiveGame::session() const { return *impl_->session; }
const Board& LiveGame::start_board() const { return impl_->boards.front(); }
const std::vector<RecordedTurn>& LiveGame::turns() const { return impl_->turns; }
const std::vector<Turn>& LiveGame::moves() const { return impl_->moves; }
const Board& LiveGame::board_before(std::size_t index) const { return impl_->boards[index]; }
std::size_t LiveGame::undone() const { return impl_->undone.size(); }
bool LiveGame::over() const { return impl_->over(); }
const GameResult& LiveGame::result() const { return impl_->result; }
bool LiveGame::is_person(Player player) const { return !impl_->seats[seat_of(player)].worker; }
const PlayerText& LiveGame::player(Player player) const { return impl_->seats[seat_of(player)].who; }
bool LiveGame::thinking() const { return !over() && impl_->mover().worker && impl_->mover().worker->asked(); }
bool LiveGame::held() const { return impl_->held; }
Microseconds LiveGame::time_used() const { return impl_->time_used(); }
TimePoint LiveGame::clock_start() const { return impl_->turn_began; }

TimeLeft LiveGame::time_left(Player player) const {
  const TimeLeft left = impl_->left_at_turn(player);
  if (player != to_move()) return left;
  // Who lost on time has nothing left, although no clock runs any more.
  const bool lost_on_time = over() && result().reason == name(Failure::time);
  return less(left, lost_on_time ? left.least().value_or(Microseconds(0)) : time_used());
}

GameProgress LiveGame::progress() const {
  GameProgress progress;
  // Not to_move(), which makes a whole board each time.
  const Player mover = impl_->boards.back().to_move;
  Microseconds used = time_used();
  for (std::size_t i = 0; i < turns().size(); ++i) {
    if (board_before(i).to_move == mover) used += turns()[i].time.value_or(Microseconds(0));
  }
  progress.used_ms = std::chrono::duration_cast<Milliseconds>(used).count();
  if (const auto& clock = player(mover).settings.limits.clock) progress.allowed_ms = clock->left.count();
  progress.turns = static_cast<std::int64_t>(turns().size());
  return progress;
}

// ---- What people do ----

tl::expected<Turn, NotPlayed> LiveGame::play(std::string_view text) {
  const auto turn = impl_->session->notation().parse_turn(impl_->boards.back(), text);
  if (turn) return play(*turn);
  if (const auto barred = impl_->bars_person()) return tl::unexpected(NotPlayed{*barred, {}});
  return tl::unexpected(NotPlayed{NotPlayed::Why::refused, turn.error()});
}

tl::expected<Turn, NotPlayed> LiveGame::play(const Turn& turn) {
  if (const auto barred = impl_->bars_person()) return tl::unexpected(NotPlayed{*barred, {}});
  if (auto refusal = impl_->session->refuse(turn)) {
    return tl::unexpected(NotPlayed{NotPlayed::Why::refused, std::move(*refusal)});
  }
  impl_->play(turn, {"", impl_->time_used(), std::nullopt, 0});
  return turn;
}

bool LiveGame::reopen() {
  if (!over() || impl_->session->outcome().over()) return false;
  const Microseconds thought = impl_->thought();
  impl_->take_outcome();
  impl_->settle(thought);
  return true;
}

int LiveGame::undo(int count) {
  const int most = std::min(count, static_cast<int>(impl_->turns.size()));
  if (most <= 0) return 0;
  Microseconds thought = impl_->thought();
  impl_->stop_thinking();
  for (int i = 0; i < most; ++i) impl_->take_back(std::exchange(thought, Microseconds(0)));
  impl_->opening = std::min(impl_->opening, static_cast<int>(impl_->turns.size()));
  for (Seat& seat : impl_->seats) seat.since = std::min(seat.since, static_cast<int>(impl_->turns.size()));
  impl_->take_outcome();
  impl_->settle(Microseconds(0));
  return most;
}

int LiveGame::redo(int count) {
  const int most = std::min(count, static_cast<int>(impl_->undone.size()));
  if (most <= 0) return 0;
  Microseconds thought = impl_->thought();
  impl_->stop_thinking();
  for (int i = 0; i < most; ++i) thought = impl_->play_again(thought);
  impl_->settle(thought);
  return most;
}

bool LiveGame::go_on() {
  if (!impl_->held) return false;
  impl_->begin_turn(Microseconds(0));
  return true;
}

bool LiveGame::resign(Player player) {
  return impl_->end(
      {player == Player::first ? Verdict::second_wins : Verdict::first_wins, std::string(resigned_reason), ""});
}

bool LiveGame::agree_draw() { return impl_->end({Verdict::draw, std::string(agreed_reason), ""}); }

bool LiveGame::abandon() { return impl_->end({Verdict::ongoing, std::string(abandoned_reason), ""}); }

Result<void> LiveGame::seat(Player player, const PlayerText& who) {
  const bool moves_now = !over() && to_move() == player;
  const bool was_held = impl_->held;
  const Seat& before = impl_->seats[seat_of(player)];
  const bool same_clock = same(before.who.settings.limits.clock, who.settings.limits.clock);
  const int since = same_clock ? before.since : static_cast<int>(impl_->turns.size());
  if (auto seated = impl_->sit(player, who, since); !seated) return seated;
  if (!moves_now) return {};
  if (was_held && impl_->mover().worker) return {};
  impl_->begin_turn(Microseconds(0));
  return {};
}

// ---- Time and players ----

std::vector<LiveEvent> LiveGame::poll() {
  std::vector<LiveEvent> events;
  if (impl_->bury_players()) events.emplace_back(GameEnded{});
  while (!over() && !held()) {
    if (impl_->mover().worker) {
      if (!impl_->poll_player(events)) break;
    } else {
      if (impl_->flag_person()) events.emplace_back(GameEnded{});
      break;
    }
  }
  return events;
}

std::optional<TimePoint> LiveGame::next_deadline() const {
  if (over() || held()) return std::nullopt;
  const auto left = impl_->left_at_turn(to_move()).least();
  if (!left) return std::nullopt;
  const Microseconds just_over(1);
  if (!impl_->mover().worker) return impl_->turn_began + *left + just_over;
  const auto began = impl_->mover().worker->began();
  if (!began) return std::nullopt;
  return *began + *left + live_margin + just_over;
}

// ---- Keeping it ----

GameRecord LiveGame::record() const {
  GameRecord record;
  record.spec = notation().spec();
  for (std::size_t i = 0; i < 2; ++i) {
    record.players[i] = impl_->seats[i].who.text;
    record.limits[i] = impl_->seats[i].who.settings.limits;
    record.since[i] = impl_->seats[i].since;
  }
  record.notes = impl_->notes;
  record.start = impl_->start;
  record.opening = impl_->opening;
  record.turns = impl_->turns;
  // The clock must not be filled up by leaving the game and coming back.
  if (person_to_move() && time_left(to_move()).least()) record.pending = time_used();
  record.result = impl_->result;
  return record;
}

}  // namespace paika::play
