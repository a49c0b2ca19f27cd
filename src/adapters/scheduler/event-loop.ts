/**
 * Decides whose work is next. One thread serves all requests, so work that takes longer than a small read waits here for its turn of the
 * event loop: bodies that have arrived, their next steps, the operations of a Bulk, the pieces of lists and scans.
 *
 * The scheduler is fair between clients (principals), however many requests or connections each has. It is start-time fair queuing: the
 * next slice goes to the waiting client that has worked least while all of them waited. Long requests count double. Within a client the
 * oldest request comes first. So a request goes behind the waiting ones after each slice; it gets another slice in the same turn only
 * while other clients wait too. A client is forgotten as soon as none of its requests waits or works.
 *
 * These are shares, not rate limits: nothing is refused here. Requests beyond the capacity get 503 in `http/pipeline/overload.ts`.
 *
 * `slices.ts` cuts long work into slices and steps. Beside turns there are places: `slots.ts` limits how many requests hold one at a time.
 */

import { clock } from './clock.ts';

/** In ms: how long one request works before others get their turn. Most writes need less. */
export const sliceTime = 0.5;

/** This many reads take as long as a write with its work before and after the turn: five by `npm run bench`, and a margin. */
const readsPerWrite = 7;

/**
 * In ms: requests work for this long in one turn of the event loop, and to the end of the last step; then come probes and reads. If there are reads,
 * requests work for as long as the reads of that turn, and for at least one slice.
 */
const turnTime = 4;

/** After this many turns without a read there are no more reads: a client works between its reads, which may take several turns. */
const turnsWithoutReads = 8;

/**
 * Work after a request's first turn counts this many times. So a client with long requests leaves more than half of the time to one with
 * short requests, which waits for every answer. Ten writers beside one Bulk keep 0.64 of their rate with 2 and slices of 0.5 ms, 0.48 with
 * slices of 1 ms, 0.47 with 1 and slices of 0.5 ms (`npm run bench -- hostile`).
 */
const longWorkWeight = 2;

/** Turns of the event loop in a row that go to new connections: libuv accepts one in a turn. */
const maxAccepting = 8;

interface Waiting {
  /** @param waited in ms */
  readonly resume: (waited: number) => void;
  /** A time of the scheduler's clock. */
  readonly since: number;
  /** The number of the turn in which it began to wait; it continues in a later one. */
  readonly turn: number;
}

/** A client with requests that wait or work. */
interface Client {
  readonly arrived: Waiting[];
  readonly begun: Waiting[];
  /** In ms, on the scheduler's virtual clock: when the client's next step starts. */
  start: number;
}

export class EventLoopScheduler {
  readonly #clients = new Map<string, Client>();
  /** In ms: the virtual clock. It counts the work that is done, at the pace of the client that has worked least. */
  #clock = 0;
  #reads = 0;
  /** Turns since the last read. */
  #quietTurns = turnsWithoutReads;
  #isPlanned = false;
  /** Whether a connection arrived in this turn of the event loop, and the number of consecutive turns with one. */
  #accepted = false;
  #accepting = 0;
  #turn = { number: 0, end: 0, writesLeft: 0 };
  readonly #now: () => number;
  /** The last write that began, and the last one of a client other than its client. */
  #last = { client: '', at: Number.NEGATIVE_INFINITY };
  #lastOfAnother = this.#last;

  /** @param now the clock that measures work, in ms */
  constructor(now: () => number = () => clock.now()) {
    this.#now = now;
  }

  /** For each GET or HEAD that is about to be answered. */
  countRead(): void {
    this.#reads += 1;
  }

  /** For each new connection. Work waits for a few connections, so that a thousand of them don't wait for a thousand turns of work. */
  countConnection(): void {
    this.#accepted = true;
  }

  /**
   * For a write whose body has arrived: resolves in a later turn of the event loop. While there are reads, the writes that begin in a turn take no
   * longer than the reads of that turn, except that at least one begins. @returns how long it has waited, in ms
   */
  begin(client: string): Promise<number> {
    // Reads from long before this write don't show how many arrive now.
    if (!this.#isPlanned) this.#reads = Math.min(this.#reads, readsPerWrite);
    if (this.#last.client !== client) this.#lastOfAnother = this.#last;
    this.#last = { client, at: this.#now() };
    return this.#wait(client, 'arrived');
  }

  /** For a request that has begun: resolves in a later turn of the event loop. @returns as `begin` */
  next(client: string): Promise<number> {
    return this.#wait(client, 'begun');
  }

  /** True if a write of another client has arrived since that time of the clock. */
  hasBegunOther(client: string, since: number): boolean {
    const other = this.#last.client === client ? this.#lastOfAnother : this.#last;
    return other.at >= since;
  }

  /** In ms: how long the first of the client's writes that haven't begun has waited. */
  oldestWait(client: string): number {
    const first = this.#clients.get(client)?.arrived[0];
    return first === undefined ? 0 : this.#now() - first.since;
  }

  #wait(name: string, kind: 'arrived' | 'begun'): Promise<number> {
    const client = this.#clients.get(name) ?? { arrived: [], begun: [], start: this.#clock };
    this.#clients.set(name, client);
    this.#planTurn();
    return new Promise((resume) =>
      client[kind].push({ resume, since: this.#now(), turn: this.#turn.number }),
    );
  }

  #planTurn(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      this.#accepting = this.#accepted ? this.#accepting + 1 : 0;
      this.#accepted = false;
      if (this.#accepting % (maxAccepting + 1) !== 0) return this.#planTurn();
      this.#beginTurn();
      this.#workOn();
    });
  }

  #beginTurn(): void {
    this.#quietTurns = this.#reads === 0 ? this.#quietTurns + 1 : 0;
    const isQuiet = this.#quietTurns >= turnsWithoutReads;
    const writesLeft = isQuiet
      ? Number.POSITIVE_INFINITY
      : Math.max(1, Math.floor(this.#reads / readsPerWrite));
    const end = this.#now() + Math.min(turnTime, writesLeft * sliceTime);
    this.#turn = { number: this.#turn.number + 1, end, writesLeft };
    this.#reads = 0;
  }

  /** Resumes one request, and returns after all its microtasks: when it can't continue without waiting. */
  #workOn(): void {
    const began = this.#now();
    const next = began < this.#turn.end ? this.#findNext() : undefined;
    if (next === undefined) {
      if (this.#clients.size > 0) this.#planTurn();
      return;
    }
    const [name, client, queue] = next;
    if (queue === client.arrived) this.#turn.writesLeft -= 1;
    this.#clock = client.start;
    const first = queue.shift();
    first?.resume(began - first.since);
    queueMicrotask(() =>
      process.nextTick(() => {
        const weight = queue === client.begun ? longWorkWeight : 1;
        this.#charge(name, client, weight * (this.#now() - began));
        this.#workOn();
      }),
    );
  }

  #findNext(): [string, Client, Waiting[]] | undefined {
    let next: [string, Client, Waiting[]] | undefined;
    let count = 0;
    for (const [name, client] of this.#clients) {
      const queue = this.#oldestOf(client);
      if (queue === undefined) continue;
      count += 1;
      if (!(next !== undefined && next[1].start <= client.start)) next = [name, client, queue];
    }
    const [first] = next?.[2] ?? [];
    // A client that is alone continues in the next turn, so that the event loop can look for others; several work equally long in this one.
    return count === 1 && first?.turn === this.#turn.number ? undefined : next;
  }

  /** The queue of its oldest request, if that request may continue in this turn. */
  #oldestOf({ arrived, begun }: Client): Waiting[] | undefined {
    const [write] = this.#turn.writesLeft > 0 ? arrived : [];
    const [other] = begun;
    if (write === undefined) return other && begun;
    return other !== undefined && other.since <= write.since ? begun : arrived;
  }

  #charge(name: string, client: Client, worked: number): void {
    client.start += worked;
    // Moved to the end of the map, behind clients that have worked as much.
    this.#clients.delete(name);
    if (client.arrived.length + client.begun.length > 0) this.#clients.set(name, client);
    // A forgotten client must not come back ahead of clients that waited meanwhile.
    else {
      const starts = [...this.#clients.values()].map(({ start }) => start);
      this.#clock = Math.max(this.#clock, Math.min(client.start, ...starts));
    }
  }
}

/** One for the process, which has one event loop. */
export const eventLoop = new EventLoopScheduler();
