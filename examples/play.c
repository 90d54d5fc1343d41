/* Plays a game with the engine on both sides and prints it: play [SPEC] [SETTINGS].
 * Build: cc -std=c99 play.c $(pkg-config --cflags --libs paika) -o play */
#include <paika.h>
#include <stdio.h>
#include <stdlib.h>

static void check(paika_status status) {
  if (status == PAIKA_OK) return;
  fprintf(stderr, "play: %s\n", paika_error());
  exit(2);
}

/* Prints what a completed depth has found; 0: the search goes on. */
static int show(const paika_search_info *info, void *user) {
  const paika_line *best = &info->lines[0];
  (void)user;
  fprintf(stderr, "  depth %d: %s %s\n", info->depth, best->moves[0], best->score_text);
  return 0;
}

static void print(char *text) {
  puts(text);
  paika_free(text);
}

int main(int argc, char **argv) {
  paika_game *game = NULL;
  paika_engine *engine = NULL;
  paika_position *position = NULL;
  paika_outcome outcome;
  char *text = NULL;

  check(paika_game_open(argc > 1 ? argv[1] : "fanorona:5x5", &game));
  check(paika_engine_open(game, argc > 2 ? argv[2] : "nodes=5000,hash=4", NULL, &engine));
  check(paika_position_start(game, &position));
  check(paika_position_outcome(position, &outcome));
  while (outcome.verdict == PAIKA_ONGOING && paika_position_move_count(position) < 300) {
    paika_search *search = NULL;
    paika_position *next = NULL;
    const char *player = paika_game_player(game, paika_position_to_move(position));
    check(paika_engine_search(engine, position, NULL, show, NULL, &search));
    printf("%zu. %s: %s\n", paika_position_move_count(position) + 1, player, paika_search_move(search));
    check(paika_position_play(position, paika_search_move(search), &next));
    paika_search_free(search);
    paika_position_free(position);
    position = next;
    check(paika_position_outcome(position, &outcome));
  }
  check(paika_position_diagram(position, &text));
  print(text);
  check(paika_position_ending(position, &text));
  print(text);
  paika_position_free(position);
  paika_engine_free(engine);
  paika_game_free(game);
  return 0;
}
