/**
 * Lists and counts. A list of few candidates, by the rarest condition, is found by looking at each of them and sorting them; one of
 * many by walking in the order that is asked for, where the next that matches is never far. Each is a generator that yields after every
 * few milliseconds' work, so that others get their turn.
 */
import { DomainError } from '../../../domain/errors.ts';
import type { Conditions, UserQuery } from '../../../domain/ports.ts';
import { type Position, type Sort, searchedSorts } from '../../../domain/sorts.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import {
  Candidates,
  Effort,
  type Lead,
  residueBehind,
  type Steps,
  type Wanted,
  wantedOf,
} from './candidates.ts';
import type { Connection } from './connection.ts';
import { Counts } from './counts.ts';
import { Pace } from './pace.ts';
import {
  countKeysSql,
  documentSql,
  matchingSql,
  type Pair,
  pageSql,
  residueOf,
  totalSql,
} from './query-sql.ts';
import { makeSearchCheck } from './schema.ts';
import { parseSorts } from './search-rows.ts';
import { comparisonFor, indexBehind, SortedCandidates } from './sorted-candidates.ts';
import { Statements } from './statements.ts';
import { readStored } from './stored-document.ts';
import { findStepEnd, type Stretch, stretchesOf, stretchesWithin } from './stretches.ts';

/** At most so many candidates are sorted, however large the directory. */
const maxSorted = 5_000;

/** Of many candidates the best are kept, whenever so many more have come. */
const sortedAtOnce = 2_000;

/** To so many it costs next to nothing. */
const alwaysSorted = 200;

/** Users that a walk looks at before it is asked where those are that it looks for. */
const firstPatience = 2_000;

/** Users that it looks at before another way is thought to be shorter. */
const leastPatience = 10_000;

/** Keys that are counted in one step. */
const mostKeys = 200_000;

interface Candidate {
  readonly id: string;
  readonly sorts: string | null;
}

export class Queries {
  readonly #statements: Statements;
  readonly #candidates: Candidates;
  readonly #counts: Counts;
  readonly #sorted = new SortedCandidates();
  readonly #isCurrent: () => boolean;
  /** The state in which the indexes were seen to be those of this release. */
  #checked = -1;

  constructor(db: Connection) {
    this.#statements = new Statements(db);
    this.#isCurrent = makeSearchCheck(db);
    this.#candidates = new Candidates(this.#statements);
    this.#counts = new Counts(this.#statements, this.#candidates);
  }

  *list(query: UserQuery): Steps<StoredUser[]> {
    this.#assertCurrent();
    const wanted = wantedOf(query);
    const { filters, terms } = wanted;
    const [filter] = filters;
    const isById = query.sort?.by === undefined;
    if (filters.length + terms.length === 0) return (yield* this.#walk(query, wanted)) ?? [];
    // The keys of a filter are in the order of the ids: there is nothing to sort.
    if (isById && filter !== undefined && filters.length + terms.length === 1)
      return (yield* this.#walk(query, wanted, filter)) ?? [];
    const state = this.#state();
    const known = this.#sorted.find(query, state);
    if (known !== undefined) return this.#readBehind(known, query, wanted);
    const few = this.#few(query.limit);
    const lead = yield* this.#candidates.findLead(wanted, few);
    if (isById && lead.filter !== undefined) return (yield* this.#walk(query, wanted, lead.filter)) ?? [];
    if (lead.users < few) return yield* this.#sort(query, wanted, lead, state);
    const walked = yield* this.#walk(query, wanted, isById ? filter : undefined, lead);
    return walked ?? (yield* this.#sort(query, wanted, lead, state));
  }

  *count(conditions: Conditions): Steps<number> {
    this.#assertCurrent();
    return yield* this.#counts.count(wantedOf(conditions));
  }

  /** Where looking at all candidates costs as much as walking until the page is full. */
  #few(limit: number): number {
    const total = this.#statements.get<number>(totalSql) ?? 0;
    return Math.min(maxSorted, Math.max(alwaysSorted, Math.ceil(Math.sqrt(limit * total))));
  }

  /** A later release may be making the indexes anew, by its rules. @throws DomainError `unavailable` */
  #assertCurrent(): void {
    const state = this.#state();
    if (state === this.#checked) return;
    if (!this.#isCurrent()) throw new DomainError('unavailable', 'Another release is at work on the file.');
    this.#checked = state;
  }

  /** Another number after every write. */
  #state(): number {
    return this.#statements.get<number>('PRAGMA data_version') ?? 0;
  }

  /**
   * @param lead of the candidates, each of which is looked at
   * @param state in which the lead was looked for
   */
  *#sort(query: UserQuery, wanted: Wanted, lead: Lead, state: number): Steps<StoredUser[]> {
    const { places, isWhole } = yield* this.#findPlaces(query, wanted, lead);
    if (isWhole && this.#state() === state) this.#sorted.keep(query, state, places);
    const users = this.#readBehind(places, query, wanted);
    // Of so many more than a page nearly all were changed meanwhile.
    return users.length < query.limit && !isWhole ? yield* this.#sort(query, wanted, lead, state) : users;
  }

  *#findPlaces(
    query: UserQuery,
    wanted: Wanted,
    lead: Lead,
  ): Steps<{ places: Position[]; isWhole: boolean }> {
    const residue = residueBehind(wanted, lead);
    const sql = matchingSql(lead.filter ? 'id' : 'n', residue);
    const compare = comparisonFor(query);
    const { after } = query;
    const [effort, pace] = [new Effort(), new Pace()];
    let places: Position[] = [];
    let isWhole = true;
    for (const step of this.#candidates.steps(lead, pace)) {
      effort.add(pace.users);
      const found = pace.measure(() => this.#statements.all<Candidate>(sql, [step, ...residue.values]));
      for (const candidate of found) places.push(placeOf(candidate, query.sort));
      if (places.length > maxSorted + sortedAtOnce) {
        if (after !== undefined) places = places.filter((place) => compare(place, after) > 0);
        places = places.sort(compare).slice(0, Math.max(maxSorted, 2 * query.limit));
        isWhole = false;
      }
      yield;
    }
    return { places: places.sort(compare), isWhole };
  }

  /** Those who have moved or match no more since they were found are left out: in their new place they may not belong to the page. */
  #readBehind(places: readonly Position[], query: UserQuery, { filters, terms }: Wanted): StoredUser[] {
    const residue = residueOf(filters, terms);
    const sql = documentSql(residue);
    const by = query.sort?.by;
    const users: StoredUser[] = [];
    for (let at = indexBehind(places, query); at < places.length && users.length < query.limit; at += 1) {
      const { id, key } = places[at] as Position;
      const asFound = by === undefined ? null : (key ?? '');
      const row = this.#statements.get<{ document: string; sorts: string | null }>(sql, [
        asFound,
        id,
        ...residue.values,
      ]);
      const hasMoved = by !== undefined && parseSorts(row?.sorts ?? null)[by] !== key;
      if (row !== undefined && !hasMoved) users.push(readStored(row.document));
    }
    return users;
  }

  /** With the beginning that the keys of all of them have, when a search for it is sorted by what it has found. */
  *#countLead(query: UserQuery, lead: Lead): Steps<{ users: number; beginning: string | undefined }> {
    const state = this.#state();
    const users = yield* this.#counts.countLead(lead);
    const [pattern, ...others] = lead.terms.length === 1 && !lead.filter ? (lead.terms[0] ?? []) : [];
    const by = query.sort?.by ?? '';
    if (pattern === undefined || others.length > 0 || users > mostKeys || !searchedSorts.has(by))
      return { users, beginning: undefined };
    const range = [by, pattern.start, `${pattern.start}\u{10ffff}`];
    const isAll = this.#statements.get<number>(countKeysSql, range) === users && this.#state() === state;
    return { users, beginning: isAll ? pattern.start : undefined };
  }

  /**
   * The last place of a step is read first, so that a user who is written meanwhile falls into this step or the next, never between.
   * @param lead when given, undefined is returned as soon as it would have cost less to look at all whom it leads to
   */
  *#walk(
    query: UserQuery,
    { filters, terms }: Wanted,
    filter?: Pair,
    lead?: Lead,
    stretches: readonly Stretch[] = stretchesOf(query, filter),
  ): Steps<StoredUser[] | undefined> {
    const { limit } = query;
    const others = filters.filter((one) => one !== filter);
    const residue = residueOf(others, terms);
    const [effort, pace] = [new Effort(), new Pace()];
    let patience = lead && leastPatience;
    let isCounted = false;
    const users: StoredUser[] = [];
    for (const stretch of stretches) {
      const { walk, values, from, to } = stretch;
      const sql = pageSql(walk, residue);
      for (let place = from; users.length < limit; ) {
        const end =
          residue.sql === '' ? undefined : findStepEnd(this.#statements, stretch, place, pace.users);
        const range = [...values, ...place, ...(end ?? to)];
        effort.add(pace.users);
        const page = pace.measure(() =>
          this.#statements.all<string>(sql, [...range, ...residue.values, limit - users.length]),
        );
        for (const document of page) users.push(readStored(document));
        if (end === undefined) break;
        place = end;
        if (lead && !isCounted && effort.users >= firstPatience) {
          isCounted = true;
          const { users, beginning } = yield* this.#countLead(query, lead);
          if (beginning !== undefined)
            return yield* this.#walk(
              query,
              { filters, terms },
              filter,
              undefined,
              stretchesWithin(query, beginning),
            );
          patience = Math.max(leastPatience, users);
        }
        if (patience !== undefined && effort.users >= patience) return undefined;
        yield;
      }
    }
    return users;
  }
}

const placeOf = ({ id, sorts }: Candidate, { by }: Sort = {}): Position =>
  by === undefined ? { id } : { id, key: parseSorts(sorts)[by] };
