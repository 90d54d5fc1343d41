// StudyController: a study of the server (docs/server.md#studies), one chapter of it open for reading or for editing.
//
// What an editor changes is saved a moment later. Others may edit the same chapter: who saves what has been changed
// meanwhile is told, and chooses.

import { AnalysisController } from './analysis_controller.svelte';
import { engine } from './engine';
import { nodeOf, root, type TreeDoc } from './game_tree.svelte';
import { ApiError, get, messageOf, post, put, remove } from './http';
import { poll } from './poll';
import { dataOf, docOf } from './tree_json';
import type { Chapter, Study, StudyComment } from './types';

export const accesses = ['private', 'link', 'public'] as const;
export type Access = (typeof accesses)[number];

export const maxChapters = 64;
const saveAfterMs = 1200;

type Saving = 'saved' | 'unsaved' | 'saving' | 'failed' | 'stale';

/** What is written of a chapter. */
interface Draft {
  title: string;
  text: string;
  doc: TreeDoc;
}

/** The texts of the games in a file, a chapter each, with titles. */
export async function chaptersIn(
  text: string,
  spec: string,
  title: string,
): Promise<{ title: string; tree: string }[]> {
  if (!text.trim()) {
    const { spec: known } = await engine().position({ spec });
    const tree = { spec: known, players: ['', ''], tags: [], nodes: [{ seat: 'first' as const }] };
    return [{ title, tree: await engine().writeTree(tree) }];
  }
  const trees = await engine().readTrees(text, spec);
  return Promise.all(
    trees.map(async (tree, i) => ({
      title: trees.length === 1 ? title : `${title} ${i + 1}`,
      tree: await engine().writeTree(tree),
    })),
  );
}

export class StudyController {
  readonly analysis = new AnalysisController(false);
  study = $state.raw<Study | null>(null);
  /** As the server has it. */
  chapter = $state.raw<Chapter | null>(null);
  title = $state('');
  text = $state('');
  saving = $state<Saving>('saved');
  error = $state('');

  private saved = $state.raw<Draft | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private opening = 0;

  readonly edits: boolean = $derived(this.study?.edits ?? false);
  readonly changed: boolean = $derived.by(() => {
    const { saved, title, text } = this;
    const { doc } = this.analysis.tree;
    return saved !== null && (saved.title !== title || saved.text !== text || saved.doc !== doc);
  });
  readonly comments: StudyComment[] = $derived(
    (this.study?.comments ?? []).filter(({ chapter }) => chapter === null || chapter === this.chapter?.id),
  );

  constructor(readonly id: string) {}

  get path(): string {
    return `/api/studies/${encodeURIComponent(this.id)}`;
  }
  private chapterPath(id: number): string {
    return `${this.path}/chapters/${id}`;
  }

  /** Shows and saves as long as the component that calls this lives. */
  follow(): void {
    this.analysis.follow();
    $effect(() =>
      poll<Study>(
        this.path,
        (study) => this.take(study),
        (fault) => {
          this.error = messageOf(fault);
        },
      ),
    );
    $effect(() => {
      if (!this.changed || !this.edits || this.saving === 'stale') return;
      void [this.title, this.text, this.analysis.tree.doc]; // every change begins the pause anew
      this.saving = 'unsaved';
      this.timer = setTimeout(() => void this.save(), saveAfterMs);
      return () => clearTimeout(this.timer);
    });
    $effect(() => () => {
      clearTimeout(this.timer);
      if (this.changed && this.edits && this.saving !== 'stale') void this.save(); // the page is left
    });
  }

  /** What the server has now: others may have changed something. */
  private take(study: Study): void {
    this.error = '';
    this.study = study;
    const now = study.chapters.find(({ id }) => id === this.chapter?.id);
    const newer = now && this.chapter && now.version > this.chapter.version;
    if (newer && !this.changed && this.saving !== 'saving') void this.open(now.id, true);
  }

  private async attempt(work: () => Promise<void>): Promise<boolean> {
    this.error = '';
    try {
      await work();
      return true;
    } catch (fault) {
      this.error = messageOf(fault);
      return false;
    }
  }

  /** Opens a chapter; the first one without a number. `stay`: at the place in it where one is. */
  open(wanted?: number, stay = false): Promise<boolean> {
    return this.attempt(async () => {
      const ask = ++this.opening;
      this.study ??= await get<Study>(this.path);
      const id = wanted ?? this.study.chapters[0]?.id;
      if (id === undefined) {
        this.chapter = null;
        return;
      }
      const chapter = await get<Chapter>(this.chapterPath(id));
      if (ask === this.opening) await this.show(chapter, stay);
    });
  }

  private async show(chapter: Chapter, stay: boolean): Promise<void> {
    const { tree } = this.analysis;
    const before = tree.path.map((id) => nodeOf(tree.doc, id).move);
    const [data] = chapter.tree ? await engine().readTrees(chapter.tree) : [];
    if (data) {
      const doc = docOf(data);
      let at = root;
      for (const move of stay ? before : []) {
        const next = nodeOf(doc, at).children.find((id) => nodeOf(doc, id).move === move);
        if (next === undefined) break;
        at = next;
      }
      await this.analysis.openGame(doc, at);
    } else {
      await this.analysis.load('fanorona');
    }
    this.put(chapter, { title: chapter.title, text: chapter.text, doc: tree.doc });
    this.title = chapter.title;
    this.text = chapter.text;
  }

  /** The server has this draft. */
  private put(chapter: Chapter, draft: Draft): void {
    this.chapter = chapter;
    this.saved = draft;
    this.saving = 'saved';
  }

  async save(): Promise<void> {
    const { chapter, title, text, analysis } = this;
    if (!chapter || this.saving === 'saving') return;
    const draft: Draft = { title, text, doc: analysis.tree.doc };
    this.saving = 'saving';
    try {
      const tree = await engine().writeTree(dataOf(draft.doc));
      const kept = await put<Chapter>(this.chapterPath(chapter.id), { title, text, tree, version: chapter.version });
      if (this.chapter?.id === chapter.id) this.put(kept, draft);
    } catch (fault) {
      const stale = fault instanceof ApiError && fault.code === 'stale';
      this.saving = stale ? 'stale' : 'failed';
      if (!stale) this.error = messageOf(fault);
    }
  }

  /** Of two who changed the same, whose counts: mine, or what was saved first. */
  async settle(mine: boolean): Promise<void> {
    const { chapter } = this;
    if (!chapter) return;
    if (!mine) {
      this.saving = 'saved';
      await this.open(chapter.id, true);
      return;
    }
    await this.attempt(async () => {
      const { version } = await get<Chapter>(this.chapterPath(chapter.id));
      this.chapter = { ...chapter, version };
      await this.save();
    });
  }

  // ---- Chapters ----

  /** Adds chapters; the number of the first one. */
  async add(chapters: readonly { title: string; tree: string }[]): Promise<number | null> {
    let first: number | null = null;
    await this.attempt(async () => {
      for (const one of chapters) {
        const added = await post<Chapter>(`${this.path}/chapters`, { ...one, text: '' });
        first ??= added.id;
      }
    });
    await this.refresh();
    return first;
  }

  async move(id: number, place: number): Promise<void> {
    const row = this.study?.chapters.find((one) => one.id === id);
    if (!row) return;
    await this.attempt(async () => {
      if (this.changed && id === this.chapter?.id) await this.save();
      const version = id === this.chapter?.id ? this.chapter.version : row.version;
      const moved = await put<Chapter>(this.chapterPath(id), { place, version });
      if (id === this.chapter?.id) this.chapter = moved;
    });
    await this.refresh();
  }

  async drop(id: number): Promise<void> {
    await this.attempt(async () => {
      await remove(this.chapterPath(id));
      if (id === this.chapter?.id) {
        this.saved = null;
        this.chapter = null;
      }
    });
    await this.refresh();
  }

  async refresh(): Promise<void> {
    await this.attempt(async () => {
      this.study = await get<Study>(this.path);
    });
  }

  // ---- The study itself ----

  change(fields: { title?: string; access?: Access }): Promise<boolean> {
    return this.attempt(async () => {
      this.study = await put<Study>(this.path, { ...fields, version: this.study?.version ?? 0 });
    });
  }

  async editor(name: string, added: boolean): Promise<boolean> {
    const path = `${this.path}/editors/${encodeURIComponent(name)}`;
    const done = await this.attempt(async () => void (await (added ? put(path) : remove(path))));
    if (done) await this.refresh();
    return done;
  }

  dropAll(): Promise<boolean> {
    return this.attempt(async () => {
      this.saved = null;
      await remove(this.path);
    });
  }

  // ---- Comments ----

  async say(text: string): Promise<boolean> {
    const about = this.chapter ? { chapter: this.chapter.id } : {};
    const done = await this.attempt(async () => void (await post(`${this.path}/comments`, { text, ...about })));
    if (done) await this.refresh();
    return done;
  }

  async unsay(id: number): Promise<void> {
    if (await this.attempt(async () => void (await remove(`${this.path}/comments/${id}`)))) await this.refresh();
  }
}
