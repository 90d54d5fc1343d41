// A tree in an address: the part behind the '#', so that no server has to read it and its length is the browser's matter.
//
// "1/TREE/AT": the version, the tree, and the number of the node that is looked at, as the tree lists them. Moves are
// separated by '_', and a variation follows in brackets the move that it replaces: f5_d6(f6_e6)_c3. Behind a move come its
// mark (!1 to !6, as in PGN), its comment (~…) and what is drawn (*a1.b2.r: from, to, colour). A short tree is written
// whole, of a long one only the line that is looked at.

import { type DrawingColour, drawingColours } from '../board/marks';
import {
  emptyDoc,
  lineAfter,
  maxNodes,
  moveMarks,
  nodeOf,
  pathTo,
  root,
  TreeBuilder,
  type TreeDoc,
  type TreeNode,
} from './game_tree.svelte';
import { query } from './http';
import { t } from './i18n.svelte';

export const version = '1';
export const maxWhole = 2000; // characters of a tree that is written whole

/** Text in which none of the signs above stands. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[_()!~*'.]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);

function notes({ mark, comment, shapes }: TreeNode): string {
  const drawn = shapes.map(({ from, to, colour = 'green' }) => `*${from}.${to}.${colour[0]}`);
  const marked = mark ? `!${moveMarks.indexOf(mark) + 1}` : '';
  return `${marked}${comment ? `~${escaped(comment)}` : ''}${drawn.join('')}`;
}

/** A tree from the start, and the nodes in the order in which they stand there. */
function written(doc: TreeDoc): { text: string; order: number[] } {
  const order = [root];
  const walk = (first: number): string => {
    let text = '';
    for (let id: number | undefined = first; id !== undefined; id = nodeOf(doc, id).children[0]) {
      const node = nodeOf(doc, id);
      order.push(id);
      text += `${text ? '_' : ''}${escaped(node.move)}${notes(node)}`;
      const siblings = nodeOf(doc, node.parent).children;
      if (siblings[0] === id) for (const other of siblings.slice(1)) text += `(${walk(other)})`;
    }
    return text;
  };
  const first = nodeOf(doc, root).children[0];
  const text = notes(nodeOf(doc, root));
  return { text: first === undefined ? text : `${text}_${walk(first)}`, order };
}

/** The line through a node, bare. */
function lineOf(doc: TreeDoc, at: number): { doc: TreeDoc; at: number } {
  const line = new TreeBuilder(emptyDoc(doc.spec, doc.start));
  let [end, place] = [root, root];
  for (const id of [...pathTo(doc, at), ...lineAfter(doc, at)]) {
    end = line.add(end, { move: nodeOf(doc, id).move, seat: nodeOf(doc, id).seat });
    if (id === at) place = end;
  }
  return { doc: line.done(), at: place };
}

/** What stands behind the '#' for a tree; nothing for a tree that has nothing to say. */
export function addressOf(doc: TreeDoc, at: number): string {
  let { text, order } = written(doc);
  let place = order.indexOf(at);
  if (text.length > maxWhole) {
    const line = lineOf(doc, at);
    ({ text, order } = written(line.doc));
    place = order.indexOf(line.at);
  }
  return text ? `${version}/${text}/${place}` : '';
}

/** The analysis page with a tree, or with as much of it as an address holds; `more`: what the page is to do. */
export function analysisOf(doc: TreeDoc, at: number, more: { review?: boolean } = {}): string {
  const address = addressOf(doc, at);
  return `/analysis${query({ spec: doc.spec, position: doc.start, ...more })}${address ? `#${address}` : ''}`;
}

/** The analysis page with a game as it was played, at the move with this number. */
export function analysisOfGame(
  spec: string,
  start: string,
  moves: readonly Pick<TreeNode, 'move' | 'seat'>[],
  count = moves.length,
  more: { review?: boolean } = {},
): string {
  const game = new TreeBuilder(emptyDoc(spec, start));
  let [end, at] = [root, root];
  for (const [i, { move, seat }] of moves.entries()) {
    end = game.add(end, { move, seat });
    if (i < count) at = end;
  }
  return analysisOf(game.done(), at, more);
}

export interface AddressedTree {
  doc: TreeDoc;
  at: number;
  fault: string; // what could not be read; empty: all could
}

const colourOf = (letter: string | undefined): DrawingColour | undefined =>
  drawingColours.find((colour) => colour[0] === letter);

/** What stands behind a move, or at the start. Throws if it is none of ours. */
function readNotes(text: string): Partial<Pick<TreeNode, 'mark' | 'comment' | 'shapes'>> {
  const parts = /^(?:!([1-6]))?(?:~([^*]*))?((?:\*[A-Za-z0-9]+\.[A-Za-z0-9]+\.[a-z])*)$/.exec(text);
  if (!parts) throw new Error(text);
  const [, mark, comment, drawn] = parts;
  const shapes = (drawn ?? '')
    .split('*')
    .slice(1)
    .map((one) => {
      const [from = '', to = '', letter] = one.split('.');
      const colour = colourOf(letter);
      if (!colour) throw new Error(one);
      return { from, to, colour };
    });
  return {
    ...(mark ? { mark: moveMarks[Number(mark) - 1]! } : {}),
    ...(comment ? { comment: decodeURIComponent(comment) } : {}),
    ...(shapes.length > 0 ? { shapes } : {}),
  };
}

/** Reads as much of an address as makes sense. Whose moves they are, and whether they are legal, the engine says. */
export function readAddress(address: string, spec: string, start: string): AddressedTree {
  const tree = new TreeBuilder(emptyDoc(spec, start));
  const order = [root];
  if (!address) return { doc: tree.done(), at: root, fault: '' };
  const [said, text = '', place] = address.split('/');
  if (said !== version) return { doc: tree.done(), at: root, fault: t('The address is of another version of Paika.') };
  let here: number = root; // the move before the next one
  const open: number[] = []; // the moves that brackets are alternatives to
  let fault = '';
  for (const token of text.match(/[()_]|[^()_]+/g) ?? []) {
    try {
      if (token === '_') continue;
      if (token === '(') {
        if (here === root) throw new Error(token);
        open.push(here);
        here = tree.node(here).parent;
      } else if (token === ')') {
        const before = open.pop();
        if (before === undefined) throw new Error(token);
        here = before;
      } else {
        if (order.length >= maxNodes) throw new Error(token);
        here = take(token);
      }
    } catch {
      fault = t('The address is damaged at {}: the moves before it are shown.', token.slice(0, 20));
      break;
    }
  }
  if (!fault && open.length > 0) fault = t('The address is not whole: its end is missing.');
  return { doc: tree.done(), at: order[Number(place)] ?? order.at(-1) ?? root, fault };

  /** Adds the node of a token; at the start, the start's own notes. */
  function take(token: string): number {
    const [, move = '', rest = ''] = /^([^!~*]*)(.*)$/s.exec(token) ?? [];
    const notes = readNotes(rest);
    if (!move) {
      if (here !== root || order.length > 1) throw new Error(token);
      tree.change(root, notes);
      return root;
    }
    const id = tree.add(here, { move: decodeURIComponent(move), seat: 'first', ...notes });
    order.push(id);
    return id;
  }
}
