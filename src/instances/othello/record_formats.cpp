// The files of Othello programs: transcripts, and the WTHOR base of the French federation (docs/records.md has every
// byte).
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "base/text.hpp"
#include "games/othello/game.hpp"
#include "instances/othello/module.hpp"

namespace paika::othello {

namespace {

// ---- Transcripts: "f5d6c3d3c4", a game per line ----

bool looks_like_transcript(std::string_view text) {
  text = trimmed(text);
  return text.size() >= 4 && lowered(text[0]) >= 'a' && lowered(text[0]) <= 'z' && is_digit(text[1]) &&
         lowered(text[2]) >= 'a' && lowered(text[2]) <= 'z' && is_digit(text[3]);
}

Result<std::vector<FileGame>> read_transcripts(std::span<const FilePart> files, std::string_view spec) {
  const auto options = read_options(spec.empty() ? std::string_view("othello") : spec);
  if (!options) return tl::unexpected(options.error());
  std::vector<FileGame> games;
  for (std::string_view line : split(files.front().bytes, '\n')) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#') continue;
    FileGame& game = games.emplace_back();
    game.spec = canonical_spec(*options);
    for (const std::string_view move : split_record(line)) game.moves.emplace_back(move);
  }
  return games;
}

Result<std::vector<FilePart>> write_transcripts(std::span<const FileGame> games) {
  std::string out;
  for (const FileGame& game : games) {
    if (!game.start.empty()) return fail("a transcript begins at the start of the game, not at {}", game.start);
    for (const std::string& move : game.moves) out += move == "pass" ? "" : move;
    out += '\n';
  }
  return std::vector{FilePart{"txt", std::move(out)}};
}

// ---- WTHOR ----

constexpr std::size_t header_bytes = 16;
constexpr std::size_t game_bytes = 68;
constexpr std::size_t moves_at = 8;  // in a game
constexpr std::size_t player_bytes = 20;
constexpr std::size_t tournament_bytes = 26;

std::size_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::size_t number = 0;
  for (std::size_t i = size; i-- > 0;) number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

void put_number(std::string& out, std::size_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) out += static_cast<char>(number >> (8 * i) & 0xffU);
}

/// The names of a .jou or .trn file, by number; none if there is no such file.
Result<std::vector<std::string>> names_in(std::span<const FilePart> files, std::string_view extension,
                                          std::size_t size) {
  std::vector<std::string> names;
  for (const FilePart& file : files.subspan(1)) {
    if (file.extension != extension) continue;
    const std::string_view bytes = file.bytes;
    if (bytes.size() < header_bytes || (bytes.size() - header_bytes) % size != 0) {
      return fail("the .{} file has {} bytes; a header of {} and {} for each name were expected", extension,
                  bytes.size(), header_bytes, size);
    }
    for (std::size_t at = header_bytes; at < bytes.size(); at += size) {
      const std::string_view field = bytes.substr(at, size);
      names.emplace_back(trimmed(field.substr(0, field.find('\0'))));
    }
  }
  return names;
}

std::string name_number(const std::vector<std::string>& names, std::size_t number) {
  return number < names.size() ? names[number] : fmt::format("#{}", number);
}

/// The moves of a game: a byte each, ten times the row and the column, both from 1; 0 after the last.
Result<std::vector<std::string>> moves_in(std::string_view game, int size) {
  std::vector<std::string> moves;
  for (const char c : game.substr(moves_at)) {
    const int code = static_cast<unsigned char>(c);
    if (code == 0) break;
    const int row = code / 10;
    const int col = code % 10 == 0 ? 10 : code % 10;
    if (row < 1 || row > size || col > size) return fail("{} is not a square of a {}x{} board", code, size, size);
    moves.push_back(fmt::format("{}{}", static_cast<char>('a' + col - 1), row));
  }
  return moves;
}

Result<int> size_in(std::string_view bytes) {
  constexpr std::size_t size_at = 12;
  constexpr std::size_t kind_at = 13;
  if (bytes.size() < header_bytes)
    return fail("a WTHOR file has at least {} bytes, not {}", header_bytes, bytes.size());
  const std::size_t count = number_at(bytes, 4, 4);
  if (bytes.size() != header_bytes + count * game_bytes) {
    return fail("the header tells of {} games, which take {} bytes; the file has {}", count,
                header_bytes + count * game_bytes, bytes.size());
  }
  const int size = static_cast<unsigned char>(bytes[size_at]);
  if (size != 0 && size != 8) return fail("the board is {}x{}; games of 8x8 are read", size, size);
  if (bytes[kind_at] == 1) return fail("the file holds problems (solitaires), not games");
  return 8;
}

bool looks_like_wthor(std::string_view bytes) { return size_in(bytes).has_value(); }

Result<std::vector<FileGame>> read_wthor(std::span<const FilePart> files, std::string_view /*spec*/) {
  const std::string_view bytes = files.front().bytes;
  const auto size = size_in(bytes);
  if (!size) return tl::unexpected(size.error());
  const auto players = names_in(files, "jou", player_bytes);
  if (!players) return tl::unexpected(players.error());
  const auto tournaments = names_in(files, "trn", tournament_bytes);
  if (!tournaments) return tl::unexpected(tournaments.error());
  const std::size_t year = number_at(bytes, 10, 2);
  std::vector<FileGame> games;
  for (std::size_t at = header_bytes; at < bytes.size(); at += game_bytes) {
    const std::string_view game = bytes.substr(at, game_bytes);
    auto moves = moves_in(game, *size);
    if (!moves) return fail("game {}: {}", games.size() + 1, moves.error().message);
    FileGame& read = games.emplace_back();
    read.spec = canonical_spec({*size});
    read.moves = std::move(*moves);
    read.players = {name_number(*players, number_at(game, 2, 2)), name_number(*players, number_at(game, 4, 2))};
    read.tags.emplace_back("Event", name_number(*tournaments, number_at(game, 0, 2)));
    if (year > 0) read.tags.emplace_back("Date", fmt::to_string(year));
    read.tags.emplace_back("BlackDiscs", fmt::to_string(number_at(game, 6, 1)));
    read.tags.emplace_back("BlackDiscsPerfect", fmt::to_string(number_at(game, 7, 1)));
  }
  return games;
}

/// Numbers for names, in the order in which they come.
class NameList {
 public:
  explicit NameList(std::size_t size) : size_(size) {}

  [[nodiscard]] std::size_t number(const std::string& name) {
    const auto [found, added] = numbers_.try_emplace(name, names_.size());
    if (added) names_.push_back(name);
    return found->second;
  }
  [[nodiscard]] std::size_t count() const { return names_.size(); }
  /// The records of the file: each name cut and filled up with zeros.
  [[nodiscard]] std::string bytes() const {
    std::string out;
    for (const std::string& name : names_) {
      std::string field = name.substr(0, size_ - 1);
      field.resize(size_, '\0');
      out += field;
    }
    return out;
  }

 private:
  std::size_t size_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> names_;
};

/// The date of making is left at zero: the same games give the same bytes.
std::string wthor_header(std::size_t games, std::size_t names, std::size_t year) {
  std::string out(4, '\0');
  put_number(out, games, 4);
  put_number(out, names, 2);
  put_number(out, year, 2);
  out += static_cast<char>(8);
  out.resize(header_bytes, '\0');
  return out;
}

std::string tag_of(const FileGame& game, std::string_view name) {
  const auto found =
      std::find_if(game.tags.begin(), game.tags.end(), [&](const auto& tag) { return tag.first == name; });
  return found == game.tags.end() ? "" : found->second;
}

/// Black's discs at the end, with the empty squares for the winner.
std::size_t black_discs(const FileGame& game) {
  const std::string_view squares = std::string_view(game.end).substr(0, 64);
  const auto black = static_cast<std::size_t>(std::count(squares.begin(), squares.end(), 'X'));
  const auto white = static_cast<std::size_t>(std::count(squares.begin(), squares.end(), 'O'));
  if (black == white) return squares.size() / 2;
  return black > white ? squares.size() - white : black;
}

Result<std::string> wthor_game(const FileGame& game, NameList& players, NameList& tournaments) {
  if (game.spec != canonical_spec({8}) || !game.start.empty())
    return fail("WTHOR has games of 8x8 from the start only");
  std::string out;
  put_number(out, tournaments.number(tag_of(game, "Event")), 2);
  put_number(out, players.number(game.players[0]), 2);
  put_number(out, players.number(game.players[1]), 2);
  const auto perfect = parse_int(tag_of(game, "BlackDiscsPerfect"));
  put_number(out, black_discs(game), 1);
  put_number(out, perfect && *perfect >= 0 && *perfect <= 64 ? static_cast<std::size_t>(*perfect) : black_discs(game),
             1);
  for (const std::string& move : game.moves) {
    if (move != "pass") out += static_cast<char>((move[1] - '0') * 10 + (move[0] - 'a' + 1));
  }
  out.resize(game_bytes, '\0');
  return out;
}

Result<std::vector<FilePart>> write_wthor(std::span<const FileGame> games) {
  NameList players(player_bytes);
  NameList tournaments(tournament_bytes);
  std::string records;
  std::size_t year = 0;
  for (const FileGame& game : games) {
    const auto record = wthor_game(game, players, tournaments);
    if (!record) return tl::unexpected(record.error());
    records += *record;
    const auto number = parse_int(tag_of(game, "Date").substr(0, 4));
    if (year == 0 && number && *number > 0) year = static_cast<std::size_t>(*number);
  }
  constexpr std::size_t max_names = 65'535;
  if (players.count() > max_names || tournaments.count() > max_names)
    return fail("WTHOR has at most {} names", max_names);
  return std::vector{FilePart{"wtb", wthor_header(games.size(), 0, year) + records},
                     FilePart{"jou", wthor_header(0, players.count(), 0) + players.bytes()},
                     FilePart{"trn", wthor_header(0, tournaments.count(), 0) + tournaments.bytes()}};
}

constexpr std::array<RecordFormat, 2> all_formats = {
    {{"wthor", "The WTHOR base of Othello games: .wtb, with names in .jou and .trn", looks_like_wthor, read_wthor,
      write_wthor},
     {"transcript", "Othello games as moves run together, f5d6c3, one game per line", looks_like_transcript,
      read_transcripts, write_transcripts}}};

}  // namespace

std::span<const RecordFormat> record_formats() { return all_formats; }

}  // namespace paika::othello
