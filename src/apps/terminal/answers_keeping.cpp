// Keeping games: the running game's file, save, load, export.
#include <cstdlib>
#include <filesystem>

#include "apps/terminal/conversation_impl.hpp"
#include "base/text.hpp"
#include "engine/registry.hpp"
#include "play/ggf.hpp"

namespace paika::terminal {

namespace {

namespace fs = std::filesystem;

/// A file's name as people type it: ~ is their home.
std::string path_of(std::string_view typed) {
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nothing here sets the environment
  if (typed.starts_with("~/") && home != nullptr) return std::string(home) + std::string(typed.substr(1));
  return std::string(typed);
}

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool is_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// Somebody else sits there now; the record remembers who did.
void leave_seat(play::GameRecord& record, std::size_t seat) {
  std::string& player = record.players[seat];
  if (!player.empty()) record.notes.push_back(fmt::format("played before by {}", player));
  player.clear();
}

/// The game of a GGF file, whose players are names and no seats of ours.
Result<play::GameRecord> read_ggf_game(std::string_view text) {
  auto record = play::record_of_ggf(text);
  if (!record) return record;
  leave_seat(*record, 0);
  leave_seat(*record, 1);
  return record;
}

/// The last game of a record file, or the game of a GGF file.
Result<play::GameRecord> read_game(const std::string& path) {
  const auto text = play::read_whole_file(path);
  if (!text) return tl::unexpected(text.error());
  if (trimmed(*text).starts_with("(;")) return read_ggf_game(*text);
  auto records = play::parse_records(*text);
  if (!records) return fail(phrase("{}: {}", in_quotes(path, 200), records.error().words()));
  if (records->empty()) return fail(phrase("{} contains no game record", in_quotes(path, 200)));
  return std::move(records->back());
}

/// True if there is something in it that somebody could miss.
bool worth_keeping(const play::LiveGame& game) { return !game.turns().empty() || game.undone() > 0; }

}  // namespace

void Conversation::Impl::keep(Reply& reply) {
  if (setup.autosave_folder.empty() && !autosave) return;
  if (!autosave) autosave = std::make_unique<play::Autosave>(setup.autosave_folder, game->game().info().name);
  const auto written = autosave->write(game->record());
  const bool said = autosave_failed;
  autosave_failed = !written;
  if (written || said) return;
  add_line(reply, printable(say(phrase("The game cannot be saved as it is played: {}", written.error().words()))),
           Tone::warning);
}

void Conversation::Impl::leave_game(Reply& reply) {
  hinter.cancel();
  const bool worth = worth_keeping(*game);
  if (worth) keep(reply);
  if (worth && !setup.record_file.empty()) {
    if (const auto added = play::add_to_file(setup.record_file, play::record_text(game->record())); !added) {
      add_line(reply, printable(say(added.error().words())), Tone::warning);
      record_lost = true;
    }
  }
  if (!worth && autosave) autosave->remove();
  if (worth && autosave && !autosave_failed) {
    add_line(reply, game->over() ? say(phrase("The game record is in {}", printable(autosave->path())))
                                 : say(phrase("The game is saved in {}; paika play --resume continues it.",
                                              printable(autosave->path()))));
  }
  autosave.reset();
  autosave_failed = false;
}

Reply Conversation::Impl::finish() {
  Reply reply;
  leave_game(reply);
  reply.quit = true;
  return reply;
}

Reply Conversation::Impl::save(std::string_view file, bool replace) {
  if (file.empty())
    return answer(say(phrase("Type a file name after it, such as {}.", "save game.record")), Tone::refusal);
  const std::string path = path_of(file);
  if (!replace && exists(path)) {
    return answer(say(phrase("The file {} already exists; save! with its name replaces it.", in_quotes(path, 200))),
                  Tone::refusal);
  }
  // A device or a pipe would be replaced too, by a file.
  if (exists(path) && !is_file(path)) {
    return answer(say(phrase("{} is not a file that can be replaced.", in_quotes(path, 200))), Tone::refusal);
  }
  const auto written = play::write_whole_file(path, play::record_text(game->record()));
  if (!written) return refuse(written.error());
  return answer(say(phrase("The game is saved in {}.", in_quotes(path, 200))));
}

Reply Conversation::Impl::load(std::string_view file) {
  if (file.empty())
    return answer(say(phrase("Type a file name after it, such as {}.", "load game.record")), Tone::refusal);
  auto record = read_game(path_of(file));
  if (!record) return refuse(record.error());
  // Those at the table stay: a file must not be able to run programs.
  for (const Player player : {Player::first, Player::second}) {
    const std::size_t seat = seat_of(player);
    if (record->players[seat] == game->player(player).text) continue;
    leave_seat(*record, seat);
    record->players[seat] = game->player(player).text;
    record->limits[seat] = game->player(player).settings.limits;
    record->since[seat] = static_cast<int>(record->turns.size());
  }
  auto next = play::LiveGame::from_record(*record, setup.live);
  if (!next) return refuse(next.error());
  Reply reply = put_in_place(std::move(*next));
  add_line(reply, say(phrase("Loaded a game from {} (moves: {}).", in_quotes(file, 200), game->turns().size())));
  return reply;
}

Reply Conversation::Impl::export_text(std::string_view what) const {
  const std::string wanted = lowered(what);
  if (wanted.empty() || wanted == "position") {
    return answer(game->notation().position_text(game->notation().in_play(game->board(), game->progress())));
  }
  std::string text;
  if (wanted == "record") {
    text = play::record_text(game->record());
  } else if (wanted == "ggf") {
    const auto ggf = play::ggf_text(game->record());
    if (!ggf) return refuse(ggf.error());
    text = *ggf;
  } else {
    return answer(say(phrase("{} cannot be exported: position, record and ggf can.", in_quotes(what))), Tone::refusal);
  }
  Reply reply;
  for (const std::string_view line : split(trimmed(text), '\n')) add_line(reply, std::string(line));
  return reply;
}

}  // namespace paika::terminal
