// What somebody has done, kept in this browser: lessons, and puzzles with their streaks.

/** A value that outlives the visit, where the browser allows it. */
export class Kept<T extends object> {
  value: T = $state.raw({} as T);

  constructor(
    private readonly key: string,
    standard: T,
  ) {
    this.value = standard;
    try {
      const found = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<T>;
      if (typeof found === 'object' && found !== null && !Array.isArray(found)) this.value = { ...standard, ...found };
    } catch {
      // Storage may be forbidden, or hold something else.
    }
  }

  put(change: Partial<T>): void {
    this.value = { ...this.value, ...change };
    try {
      localStorage.setItem(this.key, JSON.stringify(this.value));
    } catch {
      // Without storage it holds for this visit.
    }
  }
}

const lessons = new Kept<Record<string, boolean>>('paika.lessons', {});

export const lessonDone = (game: string, id: string): boolean => lessons.value[`${game}/${id}`] === true;
export const finishLesson = (game: string, id: string): void => lessons.put({ [`${game}/${id}`]: true });

interface PuzzleRecord {
  solved: Record<string, 'clean' | 'helped'>; // by game and id; helped: after a wrong move, or once the solution was seen
  streak: number; // solved one after the other without help
  best: number; // the longest streak
  day: number; // the last day whose puzzle was solved
  days: number; // so many days in a row
}

const nothingSolved: PuzzleRecord = { solved: {}, streak: 0, best: 0, day: -1, days: 0 };

/** Puzzles that were solved, and how many in a row. */
export class PuzzleProgress {
  private readonly kept = new Kept<PuzzleRecord>('paika.puzzles', nothingSolved);

  get streak(): number {
    return this.kept.value.streak;
  }

  get best(): number {
    return this.kept.value.best;
  }

  isSolved(game: string, id: string): boolean {
    return `${game}/${id}` in this.kept.value.solved;
  }

  /** How many days in a row have their puzzle solved; today's may still be open. */
  daysInARow(today: number): number {
    return this.kept.value.day >= today - 1 ? this.kept.value.days : 0;
  }

  /** `today`: only for the puzzle of the day. */
  solve(game: string, id: string, clean: boolean, today?: number): void {
    const { solved, streak, best, day, days } = this.kept.value;
    const longer = clean && !this.isSolved(game, id) ? streak + 1 : streak;
    this.kept.put({
      solved: { ...solved, [`${game}/${id}`]: clean ? 'clean' : 'helped' },
      streak: longer,
      best: Math.max(best, longer),
      ...(today === undefined || today === day ? {} : { day: today, days: day === today - 1 ? days + 1 : 1 }),
    });
  }

  /** A wrong move, or the solution was shown: the streak is over, unless the puzzle was solved before. */
  help(game: string, id: string): void {
    if (!this.isSolved(game, id)) this.kept.put({ streak: 0 });
  }
}
