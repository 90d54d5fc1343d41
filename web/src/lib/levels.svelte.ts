// The engine's levels by their names, wherever an opponent is chosen or shown.

import { engine } from './engine';
import { t } from './i18n.svelte';
import type { LevelInfo } from './types';

/** The strongest level, which uses all the time it is given. */
export const fullLevel = 14;

class Levels {
  private all = $state.raw<readonly LevelInfo[]>([]);

  /** Asks for the names; until they come, or if they do not, levels are numbers. */
  async load(): Promise<void> {
    if (this.all.length === 0) this.all = await engine().levels();
  }

  of(level: number): LevelInfo | undefined {
    return this.all.find((one) => one.level === level);
  }

  /** The computer as an opponent: "Beginner (computer, level 2)". */
  player(level: number): string {
    const known = this.of(level);
    return known ? t('{} (computer, level {})', t(known.name), level) : t('the computer, level {}', level);
  }
}

export const levels = new Levels();
