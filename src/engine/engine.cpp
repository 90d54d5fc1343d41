#include "engine/engine.hpp"

#include <fmt/format.h>

namespace paika {

std::string score_text(int score) {
  if (is_win(score)) return fmt::format("win in {}", plies_to(score));
  if (is_loss(score)) return fmt::format("loss in {}", plies_to(score));
  if (is_won(score)) return "win";  // by a table without distances
  if (is_lost(score)) return "loss";
  return fmt::format("{:+.2f}", score / 100.0);
}

}  // namespace paika
