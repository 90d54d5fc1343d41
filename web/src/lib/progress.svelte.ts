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
