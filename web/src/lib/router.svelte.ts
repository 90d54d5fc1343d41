// Which page is shown: the path of the address, changed without loading anything anew.

export interface Route {
  page: string;
  params: Record<string, string>;
}

const routes: [string, string][] = [
  ['/', 'home'],
  ['/room/:id', 'room'],
  ['/local', 'local'],
  ['/analysis', 'analysis'],
  ['/learn', 'learn'],
  ['/learn/:game', 'learn'],
  ['/learn/:game/:lesson', 'lesson'],
  ['/puzzles', 'puzzles'],
  ['/puzzles/:game', 'puzzles'],
  ['/puzzles/:game/:id', 'puzzle'],
  ['/demo/:name', 'demo'],
  ['/players/:name', 'player'],
  ['/ratings', 'ratings'],
  ['/ratings/:game', 'ratings'],
  ['/games', 'lobby'],
  ['/login', 'login'],
  ['/welcome', 'welcome'],
  ['/classes', 'classes'],
  ['/classes/:id', 'class'],
  ['/classes/:id/bots/:bot', 'bot'],
  ['/classes/:id/board', 'class-board'],
  ['/classes/:id/exhibitions/new', 'exhibition-new'],
  ['/classes/:id/exhibitions/:exhibition', 'exhibition'],
  ['/classes/:id/assignments/new', 'assignment-edit'],
  ['/classes/:id/assignments/:assignment', 'assignment'],
  ['/classes/:id/assignments/:assignment/edit', 'assignment-edit'],
  ['/classes/:id/assignments/:assignment/:task', 'assignment-task'],
  ['/studies', 'studies'],
  ['/studies/:id', 'study'],
  ['/studies/:id/:chapter', 'study'],
  ['/tournaments', 'tournaments'],
  ['/tournaments/:name', 'tournament'],
  ['/solved', 'solved'],
  ['/solved/:spec', 'solved'],
  ['/settings', 'settings'],
];

/** The page for a path; "lost" if there is none. */
export function routeOf(path: string): Route {
  const parts = path.split('/').filter(Boolean);
  for (const [pattern, page] of routes) {
    const wanted = pattern.split('/').filter(Boolean);
    if (wanted.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = wanted.every((word, i) => {
      const part = parts[i] ?? '';
      if (!word.startsWith(':')) return word === part;
      try {
        params[word.slice(1)] = decodeURIComponent(part);
      } catch {
        return false;
      }
      return true;
    });
    if (fits) return { page, params };
  }
  return { page: 'lost', params: {} };
}

class Router {
  path = $state(location.pathname);
  query = $state.raw(new URLSearchParams(location.search));
  route = $derived(routeOf(this.path));

  constructor() {
    addEventListener('popstate', () => this.read());
  }

  private read(): void {
    this.path = location.pathname;
    this.query = new URLSearchParams(location.search);
  }

  go(address: string): void {
    history.pushState(null, '', address);
    this.read();
    scrollTo(0, 0);
  }

  /** Changes the address of the page that is shown, without a step in the history. */
  replace(address: string): void {
    history.replaceState(null, '', address);
  }
}

export const router = new Router();

/** Lets links inside the app change the page; all others work as ever. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = (event.target as Element | null)?.closest('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/')) return;
  if (link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  router.go(link.pathname + link.search + link.hash);
}
