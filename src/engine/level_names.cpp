#include "engine/level_names.hpp"

#include <algorithm>

#include "base/phrase.hpp"

namespace paika {

const std::array<LevelName, full_level>& level_names() {
  static constexpr std::array<LevelName, full_level> names = {{
      {translatable("Newcomer"), translatable("plays almost at random")},
      {translatable("Beginner"), translatable("sees little and often forgets to look")},
      {translatable("Learner"), translatable("notices some threats and misses others")},
      {translatable("Casual player"), translatable("plays sensible moves with many mistakes among them")},
      {translatable("Keen player"), translatable("plays well for some moves, then errs")},
      {translatable("Regular player"), translatable("errs every few moves, and sees plain threats")},
      {translatable("Club player"), translatable("errs now and then, and punishes plain mistakes")},
      {translatable("Strong club player"), translatable("errs less often, and punishes most mistakes")},
      {translatable("Tournament player"), translatable("seldom errs badly")},
      {translatable("Expert"), translatable("makes small mistakes only")},
      {translatable("Candidate master"), translatable("makes few mistakes, and looks further ahead")},
      {translatable("Master"), translatable("hardly ever misses the best move it sees")},
      {translatable("Grandmaster"), translatable("plays the best move it sees, after a short look")},
      {translatable("Full strength"), translatable("uses all the time it is given")},
  }};
  return names;
}

const LevelName& level_name(int level) {
  return level_names()[static_cast<std::size_t>(std::clamp(level, weakest_level, full_level) - weakest_level)];
}

}  // namespace paika
