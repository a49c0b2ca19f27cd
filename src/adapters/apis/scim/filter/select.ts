/**
 * The users that match a filter: in order, from any position, and their number. plan.ts turns the filter into a store condition. If the
 * condition is exact, the store provides pages and totals. Otherwise each user that the store returns is compared with the filter, up to
 * `maxScanned` users.
 */

import { positionOf } from '../../../../domain/at-import.ts';
import { DomainError } from '../../../../domain/base/errors.ts';
import { everybody, isNobody } from '../../../../domain/find/conditions.ts';
import { comparePositions, type Position, type Sort } from '../../../../domain/find/sorts.ts';
import type { User } from '../../../../domain/kinds/user/user.ts';
import type { Principal } from '../../../../domain/ports.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import type { PageQuery } from '../../../../domain/store.ts';
import type { Users } from '../../../../domain/users.ts';
import { compileFilter } from './matches.ts';
import { type Plan, planFilter } from './plan.ts';
import { type Batches, filterInTurns, skipFirst, takeWhile } from './scan.ts';
import type { Filter } from './syntax.ts';

export interface SelectionParts {
  readonly users: Users;
  readonly principal: Principal;
  /** Undefined selects all users. */
  readonly filter: Filter | undefined;
  readonly sort: Sort;
  /** The maximum number of users scanned for a filter that no index answers. */
  readonly maxScanned: number;
  readonly resourceOf: (user: Stored<User>) => unknown;
}

/** The page begins after `after`, ends before `before`, and skips the first `skip` users. */
interface Place {
  readonly skip?: number;
  readonly after?: Position | undefined;
  readonly before?: Position | undefined;
  /** The number of users wanted; more may be returned. */
  readonly limit?: number;
}

type Walk = Omit<Parameters<Users['list']>[1], 'where' | 'sort'>;

/** If no more users than this remain, one query answers the filter: most filters look for a certain user. */
const few = 16;

/** Each method may throw DomainError `query-too-costly`, also when it would scan more than `maxScanned` users. */
export class Selection {
  readonly #parts: SelectionParts;
  readonly #plan: Plan;
  readonly #isFound: (user: Stored<User>) => boolean;
  readonly #view = {};
  #few: Promise<readonly Stored<User>[] | undefined> | undefined;
  #candidateCount: Promise<number> | undefined;

  constructor(parts: SelectionParts) {
    const { filter, resourceOf } = parts;
    this.#parts = parts;
    this.#plan = filter === undefined ? { where: everybody, isExact: true } : planFilter(filter);
    const matches = filter === undefined || this.#plan.isExact ? undefined : compileFilter(filter);
    this.#isFound = (user) => matches === undefined || matches(resourceOf(user));
  }

  /** Yields batches; other requests run while users that don't match are skipped. */
  walk({ before, ...place }: Place = {}): Batches {
    const batches = this.#walkFrom(place);
    return before === undefined ? batches : takeWhile(batches, (user) => this.#compare(user, before) < 0);
  }

  /** The exact number of matches. */
  async count(): Promise<number> {
    const found = await this.#findFew();
    if (found !== undefined) return found.length;
    if (this.#plan.isExact) return await this.#count('exact');
    let count = 0;
    for await (const batch of this.#walkFrom({})) count += batch.length;
    return count;
  }

  /**
   * True if users must be scanned one by one, and all of them to be counted: no index answers the filter, and more than a few users remain.
   */
  async isScan(): Promise<boolean> {
    if (this.#plan.isExact || (await this.#findFew()) !== undefined) return false;
    await this.#admit();
    return true;
  }

  /**
   * The position after which a page begins that ends before a place; undefined for the first page of the list.
   * @param page.before default: the end of the list
   */
  async findStartBefore({ before, limit }: Pick<Place, 'before'> & { limit: number }) {
    const { users, principal, sort } = this.#parts;
    const found = await this.#findFew();
    if (found !== undefined) {
      const inFront = found.filter((user) => before === undefined || this.#compare(user, before) < 0);
      const last = inFront.at(-limit - 1);
      return last && positionOf(last, sort);
    }
    const { where, isExact } = this.#plan;
    if (isExact)
      return (
        await users.page(principal, {
          ...{ where, sort, list: this.#view },
          ...{ before: before ?? 'end', skip: limit, limit: 1 },
        })
      ).first;
    await this.#admit();
    for await (const [last] of skipFirst(this.#scan({ after: before, backward: true }), limit))
      if (last !== undefined) return positionOf(last, sort);
    return undefined;
  }

  async #count(total: PageQuery['total']): Promise<number> {
    const { users, principal } = this.#parts;
    const { where } = this.#plan;
    return (await users.page(principal, { where, list: this.#view, limit: 0, total })).total ?? 0;
  }

  #compare(user: Stored<User>, place: Position): number {
    const { sort } = this.#parts;
    return comparePositions(positionOf(user, sort), place, sort);
  }

  async *#walkFrom({ after, skip = 0, limit }: Omit<Place, 'before'>): Batches {
    const found = after === undefined ? await this.#findFew() : await this.#few;
    if (found !== undefined) {
      const users = found.filter((user) => after === undefined || this.#compare(user, after) > 0).slice(skip);
      if (users.length > 0) yield users;
      return;
    }
    await this.#admit();
    // The store skips users without reading them.
    if (this.#plan.isExact) yield* this.#scan({ after, skip, limit });
    else yield* skipFirst(this.#scan({ after }), skip);
  }

  #candidates(walk: Walk): Batches {
    const { users, principal, sort } = this.#parts;
    return users.list(principal, { where: this.#plan.where, sort, list: this.#view, ...walk });
  }

  #scan(walk: Walk): Batches {
    return filterInTurns(this.#parts.principal.id, this.#candidates(walk), this.#isFound);
  }

  /** All matching users, if they are few. */
  #findFew(): Promise<readonly Stored<User>[] | undefined> {
    this.#few ??= this.#collectFew();
    return this.#few;
  }

  async #collectFew(): Promise<readonly Stored<User>[] | undefined> {
    if (this.#parts.filter === undefined) return undefined;
    if (isNobody(this.#plan.where)) return [];
    // Finding the first match of many alternatives may scan all users; counting up to a limit is cheaper.
    if ('any' in this.#plan.where) await this.#admit();
    const { value: candidates } = await this.#candidates({ limit: few + 1 }).next();
    if (candidates === undefined) return [];
    if (candidates.length > few) return undefined;
    const { value: found } = await filterInTurns(
      this.#parts.principal.id,
      [candidates],
      this.#isFound,
    ).next();
    return found ?? [];
  }

  /** @throws DomainError `query-too-costly` */
  async #admit(): Promise<void> {
    if (this.#plan.isExact) return;
    const { maxScanned } = this.#parts;
    this.#candidateCount ??= this.#count({ most: maxScanned });
    if ((await this.#candidateCount) <= maxScanned) return;
    throw new DomainError(
      'query-too-costly',
      `More than ${maxScanned} users would have to be looked at for this filter. A condition with eq on userName, externalId, emails or roles leaves fewer.`,
    );
  }
}

export const selectUsers = (parts: SelectionParts): Selection => new Selection(parts);
