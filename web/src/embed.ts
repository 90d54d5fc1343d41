// The page at /embed: one <paika-board>, for frames on other sites (docs/packages.md), or a chapter of a study. Its address
// says what it shows, and the page around it hears of moves by messages.

import { mount } from 'svelte';
import EmbedChapter from './element/EmbedChapter.svelte';
import { defineBoard, type PaikaBoard, styles } from './element/paika_board';
import { ApiEngine } from './lib/api_engine';
import { server } from './lib/backend';
import { engine, useEngine } from './lib/engine';
import { messageOf } from './lib/http';
import { bestLanguage, type Language, type Messages, speech } from './lib/i18n.svelte';
import { docOf } from './lib/tree_json';
import type { Chapter } from './lib/types';

useEngine(new ApiEngine(server));
defineBoard();

/** As the attributes are called. */
const attributes = ['spec', 'position', 'moves', 'orientation', 'interactive', 'computer', 'level', 'board', 'pieces'];

async function speak(language: Language): Promise<void> {
  if (language === 'en') return;
  speech.put(await server.get<Messages>(`/api/messages/${language}`));
  speech.language = language;
  document.documentElement.lang = language;
}

/** What the address says of the board. */
function asked(address: URLSearchParams): Record<string, string> {
  const given = attributes.flatMap((name) => {
    const value = address.get(name);
    return value === null || (name === 'interactive' && value === '0') ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

function tellParent(): void {
  if (parent === window) return;
  for (const type of ['paika-ready', 'paika-move', 'paika-refused', 'paika-error'] as const) {
    document.addEventListener(type, (event) => {
      parent.postMessage({ type, detail: (event as CustomEvent).detail }, '*');
    });
  }
}

function showBoard(address: URLSearchParams): void {
  const board = document.createElement('paika-board') as PaikaBoard;
  for (const [name, value] of Object.entries(asked(address))) board.setAttribute(name, value);
  document.body.append(board);
}

/** A frame has no cookies, so only what everybody with the link may read is shown. */
async function showChapter(address: URLSearchParams): Promise<void> {
  const study = encodeURIComponent(address.get('study') ?? '');
  const number = encodeURIComponent(address.get('chapter') ?? '');
  const chapter = await server.get<Chapter>(`/api/studies/${study}/chapters/${number}`);
  const [tree] = await engine().readTrees(chapter.tree);
  if (!tree) throw new Error('the chapter has no game');
  const { title, text } = chapter;
  const props = { title, text, doc: docOf(tree), address: `/studies/${study}/${number}`, attributes: asked(address) };
  // The styles are made for shadow roots.
  const host = document.createElement('div');
  host.dataset.mode = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const target = host.attachShadow({ mode: 'open' });
  target.adoptedStyleSheets = [styles()];
  document.body.append(host);
  mount(EmbedChapter, { target, props });
}

function complain(fault: unknown): void {
  const text = document.createElement('p');
  text.setAttribute('role', 'alert');
  text.textContent = messageOf(fault);
  document.body.append(text);
}

function show(): void {
  const address = new URLSearchParams(location.search);
  document.body.style.margin = '0';
  tellParent();
  if (address.has('study')) void showChapter(address).catch(complain);
  else showBoard(address);
}

const wanted = new URLSearchParams(location.search).get('lang');
await speak(bestLanguage(wanted ? [wanted] : navigator.languages)).catch(() => {});
show();
