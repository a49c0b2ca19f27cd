/**
 * Imports memberships into a store: pairs of a group and a user, each by id or by name. Rows come in and rejects go out as in
 * `import-resources.ts`. Memberships that exist count as unchanged, and no membership is removed, so an interrupted import can be run again.
 * Changes of members need no lock, so rows never wait for other clients.
 */

import type { Outcome, Store, Write } from '../store.ts';
import {
  type DomainError,
  graverFailure,
  isCode,
  resourceNotFound,
  type Violation,
} from '../validation/errors.ts';
import { canonicalUuid } from '../validation/plain-values.ts';
import { validator } from '../validation/schema-validator.ts';
import { gatherBatches } from './batches.ts';
import type { ImportCounts, ImportOptions, ImportRow } from './import-options.ts';
import { MembershipRow, membershipParts, type ReferenceForm } from './memberships.ts';
import { type Lookup, lookUp } from './row-lookup.ts';

/** The part of a store that an import of memberships needs. */
export type MembershipTarget = Pick<Store, 'findAll' | 'findAllBy' | 'findMembers' | 'commit'>;

interface MembershipOptions<Row extends ImportRow>
  extends Pick<ImportOptions<Row>, 'by' | 'maxRejects' | 'onReject' | 'onProgress'> {
  /** Default: a reference in the form of a UUID is an id, any other a name. */
  readonly form?: ReferenceForm | undefined;
}

/** Rows that are looked up and written together. */
const limits = { maxRows: 512, maxLength: 1024 * 1024, lengthOf: ({ text }: ImportRow) => text?.length ?? 0 };

/** Attempts of a row whose group or user is deleted between the lookup and the write; the next lookup rejects it. */
const maxAttempts = 10;

type Part = keyof typeof membershipParts;

/** The ids of a row's group and user, or why the row is rejected. */
interface Pair<Row> {
  readonly row: Row;
  readonly group: string;
  readonly user: string;
  readonly violations: readonly Violation[];
}

class MembershipImport<Row extends ImportRow> {
  readonly #target: MembershipTarget;
  readonly #options: MembershipOptions<Row>;
  readonly #validate = validator(MembershipRow);
  readonly #counts = { created: 0, changed: 0, unchanged: 0, rejected: 0 };

  constructor(target: MembershipTarget, options: MembershipOptions<Row>) {
    [this.#target, this.#options] = [target, options];
  }

  get counts(): ImportCounts {
    return { ...this.#counts };
  }

  get isEnded(): boolean {
    return this.#counts.rejected > 0 && this.#rejectsLeft <= 0;
  }

  get #rejectsLeft(): number {
    return (this.#options.maxRejects ?? Number.POSITIVE_INFINITY) - this.#counts.rejected;
  }

  /** Counts everything before it reports: a report may throw. */
  async take(rows: readonly Row[], attempts = 1): Promise<void> {
    const pairs = this.#cutAtLastReject(await this.#resolve(rows));
    const { known = [], rejected = [] } = Object.groupBy(pairs, ({ violations }) =>
      violations.length === 0 ? 'known' : 'rejected',
    );
    try {
      const gone = await this.#write(known, attempts);
      this.#counts.rejected += rejected.length;
      for (const { row, violations } of rejected) await this.#options.onReject(row, violations);
      if (gone.length > 0) await this.take(gone, attempts + 1);
    } finally {
      this.#options.onProgress?.(this.counts, 0);
    }
  }

  async #resolve(rows: readonly Row[]): Promise<readonly Pair<Row>[]> {
    const read = rows.map((row) => this.#read(row));
    const find = (part: Part, lookups: readonly (Lookup | undefined)[]) =>
      lookUp(this.#target, membershipParts[part], lookups);
    const asked = { groups: read.map(({ group }) => group), users: read.map(({ user }) => user) };
    const [groups, users] = [await find('group', asked.groups), await find('user', asked.users)];
    const unknown = asked.users.filter((user) => user?.by === 'id' && users.find(user).length === 0);
    const nested = await find('group', unknown);
    return read.map(({ row, violations, group, user }) => {
      const [one, other] = [groups.find(group)[0], users.find(user)[0]];
      const wrong = [...violations];
      if (group && !one) wrong.push({ pointer: '/group', detail: `no group has this ${group.by}` });
      if (user && !other)
        wrong.push({
          pointer: '/user',
          detail: nested.find(user)[0] ? "is a group: groups can't be nested" : `no user has this ${user.by}`,
        });
      return { row, group: one?.id ?? '', user: other?.id ?? '', violations: wrong };
    });
  }

  #read(row: Row) {
    const { value, violations } = row.violations.length > 0 ? row : this.#validate(row.value);
    if (violations.length > 0) return { row, violations };
    const { group, user } = value as MembershipRow;
    return { row, violations, group: this.#lookupOf('group', group), user: this.#lookupOf('user', user) };
  }

  /** An unknown id is not looked up as a name: a user could choose the id of a deleted user as a name, and get its memberships. */
  #lookupOf(part: Part, reference: string): Lookup {
    const { form } = this.#options;
    const id = form === 'name' ? undefined : canonicalUuid(reference);
    if (id !== undefined || form === 'id') return { by: 'id', key: id ?? reference };
    const { member, map } = membershipParts[part].unique;
    return { by: member, key: map(reference) };
  }

  #cutAtLastReject(pairs: readonly Pair<Row>[]): readonly Pair<Row>[] {
    let left = this.#rejectsLeft;
    const last = pairs.findIndex(({ violations }) => violations.length > 0 && --left <= 0);
    return last < 0 ? pairs : pairs.slice(0, last + 1);
  }

  /** @returns rows to look up again, whose group or user is gone. @throws the outcome of another failed write, after all others are counted */
  async #write(pairs: readonly Pair<Row>[], attempts: number): Promise<readonly Row[]> {
    const changes = await Promise.all(
      [...Map.groupBy(pairs, ({ group }) => group)].map(async ([id, some]) => {
        const users = new Set(some.map(({ user }) => user));
        const there = await this.#target.findMembers(id, [...users]);
        return { id, some, add: [...users].filter((user) => !there.has(user)) };
      }),
    );
    const writing = changes.filter(({ add }) => add.length > 0);
    const writes = writing.map(
      ({ id, add }): Write => ({ kind: 'group', id, op: 'members', change: { add, remove: [] } }),
    );
    const outcomes = await this.#target.commit(writes, this.#options.by);
    const ended = new Map(writing.map(({ id }, at) => [id, outcomes[at]]));
    const gone: Row[] = [];
    let failure: DomainError | undefined;
    for (const { id, some, add } of changes) {
      const outcome = ended.get(id) ?? 'done';
      if (outcome === 'done') {
        this.#counts.created += add.length;
        this.#counts.unchanged += some.length - add.length;
      } else if (attempts < maxAttempts && isGone(outcome)) gone.push(...some.map(({ row }) => row));
      else failure = graverFailure(failure, outcome === 'stale' ? resourceNotFound('group') : outcome);
    }
    if (failure !== undefined) throw failure;
    return gone;
  }
}

const isGone = (outcome: Outcome): boolean => outcome === 'stale' || isCode(outcome, 'invalid-members');

/**
 * Adds the memberships, in batches.
 * @param target the store; or a dry run of it, which counts what an import would do
 * @throws DomainError `unavailable`, `outcome-unknown`, and any error of `batches`; rows counted until then are durable
 */
export async function importMemberships<Row extends ImportRow>(
  target: MembershipTarget,
  batches: AsyncIterable<readonly Row[]>,
  options: MembershipOptions<Row>,
): Promise<ImportCounts> {
  const work = new MembershipImport(target, options);
  for await (const rows of gatherBatches<Row>(batches, limits)) {
    await work.take(rows);
    if (work.isEnded) break;
  }
  return work.counts;
}
