// A small reader of Markdown for the rules: headings, paragraphs, lists, tables, code, emphasis and links.
//
// It gives a tree of plain values that a component draws, so that no text can ever become markup.

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong'; children: Inline[] }
  | { kind: 'em'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] };

export type Block =
  | { kind: 'heading'; level: number; children: Inline[]; id: string }
  | { kind: 'paragraph'; children: Inline[]; clause?: string }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; children: Inline[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' };

const inlinePattern = /(`+)(.+?)\1|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/;

/** Links may lead to pages of ours and to the web, to nothing that runs. */
function safeHref(href: string): string | null {
  return /^(https?:\/\/|\/(?!\/)|#|\w[\w./-]*$)/.test(href) && !/^[a-z]+script:/i.test(href) ? href : null;
}

export function readInline(text: string): Inline[] {
  const out: Inline[] = [];
  let rest = text;
  while (rest) {
    const match = inlinePattern.exec(rest);
    if (!match) break;
    if (match.index > 0) out.push({ kind: 'text', text: rest.slice(0, match.index) });
    const [whole, , code, strong, em, label, href] = match;
    if (code !== undefined) out.push({ kind: 'code', text: code.trim() });
    else if (strong !== undefined) out.push({ kind: 'strong', children: readInline(strong) });
    else if (em !== undefined) out.push({ kind: 'em', children: readInline(em) });
    else if (label !== undefined) {
      const safe = safeHref(href ?? '');
      if (safe) out.push({ kind: 'link', href: safe, children: readInline(label) });
      else out.push({ kind: 'text', text: label });
    }
    rest = rest.slice(match.index + whole.length);
  }
  if (rest) out.push({ kind: 'text', text: rest });
  return out;
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

const cellsOf = (line: string): Inline[][] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => readInline(cell.trim().replace(/\\\|/g, '|')));

/** Clauses of the rules begin with their numbers, bold or not. */
const clauseStart = /^(?:\*\*)?(\d+\.\d+)(?:\*\*)? /;

const startsBlock = (line: string): boolean =>
  /^(#{1,6} |```|\s*[-*] |\s*\d+\. |>|\|)/.test(line) || clauseStart.test(line);

export function readMarkdown(text: string): Block[] {
  const lines = text.replace(/\r/g, '').split('\n');
  const blocks: Block[] = [];
  let i = 0;
  const gather = (fits: (line: string) => boolean): string[] => {
    const found: string[] = [];
    while (i < lines.length && fits(lines[i]!)) found.push(lines[i++]!);
    return found;
  };
  while (i < lines.length) {
    const line = lines[i]!;
    const heading = /^(#{1,6}) (.+)$/.exec(line);
    if (!line.trim()) {
      i++;
    } else if (heading) {
      const words = heading[2]!;
      blocks.push({ kind: 'heading', level: heading[1]!.length, children: readInline(words), id: slug(words) });
      i++;
    } else if (line.startsWith('```')) {
      i++;
      const code = gather((l) => !l.startsWith('```'));
      i++;
      blocks.push({ kind: 'code', text: code.join('\n') });
    } else if (/^-{3,}$/.test(line)) {
      blocks.push({ kind: 'rule' });
      i++;
    } else if (line.startsWith('|')) {
      const rows = gather((l) => l.startsWith('|'));
      const body = rows.slice(1).filter((r) => !/^[\s|:-]+$/.test(r));
      blocks.push({ kind: 'table', head: cellsOf(rows[0]!), rows: body.map(cellsOf) });
    } else if (line.startsWith('>')) {
      const quoted = gather((l) => l.startsWith('>')).map((l) => l.replace(/^> ?/, ''));
      blocks.push({ kind: 'quote', children: readInline(quoted.join(' ')) });
    } else if (/^\s*([-*]|\d+\.) /.test(line)) {
      const ordered = /^\s*\d/.test(line);
      const items: string[] = [];
      for (const l of gather((l) => /^\s*([-*]|\d+\.) /.test(l) || /^\s{2,}\S/.test(l))) {
        const item = /^\s*(?:[-*]|\d+\.) (.*)$/.exec(l);
        if (item) items.push(item[1]!);
        else items[items.length - 1] += ` ${l.trim()}`;
      }
      blocks.push({ kind: 'list', ordered, items: items.map(readInline) });
    } else {
      const words = [lines[i++]!, ...gather((l) => l.trim() !== '' && !startsBlock(l))].join(' ');
      const clause = clauseStart.exec(words);
      if (clause)
        blocks.push({ kind: 'paragraph', children: readInline(words.slice(clause[0].length)), clause: clause[1]! });
      else blocks.push({ kind: 'paragraph', children: readInline(words) });
    }
  }
  return blocks;
}
