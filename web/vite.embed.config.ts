import { svelte, vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { boardStyles } from './tools/board_styles.mjs';

// The page at /embed, built apart from the app, so that the app's first load is as small as without it.
export default defineConfig({
  root: 'embed',
  base: '/embed/',
  publicDir: false,
  plugins: [svelte({ configFile: false, preprocess: vitePreprocess() }), boardStyles()],
  build: {
    outDir: '../dist/embed',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
  },
});
