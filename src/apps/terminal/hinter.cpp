#include "apps/terminal/hinter.hpp"

#include <new>
#include <utility>

#include "engine/opening_book.hpp"

namespace paika::terminal {

bool Hinter::ask(const play::LiveGame& game) {
  cancel();
  session_ = game.session().clone();
  if (game_ != game.game_ptr()) {
    SearchSettings settings;
    settings.hash_mb = 16;
    settings.tables = tables_;
    settings.book = builtin_book_name;
    settings.book_shown_only = true;
    try {
      engine_ = game.game().engine(settings);
    } catch (const std::bad_alloc&) {
      return false;
    }
    game_ = game.game_ptr();
  }
  SearchLimits limits;
  limits.move_time = time_;
  asked_ = background_.run([this, limits](const std::stop_token& stop) {
    Decision decision = engine_->think(*session_, limits, stop);
    if (stop.stop_requested()) return;
    {
      const std::scoped_lock lock(mutex_);
      found_ = std::move(decision);
    }
    if (wake_) wake_();
  });
  return asked_;
}

void Hinter::cancel() {
  background_.stop();
  asked_ = false;
  found_.reset();
}

std::optional<Decision> Hinter::collect() {
  std::optional<Decision> decision;
  {
    const std::scoped_lock lock(mutex_);
    decision.swap(found_);
  }
  if (decision) asked_ = false;
  return decision;
}

}  // namespace paika::terminal
