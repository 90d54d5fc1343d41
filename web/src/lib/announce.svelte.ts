// What a screen reader says: one region for the whole page, filled with the newest sentence.

class Announcer {
  text = $state('');
  private flip = false;

  say(text: string): void {
    // The same sentence twice must be a change, or it is not said again.
    this.flip = !this.flip;
    this.text = this.flip ? text : `${text}\u00a0`;
  }
}

export const announcer = new Announcer();
