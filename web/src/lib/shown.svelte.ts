// Which turn of a game is looked at: the last one as it comes, or one that somebody went back to.

export class Shown {
  #count: () => number;
  #at = $state<number | null>(null);

  /** `count` tells how many turns the game has now. */
  constructor(count: () => number) {
    this.#count = count;
  }

  /** How many turns are played in what is shown. */
  get at(): number {
    return Math.min(this.#at ?? this.#count(), this.#count());
  }

  /** True if the game is shown as it stands. */
  get live(): boolean {
    return this.at === this.#count();
  }

  /** Shows the game after `count` turns; after the last one it goes on with the game. */
  go = (count: number): void => {
    const bounded = Math.max(0, Math.min(count, this.#count()));
    this.#at = bounded === this.#count() ? null : bounded;
  };

  /** Goes back and forth by `,` and `.`; true if the key was one of them. */
  key = (event: KeyboardEvent): boolean => leafKey(event, this.at, this.go);
}

/** `,` and `.`, which the board leaves free, go back and forth; true if the key was one of them. */
export function leafKey(event: KeyboardEvent, at: number, go: (at: number) => void): boolean {
  if (event.key === ',') go(at - 1);
  else if (event.key === '.') go(at + 1);
  else return false;
  return true;
}

/** Keys anywhere on the page, but for fields and the board: arrows and Home and End leaf too, `f` flips. */
export function pageKey(
  event: KeyboardEvent,
  { at, count, go, flip }: { at: number; count: number; go: (at: number) => void; flip: () => void },
): void {
  const elsewhere = (event.target as Element).closest?.('input, textarea, select, svg');
  if (elsewhere || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === 'ArrowLeft') go(at - 1);
  else if (event.key === 'ArrowRight') go(at + 1);
  else if (event.key === 'Home') go(0);
  else if (event.key === 'End') go(count);
  else if (event.key === 'f') flip();
  else if (!leafKey(event, at, go)) return;
  event.preventDefault();
}
