// `paika perft`: counting lines of play, the first proof of any move generator.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/progress.hpp"
#include "engine/json.hpp"

namespace paika::apps {

namespace {

void print_line(int depth, const PerftResult& result, bool finished) {
  fmt::print("{} {}", depth, result.nodes);
  if (finished) fmt::print(" {}", result.finished);
  fmt::print("\n");
  std::fflush(stdout);
}

Json result_json(int depth, const PerftResult& result, const PerftArgs& args) {
  Json json{{"depth", depth}, {"nodes", result.nodes}};
  if (args.finished) json["finished"] = result.finished;
  if (args.divide) {
    json["divide"] = Json::array();
    for (const auto& [turn, nodes] : result.divide) json["divide"].push_back({{"move", turn}, {"nodes", nodes}});
  }
  return json;
}

PerftResult count(const Session& session, const PerftArgs& args, int depth) {
  Progress progress(fmt::format("perft {}", depth));
  PerftRequest request;
  request.depth = depth;
  request.threads = args.threads;
  request.divide = args.divide;
  request.finished = args.finished;
  if (progress.shown()) request.progress = [&](double part) { progress.update(part); };
  return session.perft(request);
}

int print_counts(const Session& session, const PerftArgs& args) {
  Json lines = Json::array();
  for (int depth = args.depth == 0 || args.divide ? args.depth : 1; depth <= args.depth; ++depth) {
    const PerftResult result = count(session, args, depth);
    if (args.at.json) {
      lines.push_back(result_json(depth, result, args));
      continue;
    }
    for (const auto& [turn, nodes] : result.divide) fmt::print("{}\t{}\n", turn, nodes);
    print_line(depth, result, args.finished);
  }
  if (args.at.json) {
    const Json json{{"spec", session.notation().spec()}, {"position", session.position_text()}, {"perft", lines}};
    fmt::print("{}\n", json.dump(2));
  }
  return finish(exit_done);
}

}  // namespace

int run_perft_command(const PerftArgs& args) {
  const auto session = open_position(args.at);
  if (!session) return complain(session.error().message);
  return print_counts(**session, args);
}

}  // namespace paika::apps
