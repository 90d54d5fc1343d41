#include "tournament/journal.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.hpp"

#define XXH_INLINE_ALL  // NOLINT(readability-identifier-naming): xxhash.h names it
#include <xxhash.h>

namespace paika::tournament {

namespace {

constexpr int journal_version = 1;
constexpr std::string_view line_head = R"({"check":")";
constexpr std::string_view line_middle = R"(","entry":)";
constexpr std::string_view line_tail = "}";
constexpr std::size_t check_digits = 16;

std::string check_of(std::string_view text) { return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size())); }

/// The entry of a line without its end, if its checksum is right.
Result<Json> read_line(std::string_view line) {
  const std::size_t frame = line_head.size() + check_digits + line_middle.size();
  if (!line.starts_with(line_head) || line.size() < frame + line_tail.size() || !line.ends_with(line_tail) ||
      line.substr(line_head.size() + check_digits, line_middle.size()) != line_middle) {
    return fail("it is not a line of a results file");
  }
  const std::string_view entry = line.substr(frame, line.size() - frame - line_tail.size());
  if (check_of(entry) != line.substr(line_head.size(), check_digits)) return fail("its checksum is wrong");
  Json json = Json::parse(entry, nullptr, false);
  if (json.is_discarded()) return fail("it is not JSON");
  return json;
}

Result<void> take_first(JournalContent& content, const Json& entry) {
  const auto version = entry.find("paika_tournament");
  if (version == entry.end() || !version->is_number_integer() || !entry.contains("plan")) {
    return fail("this is not the results file of a tournament");
  }
  if (*version != journal_version) {
    return fail("the file has version {}; this program reads version {}", version->dump(), journal_version);
  }
  content.plan = entry["plan"];
  return {};
}

Result<std::string> read_all(int file, const std::string& path) {
  std::string bytes;
  std::array<char, std::size_t{1} << 16> chunk{};
  while (true) {
    const auto count = read(file, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail("cannot read {}: {}", in_quotes(path, 200), std::strerror(errno));
    if (count == 0) return bytes;
    bytes.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string journal_line(const Json& entry) {
  const std::string text = entry.dump(-1, ' ', true, Json::error_handler_t::replace);
  return fmt::format("{}{}{}{}{}\n", line_head, check_of(text), line_middle, text, line_tail);
}

Result<JournalContent> read_journal(std::string_view bytes) {
  JournalContent content;
  std::set<std::string> seen;
  for (int number = 1; content.whole < bytes.size(); ++number) {
    const auto end = bytes.find('\n', content.whole);
    if (end == std::string_view::npos) break;
    const auto entry = read_line(bytes.substr(content.whole, end - content.whole));
    if (!entry) return fail("line {} is damaged: {}", number, entry.error().message);
    if (number == 1) {
      if (const auto taken = take_first(content, *entry); !taken) return fail("line 1: {}", taken.error().message);
    } else {
      auto game = read_finished(*entry);
      if (!game) return fail("line {}: {}", number, game.error().message);
      if (!seen.insert(game->id).second) return fail("line {}: the game {} is there twice", number, game->id);
      content.games.push_back(std::move(*game));
    }
    content.whole = end + 1;
  }
  content.torn = bytes.size() - content.whole;
  return content;
}

Result<JournalContent> read_journal_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail("cannot open {}: {}", in_quotes(path, 200), std::strerror(errno));
  const auto bytes = read_all(file, path);
  close(file);
  if (!bytes) return tl::unexpected(bytes.error());
  auto content = read_journal(*bytes);
  if (!content) return fail("{}: {}", in_quotes(path, 200), content.error().message);
  return content;
}

Result<std::unique_ptr<Journal>> Journal::open(const std::string& path, const TournamentPlan& plan) {
  constexpr int mode = 0644;
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, mode);
  if (file < 0) return fail("cannot open {}: {}", in_quotes(path, 200), std::strerror(errno));
  std::unique_ptr<Journal> journal(new Journal(file, path));
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    return fail("{} is in use: another process runs this tournament", in_quotes(path, 200));
  }
  if (const auto loaded = journal->load(plan); !loaded) return tl::unexpected(loaded.error());
  return journal;
}

Journal::~Journal() { close(file_); }

Result<void> Journal::load(const TournamentPlan& plan) {
  const auto bytes = read_all(file_, path_);
  if (!bytes) return tl::unexpected(bytes.error());
  auto content = read_journal(*bytes);
  if (!content) return fail("{}: {}", in_quotes(path_, 200), content.error().message);
  // A file of one torn line is ours only if it begins like one.
  if (content->plan.is_null() && !bytes->starts_with(line_head.substr(0, bytes->size()))) {
    return fail("{}: this is not the results file of a tournament", in_quotes(path_, 200));
  }
  const Json now = plan_json(plan);
  if (!content->plan.is_null()) {
    if (const std::string differs = difference(content->plan, now); !differs.empty()) {
      return fail("{} belongs to another plan: {}; give --results another name to start over", in_quotes(path_, 200),
                  differs);
    }
  }
  torn_ = content->torn;
  size_ = content->whole;
  if (torn_ > 0 && ftruncate(file_, static_cast<off_t>(size_)) != 0) {
    return fail("cannot cut the incomplete line off {}: {}", in_quotes(path_, 200), std::strerror(errno));
  }
  games_ = std::move(content->games);
  if (!content->plan.is_null()) return {};
  return write_line({{"paika_tournament", journal_version}, {"plan", now}});
}

Result<void> Journal::write_line(const Json& entry) {
  const std::string line = journal_line(entry);
  const auto written = write(file_, line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size()) && fdatasync(file_) == 0) {
    size_ += line.size();
    return {};
  }
  const std::string why =
      written >= 0 && written < static_cast<ssize_t>(line.size()) ? "there is no room" : std::strerror(errno);
  static_cast<void>(ftruncate(file_, static_cast<off_t>(size_)));  // a torn line would be dropped later anyway
  return fail("cannot write {}: {}", in_quotes(path_, 200), why);
}

Result<void> Journal::add(const FinishedGame& game) { return write_line(to_json(game)); }

}  // namespace paika::tournament
