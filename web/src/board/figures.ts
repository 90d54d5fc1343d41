// A figure for each kind of Wildebeest's pieces, drawn around the middle of a square of 100 units.
//
// body: filled in the side's colour with an outline; ink: lines in the outline's colour on top of it; glow: a
// touch of colour that is never needed to tell figures apart.

import { msg } from '../lib/i18n.svelte';

export interface Figure {
  body: string;
  ink?: string;
  glow?: string;
}

const foot = 'M-27 30h54q4 0 4 5v3h-62v-3q0-5 4-5z';

export const figures: Record<string, Figure> = {
  P: {
    body: `M0-30a13 13 0 0 1 8 23q2 22 16 37h-48q14-15 16-37a13 13 0 0 1 8-23z${foot}`,
    ink: 'M-11-6h22',
  },
  R: {
    body: `M-26-34h12v9h9v-9h10v9h9v-9h12v18l-7 7v27l7 12h-52l7-12v-27l-7-7z${foot}`,
    ink: 'M-19-9h38M-19 17h38',
  },
  N: {
    body: `M-22 30C-22 12-6 10-6-3c-8 5-12 12-21 12-7 0-9-7-6-12C-27-14-25-26-9-31l2-9 8 8c19 4 27 27 25 62z${foot}`,
    ink: 'M-12-17h.1M-30 1l4-2M6-24c9 8 13 24 12 42',
  },
  B: {
    body: `M0-40a5 5 0 0 1 3 9c12 8 19 19 12 30q-3 5-7 7l6 24h-28l6-24q-4-2-7-7c-7-11 0-22 12-30a5 5 0 0 1 3-9z${foot}`,
    ink: 'M-11 6h22M8-20l-10 12',
  },
  K: {
    body: `M-3-42h6v6h6v6h-6v7c6-5 29-9 29 8 0 10-8 17-10 27l-1 18h-42l-1-18c-2-10-10-17-10-27 0-17 23-13 29-8v-7h-6v-6h6z${foot}`,
    ink: 'M0-23c-6 9-5 18 0 28 5-10 6-19 0-28zM-21 17q21-7 42 0',
  },
  W: {
    body: `M-3-42h6v6h6v6h-6v5c6-5 22-7 22 8 0 9-6 15-8 23l-1 20h-32l-1-20c-2-8-8-14-8-23 0-15 16-13 22-8v-5h-6v-6h6z${foot}M-38-16q6-8 12 0v32h-12zM26-16q6-8 12 0v32h-12z`,
    ink: 'M-16 14q16-6 32 0M-26-2h6M20-2h6',
    glow: 'M-38 18h12l-3 9-3 10-3-10zM26 18h12l-3 9-3 10-3-10z',
  },
  S: {
    body: 'M20-37c12 2 16 13 8 19-8 5-17-3-25 0-7 3-3 10 5 13 15 5 26 13 22 27-5 15-31 19-48 13-9-3-9-13 0-13 13 1 29 3 31-5 1-6-11-8-19-13-13-8-13-24-1-32 8-6 18-10 27-9z',
    ink: 'M21-29h.1M32-26l8 3M40-23l5-3M40-23l4 4M-14 30l2-5M2 33l1-5M17 29l-3-4',
  },
  O: {
    body: `M6-43a8 8 0 0 1 8 11c7 5 8 17 0 23q-1 1-2 1c11 5 17 19 18 38h-52c0-19 5-33 15-38a16 16 0 0 1 3-28q1-1 3-1a8 8 0 0 1 7-6z${foot}`,
    ink: 'M-13-21q14-12 27-5M-7-17h.1M7-17h.1M-3-9q3 2 6 0M-8-7q9 8 18 0M1 1l-6 29M1 1l6 29M38-6c-6-4-11 1-8 6l5 34',
  },
  E: {
    body: `M0-43a5 5 0 0 1 3 9l7 22 15-18a5 5 0 1 1 6 2l-8 38c-1 8-4 12-4 20h-38c0-8-3-12-4-20l-8-38a5 5 0 1 1 6-2l15 18 7-22a5 5 0 0 1 3-9z${foot}`,
    ink: 'M-22 12q22-8 44 0M-20 21q20-7 40 0',
    glow: 'M0-6l5 8-5 8-5-8z',
  },
  J: {
    body: 'M-19-42c9 1 12 15 11 23h16c-1-8 2-22 11-23 8 0 5 20-1 27 5 5 7 12 4 19 10 6 13 17 10 27q-2 7-10 7h-44q-8 0-10-7c-3-10 0-21 10-27-3-7-1-14 4-19-6-7-9-27-1-27z',
    ink: 'M-8-6h.1M8-6h.1M-3 4q3 3 6 0M-28 20q28 12 56 0M-18-35l3 12M18-35l-3 12',
    glow: 'M0-41l3 7 7-4-2 12h-16l-2-12 7 4z',
  },
  C: {
    body: 'M-36 14h8l30-37-4-4c4-12 20-14 26-4 4 9-2 18-12 18l-21 27h45v10h-72zM-24 22a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM24 22a9 9 0 1 1 0 18 9 9 0 0 1 0-18z',
    ink: 'M-24 31h.1M24 31h.1M2-23q8 1 10 10M6 14l-8-13M18 14L7-9',
  },
  G: {
    body: 'M0-40c17 0 26 11 27 26 10 0 13 12 6 17-2 2-5 2-7 2 0 20-10 33-26 33S-26 25-26 5c-2 0-5 0-7-2-7-5-4-17 6-17 1-15 10-26 27-26z',
    ink: 'M-21-8c2-11 15-14 21-6 6-8 19-5 21 6-2 7-7 8-7 13 4 18-4 26-14 26S-18 23-14 5c0-5-5-6-7-13zM-9-5h.1M9-5h.1M-4 7h.1M4 7h.1M-8 19q8 6 16 0',
  },
  X: {
    body: 'M-30-36h58v7h-5l3 29 11 3q5 2 5 8v15h-12a10 10 0 0 1-20 0h-17a10 10 0 0 1-20 0h-9v-20q0-6 6-7l2-28h-2zM-20-29l-2 27h19v-27zM4-29v27h14l-3-27zM-17 18a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM20 18a9 9 0 1 1 0 18 9 9 0 0 1 0-18z',
    ink: 'M-17 27h.1M20 27h.1M-34 10h70',
  },
  H: {
    body: 'M-26-40h52v9h-5c0 18-9 25-14 31 5 6 14 13 14 31h5v9h-52v-9h5c0-18 9-25 14-31-5-6-14-13-14-31h-5z',
    ink: 'M-20-31h40M-20 31h40M0 2v10',
    glow: 'M-10-14h20c-3 6-8 9-10 13-2-4-7-7-10-13zM-14 28c3-10 10-13 14-13s11 3 14 13z',
  },
  Z: {
    body: `M0-41c11 0 16 6 17 14 11 1 20 4 20 8 0 5-8 7-17 8v11c9 5 13 15 13 30h-66c0-15 4-25 13-30v-11c-9-1-17-3-17-8 0-4 9-7 20-8 1-8 6-14 17-14z${foot}`,
    ink: 'M-20-11q20 5 40 0M-10-9v15M0-8v15M10-9v15M-20 0h40M-20 6q20 8 40 0',
    glow: 'M0 14c6 0 9 4 9 8s-3 8-9 8-9-4-9-8 3-8 9-8z',
  },
};

/** Small signs on pieces, around the middle of a circle of radius 15. */
export const badgeSigns: Record<string, { path: string; name: string }> = {
  charged: { path: 'M2-11l-9 13h6l-2 9 9-13h-6z', name: msg('charged') },
  paralysed: { path: 'M-8-6h7l-7 7h7M1 1h7l-7 7h7', name: msg('paralysed') },
  frozen: { path: 'M0-10v20M-9-5L9 5M-9 5L9-5M-3-8l3 3 3-3M-3 8l3-3 3 3', name: msg('frozen') },
  jet: { path: 'M0-10l5 7v7h-10v-7zM-3 6l-1 5M3 6l1 5', name: msg('with a jet pack') },
};
