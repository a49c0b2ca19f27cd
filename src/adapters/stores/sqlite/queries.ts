/**
 * Lists and counts. A list of few candidates, by the rarest condition, is found by looking at each of them and sorting them; one of
 * many by walking in the order that is asked for, where the next that matches is never far. Each is a generator that yields after every
 * few milliseconds' work, so that others get their turn.
 */
import type { Conditions, UserQuery } from '../../../domain/ports.ts';
import { comparePositions, type Position, type Sort } from '../../../domain/sorts.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import { Candidates, Effort, type Lead, residueBehind, stepSize, type Wanted } from './candidates.ts';
import type { Connection } from './connection.ts';
import {
  allUsers,
  countFilterStepSql,
  countMatchedSql,
  countMatchingSql,
  documentSql,
  matchingSql,
  type Pair,
  pageSql,
  type Residue,
  residueOf,
  stepEndSql,
  totalSql,
  usersByKey,
  usersOfFilter,
  usersWithoutKey,
  type Walk,
} from './query-sql.ts';
import { parseSorts } from './search-rows.ts';
import { Statements } from './statements.ts';
import { readStored } from './stored-document.ts';
import { isExact, matchQuery } from './word-index.ts';

/** At most so many candidates are sorted, however large the directory. */
const maxSorted = 10_000;

/** To so many it costs next to nothing. */
const alwaysSorted = 200;

/** So many more than a page are kept, for those who are changed while others are looked at. */
const spare = 64;

/** Keys of a filter that are counted in one step. */
const countedAtOnce = 50_000;

/** A walk, the values that it asks for and the place behind which it begins. */
interface Stretch {
  readonly walk: Walk;
  readonly values: readonly string[];
  readonly from: readonly string[];
}

interface Candidate {
  readonly id: string;
  readonly sorts: string | null;
}

type Place = Position & Candidate;

const wantedOf = ({ filters, terms = [] }: Conditions): Wanted => ({
  filters: Object.entries(filters) as Pair[],
  terms,
});

const firstPlace = ({ ends, descending }: Walk): readonly string[] => ends[descending ? 1 : 0];
const lastPlace = ({ ends, descending }: Walk): readonly string[] => ends[descending ? 0 : 1];

function stretchOf(walk: Walk, values: readonly string[], from?: readonly string[]): Stretch {
  return { walk, values, from: from ?? firstPlace(walk) };
}

/** What is walked, one after the other: by key those that have one come first, or last when it is walked backward. */
function stretchesOf({ sort = {}, after, backward = false }: UserQuery, filter?: Pair): Stretch[] {
  const descending = (sort.descending ?? false) !== backward;
  const from = after && [after.id];
  if (filter !== undefined) return [stretchOf(usersOfFilter(descending), filter, from)];
  if (sort.by === undefined) return [stretchOf(allUsers(descending), [], from)];
  const isBehindKeys = after !== undefined && after.key === undefined;
  const keyed = stretchOf(
    usersByKey(descending),
    [sort.by],
    isBehindKeys ? undefined : after && [after.key ?? '', after.id],
  );
  const others = stretchOf(usersWithoutKey(descending), [sort.by], isBehindKeys ? from : undefined);
  if (backward) return after !== undefined && !isBehindKeys ? [keyed] : [others, keyed];
  return isBehindKeys ? [others] : [keyed, others];
}

export class Queries {
  readonly #statements: Statements;
  readonly #candidates: Candidates;

  constructor(db: Connection) {
    this.#statements = new Statements(db);
    this.#candidates = new Candidates(this.#statements);
  }

  *list(query: UserQuery): Generator<undefined, StoredUser[], void> {
    const wanted = wantedOf(query);
    const { filters, terms } = wanted;
    const conditions = filters.length + terms.length;
    if (conditions === 0) return yield* this.#walk(query, stretchesOf(query), residueOf([], []));
    const isById = query.sort?.by === undefined;
    // The keys of a filter are in the order of the ids: there is nothing to sort.
    const isOneFilter = isById && conditions === 1 && filters.length === 1;
    const few = this.#few(query.limit);
    const lead = isOneFilter ? { filter: filters[0], users: few } : this.#candidates.findLead(wanted, few);
    if (lead.users < few && !(isById && lead.filter)) return yield* this.#sort(query, wanted, lead);
    const filter = isById ? (lead.filter ?? filters[0]) : undefined;
    const others = filters.filter((one) => one !== filter);
    return yield* this.#walk(query, stretchesOf(query, filter), residueOf(others, terms));
  }

  *count(conditions: Conditions): Generator<undefined, number, void> {
    const wanted = wantedOf(conditions);
    const { filters, terms } = wanted;
    const [filter] = filters;
    if (filter === undefined && terms.length === 0) return this.#statements.get<number>(totalSql) ?? 0;
    if (filter !== undefined && filters.length === 1 && terms.length === 0)
      return yield* this.#countFilter(filter);
    if (filter === undefined && isExact(terms)) return yield* this.#countTerms(wanted);
    const lead = this.#candidates.findLead(wanted, maxSorted);
    const residue = residueBehind(wanted, lead);
    const sql = countMatchingSql(lead.filter ? 'id' : 'n', residue);
    const effort = new Effort();
    let users = 0;
    for (const step of this.#candidates.steps(wanted, lead)) {
      users += this.#statements.get<number>(sql, [step, ...residue.values]) ?? 0;
      effort.add(stepSize);
      yield;
    }
    return users;
  }

  *#countFilter(filter: Pair): Generator<undefined, number, void> {
    let users = 0;
    for (let from = ''; ; ) {
      const step = this.#statements.get<{ users: number; last: string | null }>(countFilterStepSql, [
        ...filter,
        from,
        countedAtOnce,
      ]);
      users += step?.users ?? 0;
      if (step?.users !== countedAtOnce) return users;
      from = step.last ?? '';
      yield;
    }
  }

  *#countTerms({ terms }: Wanted): Generator<undefined, number, void> {
    let users = 0;
    for (const block of this.#candidates.blocks()) {
      users += this.#statements.get<number>(countMatchedSql, [matchQuery(terms, block)]) ?? 0;
      yield;
    }
    return users;
  }

  /** Where looking at all candidates costs as much as walking until the page is full. */
  #few(limit: number): number {
    const total = this.#statements.get<number>(totalSql) ?? 0;
    return Math.min(maxSorted, Math.max(alwaysSorted, Math.ceil(Math.sqrt(limit * total))));
  }

  *#sort(query: UserQuery, wanted: Wanted, lead: Lead): Generator<undefined, StoredUser[], void> {
    const { sort = {}, after, backward, limit } = query;
    const residue = residueBehind(wanted, lead);
    const sql = matchingSql(lead.filter ? 'id' : 'n', residue);
    const direction = backward ? -1 : 1;
    const compare = (one: Position, other: Position) => direction * comparePositions(one, other, sort);
    let found: Place[] = [];
    let isCut = false;
    for (const step of this.#candidates.steps(wanted, lead)) {
      for (const candidate of this.#statements.all<Candidate>(sql, [step, ...residue.values])) {
        const place = placeOf(candidate, sort);
        if (after === undefined || compare(place, after) > 0) found.push(place);
      }
      isCut ||= found.length > limit + spare;
      found = found.sort(compare).slice(0, limit + spare);
      yield;
    }
    const users = this.#readThose(found, wanted, limit);
    return users.length < limit && isCut ? yield* this.#sort(query, wanted, lead) : users;
  }

  /** Those who have been changed since they were found are left out: in their new place they may not belong to the page. */
  #readThose(found: readonly Place[], { filters, terms }: Wanted, limit: number): StoredUser[] {
    const residue = residueOf(filters, terms);
    const sql = documentSql(residue);
    const users: StoredUser[] = [];
    for (const { id, sorts } of found) {
      if (users.length >= limit) break;
      const row = this.#statements.get<{ document: string; sorts: string | null }>(sql, [
        id,
        ...residue.values,
      ]);
      if (row !== undefined && row.sorts === sorts) users.push(readStored(row.document));
    }
    return users;
  }

  /**
   * The last place of a step is read first, so that a user who is written meanwhile falls into this step or the next, never between.
   */
  *#walk(
    { limit }: UserQuery,
    stretches: readonly Stretch[],
    residue: Residue,
  ): Generator<undefined, StoredUser[], void> {
    const effort = new Effort();
    const users: StoredUser[] = [];
    for (const { walk, values, from } of stretches) {
      const sql = pageSql(walk, residue);
      for (let place = from; users.length < limit; ) {
        const end = residue.sql === '' ? undefined : this.#findStepEnd(walk, values, place);
        const range = [...values, ...place, ...(end ?? lastPlace(walk))];
        const page = this.#statements.all<string>(sql, [...range, ...residue.values, limit - users.length]);
        for (const document of page) users.push(readStored(document));
        if (end === undefined) break;
        place = end;
        effort.add(stepSize);
        yield;
      }
    }
    return users;
  }

  #findStepEnd(
    walk: Walk,
    values: readonly string[],
    place: readonly string[],
  ): readonly string[] | undefined {
    const end = this.#statements.get<string | Record<string, string>>(stepEndSql(walk), [
      ...values,
      ...place,
      stepSize - 1,
    ]);
    if (end === undefined) return undefined;
    return typeof end === 'object' ? Object.values(end) : [end];
  }
}

const placeOf = ({ id, sorts }: Candidate, { by }: Sort): Place =>
  by === undefined ? { id, sorts } : { id, sorts, key: parseSorts(sorts)[by] };
