import { readFileSync } from 'node:fs';
import { flushSync, mount } from 'svelte';
import { describe, expect, it } from 'vitest';
import type { AnalysisController } from '../src/lib/analysis_controller.svelte';
import { SceneIndex } from '../src/lib/board_state';
import { emptyDoc, GameTree, root, TreeBuilder } from '../src/lib/game_tree.svelte';
import AnalysisLines from '../src/parts/AnalysisLines.svelte';
import DistanceBars from '../src/parts/DistanceBars.svelte';
import Markdown from '../src/parts/Markdown.svelte';
import MoveTree from '../src/parts/MoveTree.svelte';
import PieceRow from '../src/parts/PieceRow.svelte';
import QrCode from '../src/parts/QrCode.svelte';
import { scene } from './support/engine';

function drawn(text: string, props: { clause?: string; skipTitle?: boolean } = {}): HTMLElement {
  const target = document.createElement('div');
  mount(Markdown, { target, props: { text, ...props } });
  flushSync();
  return target;
}

describe('Markdown', () => {
  it('draws what the rules are written in', () => {
    const page = drawn(
      '# T\n\n**1.1** First **clause** with `code`.\n\n**1.2** Second, *so*.\n\n| a | b |\n| --- | --- |\n| 1 | x `\\|` y |\n\n- x\n- y\n\n```\nraw <b>\n```\n\n> said\n',
    );
    expect(page.querySelector('h2')?.id).toBe('t');
    const clauses = [...page.querySelectorAll('.clause')];
    expect(clauses.map((p) => p.id)).toEqual(['clause-1.1', 'clause-1.2']);
    expect(clauses[0]?.querySelector('strong')?.textContent).toBe('clause');
    expect(clauses[1]?.querySelector('em')?.textContent).toBe('so');
    expect([...page.querySelectorAll('td')].map((cell) => cell.textContent?.trim())).toEqual(['1', 'x | y']);
    expect([...page.querySelectorAll('li')].map((item) => item.textContent?.trim())).toEqual(['x', 'y']);
    expect(page.querySelector('pre')?.textContent).toBe('raw <b>');
    expect(page.querySelector('blockquote')?.textContent?.trim()).toBe('said');
  });

  it('marks the clause that is asked for, and leaves the title out where it stands elsewhere', () => {
    const page = drawn('# Title\n\n**2.1** One.\n\n**2.2** Two.', { clause: '2.2', skipTitle: true });
    expect(page.querySelector('.wanted')?.id).toBe('clause-2.2');
    expect(page.textContent).not.toContain('Title');
  });

  it('makes no markup of texts and no link that runs something', () => {
    const page = drawn(
      '<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b & c < d\n\n[x](javascript:alert(1)) [x](data:text/html,1) [x](//evil.example) ![i](https://example.org/i.png)\n\n[good](https://example.org)',
    );
    expect(page.querySelector('script, img')).toBeNull();
    expect(page.textContent).toContain('<script>alert(1)</script>');
    expect(page.textContent).toContain('a <img src=x onerror=alert(1)> b & c < d');
    expect([...page.querySelectorAll('a')].map((a) => a.getAttribute('href'))).toEqual(['https://example.org']);
  });

  it('finds every clause of the rules', () => {
    for (const game of ['fanorona', 'abalone', 'othello', 'wildebeest']) {
      const rules = readFileSync(`../docs/rules/${game}.md`, 'utf8');
      const written = [...rules.matchAll(/^\*\*(\d+\.\d+)\*\*/gm)].map((m) => `clause-${m[1]}`);
      expect(written.length).toBeGreaterThan(10);
      expect([...drawn(rules).querySelectorAll('.clause')].map((p) => p.id)).toEqual(written);
    }
  });
});

describe('QR codes', () => {
  it('draw one square per dark module, with a border that scanners need', () => {
    const target = document.createElement('div');
    mount(QrCode, { target, props: { text: 'http://127.0.0.1:7420/room/x7Kp2mQa9w' } });
    flushSync();
    const svg = target.querySelector('svg')!;
    expect(svg.getAttribute('viewBox')).toBe('-4 -4 37 37'); // version 3: 29 modules
    const path = svg.querySelector('path')?.getAttribute('d') ?? '';
    for (let x = 0; x < 7; x++) expect(path).toContain(`M${x} 0h1v1h-1z`); // the edge of a finder pattern
    expect(path).not.toContain('M7 0h');
  });
});

describe('Lines of the engine', () => {
  it('have spaces between their moves as text too', () => {
    const line = { score: 0.5, exact: false, at_most: false, moves: ['D3e3a', 'f5g5W', 'c2'] };
    const control = {
      thoughts: { depth: 4, selective_depth: 4, nodes: 1234, time_ms: 1, lines: [line], done: true },
      view: { mover: 'first' },
      marking: 'best',
      guess: null,
      values: null,
      thinking: true,
      lineCount: 3,
      table: { index: null },
    };
    const target = document.createElement('div');
    mount(AnalysisLines, { target, props: { control: control as unknown as AnalysisController } });
    flushSync();
    expect(target.querySelector('.lines .line')?.textContent?.trim()).toBe('D3e3a f5g5W c2');
  });
});

describe('What a side has lost', () => {
  it('is read as numbers of pieces, one or many', () => {
    const index = new SceneIndex(scene);
    for (const [count, label] of [
      [2, 'Lost: piece × 2'],
      [1, 'Lost: piece × 1'],
      [14, 'Lost: piece × 14'],
    ] as const) {
      const target = document.createElement('div');
      mount(PieceRow, { target, props: { index, pieces: [['w', count]] } });
      flushSync();
      const row = target.querySelector('svg')!;
      expect(row.getAttribute('aria-label')).toBe(label);
      expect(row.querySelectorAll('[href*="-piece-"]').length).toBe(count > 12 ? 1 : count);
    }
  });
});

describe('The moves of a tree', () => {
  it('have the times that a record knows', () => {
    const tree = new GameTree();
    const game = new TreeBuilder(emptyDoc('othello'));
    const first = game.add(root, { move: 'f5', seat: 'first', record: { clock_ms: 295_000, time_us: 5_000_000 } });
    const second = game.add(first, { move: 'd6', seat: 'second', record: { time_us: 12_300_000 } });
    game.add(second, { move: 'c3', seat: 'first' });
    tree.load(game.done());
    const target = document.createElement('div');
    mount(MoveTree, { target, props: { tree, editable: false } });
    flushSync();
    const beside = [...target.querySelectorAll<HTMLElement>('.time')];
    expect(beside.map((one) => one.textContent)).toEqual(['4:55', '12.3 s']);
    expect(beside.map((one) => one.title)).toEqual(['Time used: 5.0 s · Time left: 4:55', 'Time used: 12.3 s']);
    expect(target.querySelector('.times')).toBeNull();
    tree.go(first);
    flushSync();
    expect(target.querySelector('.times')?.textContent).toBe('Time used: 5.0 s · Time left: 4:55');
  });
});

describe('Distances', () => {
  const bars = (wins: number[], losses: number[]): HTMLElement => {
    const target = document.createElement('div');
    mount(DistanceBars, { target, props: { distances: { wins, losses, draws: 7, longest: null } } });
    flushSync();
    return target;
  };
  const heights = (page: HTMLElement, kind: string): number[] =>
    [...page.querySelectorAll(`rect.${kind}`)].map((bar) => Number(bar.getAttribute('height')));

  it('are bars as high as their numbers, and at least to be seen', () => {
    const page = bars([0, 1000, 0, 1], [500]);
    expect(heights(page, 'wins')).toEqual([0, 50, 0.5]);
    expect(heights(page, 'losses')).toEqual([25, 0, 0]);
    const rows = [...page.querySelectorAll('tbody tr')].map((row) => row.textContent?.replace(/\s+/g, ' ').trim());
    expect(rows).toEqual(['00500', '11,0000', '310']);
  });

  it('are not drawn where the table tells none', () => {
    expect(bars([], []).querySelector('svg')).toBeNull();
  });
});
