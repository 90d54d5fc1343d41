// Games, positions, moves, effects and perft of the C interface.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "capi/handles.hpp"
#include "engine/diagram.hpp"
#include "engine/effect_text.hpp"
#include "engine/picture.hpp"
#include "engine/registry.hpp"
#include "engine/turn_tree.hpp"

using paika::Turn;
using paika::capi::copied;
using paika::capi::fail_with;
using paika::capi::guarded;
using paika::play::PlayedPosition;

// ---- Games ----

size_t paika_game_count(void) { return paika::all_games().size(); }

const char* paika_game_name(size_t index) {
  const auto games = paika::all_games();
  return index < games.size() ? games[index]->name.c_str() : nullptr;
}

paika_status paika_game_open(const char* spec, paika_game** game) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(game);
    *game = nullptr;
    PAIKA_NEED(spec);
    auto opened = paika::open_game(spec);
    if (!opened) return fail_with(PAIKA_BAD_TEXT, opened.error().message);
    std::string canonical = (*opened)->notation().spec();
    *game = new paika_game{std::move(*opened), std::move(canonical)};
    return PAIKA_OK;
  });
}

void paika_game_free(paika_game* game) { delete game; }
const char* paika_game_spec(const paika_game* game) { return game == nullptr ? nullptr : game->spec.c_str(); }
int paika_game_cols(const paika_game* game) {
  return game == nullptr ? 0 : game->game->notation().coordinates().cols();
}
int paika_game_rows(const paika_game* game) {
  return game == nullptr ? 0 : game->game->notation().coordinates().rows();
}
const char* paika_game_player(const paika_game* game, int player) {
  if (game == nullptr || player < 0 || player > 1) return nullptr;
  const auto who = player == 0 ? paika::Player::first : paika::Player::second;
  return paika::capi::c_word(game->game->notation().player_name(who));
}

// ---- Positions ----

paika_status paika_position_start(const paika_game* game, paika_position** position) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(position);
    *position = nullptr;
    PAIKA_NEED(game);
    *position = new paika_position{PlayedPosition::start(game->game)};
    return PAIKA_OK;
  });
}

paika_status paika_position_parse(const paika_game* game, const char* text, paika_position** position) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(position);
    *position = nullptr;
    PAIKA_NEED(game);
    PAIKA_NEED(text);
    auto parsed = PlayedPosition::parse(game->game, text);
    if (!parsed) return fail_with(PAIKA_BAD_TEXT, parsed.error().message);
    *position = new paika_position{std::move(*parsed)};
    return PAIKA_OK;
  });
}

void paika_position_free(paika_position* position) { delete position; }

paika_status paika_position_text(const paika_position* position, char** text) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(text);
    *text = nullptr;
    PAIKA_NEED(position);
    *text = copied(position->position.session().position_text());
    return PAIKA_OK;
  });
}

paika_status paika_position_diagram(const paika_position* position, char** text) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(text);
    *text = nullptr;
    PAIKA_NEED(position);
    const PlayedPosition& p = position->position;
    *text = copied(paika::diagram(p.notation(), p.session().board()));
    return PAIKA_OK;
  });
}

paika_status paika_position_svg(const paika_position* position, const char* theme, char** svg) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(svg);
    *svg = nullptr;
    PAIKA_NEED(position);
    const auto named = paika::theme_named(theme == nullptr ? "wood" : theme);
    if (!named) {
      return fail_with(PAIKA_BAD_TEXT,
                       fmt::format("there is no theme '{}'; the themes are wood, plain and dark", theme));
    }
    *svg = copied(paika::picture_svg(position->position.session(), {.theme = *named, .last = {}}));
    return PAIKA_OK;
  });
}

paika_status paika_position_cell(const paika_position* position, paika_square square, paika_cell* cell) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(cell);
    *cell = {-1, '\0', '\0'};
    PAIKA_NEED(position);
    const paika::Notation& notation = position->position.notation();
    const paika::Coordinates& on = notation.coordinates();
    if (!on.contains({square.col, square.row})) {
      return fail_with(PAIKA_BAD_ARGUMENT, fmt::format("there is no square in column {} and row {}: the board is {}x{}",
                                                       square.col, square.row, on.cols(), on.rows()));
    }
    const paika::Board board = position->position.session().board();
    *cell = paika::capi::c_cell(notation, board.cells[{square.col, square.row}]);
    return PAIKA_OK;
  });
}

uint64_t paika_position_key(const paika_position* position) {
  return position == nullptr ? 0 : position->position.session().key();
}

int paika_position_to_move(const paika_position* position) {
  if (position == nullptr) return -1;
  return position->position.session().board().to_move == paika::Player::first ? 0 : 1;
}

size_t paika_position_move_count(const paika_position* position) {
  return position == nullptr ? 0 : position->position.moves().size();
}

const char* paika_position_move(const paika_position* position, size_t index) {
  if (index >= paika_position_move_count(position)) return nullptr;
  return position->position.moves()[index].c_str();
}

paika_status paika_position_outcome(const paika_position* position, paika_outcome* outcome) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(outcome);
    *outcome = paika::capi::c_outcome({});
    PAIKA_NEED(position);
    *outcome = paika::capi::c_outcome(position->position.session().outcome());
    return PAIKA_OK;
  });
}

paika_status paika_position_ending(const paika_position* position, char** text) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(text);
    *text = nullptr;
    PAIKA_NEED(position);
    const paika::Session& session = position->position.session();
    const paika::Outcome outcome = session.outcome();
    *text = copied(outcome.over() ? paika::ending_sentence(session.notation(), session.board(), outcome) : "");
    return PAIKA_OK;
  });
}

// ---- Moves ----

paika_status paika_position_legal_moves(const paika_position* position, size_t most, paika_moves** moves) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(moves);
    *moves = nullptr;
    PAIKA_NEED(position);
    const size_t bound = most == 0 ? paika::many_turns : most;
    auto list = std::make_unique<paika_moves>();
    position->position.session().for_each_turn([&](const paika::ListedTurn& turn) {
      list->truncated = list->texts.size() == bound;
      if (list->truncated) return false;
      list->texts.push_back(turn.text);
      list->steps.push_back(paika::capi::c_steps(turn.steps));
      return true;
    });
    *moves = list.release();
    return PAIKA_OK;
  });
}

void paika_moves_free(paika_moves* moves) { delete moves; }
size_t paika_moves_count(const paika_moves* moves) { return moves == nullptr ? 0 : moves->texts.size(); }
int paika_moves_truncated(const paika_moves* moves) { return moves != nullptr && moves->truncated ? 1 : 0; }
const char* paika_moves_text(const paika_moves* moves, size_t index) {
  return index < paika_moves_count(moves) ? moves->texts[index].c_str() : nullptr;
}
size_t paika_moves_steps(const paika_moves* moves, size_t index, const paika_step** steps) {
  const bool there = index < paika_moves_count(moves);
  if (steps != nullptr) *steps = there ? moves->steps[index].data() : nullptr;
  return there ? moves->steps[index].size() : 0;
}

paika_status paika_position_count_moves(const paika_position* position, uint64_t most, uint64_t* count) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(count);
    *count = 0;
    PAIKA_NEED(position);
    *count = position->position.session().count_turns_up_to(most);
    return PAIKA_OK;
  });
}

namespace {

paika_status deliver(const paika_position& from, tl::expected<PlayedPosition, paika::Refusal> played,
                     paika_position** next) {
  if (!played) return fail_with(from.position.notation(), played.error());
  *next = new paika_position{std::move(*played)};
  return PAIKA_OK;
}

}  // namespace

paika_status paika_position_play(const paika_position* position, const char* move, paika_position** next) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(next);
    *next = nullptr;
    PAIKA_NEED(position);
    PAIKA_NEED(move);
    return deliver(*position, position->position.play(std::string_view(move)), next);
  });
}

paika_status paika_position_play_steps(const paika_position* position, const paika_step* steps, size_t count,
                                       paika_position** next) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(next);
    *next = nullptr;
    PAIKA_NEED(position);
    PAIKA_NEED(steps);
    const auto turn = paika::capi::turn_of(steps, count);
    if (!turn) return fail_with(PAIKA_BAD_ARGUMENT, fmt::format("{}: a step is of no kind", function));
    return deliver(*position, position->position.play(*turn), next);
  });
}

paika_status paika_position_why(const paika_position* position, const char* move) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(position);
    PAIKA_NEED(move);
    const auto turn = position->position.session().read_turn(move);
    return turn ? PAIKA_OK : fail_with(position->position.notation(), turn.error());
  });
}

paika_status paika_position_undo(const paika_position* position, paika_position** previous) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(previous);
    *previous = nullptr;
    PAIKA_NEED(position);
    auto undone = position->position.undone();
    if (!undone) return fail_with(PAIKA_NOT_FOUND, "there is no move to take back");
    *previous = new paika_position{std::move(*undone)};
    return PAIKA_OK;
  });
}

paika_status paika_position_next_steps(const paika_position* position, const paika_step* steps, size_t count,
                                       paika_moves** next, int* complete) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(next);
    *next = nullptr;
    if (complete != nullptr) *complete = 0;
    PAIKA_NEED(position);
    if (count > 0) PAIKA_NEED(steps);
    const auto prefix = paika::capi::turn_of(steps, count);
    if (!prefix) return fail_with(PAIKA_BAD_ARGUMENT, fmt::format("{}: a step is of no kind", function));
    const paika::Session& session = position->position.session();
    const paika::Following following = paika::TurnTree(session).following(*prefix);
    if (!following.complete && following.steps.empty() && count > 0) {
      if (const auto refusal = session.refuse(*prefix)) return fail_with(session.notation(), *refusal);
    }
    auto list = std::make_unique<paika_moves>();
    list->truncated = following.cut;
    for (const paika::Step& step : following.steps) {
      const bool square = paika::has_square(step.kind);
      list->texts.push_back(fmt::format("{}{}{}", paika::name(step.kind), square ? " " : "",
                                        square ? session.notation().coordinates().name(step.square) : ""));
      list->steps.push_back(paika::capi::c_steps({step}));
    }
    if (complete != nullptr) *complete = following.complete ? 1 : 0;
    *next = list.release();
    return PAIKA_OK;
  });
}

// ---- Effects and perft ----

paika_status paika_position_effects(const paika_position* position, const char* move, paika_effects** effects) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(effects);
    *effects = nullptr;
    PAIKA_NEED(position);
    PAIKA_NEED(move);
    const paika::Notation& notation = position->position.notation();
    const auto turn = position->position.session().read_turn(move);
    if (!turn) return fail_with(notation, turn.error());
    const paika::Board board = position->position.session().board();
    const auto found = notation.effects(board, *turn);
    auto list = std::make_unique<paika_effects>();
    list->texts = paika::effect_sentences(notation, board, found);
    for (const paika::Effect& effect : found) list->clauses.push_back(effect.clause);
    const auto square = [](const std::optional<paika::Square>& s) {
      return s ? paika_square{s->col, s->row} : paika_square{0, 0};
    };
    for (std::size_t i = 0; i < found.size(); ++i) {
      const paika::Effect& e = found[i];
      list->effects.push_back({paika::capi::c_word(paika::name(e.kind)), e.stage, e.from ? 1 : 0, e.to ? 1 : 0,
                               e.cause ? 1 : 0, square(e.from), square(e.to), square(e.cause),
                               paika::capi::c_cell(notation, e.piece), e.count, list->clauses[i].c_str(),
                               list->texts[i].c_str()});
    }
    *effects = list.release();
    return PAIKA_OK;
  });
}

void paika_effects_free(paika_effects* effects) { delete effects; }
size_t paika_effects_count(const paika_effects* effects) { return effects == nullptr ? 0 : effects->effects.size(); }
const paika_effect* paika_effects_get(const paika_effects* effects, size_t index) {
  return index < paika_effects_count(effects) ? &effects->effects[index] : nullptr;
}

paika_status paika_position_perft(const paika_position* position, int depth, int threads, uint64_t* nodes) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(nodes);
    *nodes = 0;
    PAIKA_NEED(position);
    if (depth < 0) return fail_with(PAIKA_BAD_ARGUMENT, fmt::format("the depth must be at least 0, not {}", depth));
    if (threads < 1 || threads > paika::max_search_threads) {
      return fail_with(PAIKA_BAD_ARGUMENT,
                       fmt::format("threads must be from 1 to {}, not {}", paika::max_search_threads, threads));
    }
    paika::PerftRequest request;
    request.depth = depth;
    request.threads = threads;
    *nodes = position->position.session().perft(request).nodes;
    return PAIKA_OK;
  });
}
