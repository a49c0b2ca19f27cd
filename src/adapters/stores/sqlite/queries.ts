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
  countFilterSql,
  countMatchedSql,
  countMatchingSql,
  documentSql,
  matchingSql,
  type Pair,
  pageSql,
  residueOf,
  stepEndSql,
  totalSql,
  usersByKey,
  usersOfFilter,
  usersWithoutKey,
  type Walk,
} from './query-sql.ts';
import { parseSorts } from './search-rows.ts';
import { type Place, SortedCandidates } from './sorted-candidates.ts';
import { Statements } from './statements.ts';
import { readStored } from './stored-document.ts';
import { isExact, matchQuery } from './word-index.ts';

/** At most so many candidates are sorted, however large the directory. */
const maxSorted = 10_000;

/** To so many it costs next to nothing. */
const alwaysSorted = 200;

/** Keys of a filter that are counted in one step. */
const countedAtOnce = 50_000;

/** A walk, the values that it asks for and the place behind which it begins. */
interface Stretch {
  readonly walk: Walk;
  readonly values: readonly string[];
  readonly from: readonly string[];
}

/** Users that a walk looks at before it is asked whether another way would be shorter; a number of whole steps. */
const leastPatience = 20 * stepSize;

/** How far conditions are counted to find the rarest, where each of its users is looked at. */
const countedForLead = 100_000;

type Steps<T> = Generator<undefined, T, void>;

interface Candidate {
  readonly id: string;
  readonly sorts: string | null;
}

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

const comparisonFor = ({ sort, backward }: UserQuery) => {
  const direction = backward ? -1 : 1;
  return (one: Position, other: Position) => direction * comparePositions(one, other, sort);
};

/** Of the first place that comes after that of the query. */
function indexBehind(places: readonly Place[], query: UserQuery): number {
  const { after } = query;
  if (after === undefined) return 0;
  const compare = comparisonFor(query);
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(places[middle] as Place, after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

export class Queries {
  readonly #statements: Statements;
  readonly #candidates: Candidates;
  readonly #sorted = new SortedCandidates();

  constructor(db: Connection) {
    this.#statements = new Statements(db);
    this.#candidates = new Candidates(this.#statements);
  }

  *list(query: UserQuery): Steps<StoredUser[]> {
    const wanted = wantedOf(query);
    const { filters, terms } = wanted;
    const [filter] = filters;
    const isById = query.sort?.by === undefined;
    if (filters.length + terms.length === 0) return (yield* this.#walk(query, wanted)) ?? [];
    // The keys of a filter are in the order of the ids: there is nothing to sort.
    if (isById && filter !== undefined && filters.length + terms.length === 1)
      return (yield* this.#walk(query, wanted, filter)) ?? [];
    const known = this.#sorted.find(query, this.#state());
    if (known !== undefined) return this.#readBehind(known, query, wanted);
    const few = this.#few(query.limit);
    const lead = yield* this.#candidates.findLead(wanted, few);
    if (isById && lead.filter !== undefined) return (yield* this.#walk(query, wanted, lead.filter)) ?? [];
    if (lead.users < few) return yield* this.#sort(query, wanted, lead);
    const walked = yield* this.#walk(query, wanted, isById ? filter : undefined, lead);
    return walked ?? (yield* this.#sort(query, wanted, lead));
  }

  *count(conditions: Conditions): Steps<number> {
    const wanted = wantedOf(conditions);
    const { filters, terms } = wanted;
    const [filter] = filters;
    if (filter === undefined && terms.length === 0) return this.#statements.get<number>(totalSql) ?? 0;
    if (filter !== undefined && filters.length === 1 && terms.length === 0)
      return yield* this.#countFilter(filter);
    if (filter === undefined && isExact(terms)) return yield* this.#countTerms(wanted);
    const lead = yield* this.#candidates.findLead(wanted, countedForLead);
    const residue = residueBehind(wanted, lead);
    const sql = countMatchingSql(lead.filter ? 'id' : 'n', residue);
    const effort = new Effort();
    let users = 0;
    for (const step of this.#candidates.steps(lead)) {
      users += this.#statements.get<number>(sql, [step, ...residue.values]) ?? 0;
      effort.add(stepSize);
      yield;
    }
    return users;
  }

  *#countFilter(filter: Pair): Steps<number> {
    const walk = usersOfFilter(false);
    let users = 0;
    for (let place = firstPlace(walk); ; ) {
      const end = this.#findStepEnd(walk, filter, place, countedAtOnce);
      const range = [...filter, ...place, ...(end ?? lastPlace(walk))];
      users += this.#statements.get<number>(countFilterSql, range) ?? 0;
      if (end === undefined) return users;
      place = end;
      yield;
    }
  }

  *#countTerms({ terms }: Wanted): Steps<number> {
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

  /** Another number after every write. */
  #state(): number {
    return this.#statements.get<number>('PRAGMA data_version') ?? 0;
  }

  /** @param lead of the candidates, each of which is looked at */
  *#sort(query: UserQuery, wanted: Wanted, lead: Lead): Steps<StoredUser[]> {
    const state = this.#state();
    const { places, isWhole } = yield* this.#findPlaces(query, wanted, lead);
    if (isWhole && this.#state() === state) this.#sorted.keep(query, state, places);
    const users = this.#readBehind(places, query, wanted);
    // Of so many more than a page nearly all were changed meanwhile.
    return users.length < query.limit && !isWhole ? yield* this.#sort(query, wanted, lead) : users;
  }

  *#findPlaces(query: UserQuery, wanted: Wanted, lead: Lead): Steps<{ places: Place[]; isWhole: boolean }> {
    const residue = residueBehind(wanted, lead);
    const sql = matchingSql(lead.filter ? 'id' : 'n', residue);
    const compare = comparisonFor(query);
    const { after } = query;
    const effort = new Effort();
    let places: Place[] = [];
    let isWhole = true;
    for (const step of this.#candidates.steps(lead)) {
      for (const candidate of this.#statements.all<Candidate>(sql, [step, ...residue.values]))
        places.push(placeOf(candidate, query.sort));
      if (places.length > 2 * maxSorted) {
        if (after !== undefined) places = places.filter((place) => compare(place, after) > 0);
        places = places.sort(compare).slice(0, Math.max(maxSorted, 2 * query.limit));
        isWhole = false;
      }
      effort.add(stepSize);
      yield;
    }
    return { places: places.sort(compare), isWhole };
  }

  /** Those who have been changed since they were found are left out: in their new place they may not belong to the page. */
  #readBehind(places: readonly Place[], query: UserQuery, { filters, terms }: Wanted): StoredUser[] {
    const residue = residueOf(filters, terms);
    const sql = documentSql(residue);
    const users: StoredUser[] = [];
    for (let at = indexBehind(places, query); at < places.length && users.length < query.limit; at += 1) {
      const { id, sorts } = places[at] as Place;
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
   * @param lead when given, undefined is returned as soon as it would have cost less to look at all whom it leads to
   */
  *#walk(
    query: UserQuery,
    { filters, terms }: Wanted,
    filter?: Pair,
    lead?: Lead,
  ): Steps<StoredUser[] | undefined> {
    const { limit } = query;
    const others = filters.filter((one) => one !== filter);
    const residue = residueOf(others, terms);
    const effort = new Effort();
    let patience = lead && leastPatience;
    const users: StoredUser[] = [];
    for (const { walk, values, from } of stretchesOf(query, filter)) {
      const sql = pageSql(walk, residue);
      for (let place = from; users.length < limit; ) {
        const end = residue.sql === '' ? undefined : this.#findStepEnd(walk, values, place, stepSize);
        const range = [...values, ...place, ...(end ?? lastPlace(walk))];
        const page = this.#statements.all<string>(sql, [...range, ...residue.values, limit - users.length]);
        for (const document of page) users.push(readStored(document));
        if (end === undefined) break;
        place = end;
        effort.add(stepSize);
        if (lead && effort.users === leastPatience)
          patience = Math.max(leastPatience, yield* this.#countLead(lead));
        if (patience !== undefined && effort.users >= patience) return undefined;
        yield;
      }
    }
    return users;
  }

  *#countLead({ filter, terms }: Lead): Steps<number> {
    return filter === undefined
      ? yield* this.#countTerms({ filters: [], terms })
      : yield* this.#countFilter(filter);
  }

  /** Its last one of so many from a place on; undefined when fewer are left. */
  #findStepEnd(walk: Walk, values: readonly string[], place: readonly string[], users: number) {
    const end = this.#statements.get<string | Record<string, string>>(stepEndSql(walk), [
      ...values,
      ...place,
      users - 1,
    ]);
    if (end === undefined) return undefined;
    return typeof end === 'object' ? Object.values(end) : [end];
  }
}

const placeOf = ({ id, sorts }: Candidate, { by }: Sort = {}): Place =>
  by === undefined ? { id, sorts } : { id, sorts, key: parseSorts(sorts)[by] };
