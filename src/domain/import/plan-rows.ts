/** Plans rows of an import together: a few queries find the resources that they concern and those with which they would collide. */

import type { Kind } from '../kinds/kind.ts';
import type { StoredResource } from '../store.ts';
import type { Violation } from '../validation/errors.ts';
import { decideRow, type PlannedWrite, reject, type Verdict } from './decide-row.ts';
import type { ImportRow, ImportRules, ImportTarget } from './import-options.ts';
import { membershipParts } from './memberships.ts';
import { type Lookup, listTouched, lookUp, lookupOf, tokenOf } from './row-lookup.ts';

export interface PlannedRow<Row> {
  readonly row: Row;
  readonly verdict: Verdict;
  /** The keys that it depends on. */
  readonly tokens: readonly string[];
}

/** Rows that don't depend on each other. */
export interface RowPlan<Row> {
  readonly rows: readonly PlannedRow<Row>[];
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

/** The users that the rows name: their ids, and the keys that they were found by. */
async function findNamed(target: ImportTarget, rules: ImportRules, rows: readonly ImportRow[]) {
  const { name: kind, unique } = membershipParts.user;
  const keyOf = new Map(
    rows.flatMap(({ named }) => named?.names ?? []).map((name) => [name, unique.map(name)]),
  );
  const asked = [...new Set(keyOf.values())];
  const found = asked.length === 0 ? undefined : await target.findAllBy(kind, unique.member, asked, 1);
  const ids = new Map<string, string>();
  for (const [name, key] of keyOf) for (const { id } of found?.get(key) ?? []) ids.set(name, id);
  const by = kind === rules.kind.name ? unique.member : `${kind} ${unique.member}`;
  const tokensOf = (row: ImportRow | undefined) =>
    (row?.named?.names ?? []).map((name) => tokenOf({ by, key: keyOf.get(name) ?? name }));
  return { ids, tokensOf };
}

/** The store would refuse these rows, too, but only after it has written others, and without naming the stored resource. */
async function refuseConflicts<Row extends ImportRow>(
  target: ImportTarget,
  rules: ImportRules,
  planned: readonly PlannedRow<Row>[],
): Promise<readonly PlannedRow<Row>[]> {
  const takes = planned.map(({ verdict }) => (verdict.kind === 'write' ? verdict.write.takes : []));
  const found = await lookUp(target, rules.kind, takes.flat());
  return planned.map((one, at) => {
    const { row, verdict, tokens } = one;
    if (verdict.kind !== 'write') return one;
    const { id } = verdict.write.next;
    const asked = lookupOf(row, rules);
    for (const lookup of takes[at] ?? []) {
      const holder = found.find(lookup).find((one) => lookup.by === 'id' || one.id !== id);
      if (holder !== undefined && !isAnswer(rules.kind, holder, asked))
        return { row, tokens, verdict: reject(describeTaken(rules, lookup, holder)) };
    }
    return one;
  });
}

/**
 * Plans the first rows, up to one that depends on another of them or on a pending write.
 * @param busy the keys of pending writes
 */
export async function planRows<Row extends ImportRow>(
  target: ImportTarget,
  rules: ImportRules,
  given: readonly Row[],
  busy = nothing,
): Promise<RowPlan<Row>> {
  const names = await findNamed(target, rules, given);
  const rows = given.map((row) => (row.named?.resolve(names.ids) ?? row) as Row);
  const lookups = rows.map((row) => lookupOf(row, rules));
  const found = await lookUp(target, rules.kind, lookups);
  const planned: PlannedRow<Row>[] = [];
  const touched = new Set<string>();
  for (const [at, row] of rows.entries()) {
    const there = found.find(lookups[at]);
    const verdict = decideRow(row, there, rules);
    const write = verdict.kind === 'write' ? verdict.write : undefined;
    const tokens = listDependencies(lookups[at], there, write);
    const read = [...tokens, ...names.tokensOf(given[at])];
    if (read.some((token) => touched.has(token) || busy.has(token))) break;
    if (verdict.kind !== 'rejected') for (const token of tokens) touched.add(token);
    planned.push({ row, verdict, tokens });
  }
  return { rows: await refuseConflicts(target, rules, planned), touched };
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
