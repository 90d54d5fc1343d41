// Assignments of a class as pages show them: when they are due, what a task asks for, how far somebody is.
import { msg, t } from './i18n.svelte';
import { gameOfSpec, specDetails } from './spec';
import type { AssignmentRow, AssignmentTask, NewTask, TaskProgress } from './types';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const units: [number, string, string][] = [
  [day, msg('due in one day'), msg('due in {} days')],
  [hour, msg('due in one hour'), msg('due in {} hours')],
  [minute, msg('due in one minute'), msg('due in {} minutes')],
];

/** How long there is until a deadline, in whole units, rounded down: nobody comes too late who believes it. */
export function dueText(deadline: number, now: number): string {
  const left = deadline - now;
  if (left <= 0) return t('deadline passed');
  for (const [length, one, many] of units) {
    const count = Math.floor(left / length);
    if (count === 1) return t(one);
    if (count > 1) return t(many, count);
  }
  return t('due now');
}

/** A deadline in the reader's own time, with the name of that. */
export const deadlineText = (ms: number, language: string): string =>
  new Date(ms).toLocaleString(language === 'mg' ? 'fr' : language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });

/** True while a student can still try something. */
export const isOpen = (
  one: AssignmentRow | { open: boolean; deadline_ms: number | null; takes_late: boolean },
  now: number,
): boolean => one.open && (one.takes_late || one.deadline_ms === null || now <= one.deadline_ms);

/** The game of a spec with what differs from its standard. */
export function specName(spec: string, titles: ReadonlyMap<string, string>): string {
  const details = specDetails(spec);
  const title = t(titles.get(gameOfSpec(spec)) ?? gameOfSpec(spec));
  return details ? `${title} (${details})` : title;
}

/** What a task asks for, in a few words. */
export function taskText(task: AssignmentTask): string {
  if (task.kind !== 'game') {
    if (task.goal === 'move') return t('Find the right move');
    const { moves } = task;
    if (task.goal === 'win' && moves) return moves === 1 ? t('Win in one move') : t('Find a win in {} moves', moves);
    return task.goal === 'win' ? t('Find a winning move') : t('Find a move that does not lose');
  }
  const { games = 1, level = 1 } = task;
  if (games === 1)
    return task.goal === 'win'
      ? t('Win a game against level {}', level)
      : t('Win or draw a game against level {}', level);
  return task.goal === 'win'
    ? t('Win {} games against level {}', games, level)
    : t('Win or draw {} games against level {}', games, level);
}

/** What a task that is not set yet asks for. */
export function newTaskText(task: NewTask): string {
  if (!('kind' in task)) return '';
  if (task.kind === 'puzzles') {
    if (task.ids) return t('Puzzles: {}', task.ids.join(', '));
    const levels = t('levels {} to {}', task.min_level ?? 1, task.max_level ?? 10);
    return `${t('{} puzzles', task.count ?? 1)} · ${task.game} · ${levels}${task.theme ? ` · ${task.theme}` : ''}`;
  }
  if (task.kind === 'position')
    return `${taskText({ kind: 'position', goal: task.moves ? 'move' : (task.goal ?? 'win') } as AssignmentTask)} · ${task.spec}`;
  return `${taskText({ ...task, kind: 'game', goal: task.goal ?? 'win' } as unknown as AssignmentTask)} · ${task.spec}`;
}

export type TaskState = 'solved' | 'late' | 'begun' | 'new';

export function stateOf(progress: TaskProgress | undefined): TaskState {
  if (progress?.solved_ms) return progress.late ? 'late' : 'solved';
  return progress && progress.attempts > 0 ? 'begun' : 'new';
}

export const stateWords: Record<TaskState, string> = {
  solved: msg('solved'),
  late: msg('solved late'),
  begun: msg('tried'),
  new: msg('not tried'),
};
