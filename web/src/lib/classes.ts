// Small things that the pages of classes (docs/classes.md) and tournaments share.
import { msg, t } from './i18n.svelte';
import type { BotFile } from './types';

/** What states and work are called; said by t(). */
export const words: Record<string, string> = {
  open: msg('open'),
  locked: msg('locked'),
  archived: msg('archived'),
  waiting: msg('waiting'),
  building: msg('building'),
  checking: msg('checking'),
  playing: msg('playing'),
  accepted: msg('accepted'),
  refused: msg('refused'),
  replaced: msg('replaced'),
  sent: msg('sent'),
  failed: msg('failed'),
  running: msg('running'),
  draining: msg('stopping'),
  stopped: msg('stopped'),
  complete: msg('complete'),
  unreadable: msg('unreadable'),
};

/** Why games end: by the rules, by a failure of a program, or by people. */
const reasons: Record<string, string> = {
  eliminated: msg('no piece left'),
  captures: msg('captures'),
  trapped: msg('no legal move'),
  move_limit: msg('move limit'),
  repetition: msg('third repetition'),
  board_full: msg('board full'),
  blocked: msg('both sides blocked'),
  king_lost: msg('king lost'),
  kings_lost: msg('both kings lost'),
  empty_board: msg('empty board'),
  illegal: msg('illegal move'),
  time: msg('out of time'),
  crash: msg('program ended'),
  protocol: msg('answer not understood'),
  stall: msg('no answer'),
  memory: msg('too much memory'),
  flood: msg('too much output'),
  stopped: msg('stopped'),
  max_moves: msg('too many moves'),
  resigned: msg('resigned'),
};

/** Why a game ended, in words; a reason that is not known here is shown as it came. */
export const reasonText = (reason: string): string => t(reasons[reason] ?? reason);

export const results: Record<string, string> = { first_wins: '1–0', second_wins: '0–1', draw: '½–½', ongoing: '–' };

export const dateText = (ms: number, language: string): string =>
  new Date(ms).toLocaleString(language === 'mg' ? 'fr' : language, { dateStyle: 'medium', timeStyle: 'short' });

/** A time as the field for dates and times has it, and back. */
export const fieldOfTime = (ms: number | null): string => {
  if (ms === null) return '';
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
export const timeOfField = (text: string): number | null => (text ? new Date(text).getTime() : null);

const maxBytes = 1 << 20;
const maxFiles = 200;

/** The path of a chosen file: within its folder if a folder was chosen. */
export function pathOf(file: File): string {
  const parts = (file.webkitRelativePath || file.name).split('/');
  return parts.length > 1 ? parts.slice(1).join('/') : (parts[0] ?? '');
}

/** Files as a bot is handed in; hidden ones are left out. Too many or too large ones are refused here already. */
export async function sentFiles(files: readonly File[]): Promise<BotFile[]> {
  const kept = files.filter(
    (file) =>
      !pathOf(file)
        .split('/')
        .some((part) => part.startsWith('.')),
  );
  const bytes = kept.reduce((sum, file) => sum + file.size, 0);
  if (kept.length > maxFiles || bytes > maxBytes) throw new Error(msg('A bot has at most 200 files and 1 MiB in all.'));
  return Promise.all(kept.map(async (file) => ({ path: pathOf(file), base64: base64(await file.arrayBuffer()) })));
}

export function base64(buffer: ArrayBuffer): string {
  let text = '';
  const bytes = new Uint8Array(buffer);
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/** What a bot is probably started by, from its files. */
export function guessedCommands(paths: readonly string[]): { build: string; run: string } {
  const find = (ending: string) => paths.find((path) => path.endsWith(ending));
  const python = paths.find((path) => path === 'bot.py') ?? find('.py');
  if (python) return { build: '', run: `python3 ${python}` };
  const script = find('.js') ?? find('.mjs');
  if (script) return { build: '', run: `node ${script}` };
  const java = find('.java');
  if (java) return { build: `javac -d . ${java}`, run: `java ${java.replace(/^.*\//, '').replace(/\.java$/, '')}` };
  if (paths.includes('Makefile')) return { build: 'make', run: './bot' };
  const cpp = find('.cpp') ?? find('.cc');
  if (cpp)
    return { build: `g++ -O2 -std=c++20 -o bot ${paths.filter((p) => /\.(cpp|cc)$/.test(p)).join(' ')}`, run: './bot' };
  const shell = find('.sh');
  return { build: '', run: shell ? `sh ${shell}` : '' };
}
