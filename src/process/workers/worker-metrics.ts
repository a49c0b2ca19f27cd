/** The metrics of all workers: each worker is queried, and prom-client adds them up. */
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { MetricValues } from '../../adapters/observe/metrics.ts';

/** A query of a worker. */
interface MetricsSource {
  /** Undefined when it doesn't answer in time. */
  readMetrics(): Promise<MetricValues | undefined>;
  /** Resolves when the worker has ended. */
  readonly ended: Promise<unknown>;
}

/** Despite its types, `aggregate` only reads its argument. */
const addUp = (all: readonly MetricValues[]): Registry =>
  AggregatorRegistry.aggregate(all as unknown as object[]);

/** Counters are kept after the end of their worker; gauges are not. */
const countsOf = (values: MetricValues): MetricValues =>
  values.filter(({ type }) => String(type) !== 'gauge' && String(type) !== 'summary');

export class WorkerMetrics {
  readonly #own = new Registry();
  readonly #restarts: Counter;
  readonly #latest = new Map<MetricsSource, MetricValues>();
  readonly #sources = new Set<MetricsSource>();
  /** The counters of workers that have ended: without them the sums would fall, and Prometheus would see a counter reset. */
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

  /** To be called when a worker starts. When it has ended, only its counters are kept. */
  add(source: MetricsSource): void {
    this.#sources.add(source);
    void source.ended.then(() => this.#remove(source));
  }

  countRestart(): void {
    this.#restarts.inc();
  }

  /** In Prometheus' text format. A worker that doesn't answer is counted with its last values. */
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

  /** Added up, so that memory doesn't grow with the number of ended workers. */
  async #foldEnded(): Promise<void> {
    const before = this.#ended.length;
    if (before < 2) return;
    const sum = await addUp(this.#ended).getMetricsAsJSON();
    this.#ended.splice(0, before, sum);
  }
}
