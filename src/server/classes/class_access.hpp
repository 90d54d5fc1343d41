// Who may see and do what in a class, and the shapes of classes, bots and games in answers.
#pragma once

#include <optional>
#include <tl/expected.hpp>

#include "server/classes/ladder.hpp"
#include "server/http/route.hpp"
#include "server/store/classes.hpp"

namespace paika::server {

/// A class as one of its people sees it.
struct SeenClass {
  ClassRow row;
  PersonId viewer = 0;
  bool teacher = false;  // else a member
};

/// What was asked for, or the response that says why not.
template <class T>
using Entered = tl::expected<T, Response>;

/// The class of the path, for its teacher and its members; for all others there is none (404 no_class).
[[nodiscard]] Entered<SeenClass> enter_class(ClassStore& classes, const Call& call);
/// The same for its teacher alone (403 teacher_only).
[[nodiscard]] Entered<SeenClass> enter_as_teacher(ClassStore& classes, const Call& call);
/// The bot of the path (404 no_bot).
[[nodiscard]] Entered<BotRow> find_bot(ClassStore& classes, const SeenClass& in, const Call& call);

/// True if bots are taken at this time.
[[nodiscard]] bool takes_bots(const ClassRow& in, WallTime now);

/// With the join code for the teacher.
[[nodiscard]] Json class_json(const SeenClass& in, WallTime now);
/// What everybody in the class may know of a bot.
[[nodiscard]] Json standing_json(const SeenClass& in, const BotRow& bot);
/// What its owner and the teacher may know.
[[nodiscard]] Json bot_json(const BotRow& bot);
/// A game in a list.
[[nodiscard]] Json game_json(const LadderGameRow& game);

}  // namespace paika::server
