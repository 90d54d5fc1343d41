/* The C interface as its header states it: good arguments, bad ones, and null handles. Strict C99. */
#include <paika.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                              \
  do {                                                                                 \
    if (!(condition)) {                                                                \
      fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, paika_error()); \
      ++failures;                                                                      \
    }                                                                                  \
  } while (0)

static paika_game *open_game(const char *spec) {
  paika_game *game = NULL;
  EXPECT(paika_game_open(spec, &game) == PAIKA_OK);
  return game;
}

static paika_position *start(const paika_game *game) {
  paika_position *position = NULL;
  EXPECT(paika_position_start(game, &position) == PAIKA_OK);
  return position;
}

static int says(const char *part) { return strstr(paika_error(), part) != NULL; }

static void games(void) {
  paika_game *game = (paika_game *)&failures;
  EXPECT(paika_game_count() == 4);
  EXPECT(strcmp(paika_game_name(0), "fanorona") == 0);
  EXPECT(paika_game_name(99) == NULL);
  EXPECT(paika_game_open("chess", &game) == PAIKA_BAD_TEXT && game == NULL && says("chess"));
  EXPECT(paika_game_open("fanorona:4x4", &game) == PAIKA_BAD_TEXT && says("odd"));
  EXPECT(paika_game_open(NULL, &game) == PAIKA_BAD_ARGUMENT && says("paika_game_open: spec is null"));
  EXPECT(paika_game_open("othello", NULL) == PAIKA_BAD_ARGUMENT && says("game is null"));
  game = open_game("blackwhite:6x6");
  EXPECT(strcmp(paika_error(), "") == 0);
  EXPECT(strcmp(paika_game_spec(game), "othello:6x6") == 0);
  EXPECT(paika_game_cols(game) == 6 && paika_game_rows(game) == 6);
  EXPECT(strcmp(paika_game_player(game, 0), "Black") == 0 && strcmp(paika_game_player(game, 1), "White") == 0);
  EXPECT(paika_game_player(game, 2) == NULL && paika_game_player(game, -1) == NULL);
  paika_game_free(game);
}

static void positions(void) {
  paika_game *game = open_game("othello");
  paika_position *first = start(game);
  paika_position *second = NULL;
  paika_position *parsed = NULL;
  paika_cell cell;
  const paika_square e4 = {4, 3};
  const paika_square off = {8, 0};
  char *text = NULL;
  paika_game_free(game); /* positions keep their game */

  EXPECT(paika_position_to_move(first) == 0 && paika_position_move_count(first) == 0);
  EXPECT(paika_position_cell(first, e4, &cell) == PAIKA_OK && cell.owner == 0);
  EXPECT(paika_position_cell(first, off, &cell) == PAIKA_BAD_ARGUMENT && says("8x8") && cell.owner == -1);
  EXPECT(paika_position_play(first, "d3", &second) == PAIKA_OK);
  EXPECT(paika_position_to_move(second) == 1 && paika_position_move_count(second) == 1);
  EXPECT(strcmp(paika_position_move(second, 0), "d3") == 0 && paika_position_move(second, 1) == NULL);
  EXPECT(paika_position_key(first) != paika_position_key(second));
  EXPECT(paika_position_move_count(first) == 0); /* values do not change */

  game = open_game("othello");
  EXPECT(paika_position_text(second, &text) == PAIKA_OK);
  EXPECT(paika_position_parse(game, text, &parsed) == PAIKA_OK);
  EXPECT(paika_position_key(parsed) == paika_position_key(second));
  paika_free(text);
  paika_position_free(parsed);
  EXPECT(paika_position_parse(game, "nonsense", &parsed) == PAIKA_BAD_TEXT && parsed == NULL);
  EXPECT(paika_position_undo(second, &parsed) == PAIKA_OK && paika_position_key(parsed) == paika_position_key(first));
  paika_position_free(parsed);
  EXPECT(paika_position_undo(first, &parsed) == PAIKA_NOT_FOUND && parsed == NULL);

  EXPECT(paika_position_diagram(first, &text) == PAIKA_OK && strchr(text, '\n') != NULL);
  paika_free(text);
  EXPECT(paika_position_svg(first, NULL, &text) == PAIKA_OK && strncmp(text, "<svg", 4) == 0);
  paika_free(text);
  EXPECT(paika_position_svg(first, "neon", &text) == PAIKA_BAD_TEXT && text == NULL && says("wood, plain and dark"));
  paika_position_free(second);
  paika_position_free(first);
  paika_game_free(game);
}

static void refusals(void) {
  paika_game *game = open_game("othello");
  paika_position *position = start(game);
  paika_position *next = NULL;
  EXPECT(paika_position_why(position, "d3") == PAIKA_OK);
  EXPECT(paika_position_why(position, "a1") == PAIKA_REFUSED);
  EXPECT(strcmp(paika_error_clause(), "2.1") == 0 && says("a1"));
  EXPECT(paika_error_squares(NULL) > 0);
  EXPECT(paika_position_play(position, "a1", &next) == PAIKA_REFUSED && next == NULL);
  EXPECT(paika_position_play(position, "\xff\xfe", &next) == PAIKA_REFUSED);
  EXPECT(paika_position_why(position, "d3") == PAIKA_OK);
  EXPECT(strcmp(paika_error_clause(), "") == 0 && paika_error_squares(NULL) == 0);
  paika_position_free(position);
  paika_game_free(game);
}

/* Walks to a move of the list by its steps, asking at each step what may follow. */
static void walk(const paika_position *position, const paika_step *steps, size_t count) {
  size_t done = 0;
  int complete = 0;
  for (done = 0; done < count; ++done) {
    paika_moves *next = NULL;
    size_t i = 0;
    int found = 0;
    EXPECT(paika_position_next_steps(position, steps, done, &next, &complete) == PAIKA_OK);
    for (i = 0; i < paika_moves_count(next); ++i) {
      const paika_step *step = NULL;
      EXPECT(paika_moves_steps(next, i, &step) == 1);
      found |= step->kind == steps[done].kind && step->square.col == steps[done].square.col &&
               step->square.row == steps[done].square.row;
    }
    EXPECT(found);
    paika_moves_free(next);
  }
}

/* Every legal move of every game's start: by text and by steps, with its effects. */
static void moves(const char *spec) {
  paika_game *game = open_game(spec);
  paika_position *position = start(game);
  paika_moves *list = NULL;
  uint64_t counted = 0;
  uint64_t nodes = 0;
  size_t i = 0;
  EXPECT(paika_position_legal_moves(position, 0, &list) == PAIKA_OK && !paika_moves_truncated(list));
  EXPECT(paika_position_count_moves(position, UINT64_MAX, &counted) == PAIKA_OK);
  EXPECT(paika_position_perft(position, 1, 1, &nodes) == PAIKA_OK);
  EXPECT(paika_moves_count(list) == counted && nodes == counted && counted > 0);
  for (i = 0; i < paika_moves_count(list); ++i) {
    paika_position *by_text = NULL;
    paika_position *by_steps = NULL;
    paika_effects *effects = NULL;
    const paika_step *steps = NULL;
    const size_t count = paika_moves_steps(list, i, &steps);
    walk(position, steps, count);
    EXPECT(paika_position_play(position, paika_moves_text(list, i), &by_text) == PAIKA_OK);
    EXPECT(paika_position_play_steps(position, steps, count, &by_steps) == PAIKA_OK);
    EXPECT(paika_position_key(by_text) == paika_position_key(by_steps));
    EXPECT(paika_position_effects(position, paika_moves_text(list, i), &effects) == PAIKA_OK);
    EXPECT(paika_effects_count(effects) > 0 && strlen(paika_effects_get(effects, 0)->text) > 0);
    EXPECT(paika_effects_get(effects, paika_effects_count(effects)) == NULL);
    paika_effects_free(effects);
    paika_position_free(by_steps);
    paika_position_free(by_text);
  }
  EXPECT(paika_moves_text(list, i) == NULL && paika_moves_steps(list, i, NULL) == 0);
  paika_moves_free(list);
  EXPECT(paika_position_legal_moves(position, 1, &list) == PAIKA_OK);
  EXPECT(paika_moves_count(list) == 1 && paika_moves_truncated(list));
  paika_moves_free(list);
  paika_position_free(position);
  paika_game_free(game);
}

static int stop_at_two(const paika_search_info *info, void *user) {
  ++*(int *)user;
  EXPECT(info->line_count > 0 && info->lines[0].move_count > 0);
  return info->depth >= 2;
}

static void search(void) {
  paika_game *game = open_game("othello:6x6");
  paika_game *other = open_game("othello:6x6");
  paika_game *abalone = open_game("abalone:4x4");
  paika_position *position = start(other);
  paika_position *wrong = start(abalone);
  paika_engine *engine = NULL;
  paika_search *found = NULL;
  int reports = 0;
  EXPECT(paika_engine_open(game, "level=0", NULL, &engine) == PAIKA_BAD_TEXT && says("level"));
  EXPECT(paika_engine_open(game, "hash=1,multipv=2", NULL, &engine) == PAIKA_OK);
  EXPECT(paika_engine_search(engine, position, "depth=4", NULL, NULL, &found) == PAIKA_OK);
  EXPECT(paika_search_get_info(found)->depth == 4 && paika_search_get_info(found)->line_count == 2);
  EXPECT(paika_position_why(position, paika_search_move(found)) == PAIKA_OK);
  paika_search_free(found);
  EXPECT(paika_engine_search(engine, position, "depth=30", stop_at_two, &reports, &found) == PAIKA_OK);
  EXPECT(reports >= 1 && paika_search_get_info(found)->depth < 30);
  paika_search_free(found);
  EXPECT(paika_engine_search(engine, position, "depth=x", NULL, NULL, &found) == PAIKA_BAD_TEXT && found == NULL);
  EXPECT(paika_engine_search(engine, position, "level=3", NULL, NULL, &found) == PAIKA_BAD_TEXT && says("limit"));
  EXPECT(paika_engine_search(engine, wrong, "depth=1", NULL, NULL, &found) == PAIKA_BAD_ARGUMENT && says("abalone"));
  EXPECT(paika_engine_forget(engine) == PAIKA_OK);
  paika_engine_stop(engine); /* nothing runs: nothing happens */
  paika_engine_free(engine);
  paika_position_free(wrong);
  paika_position_free(position);
  paika_game_free(abalone);
  paika_game_free(other);
  paika_game_free(game);
}

/* A search on a thread of its own. Its progress callback holds the first report until it is let go. */
typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int reported, let_go;
  paika_engine *engine;
  paika_position *position;
  paika_status status;
  paika_search *found;
} held_search;

static void set(held_search *held, int *flag) {
  pthread_mutex_lock(&held->mutex);
  *flag = 1;
  pthread_cond_broadcast(&held->changed);
  pthread_mutex_unlock(&held->mutex);
}

static void wait_for(held_search *held, const int *flag) {
  pthread_mutex_lock(&held->mutex);
  while (!*flag) pthread_cond_wait(&held->changed, &held->mutex);
  pthread_mutex_unlock(&held->mutex);
}

static int hold(const paika_search_info *info, void *user) {
  held_search *held = user;
  (void)info;
  set(held, &held->reported);
  wait_for(held, &held->let_go);
  return 0;
}

static void *run_search(void *user) {
  held_search *held = user;
  held->status = paika_engine_search(held->engine, held->position, "depth=60", hold, held, &held->found);
  set(held, &held->reported); /* if the search failed before its first report */
  return NULL;
}

/* An engine serves one thread at a time, and any thread may stop it. */
static void threads(void) {
  held_search held = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, NULL, NULL, PAIKA_INTERNAL, NULL};
  paika_game *game = open_game("othello");
  paika_search *second = (paika_search *)&failures;
  pthread_t thread;
  held.position = start(game);
  EXPECT(paika_engine_open(game, "hash=1", NULL, &held.engine) == PAIKA_OK);
  EXPECT(pthread_create(&thread, NULL, run_search, &held) == 0);
  wait_for(&held, &held.reported);
  EXPECT(paika_engine_search(held.engine, held.position, "depth=1", NULL, NULL, &second) == PAIKA_BUSY);
  EXPECT(second == NULL && says("another thread is using this engine"));
  EXPECT(paika_engine_forget(held.engine) == PAIKA_BUSY);
  set(&held, &held.let_go);
  paika_engine_stop(held.engine); /* without it the search goes on for days */
  pthread_join(thread, NULL);
  EXPECT(held.status == PAIKA_OK && paika_search_get_info(held.found)->depth < 60);
  EXPECT(paika_position_why(held.position, paika_search_move(held.found)) == PAIKA_OK);
  EXPECT(paika_engine_search(held.engine, held.position, "depth=1", NULL, NULL, &second) == PAIKA_OK); /* free again */
  paika_search_free(second);
  paika_search_free(held.found);
  paika_engine_free(held.engine);
  paika_position_free(held.position);
  paika_game_free(game);
}

/* A whole game by first moves, its record, and what is left to do in a finished game. */
static void records(void) {
  paika_game *game = open_game("fanorona:3x3");
  paika_position *position = start(game);
  paika_position *last = NULL;
  paika_records *read = NULL;
  paika_engine *engine = NULL;
  paika_search *found = NULL;
  paika_outcome outcome;
  paika_outcome recorded;
  char *text = NULL;
  EXPECT(paika_position_outcome(position, &outcome) == PAIKA_OK && outcome.verdict == PAIKA_ONGOING);
  while (outcome.verdict == PAIKA_ONGOING) {
    paika_moves *list = NULL;
    paika_position *next = NULL;
    EXPECT(paika_position_legal_moves(position, 1, &list) == PAIKA_OK);
    EXPECT(paika_position_play(position, paika_moves_text(list, 0), &next) == PAIKA_OK);
    paika_moves_free(list);
    paika_position_free(position);
    position = next;
    EXPECT(paika_position_outcome(position, &outcome) == PAIKA_OK);
  }
  EXPECT(paika_position_ending(position, &text) == PAIKA_OK && strlen(text) > 0);
  paika_free(text);
  EXPECT(paika_position_record(position, "Ann", NULL, &text) == PAIKA_OK);
  EXPECT(paika_records_parse(text, &read) == PAIKA_OK && paika_records_count(read) == 1);
  EXPECT(strcmp(paika_records_player(read, 0, 0), "Ann") == 0 && paika_records_player(read, 1, 0) == NULL);
  EXPECT(paika_records_outcome(read, 0, &recorded) == PAIKA_OK);
  EXPECT(recorded.verdict == outcome.verdict && strcmp(recorded.reason, outcome.reason) == 0);
  EXPECT(paika_records_position(read, 0, &last) == PAIKA_OK);
  EXPECT(paika_position_key(last) == paika_position_key(position));
  paika_position_free(last);
  EXPECT(paika_records_position(read, 7, &last) == PAIKA_BAD_ARGUMENT && last == NULL);
  paika_records_free(read);
  EXPECT(paika_records_parse("paika-record 9\n", &read) == PAIKA_BAD_TEXT && says("line 1"));
  EXPECT(paika_engine_open(game, "hash=1", NULL, &engine) == PAIKA_OK);
  EXPECT(paika_engine_search(engine, position, NULL, NULL, NULL, &found) == PAIKA_GAME_OVER);
  EXPECT(paika_position_why(position, paika_position_move(position, 0)) == PAIKA_REFUSED && says("over"));
  paika_free(text);
  paika_engine_free(engine);
  paika_position_free(last);
  paika_position_free(position);
  paika_game_free(game);
}

static void tables(const char *folder) {
  paika_game *game = open_game("fanorona:3x3");
  paika_game *other = open_game("othello");
  paika_position *position = start(game);
  paika_position *wrong = start(other);
  paika_table *table = NULL;
  paika_value value;
  paika_moves *moves = NULL;
  const paika_value *values = NULL;
  EXPECT(paika_table_open(game, "/nonexistent", &table) == PAIKA_NOT_FOUND && table == NULL);
  if (folder != NULL) {
    EXPECT(paika_table_open(game, folder, &table) == PAIKA_OK && strlen(paika_table_path(table)) > 0);
    EXPECT(paika_table_value(table, position, &value) == PAIKA_OK);
    EXPECT(paika_table_moves(table, position, &moves, &values) == PAIKA_OK && paika_moves_count(moves) > 0);
    EXPECT(values[0].result == value.result && values[0].distance == value.distance);
    EXPECT(paika_table_value(table, wrong, &value) == PAIKA_BAD_ARGUMENT);
    paika_moves_free(moves);
    paika_table_free(table);
  }
  paika_position_free(wrong);
  paika_position_free(position);
  paika_game_free(other);
  paika_game_free(game);
}

/* Null for every handle: a status or a harmless answer, never a crash. */
static void nulls(void) {
  paika_game *game = open_game("othello");
  paika_position *position = start(game);
  paika_position *next = NULL;
  paika_moves *list = NULL;
  paika_effects *effects = NULL;
  paika_engine *engine = NULL;
  paika_search *found = NULL;
  paika_table *table = NULL;
  paika_records *read = NULL;
  paika_outcome outcome;
  paika_value value;
  paika_step bad = {(paika_step_kind)77, {0, 0}};
  uint64_t count = 0;
  char *text = NULL;
  EXPECT(paika_position_start(NULL, &next) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_start(game, NULL) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_parse(game, NULL, &next) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_text(NULL, &text) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_text(position, NULL) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_diagram(NULL, &text) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_svg(NULL, NULL, &text) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_outcome(NULL, &outcome) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_ending(NULL, &text) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_legal_moves(NULL, 0, &list) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_count_moves(NULL, 1, &count) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_play(position, NULL, &next) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_play_steps(position, NULL, 1, &next) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_play_steps(position, &bad, 1, &next) == PAIKA_BAD_ARGUMENT && next == NULL);
  EXPECT(paika_position_play_steps(position, &bad, 0, &next) == PAIKA_REFUSED);
  EXPECT(paika_position_next_steps(position, &bad, 1, &list, NULL) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_next_steps(position, NULL, 0, &list, NULL) == PAIKA_OK && paika_moves_count(list) == 4);
  EXPECT(paika_position_why(NULL, "a1") == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_effects(NULL, "a1", &effects) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_perft(position, -1, 1, &count) == PAIKA_BAD_ARGUMENT && says("-1"));
  EXPECT(paika_position_perft(position, 1, 0, &count) == PAIKA_BAD_ARGUMENT && says("256"));
  EXPECT(paika_position_perft(position, 1, 1, NULL) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_engine_open(NULL, NULL, NULL, &engine) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_engine_search(NULL, position, NULL, NULL, NULL, &found) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_engine_forget(NULL) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_table_open(NULL, NULL, &table) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_table_value(NULL, position, &value) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_position_record(NULL, NULL, NULL, &text) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_records_parse(NULL, &read) == PAIKA_BAD_ARGUMENT);
  EXPECT(paika_game_spec(NULL) == NULL && paika_game_cols(NULL) == 0 && paika_position_key(NULL) == 0);
  EXPECT(paika_position_to_move(NULL) == -1 && paika_position_move(NULL, 0) == NULL);
  EXPECT(paika_search_move(NULL) == NULL && paika_search_get_info(NULL) == NULL && paika_table_path(NULL) == NULL);
  paika_engine_stop(NULL);
  paika_game_free(NULL);
  paika_position_free(NULL);
  paika_moves_free(NULL);
  paika_effects_free(NULL);
  paika_engine_free(NULL);
  paika_search_free(NULL);
  paika_table_free(NULL);
  paika_records_free(NULL);
  paika_free(NULL);
  paika_moves_free(list);
  paika_position_free(position);
  paika_game_free(game);
}

/* usage: conformance [FOLDER-OF-TABLES] */
int main(int argc, char **argv) {
  games();
  positions();
  refusals();
  moves("fanorona:9x5");
  moves("abalone");
  moves("othello");
  moves("wildebeest");
  search();
  threads();
  records();
  tables(argc > 1 ? argv[1] : NULL);
  nulls();
  if (failures == 0) puts("the C interface is as its header says");
  return failures == 0 ? 0 : 1;
}
