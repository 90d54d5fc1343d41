#include "server/classes/class_requests.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/names.hpp"
#include "base/text.hpp"
#include "engine/registry.hpp"
#include "protocols/participant.hpp"
#include "server/classes/bot_files.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

constexpr std::size_t max_class_name = 80;
constexpr std::size_t max_command = 500;
constexpr WallTime latest_deadline = 4'102'444'800'000;  // the year 2100

/// A text for people, in which everything can be seen.
Result<std::string> read_name(const Json& body, std::string_view field, std::string_view missing) {
  auto text = text_field(body, field, missing);
  if (!text) return text;
  *text = std::string(trimmed(*text));
  if (text->size() > max_class_name) return fail(R"("{}" must have at most {} bytes)", field, max_class_name);
  if (const auto fine = check_title(*text); !fine) return fail(R"("{}": {})", field, fine.error().message);
  return text;
}

Result<std::string> read_command(const Json& body, std::string_view field) {
  auto text = text_field(body, field, "");
  if (!text) return text;
  *text = std::string(trimmed(*text));
  const bool bad = std::any_of(text->begin(), text->end(), [](char c) { return c == '\0' || c == '\n' || c == '\r'; });
  if (text->size() > max_command || bad) {
    return fail(R"("{}" must be one line of at most {} bytes)", field, max_command);
  }
  return text;
}

struct Bound {
  std::string_view field;
  int ClassRow::* member;
  int least;
  int most;
};
constexpr std::array<Bound, 4> bounds = {{{"move_ms", &ClassRow::turn_ms, 50, 10'000},
                                          {"memory_mb", &ClassRow::memory_mb, 64, 4096},
                                          {"uploads_per_day", &ClassRow::uploads_per_day, 1, 100},
                                          {"pairs", &ClassRow::pairs, 1, 1000}}};

Result<void> read_numbers(ClassRow& row, const Json& body) {
  for (const Bound& bound : bounds) {
    const auto value = number_field(body, bound.field, row.*bound.member, bound.least, bound.most);
    if (!value) return tl::unexpected(value.error());
    row.*bound.member = static_cast<int>(*value);
  }
  if (body.contains("deadline_ms")) {
    const auto value = number_field(body, "deadline_ms", 0, 1, latest_deadline);
    if (!value) return tl::unexpected(value.error());
    row.deadline = *value;
  }
  return {};
}

}  // namespace

Result<ClassRow> read_new_class(const Json& body) {
  const auto known = only_fields(
      body, {"name", "spec", "deadline_ms", "move_ms", "memory_mb", "uploads_per_day", "pairs", "house_bots"});
  if (!known) return tl::unexpected(known.error());
  ClassRow row;
  auto name = read_name(body, "name", "");
  if (!name) return tl::unexpected(name.error());
  if (name->empty()) return fail(R"("name" must be given: what the class is called)");
  row.name = std::move(*name);
  const auto spec = text_field(body, "spec", "");
  if (!spec) return tl::unexpected(spec.error());
  const auto game = open_game(*spec);
  if (!game) return tl::unexpected(game.error());
  row.spec = (*game)->notation().spec();
  if (const auto fine = read_numbers(row, body); !fine) return tl::unexpected(fine.error());
  return row;
}

Result<ClassRow> read_changed_class(ClassRow row, const Json& body) {
  const auto known =
      only_fields(body, {"name", "state", "deadline_ms", "move_ms", "memory_mb", "uploads_per_day", "pairs"});
  if (!known) return tl::unexpected(known.error());
  auto name = read_name(body, "name", row.name);
  if (!name) return tl::unexpected(name.error());
  if (name->empty()) return fail(R"("name" must not be empty)");
  row.name = std::move(*name);
  const auto state = text_field(body, "state", server::name(row.state));
  if (!state) return tl::unexpected(state.error());
  const auto word = class_state(*state);
  if (!word) return fail(R"("state" must be open, locked or archived, not {})", in_quotes(*state));
  row.state = *word;
  if (const auto fine = read_numbers(row, body); !fine) return tl::unexpected(fine.error());
  return row;
}

Result<JoinRequest> read_join(const Json& body) {
  if (const auto known = only_fields(body, {"code", "name"}); !known) return tl::unexpected(known.error());
  const auto code = text_field(body, "code", "");
  if (!code) return tl::unexpected(code.error());
  auto name = read_name(body, "name", "");
  if (!name) return tl::unexpected(name.error());
  JoinRequest request{"", std::move(*name)};
  for (const char c : *code) {
    if (c != ' ' && c != '-') request.code += lowered(c);
  }
  if (request.code.empty()) return fail(R"("code" must be given: the teacher has it)");
  return request;
}

Result<BotRequest> read_bot(const Json& body) {
  const auto known = only_fields(body, {"name", "protocol", "build", "run", "files"});
  if (!known) return tl::unexpected(known.error());
  BotRequest request;
  auto name = read_name(body, "name", "");
  if (!name) return tl::unexpected(name.error());
  if (name->empty()) return fail(R"("name" must be given: what the bot is called)");
  request.row.name = std::move(*name);
  const auto protocol = text_field(body, "protocol", request.row.protocol);
  if (!protocol) return tl::unexpected(protocol.error());
  const auto word = protocols::read_protocol(*protocol);
  if (!word) return tl::unexpected(word.error());
  request.row.protocol = protocols::name(*word);
  auto build = read_command(body, "build");
  if (!build) return tl::unexpected(build.error());
  request.row.build = std::move(*build);
  auto run = read_command(body, "run");
  if (!run) return tl::unexpected(run.error());
  if (run->empty()) return fail(R"("run" must be given: the command that starts the bot)");
  request.row.run = std::move(*run);
  const auto files = read_bot_files(body.contains("files") ? body["files"] : Json());
  if (!files) return tl::unexpected(files.error());
  request.files = bot_files_json(*files).dump();
  return request;
}

}  // namespace paika::server
