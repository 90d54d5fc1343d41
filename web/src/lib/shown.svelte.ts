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
  key = (event: KeyboardEvent): boolean => {
    if (event.key === ',') this.go(this.at - 1);
    else if (event.key === '.') this.go(this.at + 1);
    else return false;
    return true;
  };
}
