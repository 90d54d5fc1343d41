// ClassBoards: the boards that teachers show to their classes: the routes that change them, and those who watch, live.
//
// It lives on the network thread. A command is carried out where it is written, in one transaction; whoever watches is
// sent the whole board once that is committed, and whoever comes is sent it as it stands: there is nothing to catch up
// with. Each time it is decided anew who is in the class.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/json.hpp"
#include "server/classes/class_board.hpp"
#include "server/http/route.hpp"
#include "server/http/site.hpp"
#include "server/store/writer.hpp"

namespace paika::server {

/// What the boards need; all of it outlives them.
struct BoardsDeps {
  Writer& writer;
  ReadStore read;
  std::function<void(std::string_view, const Json& fields)> log_event;  // to the log
};

class ClassBoards : public std::enable_shared_from_this<ClassBoards> {
 public:
  explicit ClassBoards(BoardsDeps deps) : deps_(std::move(deps)) {}

  /// Sends the board of a class to a subscriber now and whenever it changes: {"class": ID, "board": …}. `done` gets
  /// nothing, or why not: the person is in no such class, or the storage fails.
  void watch(const ClassId& class_id, const Client& client, const std::shared_ptr<Subscriber>& subscriber,
             const std::function<void(std::optional<Response>)>& done);
  void leave(const Subscriber* subscriber);

  [[nodiscard]] std::vector<Route> routes();

 private:
  struct BoardWatcher {
    PersonId person = 0;
    std::shared_ptr<Subscriber> subscriber;
  };
  void command(const std::shared_ptr<const Call>& call, const std::shared_ptr<Reply>& reply);
  void send_all(const ClassId& class_id, const ClassBoard& board, const std::vector<PersonId>& people);

  BoardsDeps deps_;
  std::unordered_map<ClassId, std::vector<BoardWatcher>> watchers_;
};

}  // namespace paika::server
