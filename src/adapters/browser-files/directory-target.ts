/**
 * The port of an import over the public API: one request for each resource, several at once. Lookups are remembered for the rows that are planned
 * together, which ask for some resources twice. For a large file, a small directory is read as a whole. This snapshot may become outdated: a write
 * names the version that it replaces, and resources are looked up again after a write, even a failed one.
 */

import type { ImportTarget } from '../../domain/import/import-options.ts';
import { type Lookup, listTouched, tokenOf } from '../../domain/import/row-lookup.ts';
import type { Kind, UserReference } from '../../domain/kinds/kind.ts';
import type { Ids } from '../../domain/ports.ts';
import type { Resource } from '../../domain/resource/resource.ts';
import { Stored } from '../../domain/resource/stored.ts';
import type { FoundById, Outcome, StoredResource, Write } from '../../domain/store.ts';
import { DomainError, idTaken, type KindName } from '../../domain/validation/errors.ts';
import type { Directory, Document, FileKindName, WriteEnd } from './engine.ts';
import { ResourceIndex } from './resource-index.ts';
import { failureOf } from './source.ts';

/** Requests at a time: as many as a browser opens connections to one host (HTTP/1.1). */
const mostRequests = 6;
/** A file that has needed so many lookups probably needs more of them than a small directory has resources. */
const lookupsOfLargeFile = 1000;
/** The maximum number of resources in a small directory: some 20 MB. */
const mostInSnapshot = 20_000;

/** The number of remembered lookups: twice the rows that are planned together. */
const maxKnown = 2048;

/** The stored resource: without the members that the API adds. */
const toStored = ({ memberCount: _, ...document }: Document): StoredResource =>
  Stored.of(document as unknown as Resource);

/** The users that the write names and that the resource did not name before. */
export function referencesOf({ references }: Kind, write: Write): readonly UserReference[] {
  if (references === undefined || !('next' in write)) return [];
  return references(write.next.value, write.op === 'replace' ? write.before.value : undefined);
}

/** Limits how many requests run at a time; the others wait in line. */
class Places {
  #free = mostRequests;
  readonly #line: (() => void)[] = [];

  async take<T>(run: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#line.push(resolve));
    else this.#free -= 1;
    try {
      return await run();
    } finally {
      const next = this.#line.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

export class DirectoryTarget implements ImportTarget {
  readonly #kind: Kind;
  readonly #directory: Directory;
  readonly #places = new Places();
  #lookups = 0;
  /** All resources of a small directory, read once the file turns out to be large: a request for each row would take many times as long. */
  #snapshot: Promise<ResourceIndex | undefined> | undefined;
  /** Keys whose resources were written after the snapshot. */
  readonly #written = new Set<string>();
  readonly #known = new Map<string, readonly StoredResource[]>();

  constructor(kind: Kind, directory: Directory) {
    [this.#kind, this.#directory] = [kind, directory];
  }

  /** Remembers that new ids are free: they need no lookup. */
  readonly ids: Ids = {
    id: () => {
      const id = this.#directory.id();
      this.#remember({ by: 'id', key: id }, []);
      return id;
    },
    // The service gives each resource a new version.
    version: () => '',
  };

  /** @param kind another one than that of the rows: `user`, for attributes that name users */
  async findAll(kind: KindName, ids: readonly string[]): Promise<FoundById> {
    const found = await this.#lookUp(kind, 'id', ids, async (id) => {
      const document = await this.#directory.read(id, kind as FileKindName);
      return document === undefined ? [] : [document];
    });
    return new Map([...found].flatMap(([id, [stored]]) => (stored === undefined ? [] : [[id, stored]])));
  }

  findAllBy(kind: KindName, member: string, keys: readonly string[], limit: number) {
    const { text = String } = this.#kind.filters[member] ?? {};
    const ask = (key: string) => this.#directory.findBy(member, text(key), limit, kind as FileKindName);
    return this.#lookUp(kind, member, keys, ask);
  }

  /** @returns the resources that were found, by key */
  async #lookUp(
    kind: KindName,
    member: string,
    keys: readonly string[],
    ask: (key: string) => Promise<readonly Document[]>,
  ): Promise<Map<string, readonly StoredResource[]>> {
    this.#lookups += keys.length;
    if (this.#lookups >= lookupsOfLargeFile) this.#snapshot ??= this.#readAll();
    const isOwn = kind === this.#kind.name;
    const by = isOwn ? member : `${kind} ${member}`;
    const snapshot = isOwn ? await this.#snapshot : undefined;
    const found = new Map<string, readonly StoredResource[]>();
    const find = async (key: string): Promise<void> => {
      const token = tokenOf({ by, key });
      const known =
        this.#known.get(token) ?? (this.#written.has(token) ? undefined : snapshot?.find({ by, key }));
      const there = known ?? (await this.#places.take(() => ask(key))).map(toStored);
      this.#remember({ by, key }, there);
      if (there.length > 0) found.set(key, there);
    };
    await Promise.all(keys.map(find));
    return found;
  }

  async #readAll(): Promise<ResourceIndex | undefined> {
    const pages = await this.#directory.list(mostInSnapshot);
    if (pages === undefined) return undefined;
    const snapshot = new ResourceIndex(this.#kind);
    for await (const page of pages) for (const document of page) snapshot.put(toStored(document));
    return snapshot;
  }

  #remember(lookup: Lookup, there: readonly StoredResource[]): void {
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(tokenOf(lookup), there);
  }

  /**
   * After a failure that concerns every write, writes that have not begun get the same outcome. A write comes after earlier ones of users that
   * it names.
   */
  async commit(writes: readonly Write[]): Promise<readonly Outcome[]> {
    const made = new Map<string, Promise<Outcome>>();
    let failure: DomainError | undefined;
    const make = async (write: Write): Promise<Outcome> => {
      if (failure !== undefined) return failure;
      try {
        return await this.#make(write);
      } catch (error) {
        failure ??= new DomainError('unavailable', failureOf(error).detail, { cause: error });
        return failure;
      }
    };
    const makeAfterNamed = (write: Write): Promise<Outcome> => {
      const named = referencesOf(this.#kind, write).flatMap(({ id }) => made.get(id) ?? []);
      const end = Promise.all(named).then(() => this.#places.take(() => make(write)));
      made.set(write.id, end);
      return end;
    };
    return await Promise.all(writes.map(makeAfterNamed));
  }

  async #make(write: Write): Promise<Outcome> {
    if (write.op !== 'create' && write.op !== 'replace') throw new Error(`An import has no ${write.op}.`);
    const { meta: _, ...document } = write.next.value;
    const before = write.op === 'replace' ? write.before : undefined;
    try {
      const end =
        before === undefined
          ? await this.#directory.create(document)
          : await this.#directory.replace(document, before.meta.version);
      return this.#outcomeOf(end);
    } finally {
      const snapshot = await this.#snapshot;
      for (const stored of before === undefined ? [write.next] : [write.next, before])
        for (const lookup of listTouched(this.#kind, stored.id, stored.value)) {
          this.#known.delete(tokenOf(lookup));
          if (snapshot !== undefined) this.#written.add(tokenOf(lookup));
        }
    }
  }

  #outcomeOf(end: WriteEnd): Outcome {
    if (typeof end === 'string') return end;
    const { name } = this.#kind;
    if ('refused' in end)
      return new DomainError(`invalid-${name}`, `The service refuses the ${name}.`, {
        violations: end.refused,
      });
    return end.taken === 'id' ? idTaken(name) : this.#kind.nameTaken();
  }
}
