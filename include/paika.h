/* paika.h: the C interface of Paika, for C99 and everything that can call it. docs/c.md is its manual.
 *
 * Contract
 *   - Every function that can fail returns a paika_status. PAIKA_OK is 0. On any other status nothing was changed, every
 *     out-parameter that is not null was set to null or zero, and paika_error() says what was wrong, where, and what
 *     would be right. The message belongs to the calling thread and lasts until its next call that returns a status.
 *   - Handles are opaque. Each is freed by its own _free function, which accepts null. A handle keeps alive what it
 *     was made from, so handles may be freed in any order.
 *   - Text is UTF-8. A `char **` out-parameter gives text that the caller frees with paika_free(). A `const char *`
 *     belongs to the handle or structure that it came from; the words of enums and reasons last for ever.
 *   - Games, positions, lists, records and search results never change: threads may share them. An engine and a
 *     table serve one thread at a time (PAIKA_BUSY otherwise); paika_engine_stop() may be called from any thread.
 *   - No exception leaves the library. A callback must return normally.
 *   - Structures that the library hands out grow at their end only, within one major version.
 */
#ifndef PAIKA_H
#define PAIKA_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PAIKA_API __attribute__((visibility("default")))
#else
#define PAIKA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status and errors ---- */

typedef enum paika_status {
  PAIKA_OK = 0,
  PAIKA_BAD_ARGUMENT = 1, /* a null pointer, an index out of range, handles of different games */
  PAIKA_BAD_TEXT = 2,     /* a spec, position, setting or record that cannot be read */
  PAIKA_REFUSED = 3,      /* a move that the rules forbid: see paika_error_clause() */
  PAIKA_NOT_FOUND = 4,    /* no such table, or a position that it does not hold */
  PAIKA_GAME_OVER = 5,    /* nothing can be searched: the game has ended */
  PAIKA_BUSY = 6,         /* another thread is using the engine or table */
  PAIKA_NO_MEMORY = 7,
  PAIKA_INTERNAL = 8      /* a defect of the library; the message helps to report it */
} paika_status;

/* A square: column from the left and row from the top, both from 0. */
typedef struct paika_square {
  int col;
  int row;
} paika_square;

/* What was wrong with this thread's last call that returned a status; "" if it succeeded. */
PAIKA_API const char *paika_error(void);
/* After PAIKA_REFUSED: the clause of the game's rules that forbids the move ("2.4"); else "". */
PAIKA_API const char *paika_error_clause(void);
/* After PAIKA_REFUSED: the squares concerned, to be marked on a screen. Returns how many; *squares may be null. */
PAIKA_API size_t paika_error_squares(const paika_square **squares);

PAIKA_API void paika_free(void *text);
/* The version of the library: "0.1.0". */
PAIKA_API const char *paika_version(void);

/* ---- Games ---- */

typedef struct paika_game paika_game;

PAIKA_API size_t paika_game_count(void);
/* The name of a game ("othello"), from 0 to paika_game_count() - 1; null beyond. */
PAIKA_API const char *paika_game_name(size_t index);

/* Opens a game by its spec: "othello", "fanorona:5x5,sacrifice=off". */
PAIKA_API paika_status paika_game_open(const char *spec, paika_game **game);
PAIKA_API void paika_game_free(paika_game *game);
/* The canonical spec; null for a null game. */
PAIKA_API const char *paika_game_spec(const paika_game *game);
PAIKA_API int paika_game_cols(const paika_game *game);
PAIKA_API int paika_game_rows(const paika_game *game);
/* What player 0 (who moves first) or 1 is called: "White"; null for another number. */
PAIKA_API const char *paika_game_player(const paika_game *game, int player);

/* ---- Positions: values that never change, with the moves that led to them ---- */

typedef struct paika_position paika_position;

typedef enum paika_verdict {
  PAIKA_ONGOING = 0,
  PAIKA_FIRST_WINS = 1,
  PAIKA_SECOND_WINS = 2,
  PAIKA_DRAW = 3
} paika_verdict;

typedef struct paika_outcome {
  paika_verdict verdict;
  const char *reason; /* "none", "eliminated", "move_limit", … */
} paika_outcome;

/* What a square shows. */
typedef struct paika_cell {
  int owner;  /* 0 or 1: that player's piece; -1: nobody's */
  char kind;  /* the kind of piece, the same for both players; '.' on most empty squares */
  char glyph; /* the letter in the game's own text form */
} paika_cell;

/* The start of a game. */
PAIKA_API paika_status paika_position_start(const paika_game *game, paika_position **position);
/* A position from its text, in any accepted form. */
PAIKA_API paika_status paika_position_parse(const paika_game *game, const char *text, paika_position **position);
PAIKA_API void paika_position_free(paika_position *position);

/* The one-line text form, which paika_position_parse reads. */
PAIKA_API paika_status paika_position_text(const paika_position *position, char **text);
/* The board as lines of text with coordinates. */
PAIKA_API paika_status paika_position_diagram(const paika_position *position, char **text);
/* The board as an SVG document. theme: "wood", "plain" or "dark"; null: "wood". */
PAIKA_API paika_status paika_position_svg(const paika_position *position, const char *theme, char **svg);
PAIKA_API paika_status paika_position_cell(const paika_position *position, paika_square square, paika_cell *cell);
/* The 64-bit key of board and side to move; 0 for a null position. */
PAIKA_API uint64_t paika_position_key(const paika_position *position);
/* 0 or 1; -1 for a null position. */
PAIKA_API int paika_position_to_move(const paika_position *position);
/* How many moves led here from where the game was begun or parsed. */
PAIKA_API size_t paika_position_move_count(const paika_position *position);
/* The text of one of them, from 0; null beyond. */
PAIKA_API const char *paika_position_move(const paika_position *position, size_t index);
PAIKA_API paika_status paika_position_outcome(const paika_position *position, paika_outcome *outcome);
/* How the game ended, as a sentence with its clause; "" while it goes on. */
PAIKA_API paika_status paika_position_ending(const paika_position *position, char **text);

/* ---- Moves ---- */

/* One step of a move: moves are lists of steps ("from a1", "to b2", "approach"). */
typedef enum paika_step_kind {
  PAIKA_STEP_PLACE = 0,     /* put a new piece on the square */
  PAIKA_STEP_PASS = 1,      /* do nothing; no square */
  PAIKA_STEP_FROM = 2,      /* choose the piece on the square */
  PAIKA_STEP_TO = 3,        /* go to the square */
  PAIKA_STEP_APPROACH = 4,  /* of two captures take the one ahead; no square */
  PAIKA_STEP_WITHDRAW = 5,  /* … the one behind; no square */
  PAIKA_STEP_SACRIFICE = 6, /* give up the chosen piece; no square */
  PAIKA_STEP_FLING = 7      /* throw the chosen piece; no square */
} paika_step_kind;

typedef struct paika_step {
  paika_step_kind kind;
  paika_square square; /* {0, 0} for kinds without a square */
} paika_step;

typedef struct paika_moves paika_moves;

/* The legal moves, at most `most` of them (0: 1,000,000), in a stable order; none if the game is over. */
PAIKA_API paika_status paika_position_legal_moves(const paika_position *position, size_t most, paika_moves **moves);
PAIKA_API void paika_moves_free(paika_moves *moves);
PAIKA_API size_t paika_moves_count(const paika_moves *moves);
/* 1 if there are more legal moves than were listed. */
PAIKA_API int paika_moves_truncated(const paika_moves *moves);
/* The canonical text of a move; null beyond the list. */
PAIKA_API const char *paika_moves_text(const paika_moves *moves, size_t index);
/* The steps of a move. Returns how many; 0 beyond the list. *steps may be null. */
PAIKA_API size_t paika_moves_steps(const paika_moves *moves, size_t index, const paika_step **steps);

/* How many legal moves there are, counting no further than `most`. */
PAIKA_API paika_status paika_position_count_moves(const paika_position *position, uint64_t most, uint64_t *count);

/* The position after a move. PAIKA_REFUSED if the rules forbid it. */
PAIKA_API paika_status paika_position_play(const paika_position *position, const char *move, paika_position **next);
PAIKA_API paika_status paika_position_play_steps(const paika_position *position, const paika_step *steps, size_t count,
                                                 paika_position **next);
/* PAIKA_OK if the move is legal, else PAIKA_REFUSED with the reason: why not? */
PAIKA_API paika_status paika_position_why(const paika_position *position, const char *move);
/* The position before the last move. PAIKA_NOT_FOUND if there is none. */
PAIKA_API paika_status paika_position_undo(const paika_position *position, paika_position **previous);

/* The steps that may follow the first `count` steps of a move, as a list of moves of one step each; *complete is 1 if
 * those steps already are a legal move. PAIKA_REFUSED if no legal move begins so. */
PAIKA_API paika_status paika_position_next_steps(const paika_position *position, const paika_step *steps, size_t count,
                                                 paika_moves **next, int *complete);

/* ---- Effects: what a move does to the board ---- */

typedef struct paika_effect {
  const char *kind;   /* "placed", "moved", "captured", "flipped", … */
  int stage;          /* effects of one stage happen at the same time */
  int has_from;       /* 1 if `from` says something */
  int has_to;
  int has_cause;
  paika_square from;  /* is emptied */
  paika_square to;    /* then shows `piece` */
  paika_square cause; /* the piece that caused it */
  paika_cell piece;
  int count;          /* what the rule counted, where it counts */
  const char *clause; /* of the game's rules */
  const char *text;   /* a sentence for people */
} paika_effect;

typedef struct paika_effects paika_effects;

PAIKA_API paika_status paika_position_effects(const paika_position *position, const char *move,
                                              paika_effects **effects);
PAIKA_API void paika_effects_free(paika_effects *effects);
PAIKA_API size_t paika_effects_count(const paika_effects *effects);
/* Null beyond the list. */
PAIKA_API const paika_effect *paika_effects_get(const paika_effects *effects, size_t index);

/* ---- Perft ---- */

/* How many lines of exactly `depth` moves there are. threads: 1 to 256. */
PAIKA_API paika_status paika_position_perft(const paika_position *position, int depth, int threads, uint64_t *nodes);

/* ---- Search ---- */

typedef struct paika_engine paika_engine;
typedef struct paika_search paika_search;

/* One line of play. */
typedef struct paika_line {
  int score;   /* for the side to move, in hundredths of a piece; 1,000,000 - n: a win in n moves of both sides */
  int exact;   /* 1: proven to the end of the game */
  int at_most; /* 1: a proven win or loss that may come sooner */
  size_t move_count;
  const char *const *moves;
  const char *score_text; /* "+1.25", "win in 5" */
} paika_line;

typedef struct paika_search_info {
  int depth;           /* completed */
  int selective_depth; /* the longest line looked at */
  uint64_t nodes;
  int64_t time_ms;
  int hash_permille; /* how full the hash table is */
  size_t line_count; /* best first */
  const paika_line *lines;
} paika_search_info;

/* Called on the searching thread whenever a depth was completed; a return value other than 0 stops the search. */
typedef int (*paika_progress)(const paika_search_info *info, void *user);

/* A computer player. settings: "level=5,hash=16,threads=2,multipv=3,seed=7" or null. tables: a folder with tables of
 * perfect play that it may use, or null. */
PAIKA_API paika_status paika_engine_open(const paika_game *game, const char *settings, const char *tables,
                                         paika_engine **engine);
PAIKA_API void paika_engine_free(paika_engine *engine);
/* Forgets what was learned, so that the next search depends on nothing before it. */
PAIKA_API paika_status paika_engine_forget(paika_engine *engine);
/* Chooses a move. limits: "time=1s", "depth=8", "nodes=100000", "clock=60s+1s", several with commas; null: those of
 * the engine's settings, or time=100ms. progress may be null. A search that is stopped has a result too. */
PAIKA_API paika_status paika_engine_search(paika_engine *engine, const paika_position *position, const char *limits,
                                           paika_progress progress, void *user, paika_search **search);
/* Stops the search that is running, if any. From any thread. */
PAIKA_API void paika_engine_stop(paika_engine *engine);

PAIKA_API void paika_search_free(paika_search *search);
/* The chosen move; null for a null search. */
PAIKA_API const char *paika_search_move(const paika_search *search);
/* The last state of the search: the line of the chosen move comes first. */
PAIKA_API const paika_search_info *paika_search_get_info(const paika_search *search);

/* ---- Tables of perfect play ---- */

typedef struct paika_table paika_table;

typedef struct paika_value {
  int result;   /* for the side to move: 1 win, 0 draw, -1 loss */
  int distance; /* moves of both sides until the end; -1: a draw, or not known */
} paika_value;

/* Opens the game's table in a folder; null: the user's own folder of tables. PAIKA_NOT_FOUND if there is none. */
PAIKA_API paika_status paika_table_open(const paika_game *game, const char *folder, paika_table **table);
PAIKA_API void paika_table_free(paika_table *table);
PAIKA_API const char *paika_table_path(const paika_table *table);
/* PAIKA_NOT_FOUND if the table does not hold the position. */
PAIKA_API paika_status paika_table_value(paika_table *table, const paika_position *position, paika_value *value);
/* All legal moves, best first; *values is as long as the list and belongs to it. */
PAIKA_API paika_status paika_table_moves(paika_table *table, const paika_position *position, paika_moves **moves,
                                         const paika_value **values);

/* ---- Records ---- */

typedef struct paika_records paika_records;

/* The moves of a position as a record (docs/protocol.md). The names of the players may be null. */
PAIKA_API paika_status paika_position_record(const paika_position *position, const char *first, const char *second,
                                             char **text);
/* Reads a file of records; every move is checked by the rules. */
PAIKA_API paika_status paika_records_parse(const char *text, paika_records **records);
PAIKA_API void paika_records_free(paika_records *records);
PAIKA_API size_t paika_records_count(const paika_records *records);
/* The name of player 0 or 1 of a record; null beyond. */
PAIKA_API const char *paika_records_player(const paika_records *records, size_t index, int player);
/* The result of a record by the rules, or by agreement, time and the like. */
PAIKA_API paika_status paika_records_outcome(const paika_records *records, size_t index, paika_outcome *outcome);
/* The last position of a record, with all its moves. */
PAIKA_API paika_status paika_records_position(const paika_records *records, size_t index, paika_position **position);

#ifdef __cplusplus
}
#endif

#endif
