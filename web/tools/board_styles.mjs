// A plugin of vite: puts all styles of a bundle into its script, in the place of __PAIKA_BOARD_STYLES__, for a shadow root.

/** What the page's sheet says of its root holds for the element that hosts the shadow root. */
export const forShadow = (css) =>
  `:host{display:block}${css.replace(/:root((?:\[[^\]]*\]|:not\([^)]*\))+)/g, ':host($1)').replaceAll(':root', ':host')}`;

export function boardStyles() {
  return {
    name: 'paika-board-styles',
    enforce: 'post',
    generateBundle(_options, bundle) {
      let css = '';
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type !== 'asset' || !name.endsWith('.css')) continue;
        css += file.source;
        delete bundle[name];
      }
      for (const [name, file] of Object.entries(bundle)) {
        if (name.endsWith('.html')) file.source = file.source.replace(/\s*<link rel="stylesheet"[^>]*>/g, '');
        if (file.type === 'chunk') {
          file.code = file.code.replaceAll('__PAIKA_BOARD_STYLES__', () => JSON.stringify(forShadow(css)));
        }
      }
    },
  };
}
