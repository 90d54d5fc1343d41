// The trees that were looked at last, kept in this browser, so that a reload loses nothing.
//
// Each has a name of its own, so windows do not overwrite each other's. The oldest make room for new ones.

import type { TreeDoc } from './game_tree.svelte';
import { dataOf, docOfText } from './tree_json';

const key = 'paika.trees';
const maxTrees = 20;
const maxCharacters = 1_500_000; // of all together; browsers allow some five million

interface KeptTree {
  id: string;
  address: string; // of the page, by which it is found again
  at: number[]; // the way to the node that was looked at: which child, from the start on
  tree: string;
}

function all(): KeptTree[] {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? '[]') as KeptTree[];
    return Array.isArray(found) ? found.filter((one) => typeof one?.tree === 'string') : [];
  } catch {
    return [];
  }
}

export interface FoundTree {
  id: string;
  doc: TreeDoc;
  at: number;
}

const open = ({ id, at, tree }: KeptTree): FoundTree | null => {
  const doc = docOfText(tree);
  if (!doc) return null;
  let here = 0;
  for (const child of at ?? []) here = doc.nodes.get(here)?.children[child] ?? here;
  return { id, doc, at: here };
};

/** The tree that a page with this address showed; the last one of all without an address. */
export function keptTree(address?: string): FoundTree | null {
  const found = all().find((one) => address === undefined || one.address === address);
  return found ? open(found) : null;
}

export function keepTree(id: string, address: string, doc: TreeDoc, path: readonly number[]): void {
  const at = path.map((node) => doc.nodes.get(doc.nodes.get(node)?.parent ?? 0)?.children.indexOf(node) ?? 0);
  const trees = [{ id, address, at, tree: JSON.stringify(dataOf(doc)) }, ...all().filter((one) => one.id !== id)];
  let room = maxCharacters;
  const fitting = trees.slice(0, maxTrees).filter(({ tree }, i) => {
    room -= tree.length;
    return i === 0 || room >= 0;
  });
  for (let count = fitting.length; count > 0; count--) {
    try {
      localStorage.setItem(key, JSON.stringify(fitting.slice(0, count)));
      return;
    } catch {
      // Storage may be full, or forbidden: then the address holds what it can.
    }
  }
}
