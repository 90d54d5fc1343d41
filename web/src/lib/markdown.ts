// The rules' Markdown as a tree of tokens that a component draws, so that no text can ever become markup.

import { lexer, type Token, type Tokens } from 'marked';

export type { Token, Tokens };

export const readMarkdown = (text: string): Token[] => lexer(text).filter((token) => token.type !== 'space');

/** The number of a clause, if the paragraph is one: `**2.1** A turn is one move`. */
export function clauseOf(paragraph: Tokens.Paragraph): string | undefined {
  const [first] = paragraph.tokens;
  return first?.type === 'strong' && /^\d+\.\d+$/.test(first.text) ? first.text : undefined;
}

/** The board of a block of code that begins with ```board SPEC [POSITION]; undefined if it is only text. */
export function boardOf(block: Tokens.Code): { spec: string; position: string } | undefined {
  const [, spec, position = ''] = /^board (\S+)(?: (.*))?$/.exec(block.lang ?? '') ?? [];
  return spec ? { spec, position } : undefined;
}

/** Links may lead to pages of ours and to the web, to nothing that runs. */
export function isSafeHref(href: string): boolean {
  return /^(https?:\/\/|\/(?!\/)|#|\w[\w./-]*$)/.test(href);
}

/** What a heading is linked by: its words in lower case, with hyphens. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
