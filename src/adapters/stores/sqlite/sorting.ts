/** Lists of few candidates: each of them is looked at, and the best are sorted. */
import type { UserQuery } from '../../../domain/ports.ts';
import type { Position, Sort } from '../../../domain/sorts.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import { BestPlaces } from './best-places.ts';
import {
  type Candidates,
  Effort,
  type Lead,
  residueBehind,
  residueOnWay,
  type Steps,
  type Wanted,
} from './candidates.ts';
import { Pace } from './pace.ts';
import { documentSql, matchingSql } from './query-sql.ts';
import { keyIn, sortNumber } from './search-rows.ts';
import { indexBehind, SortedCandidates } from './sorted-candidates.ts';
import type { Statements } from './statements.ts';
import { readStored } from './stored-document.ts';

/** At most so many candidates are sorted, however large the directory. */
export const maxSorted = 5_000;

/** To look at so many takes less than half a millisecond. */
const sortedAtOnce = 100;

/** Of many candidates so many are kept when others are to be passed over. */
const keptToSkip = 20_000;

const keptFor = ({ skip = 0, limit }: UserQuery, toSkip = keptToSkip): number =>
  Math.max(skip === 0 ? maxSorted : toSkip, 2 * limit);

/** How many users are looked at: beyond those that are kept the next are looked for among all anew. */
export const sortingEffort = (candidates: number, query: UserQuery): number =>
  candidates * Math.ceil(((query.skip ?? 0) + query.limit) / keptFor(query));

interface Candidate {
  readonly id: string;
  readonly sorts: string | null;
}

export class Sorting {
  readonly #statements: Statements;
  readonly #candidates: Candidates;
  readonly #sorted = new SortedCandidates();
  readonly #keptToSkip: number;

  constructor(statements: Statements, candidates: Candidates, toSkip = keptToSkip) {
    this.#statements = statements;
    this.#candidates = candidates;
    this.#keptToSkip = toSkip;
  }

  /** The list as it was sorted before, when nobody has written since; else undefined. */
  findSorted(query: UserQuery, wanted: Wanted): StoredUser[] | undefined {
    const known = this.#sorted.find(query, this.#statements.dataVersion());
    return known && this.#readBehind(known, query, wanted);
  }

  /**
   * @param lead of the candidates, each of which is looked at
   * @param state in which the lead was looked for
   */
  *sort(query: UserQuery, wanted: Wanted, lead: Lead, state: number): Steps<StoredUser[]> {
    const best = yield* this.#findBest(query, wanted, lead);
    const places = best.finish();
    const { isAll, isComplete } = best;
    if (this.#statements.dataVersion() === state)
      this.#sorted.keep(query, state, { places, after: isAll ? undefined : query.after, isComplete });
    const { skip = 0, limit } = query;
    const begin = indexBehind(places, query);
    const found = places.length - begin;
    if (!isComplete && found < skip + limit) {
      const passed = Math.min(skip, found);
      const behind = { after: places[begin + passed - 1], skip: skip - passed };
      return yield* this.sort({ ...query, ...behind }, wanted, lead, state);
    }
    const users = this.#readBehind(places, query, wanted);
    // Of so many more than a page nearly all were changed meanwhile.
    return users.length < limit && !isComplete ? yield* this.sort(query, wanted, lead, state) : users;
  }

  *#findBest(query: UserQuery, wanted: Wanted, lead: Lead): Steps<BestPlaces> {
    const residue = residueBehind(wanted, lead);
    const sql = matchingSql(lead.filter ? 'id' : 'n', residue);
    const [effort, pace] = [new Effort(), new Pace()];
    const best = new BestPlaces(query, keptFor(query, this.#keptToSkip));
    for (const step of this.#candidates.steps(lead, pace)) {
      // Before the first of many, too: others may begin in the same turn.
      if (effort.users > 0 || lead.users > sortedAtOnce) yield;
      effort.add(pace.users);
      const found = pace.measure(() => this.#statements.all<Candidate>(sql, [step, ...residue.values]));
      best.add(found.map((candidate) => placeOf(candidate, query.sort)));
    }
    return best;
  }

  /** Those who have moved or match no more since they were found are left out: in their new place they may not belong to the page. */
  #readBehind(places: readonly Position[], query: UserQuery, wanted: Wanted): StoredUser[] {
    const residue = residueOnWay(wanted);
    const sql = documentSql(residue);
    const by = query.sort?.by;
    const users: StoredUser[] = [];
    const { skip = 0, limit } = query;
    for (let at = indexBehind(places, query) + skip; at < places.length && users.length < limit; at += 1) {
      const { id, key } = places[at] as Position;
      const asFound = by === undefined ? null : (key ?? '');
      const row = this.#statements.get<{ document: string; sorts: string | null }>(sql, [
        asFound,
        id,
        ...residue.values,
      ]);
      const hasMoved = by !== undefined && keyIn(row?.sorts ?? null, sortNumber(by)) !== key;
      if (row !== undefined && !hasMoved) users.push(readStored(row.document));
    }
    return users;
  }
}

const placeOf = ({ id, sorts }: Candidate, { by }: Sort = {}): Position =>
  by === undefined ? { id } : { id, key: keyIn(sorts, sortNumber(by)) };
