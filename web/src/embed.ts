// The page at /embed: one <paika-board>, for frames on other sites (docs/packages.md). Its address says what it shows, and
// the page around it hears of moves by messages.

import { defineBoard, type PaikaBoard } from './element/paika_board';
import { ApiEngine } from './lib/api_engine';
import { server } from './lib/backend';
import { useEngine } from './lib/engine';
import { bestLanguage, type Language, type Messages, speech } from './lib/i18n.svelte';

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

function show(): void {
  const asked = new URLSearchParams(location.search);
  const board = document.createElement('paika-board') as PaikaBoard;
  for (const name of attributes) {
    const value = asked.get(name);
    if (value !== null && !(name === 'interactive' && value === '0')) board.setAttribute(name, value);
  }
  for (const type of ['paika-ready', 'paika-move', 'paika-refused', 'paika-error'] as const) {
    board.addEventListener(type, (event) => {
      if (parent !== window) parent.postMessage({ type, detail: (event as CustomEvent).detail }, '*');
    });
  }
  document.body.style.margin = '0';
  document.body.append(board);
}

const wanted = new URLSearchParams(location.search).get('lang');
await speak(bestLanguage(wanted ? [wanted] : navigator.languages)).catch(() => {});
show();
