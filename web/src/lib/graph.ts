// The evaluation over a game as the paths of a graph: one unit per move across, 100 units high.

export interface Graph {
  line: string;
  area: string; // under the line
}

/** Positions that nobody has judged yet are left out: the graph begins and ends with what is known. */
export function graphOf(parts: readonly (number | null)[]): Graph | null {
  const points = parts.flatMap((part, x) => (part === null ? [] : [{ x, y: 100 - part * 100 }]));
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || first === last) return null;
  const line = points.map(({ x, y }) => `${x} ${y.toFixed(1)}`).join('L');
  return { line: `M${line}`, area: `M${first.x} 100L${line}L${last.x} 100Z` };
}
