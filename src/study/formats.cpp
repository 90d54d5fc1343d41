#include "study/formats.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/text.hpp"
#include "engine/module.hpp"
#include "engine/registry.hpp"
#include "play/class_move.hpp"
#include "play/ggf.hpp"
#include "study/split_games.hpp"
#include "study/tree_text.hpp"

namespace paika::study {

namespace {

using Trees = std::vector<GameTree>;

/// A format that every list of games has.
struct OwnFormat {
  std::string_view name;
  std::string_view about;
  bool (*recognises)(std::string_view text);
  Result<Trees> (*read)(std::string_view text, std::string_view spec);
  Result<std::string> (*write)(std::span<const GameTree> games);
  std::vector<GameText> (*split)(std::string_view text);
};

std::vector<FilePart> one_file(std::string extension, std::string bytes) {
  return {FilePart{std::move(extension), std::move(bytes)}};
}

/// The error of one game of many.
tl::unexpected<Error> of_game(std::size_t number, const Error& error) {
  return fail("game {}: {}", number, error.message);
}

// ---- Trees and records ----

bool looks_like_tree(std::string_view text) {
  return trimmed(text).starts_with('[') || text.starts_with("\xef\xbb\xbf[");
}
Result<Trees> read_trees(std::string_view text, std::string_view /*spec*/) { return parse_trees(text); }
Result<std::string> write_trees(std::span<const GameTree> games) { return trees_text(games); }

std::vector<GameText> split_records(std::string_view text) { return split_at_lines(text, "paika-record"); }

bool looks_like_record(std::string_view text) {
  for (std::string_view line : split(text.substr(0, 4096), '\n')) {
    line = trimmed(line);
    if (!line.empty() && line.front() != '#') return line.starts_with("paika-record");
  }
  return false;
}

Result<Trees> read_records(std::string_view text, std::string_view /*spec*/) {
  const auto records = play::parse_records(text);
  if (!records) return tl::unexpected(records.error());
  Trees trees;
  for (const play::GameRecord& record : *records) trees.push_back(tree_of(record));
  return trees;
}

Result<std::string> write_records(std::span<const GameTree> games) {
  std::string out;
  for (const GameTree& game : games) out += play::record_text(record_of(game));
  return out;
}

// ---- GGF, and the lines of NBoard that carry it ----

/// A record of GGF as a tree: the notes that GGF has places for become tags.
GameTree tree_of_ggf_record(play::GameRecord record) {
  const std::vector<std::string> notes = std::exchange(record.notes, {});
  GameTree tree = tree_of(record);
  for (const std::string& note : notes) {
    const std::size_t colon = note.find(": ");
    tree.add_tag(note.substr(0, colon), note.substr(colon + 2));
  }
  return tree;
}

Result<Trees> trees_of_ggf(const std::vector<play::GgfGame>& games) {
  Trees trees;
  for (const play::GgfGame& game : games) {
    auto record = play::record_of_ggf(game);
    if (!record) return of_game(trees.size() + 1, record.error());
    trees.push_back(tree_of_ggf_record(std::move(*record)));
  }
  return trees;
}

bool looks_like_ggf(std::string_view text) {
  const std::string_view begin = trimmed(text.substr(0, 4096));
  // Archives number their lines: "1 (;GM[Othello]…".
  return begin.starts_with("(;") || begin.substr(0, 40).find("(;GM[") != std::string_view::npos;
}

Result<Trees> read_ggf(std::string_view text, std::string_view /*spec*/) {
  const auto games = play::read_ggf_games(text);
  if (!games) return tl::unexpected(games.error());
  return trees_of_ggf(*games);
}

Result<std::string> ggf_line(const GameTree& game) {
  const std::string_view place = game.tag("Place");
  return play::ggf_text(record_of(game), place.empty() ? "Paika" : place, game.tag("Date"));
}

Result<std::string> write_ggf(std::span<const GameTree> games) {
  std::string out;
  for (std::size_t i = 0; i < games.size(); ++i) {
    const auto line = ggf_line(games[i]);
    if (!line) return of_game(i + 1, line.error());
    out += *line;
  }
  return out;
}

constexpr std::string_view set_game = "set game ";

std::vector<GameText> split_nboard(std::string_view text) { return split_at_lines(text, set_game); }

bool looks_like_nboard(std::string_view text) {
  const std::string_view begin = trimmed(text.substr(0, 4096));
  return begin.starts_with("nboard ") || begin.find(set_game) != std::string_view::npos;
}

/// What an interface has sent: "set game (;…;)" and "move F5/…". Other lines say nothing about games.
Result<Trees> read_nboard(std::string_view text, std::string_view /*spec*/) {
  std::vector<play::GgfGame> games;
  std::size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = trimmed(line);
    if (line.starts_with(set_game)) {
      auto game = play::read_ggf(line.substr(set_game.size()));
      if (!game) return fail("line {}: {}", number, game.error().message);
      games.push_back(std::move(*game));
    } else if (line.starts_with("move ")) {
      auto move = play::read_ggf_move(line.substr(5));
      if (games.empty()) return fail("line {}: a move comes after \"set game\"", number);
      if (!move) return fail("line {}: {}", number, move.error().message);
      games.back().moves.push_back(std::move(*move));
    }
  }
  return trees_of_ggf(games);
}

Result<std::string> write_nboard(std::span<const GameTree> games) {
  auto lines = write_ggf(games);
  if (!lines) return lines;
  std::string out = "nboard 2\n";
  for (const std::string_view line : split(*lines, '\n')) {
    if (!line.empty()) out += fmt::format("{}{}\n", set_game, line);
  }
  return out;
}

// ---- Moves and positions, a line each ----

/// Plays a move; where only one is possible and it was left out, that one first.
Result<void> play_or_fill_in(TreeCursor& cursor, std::string_view move) {
  auto played = cursor.play(move);
  if (played || cursor.session().count_turns_up_to(2) != 1) return played;
  Turn forced;
  cursor.session().for_each_turn([&](const ListedTurn& turn) {
    forced = turn.steps;
    return false;
  });
  TreeCursor& there = cursor;
  if (!there.play(forced)) return played;
  if (auto again = there.play(move); again) return again;
  return played;
}

/// The lines of a text that say something, with their numbers from 1; an empty line ends a game.
struct NumberedLine {
  std::string_view text;
  std::size_t number;
};
std::vector<std::vector<NumberedLine>> games_of_lines(std::string_view text) {
  std::vector<std::vector<NumberedLine>> games(1);
  std::size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = trimmed(line);
    if (line.empty() && !games.back().empty()) games.emplace_back();
    if (!line.empty() && line.front() != '#') games.back().push_back({line, number});
  }
  if (games.back().empty()) games.pop_back();
  return games;
}

bool looks_like_class(std::string_view text) {
  const std::string_view begin = trimmed(text.substr(0, 4096));
  if (begin.starts_with("WELCOME") || begin.starts_with("INFO ")) return true;
  return begin.size() > 3 && std::string_view("AWPSR").find(begin[0]) != std::string_view::npos && begin[1] == ' ' &&
         is_digit(begin[2]);
}

/// The spec of "INFO columns rows colour milliseconds"; nothing if it is not that.
std::optional<std::string> spec_of_info(std::string_view line, std::string_view name) {
  if (take_word(line) != "INFO") return std::nullopt;
  const std::string_view cols = take_word(line);
  return fmt::format("{}:{}x{}", name, cols, take_word(line));
}

Result<GameTree> read_class_game(std::span<const NumberedLine> lines, std::string spec, std::string_view name) {
  if (!lines.empty()) {
    if (auto told = spec_of_info(lines.front().text, name)) {
      spec = std::move(*told);
      lines = lines.subspan(1);
    }
  }
  auto game = open_game(spec);
  if (!game) return tl::unexpected(game.error());
  auto tree = GameTree::open(std::move(*game));
  if (!tree) return tree;
  TreeCursor cursor(*tree);
  for (const NumberedLine& line : lines) {
    // What else is said: OK, READY, BEGIN, WINNER and so on.
    if (line.text.size() > 1 && line.text[1] != ' ') continue;
    if (const auto played = cursor.play(line.text); !played)
      return fail("line {}: {}", line.number, played.error().message);
  }
  tree->set_result_by_rules();
  return tree;
}

Result<Trees> read_class(std::string_view text, std::string_view spec) {
  Trees trees;
  for (const GameModule& module : game_modules()) {
    if (!module.class_protocol) continue;
    const std::string_view name = module.info().name;
    for (const auto& lines : games_of_lines(text)) {
      auto tree = read_class_game(lines, std::string(spec.empty() ? name : spec), name);
      if (!tree) return tl::unexpected(tree.error());
      trees.push_back(std::move(*tree));
    }
  }
  return trees;
}

Result<std::string> write_class(std::span<const GameTree> games) {
  std::string out;
  for (const GameTree& game : games) {
    const Coordinates& names = game.game().notation().coordinates();
    if (!module_of(game.game()).class_protocol) return fail("the class's notation is one of Fanorona's moves");
    if (!game.start().empty()) return fail("the class's notation begins at the start of the game");
    if (!out.empty()) out += '\n';
    out += fmt::format("INFO {} {} B 0\n", names.cols(), names.rows());
    for (const std::size_t i : game.main_line()) out += play::class_move(game.node(i).turn, names) + "\n";
  }
  return out;
}

bool never(std::string_view /*text*/) { return false; }

/// The move that leads to a position.
Result<Turn> turn_to(const Session& session, std::string_view position) {
  const auto wanted = session.notation().parse_position(position);
  if (!wanted) return tl::unexpected(wanted.error());
  const std::string text = session.notation().position_text(*wanted);
  std::optional<Turn> found;
  session.for_each_turn([&](const ListedTurn& turn) {
    if (turn.position_after == text) found = turn.steps;
    return !found;
  });
  if (!found) return fail("no legal move leads to {}", in_quotes(position, 80));
  return *found;
}

/// A position per line, the start first, as the class writes Abalone.
Result<Trees> read_positions(std::string_view text, std::string_view spec) {
  if (spec.empty()) return fail("lists of positions do not tell their game: name it with --game SPEC");
  Trees trees;
  for (const auto& lines : games_of_lines(text)) {
    auto game = open_game_for(spec, lines.front().text);
    if (!game) return tl::unexpected(game.error());
    auto tree = GameTree::open(std::move(*game), lines.front().text);
    if (!tree) return fail("line {}: {}", lines.front().number, tree.error().message);
    TreeCursor cursor(*tree);
    for (const NumberedLine& line : std::span(lines).subspan(1)) {
      const auto turn = turn_to(cursor.session(), line.text);
      if (!turn) return fail("line {}: {}", line.number, turn.error().message);
      if (const auto played = cursor.play(*turn); !played) return tl::unexpected(played.error());
    }
    tree->set_result_by_rules();
    trees.push_back(std::move(*tree));
  }
  return trees;
}

Result<std::string> write_positions(std::span<const GameTree> games) {
  std::string out;
  for (const GameTree& game : games) {
    if (!out.empty()) out += '\n';
    const auto session = game.session();
    out += session->position_text() + "\n";
    for (const std::size_t i : game.main_line()) {
      session->play(game.node(i).turn);
      out += session->position_text() + "\n";
    }
  }
  return out;
}

constexpr std::array<OwnFormat, 6> own_formats = {
    {{tree_format, "Games with variations and comments, all games (docs/records.md)", looks_like_tree, read_trees,
      write_trees, split_trees},
     {"record", "Records of matches, all games", looks_like_record, read_records, write_records, split_records},
     {"ggf", "GGF, the archives of Othello servers", looks_like_ggf, read_ggf, write_ggf, split_ggf},
     {"nboard", "What NBoard sends an Othello engine", looks_like_nboard, read_nboard, write_nboard, split_nboard},
     {"class", "Fanorona as the class writes it, A 4 2 5 3, one move per line", looks_like_class, read_class,
      write_class, split_at_empty_lines},
     {"positions", "All games, one position per line, as the class writes Abalone", never, read_positions,
      write_positions, split_at_empty_lines}}};

// ---- Formats of the modules ----

Result<GameTree> tree_of_file(FileGame file) {
  auto game = open_game(file.spec);
  if (!game) return tl::unexpected(game.error());
  auto tree = GameTree::open(std::move(*game), file.start);
  if (!tree) return tree;
  for (std::size_t side = 0; side < 2; ++side) tree->set_player(side, file.players[side]);
  for (const auto& [name, value] : file.tags) tree->add_tag(name, value);
  TreeCursor cursor(*tree);
  for (std::size_t i = 0; i < file.moves.size(); ++i) {
    if (const auto played = play_or_fill_in(cursor, file.moves[i]); !played)
      return fail("move {}, {}", i + 1, played.error().message);
  }
  tree->set_result_by_rules();
  return tree;
}

FileGame file_of_tree(const GameTree& tree) {
  FileGame file{tree.spec(), tree.start(), tree.players(), tree.tags(), {}, {}};
  const auto session = tree.session();
  for (const std::size_t i : tree.main_line()) {
    file.moves.push_back(tree.node(i).move);
    session->play(tree.node(i).turn);
  }
  file.end = session->position_text();
  return file;
}

Result<Trees> read_by(const RecordFormat& format, std::span<const FilePart> files, std::string_view spec) {
  auto read = format.read(files, spec);
  if (!read) return tl::unexpected(read.error());
  Trees trees;
  trees.reserve(read->size());
  for (FileGame& file : *read) {
    auto tree = tree_of_file(std::move(file));
    if (!tree) return of_game(trees.size() + 1, tree.error());
    trees.push_back(std::move(*tree));
  }
  return trees;
}

std::vector<const RecordFormat*> module_formats() {
  std::vector<const RecordFormat*> all;
  for (const GameModule& module : game_modules()) {
    if (module.record_formats == nullptr) continue;
    for (const RecordFormat& format : module.record_formats()) all.push_back(&format);
  }
  return all;
}

Error unknown_format(std::string_view name) {
  std::vector<std::string> names;
  for (const FormatInfo& format : formats()) names.push_back(format.name);
  return {fmt::format("there is no format {}{}; the formats are {}", in_quotes(name), did_you_mean(name, names),
                      listed(names, "and"))};
}

}  // namespace

std::vector<FormatInfo> formats() {
  std::vector<FormatInfo> all;
  for (const OwnFormat& format : own_formats) all.push_back({std::string(format.name), std::string(format.about)});
  for (const RecordFormat* const format : module_formats()) {
    all.push_back({std::string(format->name), std::string(format->about)});
  }
  return all;
}

namespace {

/// The format of a file: one of the two.
struct FoundFormat {
  const OwnFormat* own = nullptr;
  const RecordFormat* of_module = nullptr;
};

Result<FoundFormat> find_format(std::string_view text, const ReadRequest& request) {
  const bool told = !request.format.empty();
  for (const OwnFormat& format : own_formats) {
    if (told ? format.name == request.format : format.recognises(text)) return FoundFormat{&format, nullptr};
  }
  for (const RecordFormat* const format : module_formats()) {
    if (told ? format->name == request.format : format->recognises(text)) return FoundFormat{nullptr, format};
  }
  if (told) return tl::unexpected(unknown_format(request.format));
  return fail("the file is in none of the formats that are recognised; --from names one of {}", [] {
    std::vector<std::string> names;
    for (const FormatInfo& format : formats()) names.push_back(format.name);
    return listed(names, "and");
  }());
}

/// The error of a part of a text. Read once more behind empty lines, the part gives an error with the line of the file.
Error error_in_file(const OwnFormat& format, const GameText& part, std::string_view spec, const Error& error) {
  const auto read = format.read(std::string(part.line - 1, '\n') + std::string(part.text), spec);
  std::string_view message = read ? error.message : read.error().message;
  constexpr std::string_view only_game = "game 1: ";
  if (message.starts_with(only_game)) message.remove_prefix(only_game.size());
  if (message.starts_with("line ")) return {std::string(message)};
  return {fmt::format("line {}: {}", part.line, message)};
}

}  // namespace

Result<Trees> read_games(std::span<const FilePart> files, const ReadRequest& request) {
  const std::string_view text = files.front().bytes;
  const auto format = find_format(text, request);
  if (!format) return tl::unexpected(format.error());
  return format->own != nullptr ? format->own->read(text, request.spec)
                                : read_by(*format->of_module, files, request.spec);
}

Result<void> for_each_game(std::span<const FilePart> files, const ReadRequest& request,
                           const std::function<void(Result<GameTree>)>& visit) {
  const std::string_view text = files.front().bytes;
  const auto format = find_format(text, request);
  if (!format) return tl::unexpected(format.error());
  if (format->of_module != nullptr) {
    auto read = format->of_module->read(files, request.spec);
    if (!read) return tl::unexpected(read.error());
    for (std::size_t i = 0; i < read->size(); ++i) {
      auto tree = tree_of_file(std::move((*read)[i]));
      visit(tree ? std::move(tree) : Result<GameTree>(of_game(i + 1, tree.error())));
    }
    return {};
  }
  for (const GameText& part : format->own->split(text)) {
    auto trees = format->own->read(part.text, request.spec);
    if (!trees) {
      visit(tl::unexpected(error_in_file(*format->own, part, request.spec, trees.error())));
      continue;
    }
    for (GameTree& tree : *trees) visit(std::move(tree));
  }
  return {};
}

Result<Trees> read_games(std::string_view text, const ReadRequest& request) {
  const std::vector<FilePart> files = one_file("", std::string(text));
  return read_games(files, request);
}

Result<std::vector<FilePart>> write_games(std::span<const GameTree> games, std::string_view format) {
  for (const OwnFormat& own : own_formats) {
    if (own.name != format) continue;
    auto text = own.write(games);
    if (!text) return tl::unexpected(text.error());
    return one_file("", std::move(*text));
  }
  for (const RecordFormat* const other : module_formats()) {
    if (other->name != format) continue;
    std::vector<FileGame> files;
    for (const GameTree& game : games) files.push_back(file_of_tree(game));
    return other->write(files);
  }
  return tl::unexpected(unknown_format(format));
}

}  // namespace paika::study
