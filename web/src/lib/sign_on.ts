// Single sign-on (docs/single-sign-on.md): to a provider and back, and what can go wrong on the way.
import { post } from './http';
import { msg } from './i18n.svelte';
import type { Answer } from './types';

export type Arrival = Answer<'/api/sso/arrival'>;

/** What the codes in /welcome?error=… mean; said by t(). */
export const failures: Record<string, string> = {
  expired: msg('The sign-in took too long, or began in another browser. Please try again.'),
  launch_expired: msg(
    'The launch took too long, or this browser blocked its cookie. Open the activity again, in a new window.',
  ),
  denied: msg('You cancelled the sign-in.'),
  taken: msg('This sign-in already belongs to another account.'),
  banned: msg('The operator of this server has banned this account.'),
  platform: msg('This server does not know the learning platform that you come from. Its operator has to register it.'),
  failed: msg('The sign-in did not succeed. If it happens again, tell the operator of this server.'),
};

/** A path of this server, as it may stand in ?next=…; anything else is the front page. */
export const localPath = (path: string | null): string =>
  path && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : '/';

/** Leaves for a provider; comes back to `back`. */
export async function leaveFor(provider: string, back: string, link = false): Promise<void> {
  const body = { link, return: back };
  const answer = await post<{ location: string }>(`/api/sso/${encodeURIComponent(provider)}/begin`, body);
  location.assign(answer.location);
}
