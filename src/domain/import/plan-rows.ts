/** Plans rows of an import together: a few queries find the users that they concern and the users that they would collide with. */
import type { Violation } from '../base/errors.ts';
import type { User } from '../kinds/user/user.ts';
import type { Stored } from '../resource/stored.ts';
import { decideRow, type RowWrite, type Verdict } from './decide-row.ts';
import type { ImportRow, ImportRules, ImportTarget } from './import-users.ts';
import { type Lookup, listTouched, lookupOf } from './row-lookup.ts';

export interface PlannedRow<Row> {
  readonly row: Row;
  readonly verdict: Verdict;
  /** What it depends on. */
  readonly tokens: readonly string[];
}

/** A row whose user another client wrote first, or that depends on such a row. */
export type WaitingRow<Row> = Pick<PlannedRow<Row>, 'row' | 'tokens'>;

/** Rows that don't depend on each other. */
export interface RowPlan<Row> {
  readonly rows: readonly PlannedRow<Row>[];
  /** Rows that depend on a waiting row, and wait behind it. */
  readonly waiting: readonly WaitingRow<Row>[];
  /** The number of planned and waiting rows. */
  readonly length: number;
  /** The keys that their writes read and change: rows with any of these come later. */
  readonly touched: ReadonlySet<string>;
}

const nothing: ReadonlySet<string> = new Set();

/** The users that were found, by lookup. */
interface Found {
  find(lookup: Lookup | undefined): readonly Stored<User>[];
}

const tokenOf = ({ by, key }: Lookup): string => `${by}:${key}`;

/** The keys on which the decision depends and that an earlier row may have changed. */
function listDependencies(
  lookup: Lookup | undefined,
  found: readonly Stored<User>[],
  write?: RowWrite,
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
    rows: readonly Row[],
    busy = nothing,
    ahead: readonly WaitingRow<Row>[] = [],
  ): Promise<RowPlan<Row>> {
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
      if (tokens.some((token) => touched.has(token) || busy.has(token))) break;
      if (tokens.some((token) => awaited.has(token))) {
        waiting.push({ row, tokens });
        for (const token of tokens) awaited.add(token);
        continue;
      }
      if (write !== undefined) for (const token of tokens) touched.add(token);
      planned.push({ row, verdict, tokens });
    }
    const length = planned.length + waiting.length;
    return { rows: await this.#refuseConflicts(planned), waiting, length, touched };
  }

  async #lookUp(lookups: readonly (Lookup | undefined)[]): Promise<Found> {
    const keys = { id: [] as string[], userName: [] as string[], externalId: [] as string[] };
    for (const lookup of lookups) if (lookup !== undefined) keys[lookup.by].push(lookup.key);
    const byId = keys.id.length > 0 ? await this.#target.findAll('user', keys.id) : new Map();
    const byName = await this.#findAllBy('userName', keys.userName, 1);
    const byExternalId = await this.#findAllBy('externalId', keys.externalId, 2);
    const none: readonly Stored<User>[] = [];
    const find = ({ by, key }: Lookup): readonly Stored<User>[] => {
      if (by !== 'id') return (by === 'userName' ? byName : byExternalId).get(key) ?? none;
      const user = byId.get(key);
      return user === undefined ? none : [user];
    };
    return { find: (lookup) => (lookup === undefined ? none : find(lookup)) };
  }

  async #findAllBy(filter: 'userName' | 'externalId', keys: readonly string[], limit: number) {
    const found =
      keys.length > 0 ? await this.#target.findAllBy('user', filter, [...new Set(keys)], limit) : new Map();
    return found as ReadonlyMap<string, readonly Stored<User>[]>;
  }

  /** The store would refuse them too, but after it has written other rows, and without naming the stored user. */
  async #refuseConflicts(planned: PlannedRow<Row>[]): Promise<PlannedRow<Row>[]> {
    const takes = planned.map(({ verdict }) => (verdict.kind === 'write' ? verdict.write.takes : []));
    const found = await this.#lookUp(takes.flat());
    return planned.map((one, at) => {
      const { row, verdict, tokens } = one;
      if (verdict.kind !== 'write') return one;
      const { id } = verdict.write.user;
      const asked = lookupOf(row, this.#rules);
      for (const lookup of takes[at] ?? []) {
        const holder = found.find(lookup).find((user) => lookup.by === 'id' || user.id !== id);
        if (holder !== undefined && !isAnswer(holder, asked))
          return { row, tokens, verdict: { kind: 'rejected', violations: [describeTaken(lookup, holder)] } };
      }
      return one;
    });
  }
}

/** The other user came after the row was planned: the store refuses the write, and the row is planned again. */
const isAnswer = (holder: Stored<User>, lookup: Lookup | undefined): boolean =>
  lookup !== undefined &&
  holder
    .read(() => listTouched(holder.id, holder.value))
    .some((touched) => tokenOf(touched) === tokenOf(lookup));

const describeTaken = ({ by }: Lookup, { id }: Stored<User>): Violation => ({
  pointer: `/${by}`,
  detail: by === 'id' ? 'another user has this id' : `user ${id} has this ${by}`,
});
