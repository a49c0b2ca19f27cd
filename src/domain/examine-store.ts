/**
 * What `check` examines in a store. The change log: the newest entry of each resource must have the stored version. And declared attributes with
 * the id of a user that does not exist: the user was deleted later, or the id came with an import.
 */
import type { Entry } from './changes/change.ts';
import { type ChangeLog, changeLogOf, findNewest, readHistory } from './changes/log.ts';
import { matchAll } from './find/conditions.ts';
import { declaringKinds, type Section, sections } from './kinds/attributes/declaration.ts';
import type { Kind } from './kinds/kind.ts';
import type { Kinds } from './kinds.ts';
import { listAll } from './list-all.ts';
import { readable } from './resource/build.ts';
import { findIds, type Store, type StoredResource } from './store.ts';
import { describeCount } from './validation/describe-count.ts';
import { unescapePointer } from './validation/schema-validator.ts';

/** The maximum number of reported faults. */
const maxFaults = 20;

/** In ms. The clocks of processes differ, so resources that were written shortly before the oldest entry may lack one. */
const clockTolerance = 60_000;

/** The version of the document, without the revision of its members; undefined when it was deleted. */
const versionOf = (one: Pick<Entry | StoredResource, 'version'> | undefined): string | undefined =>
  one?.version?.split('.')[0];

const keyOf = (kind: string, id: string): string => `${kind} ${id}`;

/** For a resource whose versions differed: it may have been written during the comparison. @returns undefined if all is well */
async function findFault(store: Store, log: ChangeLog, key: string): Promise<string | undefined> {
  const [kind = '', id = ''] = key.split(' ');
  const stored = versionOf(await store.find(kind, id));
  const newest = await findNewest(log, { kind, id });
  if (stored === versionOf(newest)) return undefined;
  const isThere = stored === undefined ? 'is not stored' : `has version ${stored}`;
  return `${key} ${isThere}, but its newest entry ${newest ? `is ${newest.type} ${versionOf(newest) ?? ''}` : 'is missing'}`;
}

interface LogFindings {
  readonly entries: number;
  /** `Entry.at` of the oldest entry. */
  readonly oldest: number | undefined;
  readonly faults: readonly string[];
}

/** Reads all entries and all resources. @throws Error when one can't be read; DomainError as the store does */
export async function examineLog(store: Store, kinds: Kinds): Promise<LogFindings> {
  const log = changeLogOf(store);
  const newest = new Map<string, string | undefined>();
  let [count, oldest]: [number, number | undefined] = [0, undefined];
  for await (const { entries } of readHistory(log))
    for (const entry of entries) {
      const key = keyOf(entry.type.slice(0, entry.type.indexOf('.')), entry.id);
      if (!newest.has(key)) newest.set(key, versionOf(entry));
      [count, oldest] = [count + 1, entry.at];
    }
  const from = (oldest ?? Number.POSITIVE_INFINITY) + clockTolerance;
  const doubtful: string[] = [];
  for (const { name } of kinds.all)
    for await (const batch of listAll(store, name, { where: matchAll }))
      for (const stored of batch) {
        const key = keyOf(name, stored.id);
        const isLogged = newest.has(key) || Date.parse(stored.meta.lastModified) > from;
        if (isLogged && newest.get(key) !== versionOf(stored)) doubtful.push(key);
        newest.delete(key);
      }
  for (const [key, version] of newest) if (version !== undefined) doubtful.push(key);
  const faults: string[] = [];
  for (const key of doubtful.slice(0, maxFaults * 10)) {
    const fault = await findFault(store, log, key);
    if (fault !== undefined && faults.length < maxFaults) faults.push(fault);
  }
  return { entries: count, oldest, faults };
}

/** The maximum number of ids that are listed for one attribute. */
const maxExamples = 10;

/** Resources of a kind: how many, and some of their ids. */
export class Examples {
  readonly #kind: string;
  count = 0;
  readonly ids: string[] = [];

  constructor(kind: string) {
    this.#kind = kind;
  }

  add(id: string): void {
    this.count += 1;
    if (this.ids.length < maxExamples) this.ids.push(id);
  }

  /** `12 users have a value: …`. @param what of one @param many of several */
  describe(what: string, many: string): string {
    const resources = describeCount(this.count, `${this.#kind} ${what}`, `${this.#kind}s ${many}`);
    return `${resources}: ${this.ids.join(', ')}${this.count > this.ids.length ? ', …' : ''}`;
  }
}

/** One for each id. */
function referencesOf({ references }: Kind, stored: StoredResource) {
  const value = readable(stored);
  const found = value === undefined ? [] : (references?.(value, undefined) ?? []);
  return found.map(({ id, pointer }) => ({
    ...{ id, holder: stored.id, attribute: unescapePointer(pointer.split('/')[2] ?? '') },
  }));
}

async function examineKind(store: Store, kind: Kind): Promise<ReadonlyMap<string, Examples>> {
  const found = new Map<string, Examples>();
  for await (const batch of listAll(store, kind.name, { where: matchAll })) {
    const all = batch.flatMap((stored) => referencesOf(kind, stored));
    const users = await findIds(store, 'user', [...new Set(all.map(({ id }) => id))]);
    const missing = all.filter(({ id }) => !users.has(id));
    for (const [attribute, some] of Map.groupBy(missing, (one) => one.attribute)) {
      const examples = found.get(attribute) ?? new Examples(kind.name);
      for (const holder of new Set(some.map((one) => one.holder))) examples.add(holder);
      found.set(attribute, examples);
    }
  }
  return found;
}

/** Reads all resources of a kind that has an attribute of the type `user`. @returns a line for each attribute with such ids */
export async function examineReferences(store: Store, kinds: Kinds): Promise<readonly string[]> {
  const what = 'the id of a user that does not exist';
  const lines = async (section: Section): Promise<readonly string[]> => {
    const kind = kinds.of(declaringKinds[section]);
    const found = kind.references === undefined ? [] : await examineKind(store, kind);
    return [...found].map(
      ([name, one]) => `${section}.${name}: ${one.describe(`has ${what}`, `have ${what}`)}`,
    );
  };
  return (await Promise.all(sections.map(lines))).flat();
}
