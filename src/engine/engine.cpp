#include "engine/engine.hpp"

#include <fmt/format.h>

#include "engine/effect_text.hpp"

namespace paika {

std::string score_text(int score) {
  if (is_win(score)) return fmt::format("win in {}", plies_to(score));
  if (is_loss(score)) return fmt::format("loss in {}", plies_to(score));
  if (is_won(score)) return "win";  // by a table without distances
  if (is_lost(score)) return "loss";
  return score == 0 ? "0.00" : fmt::format("{:+.2f}", score / 100.0);
}

std::string score_text(const InfoLine& line) { return score_text(line, Catalogue{}); }

}  // namespace paika
