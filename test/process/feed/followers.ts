/** Programs that follow the changes of a service, each in its way, and go on through every failure where they were. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../../support/deadlines.ts';
import { exchange } from '../../support/exchanges.ts';
import type { Services } from './services.ts';

/** An entry, as a feed shows it. */
export interface Change {
  readonly cursor: string;
  readonly type: string;
  readonly id: string;
  readonly request: string;
  readonly version?: string;
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
  readonly whole?: boolean;
}

export interface ChangesPage {
  readonly changes: readonly Change[];
  readonly next: string;
  readonly more: boolean;
}

/** In ms: between two attempts while the service is away, and two requests for a page. */
const interval = 20;

/** Small, so that they are seldom at the end. */
const limit = 50;

/** Changes after which a stream is left, to be opened again. */
const perStream = 500;

/** Undefined when the service is away. */
export async function readJson<T>(
  services: Services,
  path: string,
  authorization: string,
): Promise<T | undefined> {
  const { agent, url } = services;
  const headers = { authorization, accept: 'application/json' };
  const answer = await exchange(url + path, { headers, agent, unreported: true }).catch(() => undefined);
  if (answer === undefined || answer.status === 503) return undefined;
  const text = String(answer.body);
  expect(answer.status, `${path}: ${text}`).to.equal(200);
  return JSON.parse(text) as T;
}

export abstract class Follower {
  /** All that it has met, in its order. */
  readonly seen: Change[] = [];
  protected isStopped = false;
  protected readonly services: Services;
  protected readonly authorization: string;
  readonly #running: Promise<void>;

  constructor(services: Services, authorization: string) {
    [this.services, this.authorization] = [services, authorization];
    this.#running = pause(0).then(() => this.follow());
    // Reported by `stop`, which comes later.
    this.#running.catch(() => {});
  }

  /** Where it goes on. */
  get position(): string {
    return this.seen.at(-1)?.cursor ?? 'start';
  }

  /** Returns once it has met the last change. */
  async finish({ cursor }: Change): Promise<void> {
    await Promise.race([this.#running, until('a follower is at the end', () => this.position === cursor)]);
    this.isStopped = true;
    await this.#running;
  }

  protected abstract follow(): Promise<void>;
}

class PageFollower extends Follower {
  protected readonly wait: string = '';
  #next = 'start';

  protected override async follow(): Promise<void> {
    while (!this.isStopped) {
      const path = `/changes?since=${this.#next}&limit=${limit}${this.wait}`;
      const page = await readJson<ChangesPage>(this.services, path, this.authorization);
      this.seen.push(...(page?.changes ?? []));
      this.#next = page?.next ?? this.#next;
      if (!page?.more) await pause(interval);
    }
  }
}

class WaitingFollower extends PageFollower {
  protected override readonly wait = '&wait=1';
}

class StreamFollower extends Follower {
  protected override async follow(): Promise<void> {
    while (!this.isStopped) {
      try {
        await this.#stream();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      }
      await pause(interval);
    }
  }

  /** Until the connection ends, or it has met enough. */
  async #stream(): Promise<void> {
    const headers = { authorization: this.authorization, accept: 'text/event-stream' };
    const lastEvent = this.position === 'start' ? {} : { 'last-event-id': this.position };
    const url = `${this.services.url}/changes?since=start`;
    const sent = request(url, { headers: { ...headers, ...lastEvent }, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    if (response.statusCode === 200) await this.#read(response.setEncoding('utf8'));
    else expect(response.statusCode).to.equal(503);
    sent.destroy();
  }

  async #read(response: AsyncIterable<string>): Promise<void> {
    const enough = this.seen.length + perStream;
    let rest = '';
    for await (const piece of response) {
      const events = (rest + piece).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) this.#take(event);
      if (this.isStopped || this.seen.length >= enough) return;
    }
  }

  #take(event: string): void {
    const [, id, data] = /^id: (.*)(?:\ndata: (.*))?$/.exec(event) ?? expect.fail(event);
    if (data === undefined) return;
    const change: Change = JSON.parse(data);
    expect(change.cursor).to.equal(id);
    this.seen.push(change);
  }
}

/** One of each kind. */
export const followersOf = (services: Services, authorization: string): readonly Follower[] =>
  [PageFollower, WaitingFollower, StreamFollower].map((Kind) => new Kind(services, authorization));
