#include "server/engine_turn.hpp"

#include <algorithm>
#include <new>

#include "engine/engine.hpp"
#include "engine/opening_book.hpp"

namespace paika::server {

namespace {

constexpr Milliseconds min_thought{5};

}  // namespace

SearchLimits engine_limits(const EngineTask& task, ServerTime waited, std::size_t waiting) {
  SearchLimits limits = task.limits;
  const auto lost = std::chrono::duration_cast<Milliseconds>(waited);
  const int crowd = 1 + static_cast<int>(std::min<std::size_t>(waiting, 100));
  if (limits.clock) limits.clock->left = std::max(limits.clock->left - lost, min_thought);
  const Milliseconds usual = std::min(limits.move_time.value_or(max_thinking), max_thinking);
  limits.move_time = std::max(std::min(usual - lost, max_thinking / crowd), min_thought);
  return limits;
}

std::optional<std::string> engine_turn(const EngineQuestion& question, const std::function<ServerTime()>& now,
                                       std::size_t waiting, const std::stop_token& closing) {
  const std::stop_callback close(closing, [&] { question.stop->request_stop(); });
  if (question.stop->stop_requested()) return std::nullopt;
  SearchSettings settings;
  settings.level = question.task.level;
  settings.hash_mb = question.hash_mb;
  settings.tables = question.tables;
  settings.seed = question.seed;
  settings.book = builtin_book_name;
  try {
    const auto engine = question.session->game().engine(settings);
    auto decision = engine->think(*question.session, engine_limits(question.task, now() - question.asked, waiting),
                                  question.stop->get_token());
    if (question.stop->stop_requested()) return std::nullopt;
    return std::move(decision.text);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

}  // namespace paika::server
