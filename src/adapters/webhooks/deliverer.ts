/**
 * Webhooks: sends the entries of the change log to the receivers that an operator configures.
 *
 * `receivers.ts` reads their file, and `addresses.ts` says where they may be. One process of all on a store sends: this file takes the lease, and
 * keeps a `Delivery` for each receiver while it has it (`delivery.ts`: what is read, sent and tried again; `partitions.ts`: the order).
 * `message.ts` makes and signs messages, `attempts.ts` and `sender.ts` send them. A first reading may begin with `delivery.ts`.
 */
import type { Cursor } from '../../domain/changes/log.ts';
import type { Access, Profiles } from '../../domain/find/access.ts';
import { clock } from '../scheduler/clock.ts';
import type { DeliveryRowId, DeliveryStore } from '../stores/port/delivery-store.ts';
import { messageOf } from '../system/errors.ts';
import { Delivery, type DeliveryParts } from './delivery.ts';
import { findEnd } from './log-reader.ts';
import { Partitions, placeOf } from './partitions.ts';
import type { Failure, Progress } from './progress.ts';
import type { Receiver } from './receivers.ts';

/** The request of a command to the process that sends. */
export type DeliveryRequest =
  | { readonly do: 'enable' }
  | { readonly do: 'repeat' }
  | { readonly do: 'replay'; readonly since: Cursor };

/** In ms: how often the lease is prolonged, the file looked at, and positions written. */
const interval = 1000;

/** In ms: how long attempts may last at the end of the process. */
const grace = 3000;

interface DelivererParts extends DeliveryParts {
  /** Undefined or empty: nothing is sent, and the store isn't opened. */
  readonly receivers: { current(): readonly Receiver[] | undefined };
  readonly profiles: Pick<Profiles, 'find'>;
  readonly open: () => Promise<DeliveryStore>;
}

export async function beginProgress(
  parts: Pick<DeliveryParts, 'changes'>,
  { start }: Receiver,
  access: Access | undefined,
): Promise<Progress> {
  const end = await findEnd(parts, access);
  return { line: end.line, partitions: Partitions.at(start === 'start' ? start : placeOf(end)) };
}

export class Deliverer {
  readonly #parts: DelivererParts;
  readonly #deliveries = new Map<string, Delivery>();
  #store: DeliveryStore | undefined;
  #fence: number | undefined;
  /** The keys of requests whose effect isn't stored yet: done once, however long that takes. */
  readonly #obeyed = new Set<string>();
  /** The end of the lease, by the scheduler's clock, which is never set. */
  #until = 0;
  #isStopped = false;
  #step: Promise<void> = Promise.resolve();
  #lastProblem = '';

  constructor(parts: DelivererParts) {
    this.#parts = parts;
  }

  /** Looks at regular times from now on; the timers keep no process alive. */
  start(): void {
    if (!this.#isStopped) this.#step = this.#run();
  }

  /** Waits for attempts, but not long; writes how far each receiver is, and gives up the lease. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#step;
    await this.#leave(grace).catch((error) => this.#tell(error));
  }

  /** For metrics: of the receivers that this process sends to. */
  async read() {
    if (this.#deliveries.size === 0) return [];
    const latest = await this.#parts.changes.latest();
    return [...this.#deliveries.values()].map((delivery) => delivery.read(latest));
  }

  async #run(): Promise<void> {
    try {
      await this.#look();
      this.#lastProblem = '';
    } catch (error) {
      this.#tell(error);
    }
    clock.later(() => this.start(), interval);
  }

  #tell(error: unknown): void {
    const problem = `webhooks: ${messageOf(error)}`;
    if (problem !== this.#lastProblem) this.#parts.onProblem(problem);
    this.#lastProblem = problem;
  }

  async #look(): Promise<void> {
    const receivers = this.#parts.receivers.current();
    if (receivers === undefined || receivers.length === 0) return await this.#leave(grace);
    this.#store ??= await this.#parts.open();
    const asked = clock.now();
    const fence = await this.#store.hold();
    if (fence !== this.#fence) await this.#abandon();
    this.#fence = fence;
    if (fence === undefined) return;
    this.#prolong(asked + this.#store.leaseTime);
    const fault = await this.#configure(this.#store, receivers);
    await this.#write(this.#store, await this.#obey(this.#store, receivers));
    if (fault !== undefined) throw fault;
  }

  /** Sends nothing beyond the end, even if the store doesn't answer. */
  #prolong(until: number): void {
    this.#until = until;
    if (until === Number.POSITIVE_INFINITY) return;
    clock.later(() => {
      if (clock.now() >= this.#until) void this.#abandon();
    }, until - clock.now());
  }

  /** Cuts all attempts off. */
  async #abandon(): Promise<void> {
    const all = [...this.#deliveries.values()];
    this.#deliveries.clear();
    this.#obeyed.clear();
    this.#fence = undefined;
    await Promise.all(all.map((delivery) => delivery.stop(0)));
  }

  async #leave(time: number): Promise<void> {
    const store = this.#store;
    if (store === undefined) return;
    await Promise.all([...this.#deliveries.values()].map((delivery) => delivery.stop(time)));
    await this.#write(store).catch((error) => this.#tell(error));
    this.#store = undefined;
    await this.#abandon();
    await store.close();
  }

  /**
   * Nothing is sent to a receiver whose profile can't be used; one whose profile was changed begins again, and gets a message about a gap.
   * @returns why a receiver gets nothing
   */
  async #configure(store: DeliveryStore, receivers: readonly Receiver[]): Promise<unknown> {
    let fault: unknown;
    const wanted = new Map<string, { readonly receiver: Receiver; readonly access: Access | undefined }>();
    for (const receiver of receivers)
      try {
        wanted.set(receiver.id, { receiver, access: this.#accessOf(receiver) });
      } catch (error) {
        fault = error;
      }
    for (const [id, delivery] of this.#deliveries) {
      const next = wanted.get(id);
      if (next !== undefined && next.access?.mark === delivery.access?.mark) continue;
      this.#deliveries.delete(id);
      this.#obeyed.clear();
      await delivery.stop(0);
      await store.write(delivery.unwritten().rows, this.#fence);
    }
    for (const { receiver, access } of wanted.values()) {
      const known = this.#deliveries.get(receiver.id);
      if (known) known.configure(receiver);
      else await this.#begin(store, receiver, access);
    }
    return fault;
  }

  /** @throws Error for a profile that is missing or can't be read */
  #accessOf({ id, profile }: Receiver): Access | undefined {
    const access = profile === undefined ? undefined : this.#parts.profiles.find(profile);
    if (access?.profile !== profile) throw new Error(`${id} waits for its access profile ${profile}`);
    return access;
  }

  async #begin(store: DeliveryStore, receiver: Receiver, access: Access | undefined): Promise<void> {
    const [row] = await store.read('progress', receiver.id);
    const failures = await store.read('failure', receiver.id);
    const progress =
      (row?.value as Progress | undefined) ?? (await beginProgress(this.#parts, receiver, access));
    const keys = failures.map(({ key }) => key);
    this.#deliveries.set(receiver.id, new Delivery(this.#parts, receiver, access, progress, keys));
  }

  /** @returns the requests, to be removed with the rows that have their effect; those for receivers that wait for their profile stay */
  async #obey(store: DeliveryStore, receivers: readonly Receiver[]): Promise<readonly DeliveryRowId[]> {
    const requests = await store.read('request');
    const isWaiting = ({ receiver }: DeliveryRowId): boolean =>
      !this.#deliveries.has(receiver) && receivers.some(({ id }) => id === receiver);
    const due = requests.filter((row) => !isWaiting(row));
    for (const { receiver, key, value } of due) {
      const delivery = this.#deliveries.get(receiver);
      if (delivery && !this.#obeyed.has(key)) await this.#do(store, delivery, value as DeliveryRequest);
      this.#obeyed.add(key);
    }
    return due.map(({ value, ...row }) => row);
  }

  async #do(store: DeliveryStore, delivery: Delivery, request: DeliveryRequest): Promise<void> {
    if (request.do === 'enable') delivery.enable();
    else if (request.do === 'replay') delivery.replay(request.since);
    else
      for (const failure of await store.read('failure', delivery.receiver.id))
        await delivery.repeat(failure.value as Failure);
  }

  async #write(store: DeliveryStore, obeyed: readonly DeliveryRowId[] = []): Promise<void> {
    if (this.#fence === undefined) return;
    const all = [...this.#deliveries.values()].map((delivery) => delivery.unwritten());
    const rows = [...all.flatMap((one) => one.rows), ...obeyed];
    if (rows.length === 0) return;
    if (!(await store.write(rows, this.#fence))) return await this.#abandon();
    for (const { done } of all) done();
    for (const { key } of obeyed) this.#obeyed.delete(key);
  }
}
