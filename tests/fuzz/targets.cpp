#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "base/check.hpp"
#include "base/random.hpp"
#include "engine/diagram.hpp"
#include "engine/json.hpp"
#include "engine/registry.hpp"
#include "games/othello/game.hpp"
#include "games/wildebeest/board_file.hpp"
#include "tests/fuzz/checks.hpp"
#include "tests/fuzz/play_targets.hpp"
#include "tests/fuzz/protocol_targets.hpp"
#include "tests/fuzz/server_targets.hpp"
#include "tests/fuzz/study_targets.hpp"
#include "tests/fuzz/table_target.hpp"
#include "tests/fuzz/tournament_targets.hpp"
#include "tests/fuzz/upload_targets.hpp"
#include "tests/support/session.hpp"

namespace paika::fuzz {

namespace {

const std::vector<std::string>& specs() {
  static const std::vector<std::string> all = {"fanorona:3x3",
                                               "fanorona:5x5,classic",
                                               "fanorona:9x5",
                                               "fanorona:13x13,limit=9",
                                               "abalone",
                                               "abalone:5x3,captures=1,misere,freeze",
                                               "abalone:12x26,must,freeze=initiator",
                                               "othello:6x6",
                                               "othello:8x8",
                                               "othello:14x14",
                                               "wildebeest",
                                               "wildebeest:pads=cycle,swarm=forbid"};
  return all;
}

const Game& game_number(std::size_t i) {
  static const std::vector<GamePtr> games = [] {
    std::vector<GamePtr> opened;
    for (const auto& spec : specs()) opened.push_back(paika_tests::must_open(spec));
    return opened;
  }();
  return *games[i % games.size()];
}

/// The first byte chooses a game; the rest is the text to read.
std::pair<const Game*, std::string_view> split_input(std::string_view bytes) {
  if (bytes.empty()) return {&game_number(0), bytes};
  return {&game_number(static_cast<unsigned char>(bytes[0])), bytes.substr(1)};
}

std::string with_game(std::size_t i, std::string_view text) {
  return std::string(1, static_cast<char>(i)) + std::string(text);
}

void check_refusal(const Notation& notation, const Refusal& refusal) {
  check_message(refusal.message.english());
  PAIKA_CHECK(!refusal.clause.empty());
  PAIKA_CHECK(!refusal_json(notation, refusal).dump().empty());
}

void run_spec(std::string_view bytes) {
  const auto game = open_game(bytes);
  if (!game) return check_message(game.error().message);
  const std::string spec = (*game)->notation().spec();
  const auto again = open_game(spec);
  PAIKA_CHECK(again && (*again)->notation().spec() == spec);
}

void run_position(std::string_view bytes) {
  const auto [game, text] = split_input(bytes);
  const Notation& notation = game->notation();
  const auto board = notation.parse_position(text);
  if (!board) return check_message(board.error().message);
  const std::string canonical = notation.position_text(*board);
  const auto again = notation.parse_position(canonical);
  PAIKA_CHECK(again && *again == *board);
  const auto session = game->start_from(*board);
  PAIKA_CHECK(session->board() == *board);
  constexpr int enough = 40;  // some positions have millions of turns
  int seen = 0;
  session->for_each_turn([&](const ListedTurn& turn) {
    PAIKA_CHECK(!session->refuse(turn.steps));
    PAIKA_CHECK(notation.parse_position(turn.position_after));
    return ++seen < enough;
  });
  PAIKA_CHECK((seen == 0) == session->outcome().over());
}

/// A position a few random turns into the game, with all its legal turns.
struct Midgame {
  std::unique_ptr<Session> session;
  std::set<std::string> legal;
};

const Midgame& midgame(const Game& game) {
  static std::vector<std::pair<const Game*, Midgame>> known;
  for (const auto& [g, m] : known)
    if (g == &game) return m;
  Midgame m{game.start(), {}};
  Random random(11);
  for (int ply = 0; ply <= 3; ++ply) {
    std::vector<std::string> texts;
    m.session->for_each_turn([&](const ListedTurn& t) {
      texts.push_back(t.text);
      return true;
    });
    m.legal = {texts.begin(), texts.end()};
    if (ply < 3 && !texts.empty()) PAIKA_CHECK(m.session->try_play(texts[random.index(texts.size())]));
  }
  return known.emplace_back(&game, std::move(m)).second;
}

void run_turn(std::string_view bytes) {
  const auto [game, text] = split_input(bytes);
  const Notation& notation = game->notation();
  const Midgame& at = midgame(*game);
  const Board board = at.session->board();
  const auto turn = notation.parse_turn(board, text);
  if (!turn) return check_refusal(notation, turn.error());
  const std::string canonical = notation.turn_text(board, *turn);
  const auto again = notation.parse_turn(board, canonical);
  PAIKA_CHECK(again && *again == *turn);
  if (at.session->outcome().over()) return;
  const auto refusal = at.session->refuse(*turn);
  PAIKA_CHECK(refusal.has_value() != at.legal.contains(canonical));
  if (refusal) return check_refusal(notation, *refusal);
  PAIKA_CHECK(!notation.effects(board, *turn).empty());
}

void run_board_file(std::string_view bytes) {
  const auto file = wildebeest::parse_board_file(bytes);
  if (!file) check_message(file.error().message);
}

void run_record(std::string_view bytes) {
  const auto turns = othello::parse_record(othello::Options{}, bytes);
  if (!turns) check_message(turns.error().message);
}

std::vector<std::string> spec_seeds() {
  std::vector<std::string> seeds = specs();
  for (const GameInfo* info : all_games()) seeds.insert(seeds.end(), info->examples.begin(), info->examples.end());
  return seeds;
}

std::vector<std::string> position_seeds() {
  std::vector<std::string> seeds;
  for (std::size_t i = 0; i < specs().size(); ++i) {
    seeds.push_back(with_game(i, game_number(i).start()->position_text()));
    seeds.push_back(with_game(i, midgame(game_number(i)).session->position_text()));
  }
  return seeds;
}

std::vector<std::string> turn_seeds() {
  std::vector<std::string> seeds;
  for (std::size_t i = 0; i < specs().size(); ++i) {
    for (const auto& text : midgame(game_number(i)).legal) seeds.push_back(with_game(i, text));
  }
  seeds.push_back(with_game(2, "A 3 2 3 3 + W 3 3 4 3"));
  seeds.push_back(with_game(2, "S 3 2"));
  seeds.push_back(with_game(7, "pass"));
  return seeds;
}

std::vector<std::string> board_file_seeds() {
  return {
      "W\nRNZBOKXBCNR\nGPPSPJPPPPG\n...........\n.*.......*.\n...........\n.....#.....\n...........\n"
      ".*.......*.\n...........\ngppspjppppg\nrnzbokxbcnr\n0\n60000\n0\n"};
}

std::vector<std::string> record_seeds() { return {"e6f4e3d6", "E6 f4 e3 D6", "c4c3d3c5b2"}; }

constexpr std::array all_targets = {
    Target{"spec", run_spec, spec_seeds},
    Target{"position", run_position, position_seeds},
    Target{"turn", run_turn, turn_seeds},
    Target{"board_file", run_board_file, board_file_seeds},
    Target{"record", run_record, record_seeds},
    Target{"game_record", run_game_record, game_record_seeds},
    Target{"ugi", run_ugi, ugi_seeds},
    Target{"nboard", run_nboard, nboard_seeds},
    Target{"gtp", run_gtp, gtp_seeds},
    Target{"settings", run_settings, settings_seeds},
    Target{"demo", run_demo, demo_seeds},
    Target{"opening_list", run_opening_list, opening_list_seeds},
    Target{"game_tree", run_game_tree, game_tree_seeds, 5'000},
    Target{"game_file", run_game_file, game_file_seeds, 5'000},
    Target{"puzzles", run_puzzles, puzzles_seeds},
    Target{"book", run_book, book_seeds},
    Target{"class_protocol", run_class_protocol, class_protocol_seeds},
    Target{"written_board", run_written_board, written_board_seeds},
    Target{"table", run_table, table_seeds},
    Target{"zstd", run_zstd, zstd_seeds},
    Target{"request", run_request, request_seeds},
    Target{"token", run_token, token_seeds},
    Target{"room", run_room, room_seeds},
    Target{"room_events", run_room_events, room_events_seeds},
    Target{"tournament_plan", run_tournament_plan, tournament_plan_seeds},
    Target{"game_order", run_game_order, game_order_seeds},
    Target{"upload", run_upload, upload_seeds},
    Target{"bot_order", run_bot_order, bot_order_seeds},
    Target{"folder_pack", run_folder_pack, folder_pack_seeds, 1000},
    Target{"translation", run_translation, translation_seeds},
};

}  // namespace

std::span<const Target> targets() { return all_targets; }

}  // namespace paika::fuzz
