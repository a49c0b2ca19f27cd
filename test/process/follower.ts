/** A program that follows the changes of a service, which may be killed meanwhile. */
import { expect } from 'chai';
import type { Process } from '../support/process.ts';

interface Change {
  readonly cursor: string;
  readonly type: string;
  readonly id: string;
  readonly version?: string;
}

interface Page {
  readonly changes: readonly Change[];
  readonly next: string;
  readonly more: boolean;
}

/** In small pages, so that it is seldom at the end while others write. */
const limit = 50;

export class Follower {
  /** What became of each resource, in the order of the feed: its versions, and `deleted`. */
  readonly seen = new Map<string, string[]>();
  #next = 'start';

  /** Follows until the connection breaks, or to the end if that is asked for. Goes on later where it was. */
  async follow(service: Process, isToEnd = false): Promise<void> {
    const headers = { authorization: `Bearer ${await service.token(['changes:read'])}` };
    for (;;) {
      const page = await this.#page(`${service.url}/changes?since=${this.#next}&limit=${limit}`, headers);
      if (page === undefined) return;
      for (const { id, version = 'deleted' } of page.changes)
        this.seen.set(id, [...(this.seen.get(id) ?? []), version]);
      this.#next = page.next;
      if (isToEnd && !page.more) return;
    }
  }

  /** Undefined when the connection breaks, also in the middle of an answer. */
  async #page(url: string, headers: Record<string, string>): Promise<Page | undefined> {
    try {
      const answer = await fetch(url, { headers });
      expect(answer.status, 'GET /changes').to.equal(200);
      return (await answer.json()) as Page;
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  }
}
