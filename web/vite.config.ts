import { resolve } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const puzzles = process.env.PAIKA_PUZZLES ?? (process.env.VITEST ? 'tests/puzzles' : '../data/puzzles');

// The server forbids inline scripts and styles, so nothing may be inlined into the page.
export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
  },
  server: {
    proxy: {
      '/api': { target: 'http://127.0.0.1:7420', ws: true },
      '/engine.wasm': 'http://127.0.0.1:7420',
    },
  },
  resolve: {
    ...(process.env.VITEST ? { conditions: ['browser'] } : {}),
    // Tests have a few puzzles of their own; PAIKA_PUZZLES builds a page with those of another folder.
    alias: { '#puzzles': resolve(import.meta.dirname, puzzles) },
  },
  test: {
    environment: 'happy-dom',
    // Those beside the native program need it, and the built module.
    include: [process.env.PAIKA ? 'native/**/*.test.ts' : 'tests/**/*.test.ts'],
  },
});
