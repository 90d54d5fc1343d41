// The subcommands of `paika`: each takes what was asked on the command line and returns the exit
// status: 0 done, 1 the answer is no, 2 bad input (said on stderr).
#pragma once

#include <string>
#include <vector>

namespace paika::apps {

inline constexpr int exit_done = 0;
inline constexpr int exit_no = 1;
inline constexpr int exit_bad_input = 2;

/// What every command about a position takes.
struct PositionArgs {
  std::string spec;
  std::string position;  // empty and not given: the start; "-": stdin; a file's name; or the text
  bool has_position = false;
  std::vector<std::string> play;  // turns to play first
  bool json = false;
};

struct GamesArgs {
  std::string name;  // empty: all
  bool json = false;
};

struct MovesArgs {
  PositionArgs at;
  bool effects = false;
};

struct PerftArgs {
  PositionArgs at;
  int depth = 1;
  int threads = 1;
  bool divide = false;
  bool finished = false;
};

struct WhyArgs {
  PositionArgs at;
  std::string move;
};

int run_games(const GamesArgs& args);
int run_show(const PositionArgs& args);
int run_moves(const MovesArgs& args);
int run_perft_command(const PerftArgs& args);
int run_why(const WhyArgs& args);

}  // namespace paika::apps
