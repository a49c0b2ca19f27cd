/**
 * A histogram that counts a value in some tens of nanoseconds. prom-client's own checks and hashes the labels of every value, which slows
 * small reads down (`docs/decisions.md`). prom-client prints this one and adds it up like one of its own.
 */
import type { MetricObjectWithValues, MetricValue, MetricValueWithName, Registry } from 'prom-client';

type LabelValue = string | number;
export type Labels = Readonly<Record<string, LabelValue>>;

/** The values of one combination of labels. */
export class Series {
  readonly #bounds: readonly number[];
  /** How many values fell into each bucket alone; the last one is for those above all bounds. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let at = 0;
    for (const bound of this.#bounds) {
      if (value <= bound) break;
      at += 1;
    }
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
  }

  /** As Prometheus has them: each bucket counts those below it too. */
  read(name: string, labels: Labels): MetricValueWithName<string>[] {
    let count = 0;
    const buckets = [...this.#bounds, '+Inf'].map((le, at) => {
      count += this.#counts[at] ?? 0;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}

interface Branch {
  readonly values: readonly LabelValue[];
  readonly branches: Map<LabelValue, Branch>;
  series?: Series;
}

const branch = (values: readonly LabelValue[]): Branch => ({ values, branches: new Map() });

export interface HistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** Their upper bounds, ascending. */
  readonly buckets: readonly number[];
}

export class FastHistogram {
  readonly #options: HistogramOptions;
  readonly #root = branch([]);
  readonly #all: { readonly labels: Labels; readonly series: Series }[] = [];

  constructor(options: HistogramOptions, register: Registry) {
    this.#options = options;
    const { name, help } = options;
    const get = (): MetricObjectWithValues<MetricValue<string>> =>
      ({ name, help, type: 'histogram', aggregator: 'sum', values: this.#read() }) as never;
    // All that a registry uses of a metric, though its types ask for one of prom-client's classes.
    register.registerMetric({ name, get } as never);
  }

  /** @param values of the labels, in the order of their names */
  series(...values: readonly LabelValue[]): Series {
    let at = this.#root;
    for (const value of values) {
      let next = at.branches.get(value);
      if (next === undefined) {
        next = branch([...at.values, value]);
        at.branches.set(value, next);
      }
      at = next;
    }
    at.series ??= this.#addSeries(at.values);
    return at.series;
  }

  /** Of all series that there are. */
  labels(): readonly Labels[] {
    return this.#all.map(({ labels }) => labels);
  }

  #addSeries(values: readonly LabelValue[]): Series {
    const { labelNames, buckets } = this.#options;
    const series = new Series(buckets);
    const labels = Object.fromEntries(labelNames.map((name, at) => [name, values[at] ?? '']));
    this.#all.push({ labels, series });
    return series;
  }

  #read(): MetricValueWithName<string>[] {
    return this.#all.flatMap(({ labels, series }) => series.read(this.#options.name, labels));
  }
}
