#include "server/classes/exhibitions_api.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "engine/registry.hpp"
#include "play/settings.hpp"
#include "play/start.hpp"
#include "server/classes/class_pages.hpp"
#include "server/http/answers.hpp"
#include "server/rooms/room_json.hpp"
#include "server/store/exhibitions.hpp"
#include "server/store/secrets.hpp"

namespace paika::server {

namespace {

constexpr std::size_t exhibition_id_length = 10;
constexpr std::size_t max_exhibitions = 50;  // of a class
constexpr std::size_t max_boards = 100;      // as many rooms as a web socket watches
constexpr Milliseconds exhibition_grace(20'000);

/// What the teacher asks for.
struct ExhibitionRequest {
  RoomPlan plan;                      // without seats
  int level = 0;                      // 0: the teacher plays
  std::vector<std::string> accounts;  // empty: all members
};

Result<void> read_opponents(const Json& body, ExhibitionRequest& request) {
  const Json list = body.value("accounts", Json());
  if (list.is_null()) return {};
  if (!list.is_array() || list.empty() || list.size() > max_boards) {
    return fail(R"("accounts" must be a list of 1 to {} accounts)", max_boards);
  }
  for (const Json& one : list) {
    if (!one.is_string()) return fail(R"("accounts" must be a list of names)");
    request.accounts.push_back(one.get<std::string>());
  }
  return {};
}

Result<void> read_exhibition_clock(const Json& body, RoomPlan& plan) {
  const auto clock = number_field(body, "clock_ms", 0, 1, play::max_time.count());
  if (!clock) return tl::unexpected(clock.error());
  const auto increment = number_field(body, "increment_ms", 0, 0, play::max_time.count());
  if (!increment) return tl::unexpected(increment.error());
  if (*clock == 0 && *increment != 0) return fail(R"("increment_ms" needs "clock_ms")");
  if (*clock == 0) return {};
  plan.clock = GameClock{Milliseconds(*clock), Milliseconds(*increment)};
  plan.grace = std::min(exhibition_grace, plan.clock->left);
  return {};
}

Result<ExhibitionRequest> read_exhibition(const Json& body) {
  const auto known = only_fields(body, {"spec", "position", "level", "accounts", "side", "clock_ms", "increment_ms"});
  if (!known) return tl::unexpected(known.error());
  ExhibitionRequest request;
  const auto spec = text_field(body, "spec", "");
  if (!spec) return tl::unexpected(spec.error());
  const auto position = text_field(body, "position", "");
  if (!position) return tl::unexpected(position.error());
  auto game = position->empty() ? open_game(*spec) : open_game_for(*spec, *position);
  if (!game) return tl::unexpected(game.error());
  const auto session = play::start_at(**game, *position);
  if (!session) return fail("bad position for {}: {}", (*game)->notation().spec(), session.error().message);
  if ((*session)->outcome().over()) return fail("the game is over in this position");
  request.plan.game = std::move(*game);
  request.plan.start = *position;
  request.plan.takebacks = false;
  const auto side = text_field(body, "side", "first");
  if (!side) return tl::unexpected(side.error());
  if (*side != "first" && *side != "second" && *side != "alternate") {
    return fail(R"("side" must be "first", "second" or "alternate", not {})", in_quotes(*side));
  }
  request.plan.side = *side == "first" ? Side::first : *side == "second" ? Side::second : Side::random;
  if (body.contains("level")) {
    const auto level = number_field(body, "level", 0, weakest_level, full_level);
    if (!level) return tl::unexpected(level.error());
    request.level = static_cast<int>(*level);
  }
  if (auto clock = read_exhibition_clock(body, request.plan); !clock) return tl::unexpected(clock.error());
  if (auto opponents = read_opponents(body, request); !opponents) return tl::unexpected(opponents.error());
  return request;
}

/// Who plays in an exhibition that was set up.
struct Setup {
  ExhibitionRow row;
  Identity host;  // the teacher
  std::vector<Identity> opponents;
};

Entered<std::vector<Identity>> find_opponents(Store& store, const SeenClass& in, const ExhibitionRequest& request) {
  std::vector<Identity> opponents;
  const auto members = ClassStore(store).members(in.row.id);
  const auto add = [&](const MemberRow& member) {
    const bool known = std::any_of(opponents.begin(), opponents.end(),
                                   [&](const Identity& one) { return one.person == member.person; });
    const bool self = request.level == 0 && member.person == in.row.teacher;
    if (!known && !self) opponents.push_back({member.person, member.account, true});
  };
  if (request.accounts.empty()) std::for_each(members.begin(), members.end(), add);
  for (const std::string& account : request.accounts) {
    const auto found = std::find_if(members.begin(), members.end(), [&](const MemberRow& member) {
      return lowered(member.account) == lowered(account);
    });
    if (found == members.end()) {
      return refuse(404, "no_member", fmt::format("there is no member {} in this class", in_quotes(account)));
    }
    add(*found);
  }
  if (opponents.empty()) return refuse(409, "nobody", "there is nobody in the class to play");
  if (opponents.size() > max_boards) {
    return refuse(409, "too_many_boards", fmt::format("an exhibition has at most {} boards", max_boards));
  }
  return opponents;
}

Entered<Setup> set_up(Store& store, const Call& call, const ExhibitionRequest& request) {
  ClassStore classes(store);
  const auto in = enter_as_teacher(classes, call);
  if (!in) return tl::unexpected(in.error());
  ExhibitionStore exhibitions(store);
  if (exhibitions.count_running(in->row.id) > 0) {
    return refuse(409, "running", "an exhibition of this class still goes on");
  }
  if (exhibitions.of_class(in->row.id).size() >= max_exhibitions) {
    return refuse(409, "too_many_exhibitions",
                  fmt::format("a class has at most {} exhibitions: delete some first", max_exhibitions));
  }
  auto opponents = find_opponents(store, *in, request);
  if (!opponents) return tl::unexpected(opponents.error());
  Setup setup;
  setup.row = {random_name(exhibition_id_length), in->row.id, request.plan.game->notation().spec(), request.level,
               wall_now()};
  setup.host = {in->viewer, in->row.teacher_name, true};
  setup.opponents = std::move(*opponents);
  exhibitions.add(setup.row);
  return setup;
}

/// The plan of one board. The exhibitor has the time of a player, and half as much again for each further board.
RoomPlan board_plan(const ExhibitionRequest& request, const Setup& setup, std::size_t board) {
  RoomPlan plan = request.plan;
  Player host = plan.side == Side::second ? Player::second : Player::first;
  if (plan.side == Side::random && board % 2 == 1) host = Player::second;  // the sides alternate
  const std::size_t seat = seat_of(host);
  if (request.level != 0) {
    plan.engine_level = request.level;
    plan.side = host == Player::first ? Side::second : Side::first;  // of the member
    return plan;
  }
  plan.seated.emplace();
  plan.seated->at(seat) = setup.host;
  plan.seated->at(1 - seat) = setup.opponents[board];
  if (plan.clock) {
    const Milliseconds most = play::max_time - plan.clock->left;
    plan.extra.at(seat) = std::min(most, plan.clock->left * static_cast<int>(setup.opponents.size() - 1) / 2);
  }
  return plan;
}

/// What the exhibitor made of a game: win, draw or loss; null while it goes on, and of one without a result.
Json host_result(const ExhibitionGame& game) {
  if (game.verdict == "draw") return "draw";
  if (game.verdict == "first_wins") return game.is_first ? "loss" : "win";
  if (game.verdict == "second_wins") return game.is_first ? "win" : "loss";
  return nullptr;
}

Json exhibition_json(const ExhibitionRow& row, const SeenClass& in, Store& store) {
  Json json = {{"exhibition", row.id},
               {"class", {{"id", in.row.id}, {"name", in.row.name}, {"role", in.teacher ? "teacher" : "member"}}},
               {"spec", row.spec},
               {"level", row.level == 0 ? Json(nullptr) : Json(row.level)},
               {"host", row.level == 0 ? in.row.teacher_name : fmt::format("Paika, level {}", row.level)},
               {"created_ms", row.created}};
  int wins = 0;
  int draws = 0;
  int losses = 0;
  int running = 0;
  json["boards"] = Json::array();
  for (const ExhibitionGame& game : ExhibitionStore(store).games(row)) {
    const Json result = host_result(game);
    wins += result == "win" ? 1 : 0;
    draws += result == "draw" ? 1 : 0;
    losses += result == "loss" ? 1 : 0;
    running += game.state == RoomState::ended ? 0 : 1;
    json["boards"].push_back({{"name", game.name},
                              {"mine", game.person == in.viewer},
                              {"room", game.room},
                              {"state", name(game.state)},
                              {"seat", seat_word(game.is_first ? Player::first : Player::second)},
                              {"result", result},
                              {"reason", game.reason},
                              {"moves", game.turns},
                              {"to_move", game.to_move.empty() ? Json(nullptr) : Json(game.to_move)}});
  }
  json["score"] = {{"wins", wins}, {"draws", draws}, {"losses", losses}, {"running", running}};
  return json;
}

Entered<ExhibitionRow> find_exhibition(Store& store, const SeenClass& in, const Call& call) {
  auto row = ExhibitionStore(store).find(in.row.id, call.params.at("exhibition"));
  if (!row) return refuse(404, "no_exhibition", "there is no such exhibition in this class");
  return std::move(*row);
}

Response show_exhibition(const Call& call, Store& store) {
  ClassStore classes(store);
  const auto in = enter_class(classes, call);
  if (!in) return in.error();
  const auto row = find_exhibition(store, *in, call);
  if (!row) return row.error();
  return tagged_json(call, exhibition_json(*row, *in, store));
}

Response list_exhibitions(const Call& call, Store& store) {
  ClassStore classes(store);
  const auto in = enter_class(classes, call);
  if (!in) return in.error();
  Json list = Json::array();
  for (const ExhibitionRow& row : ExhibitionStore(store).of_class(in->row.id)) {
    list.push_back({{"exhibition", row.id},
                    {"spec", row.spec},
                    {"level", row.level == 0 ? Json(nullptr) : Json(row.level)},
                    {"created_ms", row.created}});
  }
  return tagged_json(call, {{"exhibitions", list}});
}

Response exhibition_not_stored() {
  return error_response(503, "storage", "the server could not save this; nothing has changed, try again later");
}

class Exhibitions : public std::enable_shared_from_this<Exhibitions> {
 public:
  explicit Exhibitions(ExhibitionsDeps deps) : deps_(std::move(deps)) {}

  void begin(const std::shared_ptr<const Call>& call, const std::shared_ptr<Reply>& reply) {
    auto read = read_exhibition(call->body);
    if (!read) return reply->send(bad_request(read.error()));
    const auto request = std::make_shared<const ExhibitionRequest>(std::move(*read));
    const auto setup = std::make_shared<Entered<Setup>>(tl::unexpected(exhibition_not_stored()));
    deps_.writer.submit([setup, call, request](Store& store) { *setup = set_up(store, *call, *request); },
                        [self = shared_from_this(), setup, call, request, reply](const auto& failure) {
                          if (failure) return self->fail_stored(*failure, reply);
                          if (!*setup) return reply->send(std::move(setup->error()));
                          self->open_boards(call, reply, *request, **setup);
                        });
  }

  void drop(const std::shared_ptr<const Call>& call, const std::shared_ptr<Reply>& reply) {
    answer_with(reply, [call](Store& store) {
      ClassStore classes(store);
      const auto in = enter_as_teacher(classes, *call);
      if (!in) return in.error();
      const auto row = find_exhibition(store, *in, *call);
      if (!row) return row.error();
      ExhibitionStore(store).drop(row->id);
      return json_response({{"dropped", true}});
    });
  }

 private:
  void fail_stored(const std::string& failure, const std::shared_ptr<Reply>& reply) {
    deps_.log_event("exhibition_not_committed", {{"what", failure}});
    reply->send(exhibition_not_stored());
  }

  void answer_with(const std::shared_ptr<Reply>& reply, std::function<Response(Store&)> work) {
    const auto answer = std::make_shared<Response>();
    deps_.writer.submit([answer, work = std::move(work)](Store& store) { *answer = work(store); },
                        [self = shared_from_this(), answer, reply](const auto& failure) {
                          if (failure) return self->fail_stored(*failure, reply);
                          reply->send(std::move(*answer));
                        });
  }

  /// Opens a room for each opponent; answers when all of them are there.
  void open_boards(const std::shared_ptr<const Call>& call, const std::shared_ptr<Reply>& reply,
                   const ExhibitionRequest& request, const Setup& setup) {
    const auto left = std::make_shared<std::size_t>(setup.opponents.size());
    for (std::size_t board = 0; board < setup.opponents.size(); ++board) {
      deps_.open_room(
          board_plan(request, setup, board), setup.opponents[board],
          [id = setup.row.id, person = setup.opponents[board].person](Store& store, const RoomId& room) {
            ExhibitionStore(store).add_game(id, room, person);
          },
          [self = shared_from_this(), left, call, reply, id = setup.row.id](bool opened) {
            if (!opened) self->deps_.log_event("exhibition_board_not_opened", {{"exhibition", id}});
            if (--*left == 0) self->answer_begun(call, reply, id);
          });
    }
  }

  void answer_begun(const std::shared_ptr<const Call>& call, const std::shared_ptr<Reply>& reply,
                    const std::string& id) {
    answer_with(reply, [call, id](Store& store) {
      ClassStore classes(store);
      const auto in = enter_as_teacher(classes, *call);
      if (!in) return in.error();
      const auto row = ExhibitionStore(store).find(in->row.id, id);
      if (!row) return error_response(404, "no_exhibition", "the exhibition was deleted meanwhile");
      return json_response(exhibition_json(*row, *in, store), 201);
    });
  }

  ExhibitionsDeps deps_;
};

}  // namespace

Json current_exhibition(const SeenClass& in, Store& store) {
  ExhibitionStore exhibitions(store);
  const auto all = exhibitions.of_class(in.row.id);
  if (all.empty()) return nullptr;
  Json mine = nullptr;
  int running = 0;
  for (const ExhibitionGame& game : exhibitions.games(all.front())) {
    running += game.state == RoomState::ended ? 0 : 1;
    if (game.person == in.viewer) mine = game.room;
  }
  return {{"exhibition", all.front().id}, {"running", running}, {"mine", mine}};
}

std::vector<Route> exhibition_routes(const ExhibitionsDeps& deps) {
  const auto exhibitions = std::make_shared<Exhibitions>(deps);
  const std::string all = "/api/classes/{class}/exhibitions";
  const std::string one = all + "/{exhibition}";
  return {
      {"GET", all, Rate::reading, Need::person, SlowHandler{list_exhibitions}},
      {"GET", one, Rate::reading, Need::person, SlowHandler{show_exhibition}},
      {"POST", all, Rate::opening, Need::member,
       LateHandler([exhibitions](const auto& call, const auto& reply) { exhibitions->begin(call, reply); })},
      {"DELETE", one, Rate::command, Need::member,
       LateHandler([exhibitions](const auto& call, const auto& reply) { exhibitions->drop(call, reply); })},
  };
}

}  // namespace paika::server
