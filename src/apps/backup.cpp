// `paika backup`, `paika restore` and `paika admin copy`: copies of a server's database.
#include "server/store/backup.hpp"

#include <fmt/format.h>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "server/store/copy.hpp"

namespace paika::apps {

namespace {

std::string words_for(const server::BackupContents& contents) {
  return fmt::format("{} people, {} rooms with {} events, {} classes", contents.people, contents.rooms, contents.events,
                     contents.classes);
}

}  // namespace

int run_backup(const BackupArgs& args) {
  const auto contents = server::back_up(args.from, args.to, args.force);
  if (!contents) return complain(contents.error().message);
  fmt::print("{}: {}\n", args.to, words_for(*contents));
  return finish(exit_done);
}

int run_copy(const BackupArgs& args) {
  const auto copied = server::copy_store(args.from, args.to, [](std::string_view table, std::int64_t rows) {
    if (rows > 0) fmt::print("{:20} {:>10}\n", table, rows);
  });
  if (!copied) return complain(copied.error().message);
  fmt::print("Everything is the same in both.\n");
  return finish(exit_done);
}

int run_restore(const BackupArgs& args) {
  const auto restored = server::restore(args.from, args.to);
  if (!restored) return complain(restored.error().message);
  fmt::print("{}: {}\n", args.to, words_for(restored->contents));
  if (!restored->kept.empty()) fmt::print("what was there is kept as {}\n", restored->kept);
  return finish(exit_done);
}

}  // namespace paika::apps
