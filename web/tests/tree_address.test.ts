import { describe, expect, it } from 'vitest';
import { emptyDoc, GameTree, mainLine, movesTo, nodeOf, root } from '../src/lib/game_tree.svelte';
import { addressOf, analysisOfGame, maxWhole, readAddress } from '../src/lib/tree_address';
import { dataOf, docOf, docOfText } from '../src/lib/tree_json';

function example(): GameTree {
  const tree = new GameTree();
  tree.load(emptyDoc('othello'));
  const play = (from: number, ...moves: string[]) => {
    tree.go(from);
    for (const move of moves) tree.play(move, tree.path.length % 2 === 0 ? 'first' : 'second');
    return tree.at;
  };
  const end = play(root, 'f5', 'd6', 'c3');
  const fork = tree.path[0]!;
  const other = play(fork, 'f6', 'e6');
  tree.mark(other, '?!');
  tree.comment(other, 'Is (this) ~so~ *good*_? é');
  tree.draw(end, [
    { from: 'a1', to: 'b2', colour: 'red' },
    { from: 'c3', to: 'c3', colour: 'blue' },
  ]);
  tree.comment(root, 'Start');
  tree.go(other);
  return tree;
}

describe('the address of a tree', () => {
  it('holds a short tree entirely', () => {
    const { doc, at } = example();
    const address = addressOf(doc, at);
    expect(address).toMatch(/^1\/~Start_f5_d6\(f6_e6!6~Is.*\)_c3\*a1\.b2\.r\*c3\.c3\.b\/4$/);
    expect(address).toMatch(/^[A-Za-z0-9_()!~*.%/]*$/);
    const read = readAddress(address, 'othello', '');
    expect(read.fault).toBe('');
    expect(movesTo(read.doc, read.at)).toEqual(movesTo(doc, at));
    expect(addressOf(read.doc, read.at)).toBe(address);
    expect(nodeOf(read.doc, read.at).comment).toBe('Is (this) ~so~ *good*_? é');
    expect(nodeOf(read.doc, root).comment).toBe('Start');
    expect(addressOf(emptyDoc('othello'), root)).toBe('');
  });

  it('brings a game that was played to the analysis board, whole however long it is', () => {
    const seats = ['first', 'second'] as const;
    const moves = Array.from({ length: 400 }, (_, i) => ({ move: `D${i},E5A`, seat: seats[i % 2]! }));
    for (const [count, review] of [
      [400, true],
      [7, false],
    ] as const) {
      const link = new URL(analysisOfGame('othello', '', moves, count, { ...(review && { review }) }), 'http://x');
      expect(link.pathname).toBe('/analysis');
      expect(link.searchParams.has('review')).toBe(review);
      const { doc, at, fault } = readAddress(link.hash.slice(1), 'othello', '');
      expect(fault).toBe('');
      expect(mainLine(doc).map((id) => nodeOf(doc, id).move)).toEqual(moves.map(({ move }) => move));
      expect(movesTo(doc, at).length).toBe(count);
    }
    expect(analysisOfGame('abalone', 'x o', [])).toBe('/analysis?spec=abalone&position=x+o');
  });

  it('holds the whole line of a long one', () => {
    const tree = example();
    tree.comment(root, 'long '.repeat(maxWhole / 4));
    tree.go(tree.path[0]!);
    const address = addressOf(tree.doc, tree.at);
    expect(address).toBe('1/_f5_d6_c3/1');
    let moves = 0;
    for (tree.go(tree.end); moves < 300; moves++) tree.play(`m${moves}`, moves % 2 ? 'first' : 'second');
    const read = readAddress(addressOf(tree.doc, tree.at), 'othello', '');
    expect(mainLine(read.doc).length).toBe(303);
    expect(read.at).toBe(mainLine(read.doc).at(-1));
  });

  it.each([
    ['2/_f5/1', 'another version', 0],
    ['1/_f5_d6)_c3/2', 'damaged at )', 2],
    ['1/_f5_d6!9_c3/2', 'damaged at d6!9', 1],
    ['1/_f5_%E0%A4%A_c3/2', 'damaged at', 1],
    ['1/_f5*a1.b2.z/1', 'damaged', 0],
    ['1/(f5)/1', 'damaged', 0],
    ['1/_f5_d6(f6', 'not whole', 3],
    ['1/_f5_d6/99', '', 2],
    ['rubbish', 'another version', 0],
    ['', '', 0],
  ])('%s is read as far as it makes sense', (address, fault, moves) => {
    const read = readAddress(address, 'othello', '');
    if (fault) expect(read.fault).toContain(fault);
    else expect(read.fault).toBe('');
    expect(read.doc.nodes.size - 1).toBe(moves);
    expect(read.doc.nodes.has(read.at)).toBe(true);
  });
});

describe('a tree as JSON', () => {
  it('comes back as it was', () => {
    const { doc } = example();
    const data = dataOf(doc);
    expect(data.nodes.length).toBe(6);
    expect(dataOf(docOf(data))).toEqual(data);
    expect(dataOf(docOfText(JSON.stringify(data))!)).toEqual(data);
    expect(docOf(data).next).toBe(6);
  });

  it('is none if it is damaged', () => {
    for (const text of ['', '{}', '[]', '{"spec":1}', '{"spec":"x","players":[],"tags":[],"nodes":[{},{"parent":4}]}'])
      expect(docOfText(text), text).toBeNull();
  });
});
