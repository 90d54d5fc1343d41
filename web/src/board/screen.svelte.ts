// Whether the window is that of a phone: letters and numbers beside the board need more of its room there.

const query = globalThis.matchMedia?.('(max-width: 480px), (max-height: 480px)');

export const screen = $state({ small: query?.matches ?? false });

query?.addEventListener('change', () => {
  screen.small = query.matches;
});
