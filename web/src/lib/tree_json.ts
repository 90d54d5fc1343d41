// Trees as the engine reads and writes them (docs/openapi.json, Tree), and as they are kept in this browser.

import { drawingColours } from '../board/marks';
import {
  emptyDoc,
  type MoveMark,
  maxComment,
  type NewNode,
  nodeOf,
  preorder,
  root,
  TreeBuilder,
  type TreeDoc,
} from './game_tree.svelte';
import type { TreeData } from './types';

type NodeData = TreeData['nodes'][number];

/** The tree that the engine has sent. */
export function docOf(data: TreeData): TreeDoc {
  const [start, ...rest] = data.nodes;
  const builder = new TreeBuilder(emptyDoc(data.spec, data.start ?? '', start?.seat ?? 'first'));
  builder.change(root, { comment: start?.comment ?? '', shapes: start?.shapes ?? [] });
  for (const node of rest) builder.add(node.parent ?? root, newNode(node));
  return {
    ...builder.done(),
    players: [data.players[0] ?? '', data.players[1] ?? ''],
    tags: data.tags as [string, string][],
    result: data.result && data.result.verdict !== 'ongoing' ? data.result : null,
  };
}

function newNode({ move, seat, mark, comment, shapes, clock_ms, time_us, score, depth }: NodeData) {
  return {
    move: move ?? '',
    seat: seat ?? 'first',
    mark: (mark ?? '') as MoveMark,
    comment: comment ?? '',
    shapes: shapes ?? [],
    record: {
      ...(clock_ms === undefined ? {} : { clock_ms }),
      ...(time_us === undefined ? {} : { time_us }),
      ...(score === undefined ? {} : { score }),
      ...(depth === undefined ? {} : { depth }),
    },
  } satisfies NewNode;
}

/** The tree to send: nodes are numbered as preorder() lists them, and what is empty is left out. */
export function dataOf(doc: TreeDoc): TreeData {
  const order = preorder(doc);
  const numbers = new Map(order.map((id, number) => [id, number]));
  const nodes = order.map((id): NodeData => {
    const { parent, move, seat, mark, comment, shapes, record } = nodeOf(doc, id);
    return {
      ...(id === root ? {} : { parent: numbers.get(parent) ?? root, move }),
      seat,
      ...(mark ? { mark } : {}),
      ...(comment ? { comment } : {}),
      ...(shapes.length > 0
        ? { shapes: shapes.map(({ from, to, colour }) => ({ from, to, colour: colour ?? drawingColours[0] })) }
        : {}),
      ...record,
    };
  });
  return {
    spec: doc.spec,
    ...(doc.start ? { start: doc.start } : {}),
    players: [...doc.players],
    tags: doc.tags.map(([name, value]) => [name, value]),
    ...(doc.result ? { result: doc.result } : {}),
    nodes,
  };
}

/** A tree that was kept as JSON; null if it is none. */
export function docOfText(text: string): TreeDoc | null {
  try {
    const data = JSON.parse(text) as TreeData;
    const whole =
      typeof data.spec === 'string' &&
      Array.isArray(data.nodes) &&
      Array.isArray(data.players) &&
      Array.isArray(data.tags) &&
      data.nodes.every((node, i) => i === 0 || (typeof node.move === 'string' && Number(node.parent) < i)) &&
      data.nodes.every((node) => (node.comment?.length ?? 0) <= maxComment);
    return whole ? docOf(data) : null;
  } catch {
    return null;
  }
}
