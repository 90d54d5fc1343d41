// QR codes for links: bytes, error correction level M, the smallest of versions 1 to 10 that fits.
//
// Written from ISO/IEC 18004: data and correction words, their order, the eight masks and the choice among them.

/** Blocks of level M by version: correction words a block, then pairs of (blocks, data words). */
const blocksM: [number, [number, number][]][] = [
  [10, [[1, 16]]],
  [16, [[1, 28]]],
  [26, [[1, 44]]],
  [18, [[2, 32]]],
  [24, [[2, 43]]],
  [16, [[4, 27]]],
  [18, [[4, 31]]],
  [
    22,
    [
      [2, 38],
      [2, 39],
    ],
  ],
  [
    22,
    [
      [3, 36],
      [2, 37],
    ],
  ],
  [
    26,
    [
      [4, 43],
      [1, 44],
    ],
  ],
];

/** Centres of the alignment patterns by version. */
const alignments: number[][] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

// ---- Arithmetic of 256 elements ----

const powers = new Uint8Array(512);
const logs = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++) {
  powers[i] = powers[i + 255] = x;
  logs[x] = i;
  x = x & 128 ? (x << 1) ^ 0x11d : x << 1;
}
const times = (a: number, b: number): number => (a && b ? powers[logs[a]! + logs[b]!]! : 0);

/** The remainder of data · x^count by the generator of that many correction words. */
export function correction(data: readonly number[], count: number): number[] {
  let generator = [1];
  for (let i = 0; i < count; i++) {
    const next = [...generator, 0];
    generator.forEach((g, j) => {
      next[j + 1] = next[j + 1]! ^ times(g, powers[i]!);
    });
    generator = next;
  }
  const rest = [...data, ...new Array<number>(count).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const lead = rest[i]!;
    if (lead === 0) continue;
    generator.forEach((g, j) => {
      rest[i + j] = rest[i + j]! ^ times(g, lead);
    });
  }
  return rest.slice(data.length);
}

// ---- Words ----

function dataWords(bytes: Uint8Array, version: number, capacity: number): number[] {
  const bits: number[] = [];
  const put = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, capacity * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const words: number[] = [];
  for (let i = 0; i < bits.length; i += 8) words.push(Number.parseInt(bits.slice(i, i + 8).join(''), 2));
  for (let pad = 0xec; words.length < capacity; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

function allWords(bytes: Uint8Array): { version: number; words: number[] } {
  for (const [i, [checks, groups]] of blocksM.entries()) {
    const capacity = groups.reduce((sum, [count, size]) => sum + count * size, 0);
    const version = i + 1;
    if (bytes.length + (version < 10 ? 2 : 3) > capacity) continue;
    const data = dataWords(bytes, version, capacity);
    const blocks: number[][] = [];
    let at = 0;
    for (const [count, size] of groups) {
      for (let b = 0; b < count; b++, at += size) blocks.push(data.slice(at, at + size));
    }
    const ends = blocks.map((block) => correction(block, checks));
    const words: number[] = [];
    const longest = Math.max(...blocks.map((b) => b.length));
    for (let j = 0; j < longest; j++) for (const block of blocks) if (j < block.length) words.push(block[j]!);
    for (let j = 0; j < checks; j++) for (const end of ends) words.push(end[j]!);
    return { version, words };
  }
  throw new Error('the text is too long for a QR code');
}

// ---- The picture ----

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

class Picture {
  readonly dark: boolean[][];
  readonly fixed: boolean[][];

  constructor(readonly size: number) {
    this.dark = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
    this.fixed = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  }

  set(x: number, y: number, dark: boolean): void {
    if (x < 0 || y < 0 || x >= this.size || y >= this.size) return;
    this.dark[y]![x] = dark;
    this.fixed[y]![x] = true;
  }

  finder(cx: number, cy: number): void {
    for (let dy = -4; dy <= 4; dy++) {
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        this.set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
      }
    }
  }

  patterns(version: number): void {
    const end = this.size - 1;
    for (let i = 0; i < this.size; i++) {
      this.set(6, i, i % 2 === 0);
      this.set(i, 6, i % 2 === 0);
    }
    const centres = alignments[version - 1]!;
    for (const x of centres) {
      for (const y of centres) {
        if ((x < 8 && y < 8) || (x < 8 && y > end - 8) || (x > end - 8 && y < 8)) continue;
        for (let dy = -2; dy <= 2; dy++) {
          for (let dx = -2; dx <= 2; dx++) this.set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
        }
      }
    }
    this.finder(3, 3);
    this.finder(end - 3, 3);
    this.finder(3, end - 3);
    this.format(0);
    if (version >= 7) this.version(version);
  }

  format(mask: number): void {
    const data = mask; // level M is 00
    let rest = data << 10;
    for (let i = 14; i >= 10; i--) if ((rest >> i) & 1) rest ^= 0x537 << (i - 10);
    const bits = ((data << 10) | rest) ^ 0x5412;
    const bit = (i: number): boolean => ((bits >> i) & 1) === 1;
    for (let i = 0; i <= 5; i++) this.set(8, i, bit(i));
    this.set(8, 7, bit(6));
    this.set(8, 8, bit(7));
    this.set(7, 8, bit(8));
    for (let i = 9; i < 15; i++) this.set(14 - i, 8, bit(i));
    for (let i = 0; i < 8; i++) this.set(this.size - 1 - i, 8, bit(i));
    for (let i = 8; i < 15; i++) this.set(8, this.size - 15 + i, bit(i));
    this.set(8, this.size - 8, true);
  }

  version(version: number): void {
    let rest = version << 12;
    for (let i = 17; i >= 12; i--) if ((rest >> i) & 1) rest ^= 0x1f25 << (i - 12);
    const bits = (version << 12) | rest;
    for (let i = 0; i < 18; i++) {
      const dark = ((bits >> i) & 1) === 1;
      const a = this.size - 11 + (i % 3);
      const b = Math.floor(i / 3);
      this.set(a, b, dark);
      this.set(b, a, dark);
    }
  }

  /** Words go up and down in pairs of columns from the right. */
  fill(words: readonly number[]): void {
    let at = 0;
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let k = 0; k < this.size; k++) {
        for (const x of [right, right - 1]) {
          const up = ((right + 1) & 2) === 0;
          const y = up ? this.size - 1 - k : k;
          if (this.fixed[y]![x]) continue;
          this.dark[y]![x] = at < words.length * 8 && ((words[at >> 3]! >> (7 - (at & 7))) & 1) === 1;
          at++;
        }
      }
    }
  }

  mask(which: number): void {
    const turns = masks[which]!;
    for (let y = 0; y < this.size; y++) {
      for (let x = 0; x < this.size; x++) if (!this.fixed[y]![x] && turns(x, y)) this.dark[y]![x] = !this.dark[y]![x];
    }
  }

  /** How hard it is to read: long runs, blocks, false finders, too much of one colour. */
  penalty(): number {
    let sum = 0;
    const at = (x: number, y: number, across: boolean): boolean => (across ? this.dark[y]![x]! : this.dark[x]![y]!);
    for (const across of [true, false]) {
      for (let y = 0; y < this.size; y++) {
        let run = 0;
        let text = '';
        for (let x = 0; x < this.size; x++) {
          run = x > 0 && at(x, y, across) === at(x - 1, y, across) ? run + 1 : 1;
          if (run === 5) sum += 3;
          else if (run > 5) sum += 1;
          text += at(x, y, across) ? '1' : '0';
        }
        for (let x = 0; x + 11 <= text.length; x++) {
          const part = text.slice(x, x + 11);
          if (part === '10111010000' || part === '00001011101') sum += 40;
        }
      }
    }
    let dark = 0;
    for (let y = 0; y < this.size; y++) {
      for (let x = 0; x < this.size; x++) {
        const c = this.dark[y]![x]!;
        if (c) dark++;
        if (
          x > 0 &&
          y > 0 &&
          c === this.dark[y]![x - 1] &&
          c === this.dark[y - 1]![x] &&
          c === this.dark[y - 1]![x - 1]
        )
          sum += 3;
      }
    }
    return sum + Math.floor(Math.abs((dark * 20) / (this.size * this.size) - 10)) * 10;
  }
}

/** The code of a text as rows of dark and light, without the quiet zone around it. */
export function qrCode(text: string): boolean[][] {
  const { version, words } = allWords(new TextEncoder().encode(text));
  let best: Picture | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let mask = 0; mask < masks.length; mask++) {
    const picture = new Picture(17 + 4 * version);
    picture.patterns(version);
    picture.fill(words);
    picture.mask(mask);
    picture.format(mask);
    const penalty = picture.penalty();
    if (penalty < least) {
      least = penalty;
      best = picture;
    }
  }
  return best!.dark;
}

/** The same as the path of an SVG drawing, one unit a module. */
export function qrPath(code: boolean[][]): string {
  return code
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
    .filter(Boolean)
    .join('');
}
