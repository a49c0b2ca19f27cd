/** The resources of one kind in memory, their indexes, and conditions as tests of single resources. */

import type { Condition, KeyRange } from '../../../domain/find/conditions.ts';
import { joinKey } from '../../../domain/find/keys.ts';
import { isByMembership, type MembershipFilter } from '../../../domain/find/owners.ts';
import { matchesTerms } from '../../../domain/find/search.ts';
import { compareCodePoints, comparePositions, type Position, type Sort } from '../../../domain/find/sorts.ts';
import type { Kind } from '../../../domain/kinds/kind.ts';
import type { StoredResource } from '../../../domain/store.ts';

export interface Entry {
  readonly id: string;
  readonly text: string;
  readonly version: string;
  readonly name: string;
  readonly keys: ReadonlySet<string>;
  readonly search: string;
  readonly sorts: ReadonlyMap<string, string>;
  /** Stays until the resource is removed. */
  readonly birth: object;
}

export const placeOf = ({ id, sorts }: Entry, { by }: Sort): Position => {
  const key = by === undefined ? undefined : sorts.get(by);
  return key === undefined ? { id } : { id, key };
};

/** The position of `id`, existing or not, in the sorted list. */
function indexOfId(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? '') < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A way through a list, in either direction: from behind `after`, or from the start. */
export interface Walk {
  readonly sort: Sort;
  readonly after?: Position | undefined;
  readonly backward: boolean;
}

export class MemoryTable {
  readonly kind: Kind;
  readonly #entries = new Map<string, Entry>();
  readonly #idOfName = new Map<string, string>();
  readonly #ids: string[] = [];

  constructor(kind: Kind) {
    this.kind = kind;
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  values(): Iterable<Entry> {
    return this.#entries.values();
  }

  entryOf(stored: StoredResource, birth: object = {}): Entry {
    const { name, filters, search, sorts } = this.kind.makeKeys(stored.value);
    const { id, text, meta } = stored;
    return {
      id,
      text,
      version: meta.version,
      name,
      keys: new Set(filters.map(joinKey)),
      search,
      sorts,
      birth,
    };
  }

  /** Whether another resource has the name. */
  isTaken({ id, name }: Entry): boolean {
    const holder = this.#idOfName.get(name);
    return holder !== undefined && holder !== id;
  }

  put(next: Entry): void {
    const old = this.#entries.get(next.id);
    if (old === undefined) this.#ids.splice(indexOfId(this.#ids, next.id), 0, next.id);
    else this.#idOfName.delete(old.name);
    this.#entries.set(next.id, next);
    this.#idOfName.set(next.name, next.id);
  }

  remove({ id, name }: Entry): void {
    this.#entries.delete(id);
    this.#idOfName.delete(name);
    this.#ids.splice(indexOfId(this.#ids, id), 1);
  }

  *walk({ sort, after, backward }: Walk): Generator<Entry> {
    const direction = backward ? -1 : 1;
    const compare = (one: Entry, other: Entry) =>
      direction * comparePositions(placeOf(one, sort), placeOf(other, sort), sort);
    const isBehind = (entry: Entry) =>
      after === undefined || direction * comparePositions(placeOf(entry, sort), after, sort) > 0;
    if (sort.by !== undefined) return yield* [...this.#entries.values()].filter(isBehind).sort(compare);
    const step = direction * (sort.descending ? -1 : 1);
    const end = step > 0 ? 0 : this.#ids.length - 1;
    for (
      let at = after ? indexOfId(this.#ids, after.id) : end;
      at in this.#ids || at === this.#ids.length;
      at += step
    ) {
      const entry = this.#entries.get(this.#ids[at] ?? '');
      if (entry && isBehind(entry)) yield entry;
    }
  }
}

export type Test = (entry: Entry) => boolean;

const isInRange = (key: string | undefined, { from = '', to }: KeyRange): boolean =>
  key !== undefined &&
  compareCodePoints(key, from) >= 0 &&
  (to === undefined || compareCodePoints(key, to) < 0);

export function testOf(condition: Condition, ofMembership: (membership: MembershipFilter) => Test): Test {
  if ('all' in condition) {
    const tests = condition.all.map((one) => testOf(one, ofMembership));
    return (entry) => tests.every((test) => test(entry));
  }
  if ('any' in condition) {
    const tests = condition.any.map((one) => testOf(one, ofMembership));
    return (entry) => tests.some((test) => test(entry));
  }
  if ('words' in condition) return ({ search }) => matchesTerms(search, condition.words);
  if ('id' in condition) return ({ id }) => id === condition.id;
  if ('sort' in condition) return ({ sorts }) => isInRange(sorts.get(condition.sort), condition);
  if (isByMembership(condition)) return ofMembership(condition);
  const joined = joinKey([condition.filter, condition.key]);
  return ({ keys }) => keys.has(joined);
}
