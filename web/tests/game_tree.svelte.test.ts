import { describe, expect, it } from 'vitest';
import {
  branchOf,
  emptyDoc,
  GameTree,
  mainLine,
  maxNodes,
  movesTo,
  nodeOf,
  preorder,
  root,
  rowsOf,
} from '../src/lib/game_tree.svelte';

/** Plays moves from a node, the sides in turn. */
function line(tree: GameTree, from: number, ...moves: string[]): number {
  tree.go(from);
  for (const move of moves) tree.play(move, tree.path.length % 2 === 0 ? 'first' : 'second');
  return tree.at;
}

function opened(): GameTree {
  const tree = new GameTree();
  tree.load(emptyDoc('drop:3'));
  return tree;
}

/** The rows as text, brackets and all. */
const text = (tree: GameTree): string[] =>
  rowsOf(tree.doc).map(({ depth, tokens }) => {
    const words = tokens.map(
      ({ id, number, open, close }) => `${'('.repeat(open)}${number}${nodeOf(tree.doc, id).move}${')'.repeat(close)}`,
    );
    return `${'> '.repeat(depth)}${words.join(' ')}`;
  });

const moves = (tree: GameTree): string[] => mainLine(tree.doc).map((id) => nodeOf(tree.doc, id).move);

describe('a tree of moves', () => {
  it('adds another move as a variation and keeps what was there', () => {
    const tree = opened();
    line(tree, root, 'a', 'b', 'c');
    const fork = tree.path[0]!;
    line(tree, fork, 'd', 'e');
    expect(moves(tree)).toEqual(['a', 'b', 'c']);
    expect(movesTo(tree.doc, tree.at)).toEqual(['a', 'd', 'e']);
    const known = line(tree, fork, 'b');
    expect(tree.doc.nodes.size).toBe(6); // no move stands there twice
    expect(movesTo(tree.doc, known)).toEqual(['a', 'b']);
  });

  it('leafs along the line that was looked at last', () => {
    const tree = opened();
    const end = line(tree, root, 'a', 'b', 'c');
    const other = line(tree, tree.path[0]!, 'd', 'e');
    tree.go(root);
    expect(tree.end).toBe(other);
    tree.go(tree.following!);
    tree.go(tree.following!);
    expect(tree.node.move).toBe('d');
    expect(nodeOf(tree.doc, tree.sibling(-1)).move).toBe('b');
    expect(tree.sibling(1)).toBe(tree.at);
    tree.go(end);
    expect(tree.following).toBeUndefined();
    expect(tree.end).toBe(end);
    tree.go(999);
    expect(tree.at).toBe(end);
  });

  it('promotes a variation, at its innermost branch first', () => {
    const tree = opened();
    line(tree, root, 'a', 'b');
    line(tree, root, 'c', 'd');
    const inner = line(tree, tree.path[0]!, 'e');
    expect(branchOf(tree.doc, inner)).toBe(inner);
    tree.promote(inner);
    expect(text(tree)).toEqual(['1.a', '> 1.c e (1…d)', '1…b']);
    tree.promote(inner);
    expect(moves(tree)).toEqual(['c', 'e']);
    const before = tree.doc;
    tree.promote(inner);
    expect(tree.doc).toBe(before);
  });

  it('removes a move with all that follows, and stays where it can', () => {
    const tree = opened();
    const end = line(tree, root, 'a', 'b', 'c');
    const [a, b] = tree.path as [number, number];
    const other = line(tree, a, 'd');
    tree.remove(b);
    expect(tree.at).toBe(other);
    expect(moves(tree)).toEqual(['a', 'd']);
    expect(tree.doc.nodes.has(end)).toBe(false);
    tree.remove(a);
    expect(tree.at).toBe(root);
    expect(preorder(tree.doc)).toEqual([root]);
    tree.remove(root);
    expect(tree.doc.nodes.size).toBe(1);
  });

  it('forgets the result when the main line becomes another', () => {
    const tree = new GameTree();
    const result = { verdict: 'first_wins' as const, reason: 'resigned', remark: '' };
    tree.load({ ...emptyDoc('drop:3'), result: null });
    const end = line(tree, root, 'a', 'b');
    tree.load({ ...tree.doc, result }, end);
    tree.comment(end, 'resigns');
    line(tree, tree.path[0]!, 'c');
    expect(tree.doc.result).toEqual(result);
    line(tree, end, 'c');
    expect(tree.doc.result).toBeNull();
    tree.undo();
    expect(tree.doc.result).toEqual(result);
  });

  it('is as large as it may be, and no larger', () => {
    const tree = opened();
    const nodes = new Map(tree.doc.nodes);
    for (let id = 1; id < maxNodes; id++) nodes.set(id, { ...nodeOf(tree.doc, root), parent: root, move: `m${id}` });
    tree.load({ ...tree.doc, nodes, next: maxNodes });
    tree.play('new', 'first');
    expect(tree.doc.nodes.size).toBe(maxNodes);
    expect(tree.at).toBe(root);
  });
});

describe('undo and redo', () => {
  it('take back every kind of edit, one by one, with the place', () => {
    const tree = opened();
    expect(tree.canUndo).toBe(false);
    const end = line(tree, root, 'a', 'b');
    tree.mark(end, '!?');
    tree.draw(end, [{ from: 'a1', to: 'b1' }]);
    tree.comment(end, 'Why?');
    line(tree, root, 'c');
    tree.promote(tree.at);
    tree.remove(end);
    const docs = [tree.doc];
    const places = [tree.at];
    while (tree.canUndo) {
      tree.undo();
      docs.push(tree.doc);
      places.push(tree.at);
    }
    expect(docs.length).toBe(9);
    expect(tree.doc.nodes.size).toBe(1);
    expect(tree.at).toBe(root);
    tree.undo();
    for (let i = docs.length - 2; i >= 0; i--) {
      tree.redo();
      expect(tree.doc).toBe(docs[i]);
      expect(tree.at).toBe(places[i]);
    }
    expect(tree.canRedo).toBe(false);
    tree.redo();
    tree.undo();
    line(tree, root, 'z');
    expect(tree.canRedo).toBe(false); // another edit ends what was taken back
  });

  it('take words typed in one go as one edit', () => {
    const tree = opened();
    const end = line(tree, root, 'a');
    for (const text of ['W', 'Wh', 'Why']) tree.comment(end, text);
    tree.go(root);
    tree.go(end);
    tree.comment(end, 'Why?');
    tree.undo();
    expect(tree.node.comment).toBe('Why');
    tree.undo();
    expect(tree.node.comment).toBe('');
    expect(tree.node.move).toBe('a');
  });

  it('bring back the game before another was loaded', () => {
    const tree = opened();
    const end = line(tree, root, 'a');
    tree.load(emptyDoc('drop:5'));
    tree.undo();
    expect(tree.doc.spec).toBe('drop:3');
    expect(tree.at).toBe(end);
  });

  it('take a mark away that is given twice, and never mark the start', () => {
    const tree = opened();
    const end = line(tree, root, 'a');
    tree.mark(end, '!');
    expect(tree.node.mark).toBe('!');
    tree.mark(end, '!');
    expect(tree.node.mark).toBe('');
    tree.mark(root, '!');
    expect(nodeOf(tree.doc, root).mark).toBe('');
  });
});

describe('the moves as people read them', () => {
  it('have numbers, and variations in rows and brackets', () => {
    const tree = opened();
    line(tree, root, 'a', 'b', 'c', 'd');
    const [a, b] = tree.path as [number, number];
    line(tree, a, 'x', 'y', 'z');
    line(tree, tree.path[1]!, 'w', 'v');
    line(tree, a, 'q');
    expect(text(tree)).toEqual(['1.a b', '> 1…x 2.y (2.w v) 2…z', '> 1…q', '2.c d']);
    tree.comment(b, 'Well.');
    tree.comment(line(tree, b, 'c'), 'Hm.');
    expect(text(tree).at(-1)).toBe('2.c 2…d');
  });

  it('begin with the second player where that one moves first', () => {
    const tree = new GameTree();
    tree.load(emptyDoc('drop:3', 'w..', 'second'));
    tree.play('a', 'second');
    tree.play('b', 'first');
    tree.play('c', 'second');
    expect(text(tree)).toEqual(['1…a 2.b c']);
    expect(rowsOf(emptyDoc('drop:3'))).toEqual([]);
  });

  it('are written for a game of thousands of moves', () => {
    const tree = opened();
    let { doc } = tree;
    const nodes = new Map(doc.nodes);
    for (let id = 1; id <= 5000; id++) {
      nodes.set(id - 1, { ...nodes.get(id - 1)!, children: [id] });
      nodes.set(id, { ...nodeOf(doc, root), parent: id - 1, move: 'm', seat: id % 2 ? 'first' : 'second' });
    }
    doc = { ...doc, nodes };
    expect(rowsOf(doc)[0]?.tokens.length).toBe(5000);
    expect(rowsOf(doc)[0]?.tokens.at(-1)?.number).toBe('');
  });
});
