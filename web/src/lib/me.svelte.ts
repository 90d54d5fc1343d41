// Who uses this browser: a guest, made when one is needed, or a member.

import { get, post } from './http';
import type { Answer, Person, Rating } from './types';

class Me {
  person = $state<Person | null>(null);
  ratings = $state<Rating[]>([]);

  async look(): Promise<void> {
    const body = await get<Answer<'/api/me'>>('/api/me');
    this.person = body.person;
    this.ratings = body.ratings;
  }

  /** A session for this browser, the one it has or a new guest's. */
  async come(): Promise<Person> {
    if (!this.person) this.person = (await post<{ person: Person }>('/api/session')).person;
    return this.person;
  }

  async login(name: string, password: string): Promise<void> {
    this.person = (await post<{ person: Person }>('/api/login', { name, password })).person;
    await this.look();
  }

  async register(name: string, password: string): Promise<void> {
    await this.come();
    this.person = (await post<{ person: Person }>('/api/account', { name, password })).person;
  }

  async logout(): Promise<void> {
    await post('/api/logout');
    this.person = null;
    this.ratings = [];
  }
}

export const me = new Me();
