// For Node: the game's module, read from beside this file.
import { readFile } from 'node:fs/promises';

export default async () =>
  WebAssembly.compile(await readFile(new URL(/* @vite-ignore */ './game.wasm', import.meta.url)));
