import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

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
  resolve: process.env.VITEST ? { conditions: ['browser'] } : undefined,
  test: {
    environment: 'happy-dom',
    // Those beside the native program need it, and the built module.
    include: [process.env.PAIKA ? 'native/**/*.test.ts' : 'tests/**/*.test.ts'],
  },
});
