/**
 * Lists and counts. A list of few candidates, by the rarest condition, is found by looking at each of them and sorting them; one of
 * many by walking in the order that is asked for, where the next that matches is never far. Each is a generator that yields after every
 * few milliseconds' work, so that others get their turn.
 */
import { DomainError } from '../../../domain/errors.ts';
import type { Conditions, UserQuery } from '../../../domain/ports.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import { Candidates, type Steps, wantedOf } from './candidates.ts';
import type { Connection } from './connection.ts';
import { Counts } from './counts.ts';
import { type Pair, totalSql } from './query-sql.ts';
import { makeSearchCheck } from './schema.ts';
import { maxSorted, Sorting } from './sorting.ts';
import { Statements } from './statements.ts';
import { walkAll } from './walk-all.ts';
import { Walks } from './walks.ts';

/** To so many it costs next to nothing. */
const alwaysSorted = 200;

/** Of all users: from the index of a filter to a user it is twice as far as from one user to the next. */
const shareWorthWalking = 0.4;

export class Queries {
  readonly #statements: Statements;
  readonly #candidates: Candidates;
  readonly #counts: Counts;
  readonly #sorting: Sorting;
  readonly #walks: Walks;
  readonly #isCurrent: () => boolean;
  /** The state in which the indexes were seen to be those of this release. */
  #checked = -1;

  constructor(db: Connection) {
    this.#statements = new Statements(db);
    this.#isCurrent = makeSearchCheck(db);
    this.#candidates = new Candidates(this.#statements);
    this.#counts = new Counts(this.#statements, this.#candidates);
    this.#sorting = new Sorting(this.#statements, this.#candidates);
    this.#walks = new Walks(this.#statements, this.#candidates, this.#counts);
  }

  *list(query: UserQuery): Steps<StoredUser[]> {
    this.#assertCurrent();
    const asked = wantedOf(query);
    const { filters, terms } = asked;
    const [filter] = filters;
    const isById = query.sort?.by === undefined;
    if (filters.length + terms.length === 0) return yield* walkAll(this.#statements, query);
    // The keys of a filter are in the order of the ids: there is nothing to sort.
    if (isById && filter !== undefined && filters.length + terms.length === 1)
      return yield* walkAll(this.#statements, query, filter);
    const state = this.#statements.dataVersion();
    const known = this.#sorting.findSorted(query, asked);
    if (known !== undefined) return known;
    const few = this.#few(query);
    const resolved = this.#candidates.withKeys(asked);
    if (resolved === undefined) return [];
    // Several filters lead along their keys, which are in the order of the ids.
    const wanted = isById && terms.length === 0 ? asked : resolved;
    const lead = yield* this.#candidates.findLead(wanted, few);
    if (isById && lead.filter !== undefined)
      return (yield* this.#walks.walk(query, wanted, lead.filter)) ?? [];
    if (lead.users < few) return yield* this.#sorting.sort(query, wanted, lead, state);
    const walked = isById ? this.#walkedFilter(filters) : undefined;
    const users = yield* this.#walks.walk(query, wanted, walked, lead);
    return users ?? (yield* this.#sorting.sort(query, wanted, lead, state));
  }

  /** The rarest of the filters, if to walk along its index past those whom it finds takes less than past everybody. */
  #walkedFilter(filters: readonly Pair[]): Pair | undefined {
    const total = this.#statements.get<number>(totalSql) ?? 0;
    const counted = filters.map((pair) => ({ pair, users: this.#candidates.findShared(pair)?.users ?? 0 }));
    const [rarest] = counted.sort((one, other) => one.users - other.users);
    return rarest && rarest.users < shareWorthWalking * total ? rarest.pair : undefined;
  }

  *count(conditions: Conditions): Steps<number> {
    this.#assertCurrent();
    return yield* this.#counts.count(wantedOf(conditions));
  }

  /** Where looking at all candidates costs as much as walking until the page is full. */
  #few({ skip = 0, limit }: UserQuery): number {
    const total = this.#statements.get<number>(totalSql) ?? 0;
    return Math.min(maxSorted, Math.max(alwaysSorted, Math.ceil(Math.sqrt((skip + limit) * total))));
  }

  /** A later release may be making the indexes anew, by its rules. @throws DomainError `unavailable` */
  #assertCurrent(): void {
    const state = this.#statements.dataVersion();
    if (state === this.#checked) return;
    if (!this.#isCurrent()) throw new DomainError('unavailable', 'Another release is at work on the file.');
    this.#checked = state;
  }
}
