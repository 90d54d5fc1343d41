#include "server/classes/boards_api.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "server/classes/class_access.hpp"
#include "server/classes/class_pages.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

Response board_not_stored() {
  return error_response(503, "storage", "the server could not save this; nothing has changed, try again later");
}

std::string board_message(const ClassId& class_id, const ClassBoard& board) {
  return json_response({{"class", class_id}, {"board", board_json(board)}}).body;
}

/// Everybody who may see what happens in a class.
std::vector<PersonId> people_of(ClassStore& classes, const ClassRow& row) {
  std::vector<PersonId> people = {row.teacher};
  for (const MemberRow& member : classes.members(row.id)) people.push_back(member.person);
  return people;
}

/// What a command led to.
struct BoardChange {
  Response answer;
  std::optional<ClassBoard> board;  // if it was done
  std::vector<PersonId> people;
};

BoardChange change_board(Store& store, const Call& call) {
  ClassStore classes(store);
  const auto in = enter_class(classes, call);
  if (!in) return {in.error(), std::nullopt, {}};
  const ClassId& id = in->row.id;
  const auto member = classes.member(id, in->viewer);
  const BoardCaller caller{in->viewer, member ? member->name : in->row.teacher_name, in->teacher};
  const auto named = [&](const std::string& account) {
    const auto person = store.person_named(account);
    return person ? classes.member(id, person->id) : std::nullopt;
  };
  auto board = apply_to_board(stored_board(classes.board(id)), call.body, caller, named);
  if (!board) return {board.error(), std::nullopt, {}};
  classes.save_board(id, board_text(*board));
  Response answer = json_response(board_json(*board));
  return {std::move(answer), std::move(*board), people_of(classes, in->row)};
}

Response show_board(const Call& call, Store& store) {
  ClassStore classes(store);
  const auto in = enter_class(classes, call);
  if (!in) return in.error();
  return tagged_json(call, board_json(stored_board(classes.board(in->row.id))));
}

}  // namespace

void ClassBoards::command(const std::shared_ptr<const Call>& call, const std::shared_ptr<Reply>& reply) {
  const auto change = std::make_shared<BoardChange>();
  deps_.writer.submit([change, call](Store& store) { *change = change_board(store, *call); },
                      [self = shared_from_this(), change, call, reply](const std::optional<std::string>& failure) {
                        if (failure) {
                          self->deps_.log_event("board_not_committed", {{"what", *failure}});
                          return reply->send(board_not_stored());
                        }
                        if (change->board) self->send_all(call->params.at("class"), *change->board, change->people);
                        reply->send(std::move(change->answer));
                      });
}

void ClassBoards::send_all(const ClassId& class_id, const ClassBoard& board, const std::vector<PersonId>& people) {
  const auto found = watchers_.find(class_id);
  if (found == watchers_.end()) return;
  std::erase_if(found->second, [&](const BoardWatcher& watcher) {
    return watcher.subscriber->closed() || std::find(people.begin(), people.end(), watcher.person) == people.end();
  });
  const auto text = std::make_shared<const std::string>(board_message(class_id, board));
  for (const BoardWatcher& watcher : found->second) watcher.subscriber->send(text);
  if (found->second.empty()) watchers_.erase(found);
}

void ClassBoards::watch(const ClassId& class_id, const Client& client, const std::shared_ptr<Subscriber>& subscriber,
                        const std::function<void(std::optional<Response>)>& done) {
  const auto seen = std::make_shared<std::optional<ClassBoard>>();
  const PersonId person = client.person;
  auto refused = deps_.read(
      client,
      [seen, class_id, person](Store& store) {
        ClassStore classes(store);
        const auto row = classes.find(class_id);
        if (!row || person == 0 || (row->teacher != person && !classes.member(class_id, person))) return;
        *seen = stored_board(classes.board(class_id));
      },
      [self = shared_from_this(), seen, class_id, person, subscriber, done](bool ok) {
        if (!ok) return done(board_not_stored());
        if (!*seen) return done(error_response(404, "no_class", "you are in no such class"));
        if (subscriber->closed()) return;
        self->leave(subscriber.get());  // one board at a time
        self->watchers_[class_id].push_back({person, subscriber});
        done(std::nullopt);
        subscriber->send(board_message(class_id, **seen));
      });
  if (refused) done(std::move(refused));
}

void ClassBoards::leave(const Subscriber* subscriber) {
  for (auto& [id, list] : watchers_) {
    std::erase_if(list, [&](const BoardWatcher& watcher) { return watcher.subscriber.get() == subscriber; });
  }
  std::erase_if(watchers_, [](const auto& item) { return item.second.empty(); });
}

std::vector<Route> ClassBoards::routes() {
  const LateHandler changes = [self = weak_from_this()](const auto& call, const auto& reply) {
    if (const auto boards = self.lock()) boards->command(call, reply);
  };
  return {{"GET", "/api/classes/{class}/board", Rate::reading, Need::person, SlowHandler{show_board}},
          {"POST", "/api/classes/{class}/board", Rate::command, Need::member, changes}};
}

}  // namespace paika::server
