/** The metrics of all workers as one: each is asked, and prom-client adds them up. */
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { MetricValues } from '../../adapters/observe/metrics.ts';

/** What is asked of a worker. */
export interface MetricsSource {
  /** Undefined when it doesn't answer in time. */
  readMetrics(): Promise<MetricValues | undefined>;
  /** Resolves when the worker has ended. */
  readonly ended: Promise<unknown>;
}

/** As its types don't say, it reads what it is given and changes nothing. */
const addUp = (all: readonly MetricValues[]): Registry =>
  AggregatorRegistry.aggregate(all as unknown as object[]);

/** A count goes on when what it counted has ended; a state doesn't. */
const countsOf = (values: MetricValues): MetricValues =>
  values.filter(({ type }) => String(type) !== 'gauge' && String(type) !== 'summary');

export class WorkerMetrics {
  readonly #own = new Registry();
  readonly #restarts: Counter;
  readonly #latest = new Map<MetricsSource, MetricValues>();
  readonly #sources = new Set<MetricsSource>();
  /** The counts of those that have ended: without them the sums would fall, and Prometheus take what is left for new. */
  readonly #ended: MetricValues[] = [];

  constructor() {
    const registers = [this.#own];
    this.#restarts = new Counter({
      name: 'users_worker_restarts_total',
      help: 'Workers that ended and were replaced.',
      registers,
    });
    const sources = this.#sources;
    new Gauge({
      name: 'users_workers',
      help: 'Workers that run.',
      registers,
      collect() {
        this.set(sources.size);
      },
    });
  }

  /** From its start on. */
  add(source: MetricsSource): void {
    this.#sources.add(source);
    void source.ended.then(() => this.#remove(source));
  }

  countRestart(): void {
    this.#restarts.inc();
  }

  /** In Prometheus' text format. Of a worker that doesn't answer, what it said last. */
  async print(): Promise<string> {
    await Promise.all(
      [...this.#sources].map(async (source) => {
        const values = await source.readMetrics();
        if (values !== undefined && this.#sources.has(source)) this.#latest.set(source, values);
      }),
    );
    await this.#foldEnded();
    return addUp([...this.#latest.values(), ...this.#ended, await this.#own.getMetricsAsJSON()]).metrics();
  }

  #remove(source: MetricsSource): void {
    this.#sources.delete(source);
    const last = this.#latest.get(source);
    this.#latest.delete(source);
    if (last !== undefined) this.#ended.push(countsOf(last));
  }

  /** So that they take no more memory however many workers have ended. */
  async #foldEnded(): Promise<void> {
    const before = this.#ended.length;
    if (before < 2) return;
    const sum = await addUp(this.#ended).getMetricsAsJSON();
    this.#ended.splice(0, before, sum);
  }
}
