/**
 * Users and groups in one SQLite file. Reads run on the main thread, where a point read takes microseconds; all writes go
 * through one worker thread that commits what has queued up together. Several processes may share the file.
 */
import { statSync } from 'node:fs';
import type { Statement } from 'better-sqlite3';
import { DomainError } from '../../../domain/base/errors.ts';
import type { FilterName } from '../../../domain/find/filters.ts';
import type { GroupDocument } from '../../../domain/kinds/group/group.ts';
import type { User } from '../../../domain/kinds/user/user.ts';
import type {
  Conditions,
  GroupStore,
  MembersChange,
  Query,
  UserStore,
  UserWrite,
  WriteOutcome,
} from '../../../domain/ports.ts';
import type { Resource } from '../../../domain/resource/resource.ts';
import type { Stored } from '../../../domain/resource/stored.ts';
import { eventLoop } from '../../scheduler/event-loop.ts';
import type { Readable, StoreReadings } from '../base/store-module.ts';
import { type Connection, describeError, isStorageFault, sqliteCode } from './file/connection.ts';
import { logOf } from './file/file-watch.ts';
import { groupRows, type RowType, userRows } from './index/row-type.ts';
import { Reads } from './reads.ts';
import { Searches } from './search/searches.ts';
import { writeBatches } from './write/write-batches.ts';
import type { WriterClient } from './write/writer-client.ts';

/** Point reads in one turn of the event loop: some tenths of a millisecond. */
const readsInTurn = 64;

/** Finds values by keys, in steps. @param together runs its argument in one transaction, so that SQLite checks once for other writers */
function* lookUpEach<T>(
  keys: readonly string[],
  find: (key: string) => T | undefined,
  together: (reads: () => void) => void,
): Generator<undefined, ReadonlyMap<string, T>, void> {
  const found = new Map<string, T>();
  for (let from = 0; from < keys.length; from += readsInTurn) {
    if (from > 0) yield;
    together(() => {
      for (const key of keys.slice(from, from + readsInTurn)) {
        const value = find(key);
        if (value !== undefined) found.set(key, value);
      }
    });
  }
  return found;
}

/** In bytes; 0 for a missing file, such as the WAL before the first write. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** What the stores of both kinds share. */
interface Parts {
  readonly db: Connection;
  readonly searches: Searches;
  readonly writer: WriterClient;
}

class SqliteRows<T extends Resource> {
  readonly #parts: Parts;
  readonly #type: RowType<T>;
  readonly #reads: Reads<T>;
  readonly #together: (reads: () => void) => void;

  constructor(parts: Parts, type: RowType<T>) {
    this.#parts = parts;
    this.#type = type;
    this.#reads = new Reads(parts.db, type);
    this.#together = parts.db.transaction((reads: () => void) => reads());
  }

  async find(id: string): Promise<Stored<T> | undefined> {
    return this.read(() => this.#reads.find(id));
  }

  async findAll(ids: readonly string[], client = ''): Promise<ReadonlyMap<string, Stored<T>>> {
    return this.#inSteps(
      lookUpEach(ids, (id) => this.#reads.find(id), this.#together),
      client,
    );
  }

  async findAllBy(
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly Stored<T>[]>> {
    const find = (key: string): readonly Stored<T>[] | undefined => {
      const found = this.#reads.findBy(filter, key, limit);
      return found.length > 0 ? found : undefined;
    };
    return this.#inSteps(lookUpEach(keys, find, this.#together), '');
  }

  async list(query: Query): Promise<Stored<T>[]> {
    const found = this.read(() => this.#reads.list(query));
    if (Array.isArray(found)) return found;
    return (await this.#parts.searches.list(this.#type.kind.name, query, found)).map(this.#type.read);
  }

  async count(conditions: Conditions): Promise<number> {
    const found = this.read(() => this.#reads.count(conditions));
    return typeof found === 'number'
      ? found
      : this.#parts.searches.count(this.#type.kind.name, conditions, found);
  }

  async remove(id: string, version: string): Promise<boolean> {
    return this.#parts.writer.send({ kind: 'remove', of: this.#type.kind.name, id, version });
  }

  async #inSteps<R>(steps: Generator<undefined, R, void>, client: string): Promise<R> {
    for (;;) {
      const step = this.read(() => steps.next());
      if (step.done) return step.value;
      await eventLoop.next(client);
    }
  }

  /** @throws DomainError `unavailable` */
  protected read<R>(query: () => R): R {
    const { db, writer } = this.#parts;
    if (!db.open) throw new DomainError('unavailable', 'The store is closed.');
    try {
      return query();
    } catch (cause) {
      if (sqliteCode(cause) === undefined) throw cause;
      // A write into a damaged file could damage more of it, and its answers may be wrong.
      if (isStorageFault(cause)) writer.fail(new Error(describeError(cause), { cause }));
      throw new DomainError('unavailable', 'The store could not be read.', { cause });
    }
  }
}

class SqliteGroups extends SqliteRows<GroupDocument> implements GroupStore {
  readonly #writer: WriterClient;

  constructor(parts: Parts) {
    super(parts, groupRows);
    this.#writer = parts.writer;
  }

  async insert(group: Stored<GroupDocument>, add: readonly string[] = []): Promise<void> {
    const members = { add, remove: [] };
    await this.#writer.send({ kind: 'insert', of: 'group', document: group.text, members });
  }

  async replace(
    { id, text }: Stored<GroupDocument>,
    version: string,
    members?: MembersChange,
  ): Promise<boolean> {
    return this.#writer.send({ kind: 'replace', of: 'group', id, document: text, version, members });
  }

  async changeMembers(id: string, members: MembersChange, version?: string): Promise<boolean> {
    return this.#writer.send({ kind: 'replace', of: 'group', id, version, members });
  }
}

export class SqliteStore extends SqliteRows<User> implements UserStore, Readable {
  readonly groups: GroupStore;
  readonly #file: string;
  readonly #parts: Parts;
  readonly #mark: Statement<[string], string>;

  constructor(file: string, db: Connection, writer: WriterClient) {
    const searches = new Searches(file, (reason) => writer.fail(new Error(reason)));
    const parts = { db, searches, writer };
    super(parts, userRows);
    this.groups = new SqliteGroups(parts);
    this.#file = file;
    this.#parts = parts;
    this.#mark = db.prepare<[string], string>('SELECT value FROM marks WHERE name = ?').pluck();
  }

  async insert({ text }: Stored<User>): Promise<void> {
    await this.#parts.writer.send({ kind: 'insert', of: 'user', document: text });
  }

  async replace({ text }: Stored<User>, version: string): Promise<boolean> {
    return this.#parts.writer.send({ kind: 'replace', of: 'user', document: text, version });
  }

  async writeAll(writes: readonly UserWrite[]): Promise<readonly WriteOutcome[]> {
    return writeBatches(
      this.#parts.writer,
      writes.map(({ user: { text }, version }) =>
        version === undefined
          ? { kind: 'insert', of: 'user', document: text }
          : { kind: 'replace', of: 'user', document: text, version },
      ),
    );
  }

  async mark(name: string): Promise<string | undefined> {
    return this.read(() => this.#mark.get(name));
  }

  async setMark(name: string, value: string): Promise<void> {
    await this.#parts.writer.send({ kind: 'mark', name, value });
  }

  async check(): Promise<void> {
    this.#parts.writer.assertAlive();
    await this.find('');
  }

  readings(): StoreReadings {
    return { fileBytes: sizeOf(this.#file), logBytes: sizeOf(logOf(this.#file)) };
  }

  async close(): Promise<void> {
    const { db, searches, writer } = this.#parts;
    // The last connection to close copies the log into the file and removes it. That should be a healthy writer, so the readers close
    // first; after a writer's death the log must stay, for the next start to recover.
    await searches.close();
    const isDead = writer.isDead;
    if (!isDead) db.close();
    await writer.close();
    if (isDead) db.close();
  }
}
