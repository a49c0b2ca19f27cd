/** Plans rows of an import together: a few queries find the resources that they concern and those with which they would collide. */

import type { Kind } from '../kinds/kind.ts';
import type { StoredResource } from '../store.ts';
import type { Violation } from '../validation/errors.ts';
import { decideRow, type PlannedWrite, type Verdict } from './decide-row.ts';
import type { ImportRow, ImportRules, ImportTarget } from './import-options.ts';
import { membershipParts } from './memberships.ts';
import { type Found, type Lookup, listTouched, lookUp, lookupOf, tokenOf } from './row-lookup.ts';

export interface PlannedRow<Row> {
  readonly row: Row;
  readonly verdict: Verdict;
  /** The keys that it depends on. */
  readonly tokens: readonly string[];
}

/** A row whose resource another client wrote first, or that depends on such a row. */
export type WaitingRow<Row> = Pick<PlannedRow<Row>, 'row' | 'tokens'>;

/** Rows that don't depend on each other. */
export interface RowPlan<Row> {
  readonly rows: readonly PlannedRow<Row>[];
  /** Rows that depend on a waiting row, and wait behind it. */
  readonly waiting: readonly WaitingRow<Row>[];
  /** The number of planned and waiting rows. */
  readonly length: number;
  /** The keys that they read and change, unless they are rejected: rows with any of these come later. */
  readonly touched: ReadonlySet<string>;
}

const nothing: ReadonlySet<string> = new Set();

/** The keys on which the decision depends and that an earlier row may have changed. */
function listDependencies(
  lookup: Lookup | undefined,
  found: readonly StoredResource[],
  write?: PlannedWrite,
): string[] {
  const tokens = found.map(({ id }) => tokenOf({ by: 'id', key: id }));
  if (lookup !== undefined) tokens.push(tokenOf(lookup));
  if (write !== undefined) tokens.push(...write.touches.map(tokenOf));
  return tokens;
}

export class RowPlanner<Row extends ImportRow> {
  readonly #target: ImportTarget;
  readonly #rules: ImportRules;

  constructor(target: ImportTarget, rules: ImportRules) {
    this.#target = target;
    this.#rules = rules;
  }

  /**
   * Plans the first rows, up to one that depends on another of them or on a pending write.
   * @param busy the keys of pending writes
   * @param ahead waiting rows: rows that depend on them aren't planned
   */
  async plan(
    given: readonly Row[],
    busy = nothing,
    ahead: readonly WaitingRow<Row>[] = [],
  ): Promise<RowPlan<Row>> {
    const names = await this.#findNamed(given);
    const rows = given.map((row) => (row.named?.resolve(names.ids) ?? row) as Row);
    const lookups = rows.map((row) => lookupOf(row, this.#rules));
    const found = await this.#lookUp(lookups);
    const planned: PlannedRow<Row>[] = [];
    const waiting: WaitingRow<Row>[] = [];
    const awaited = new Set(ahead.flatMap(({ tokens }) => tokens));
    const touched = new Set<string>();
    for (const [at, row] of rows.entries()) {
      const lookup = lookups[at];
      const there = found.find(lookup);
      const verdict = decideRow(row, there, this.#rules);
      const write = verdict.kind === 'write' ? verdict.write : undefined;
      const tokens = listDependencies(lookup, there, write);
      const read = [...tokens, ...names.tokensOf(given[at])];
      if (read.some((token) => touched.has(token) || busy.has(token))) break;
      if (read.some((token) => awaited.has(token))) {
        waiting.push({ row: given[at] ?? row, tokens });
        for (const token of tokens) awaited.add(token);
        continue;
      }
      if (verdict.kind !== 'rejected') for (const token of tokens) touched.add(token);
      planned.push({ row, verdict, tokens });
    }
    const length = planned.length + waiting.length;
    return { rows: await this.#refuseConflicts(planned), waiting, length, touched };
  }

  /** The users that the rows name: their ids, and the keys that they were found by. */
  async #findNamed(rows: readonly Row[]) {
    const { name: kind, unique } = membershipParts.user;
    const keyOf = new Map(
      rows.flatMap(({ named }) => named?.names ?? []).map((name) => [name, unique.map(name)]),
    );
    const asked = [...new Set(keyOf.values())];
    const found =
      asked.length === 0 ? undefined : await this.#target.findAllBy(kind, unique.member, asked, 1);
    const ids = new Map<string, string>();
    for (const [name, key] of keyOf) for (const { id } of found?.get(key) ?? []) ids.set(name, id);
    const by = kind === this.#rules.kind.name ? unique.member : `${kind} ${unique.member}`;
    const tokensOf = (row: Row | undefined) =>
      (row?.named?.names ?? []).map((name) => tokenOf({ by, key: keyOf.get(name) ?? name }));
    return { ids, tokensOf };
  }

  #lookUp(lookups: readonly (Lookup | undefined)[]): Promise<Found> {
    return lookUp(this.#target, this.#rules.kind, lookups);
  }

  /** The store would refuse these rows, too, but only after it has written others, and without naming the stored resource. */
  async #refuseConflicts(planned: PlannedRow<Row>[]): Promise<PlannedRow<Row>[]> {
    const takes = planned.map(({ verdict }) => (verdict.kind === 'write' ? verdict.write.takes : []));
    const found = await this.#lookUp(takes.flat());
    return planned.map((one, at) => {
      const { row, verdict, tokens } = one;
      if (verdict.kind !== 'write') return one;
      const { id } = verdict.write.next;
      const asked = lookupOf(row, this.#rules);
      for (const lookup of takes[at] ?? []) {
        const holder = found.find(lookup).find((one) => lookup.by === 'id' || one.id !== id);
        if (holder !== undefined && !isAnswer(this.#rules.kind, holder, asked))
          return {
            row,
            tokens,
            verdict: { kind: 'rejected', violations: [describeTaken(this.#rules, lookup, holder)] },
          };
      }
      return one;
    });
  }
}

/** True for a holder that was created after the row's own lookup: the store refuses the write, and the row is planned again. */
const isAnswer = (kind: Kind, holder: StoredResource, lookup: Lookup | undefined): boolean =>
  lookup !== undefined &&
  holder
    .read(() => listTouched(kind, holder.id, holder.value))
    .some((touched) => tokenOf(touched) === tokenOf(lookup));

function describeTaken({ kind, findWriter }: ImportRules, lookup: Lookup, { id }: StoredResource): Violation {
  const [{ name }, { by }, writer] = [kind, lookup, findWriter?.(tokenOf(lookup))];
  const holder = by === 'id' ? `another ${name} has this id` : `${name} ${id} has this ${by}`;
  return { pointer: `/${by}`, detail: writer === undefined ? holder : `same ${by} as ${writer}` };
}
