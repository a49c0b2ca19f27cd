/** The users who match a filter: in an order, from any place in it, and how many there are. */
import type { Principal } from '../../../../domain/ports.ts';
import { comparePositions, type Position, positionOf, type Sort } from '../../../../domain/sorts.ts';
import type { StoredUser } from '../../../../domain/stored-user.ts';
import type { Users } from '../../../../domain/users.ts';
import { Slices } from '../../../scheduler/event-loop.ts';
import { everybody, type Plan } from './alternatives.ts';
import { type Batches, passOver, takeWhile } from './batches.ts';
import { type Walk, walkCandidates } from './candidates.ts';
import { compileFilter } from './matches.ts';
import { planFilter } from './plan.ts';
import { assertFew, filterInTurns } from './scan.ts';
import type { Filter } from './syntax.ts';
import { walkBackwards } from './walk-backwards.ts';

export interface SelectionParts {
  readonly users: Users;
  readonly principal: Principal;
  /** Undefined: everybody, damaged users too. No damaged user matches a filter. */
  readonly filter: Filter | undefined;
  readonly sort: Sort;
  /** The most users that are looked at for a filter that no index answers. */
  readonly maxScanned: number;
  /** Only of users that aren't damaged. */
  readonly resourceOf: (user: StoredUser) => unknown;
}

/** Every method may throw DomainError `query-too-costly`, also where more than `maxScanned` users would have to be looked at. */
export interface Selection {
  /**
   * In batches; others get their turn while those who don't match are passed over.
   * @param from.skip leaves out as many at the beginning
   * @param from.after begins behind this place
   * @param from.before ends in front of this place
   * @param from.limit no more are wanted: there may be more of them nevertheless
   */
  walk(from?: {
    skip?: number;
    after?: Position | undefined;
    before?: Position | undefined;
    limit?: number;
  }): Batches;
  /** How many there are in all, exactly. */
  count(): Promise<number>;
  /** True where users have to be looked at one by one, and all of them to be counted: no index tells who matches, and not few are left. */
  isScan(): Promise<boolean>;
  /**
   * What a page comes behind that ends in front of a place; undefined for the first page of the list.
   * @param page.before the end of the list where it is left out
   */
  findStartBefore(page: { before?: Position | undefined; limit: number }): Promise<Position | undefined>;
}

/** As many as the domain reads at a time. */
const batchSize = 64;
/** A filter that leaves no more than these is answered by one query: most ask whether there is a certain user. */
const few = 16;

type Steps = Pick<Walk, 'after' | 'skip' | 'limit'>;

class FilteredUsers implements Selection {
  readonly #parts: SelectionParts;
  readonly #plan: Plan;
  readonly #isFound: (user: StoredUser) => boolean;
  #few: Promise<readonly StoredUser[] | undefined> | undefined;
  #admission: Promise<void> | undefined;

  constructor(parts: SelectionParts) {
    const { filter, resourceOf } = parts;
    this.#parts = parts;
    this.#plan = filter === undefined ? { ...everybody, isExact: true } : planFilter(filter);
    const matches = filter === undefined || this.#plan.isExact ? undefined : compileFilter(filter);
    this.#isFound = (user) =>
      filter === undefined || (!user.isDamaged && (matches === undefined || matches(resourceOf(user))));
  }

  walk({ before, ...from }: Parameters<Selection['walk']>[0] = {}): Batches {
    const batches = this.#walkFrom(from);
    return before === undefined ? batches : takeWhile(batches, (user) => this.#compare(user, before) < 0);
  }

  async count(): Promise<number> {
    const found = await this.#findFew();
    if (found !== undefined) return found.length;
    const { users, principal } = this.#parts;
    const conditions = this.#exactConditions();
    if (conditions !== undefined) return await users.count(principal, conditions);
    let count = 0;
    for await (const batch of this.#walkFrom({})) count += batch.length;
    return count;
  }

  async isScan(): Promise<boolean> {
    if (this.#exactConditions() !== undefined || (await this.#findFew()) !== undefined) return false;
    await this.#admit();
    return true;
  }

  async findStartBefore({ before, limit }: Parameters<Selection['findStartBefore']>[0]) {
    const { users, principal, sort } = this.#parts;
    const found = await this.#findFew();
    if (found !== undefined) {
      const inFront = found.filter((user) => before === undefined || this.#compare(user, before) < 0);
      const last = inFront.at(-limit - 1);
      return last && positionOf(last, sort);
    }
    const conditions = this.#exactConditions();
    if (conditions !== undefined)
      return await users.findPageBefore(principal, { ...conditions, sort, before, limit });
    await this.#admit();
    let left = limit;
    for await (const batch of walkBackwards(
      (order, after) => this.#scan({ sort: order, after }),
      sort,
      before,
    )) {
      const last = batch[left];
      if (last !== undefined) return positionOf(last, sort);
      left -= batch.length;
    }
    return undefined;
  }

  #compare(user: StoredUser, place: Position): number {
    const { sort } = this.#parts;
    return comparePositions(positionOf(user, sort), place, sort);
  }

  /** What a store can answer by itself. */
  #exactConditions() {
    const [only] = this.#plan.alternatives;
    return this.#plan.isExact && only !== undefined && 'conditions' in only ? only.conditions : undefined;
  }

  async *#walkFrom({ after, skip = 0, limit }: Steps): Batches {
    const { sort } = this.#parts;
    const found = after === undefined ? await this.#findFew() : await this.#few;
    if (found !== undefined) {
      const users = found.filter((user) => after === undefined || this.#compare(user, after) > 0).slice(skip);
      if (users.length > 0) yield users;
      return;
    }
    await this.#admit();
    // All whom the store gives are wanted: it passes over users without reading them, and reads no more than those of the page.
    if (this.#exactConditions() !== undefined) yield* this.#scan({ sort, after, skip, limit });
    else yield* passOver(this.#scan({ sort, after }), skip);
  }

  #candidates(walk: Omit<Walk, 'users' | 'principal'>): Batches {
    const { users, principal } = this.#parts;
    return walkCandidates({ users, principal, ...walk }, this.#plan.alternatives);
  }

  #scan(steps: Steps & { readonly sort: Sort }): Batches {
    return filterInTurns(
      this.#parts.principal,
      this.#candidates({ ...steps, atOnce: batchSize }),
      this.#isFound,
    );
  }

  /** All who match, if they are few. */
  #findFew(): Promise<readonly StoredUser[] | undefined> {
    this.#few ??= this.#collectFew();
    return this.#few;
  }

  async #collectFew(): Promise<readonly StoredUser[] | undefined> {
    const { filter, sort, principal } = this.#parts;
    if (filter === undefined) return undefined;
    const found: StoredUser[] = [];
    for await (const batch of this.#candidates({ sort, atOnce: few + 1 })) {
      found.push(...batch);
      if (found.length > few) return undefined;
    }
    const matching: StoredUser[] = [];
    const slices = new Slices(principal.id);
    for (const user of found) {
      await slices.pause();
      if (this.#isFound(user)) matching.push(user);
    }
    return matching;
  }

  /** @throws DomainError `query-too-costly` */
  #admit(): Promise<void> {
    const { users, principal, maxScanned } = this.#parts;
    this.#admission ??= this.#plan.isExact
      ? Promise.resolve()
      : assertFew({ users, principal }, this.#plan.alternatives, maxScanned);
    return this.#admission;
  }
}

export const selectUsers = (parts: SelectionParts): Selection => new FilteredUsers(parts);
