/**
 * Rebuilds keys that other rules made. While the collection has keys of outdated rules (`keyedBy`, a look into an index), their documents get
 * new keys, and reads by keys wait. This happens at the start, and again while processes of the previous release run during an upgrade: each
 * read by keys looks into the index first.
 *
 * Each document is updated by itself, and only if it is unchanged since it was read. So rebuilding doesn't block writers, can be
 * interrupted, and several processes share the work. A name or a unique key that another outdated document holds is taken away from it until
 * that document is rebuilt.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { MongoBulkWriteError, MongoError } from 'mongodb';
import {
  type Asked,
  assertBuilt,
  declaredChanges,
  describeBuilding,
} from '../../../../domain/find/building.ts';
import type { FilterName } from '../../../../domain/find/filters.ts';
import {
  compareKeyRules,
  filterOf,
  parkedName,
  parseKeyRules,
  uniqueRule,
} from '../../../../domain/find/keys.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import { DomainError } from '../../../../domain/validation/errors.ts';
import { DuplicateKeys } from '../../port/duplicate-keys.ts';
import { type Database, fromPrimary } from '../connection/database.ts';
import {
  type Documents,
  type ResourceDocument,
  readStored,
  type ShownDocument,
  shown,
  toKeys,
} from '../documents/document.ts';
import { keyedByIndex } from '../documents/indexes.ts';

/** Documents held in memory, and changed in one command. */
const batchSize = 500;

/** Called after each batch. @param all how many there were at the beginning */
export type OnBatch = (done: number, all: number) => void;

interface FoundRules {
  readonly outdated: readonly string[];
  /** Lack nothing but declared indexes, which the background builds. */
  readonly partial: readonly string[];
  /** Only have keys for indexes that are no longer declared. */
  readonly excess: readonly string[];
  /** The declared indexes that some lack. */
  readonly unbuilt: readonly string[];
}

/** Reads by keys catch up first, so that they find the writes of processes of another release. */
export type Rebuilds = ReadonlyMap<Kind, Rebuild>;

export class Rebuild {
  readonly #database: Database;
  readonly #kind: Kind;
  /** On the primary, which has every answered write. */
  readonly #documents: Documents;
  readonly #onFault: (cause: Error) => void;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  /** How many documents have got the keys for declared indexes, of those that lacked some at first. */
  #building: { done: number; readonly all: number } | undefined;
  #isTidy = false;
  /** Resources that shared a key. */
  #sharing: readonly string[] = [];

  /** @param onFault called if names have become equal while the store runs */
  constructor(database: Database, kind: Kind, onFault: (cause: Error) => void) {
    this.#database = database;
    this.#kind = kind;
    this.#documents = database.db.collection(kind.plural, fromPrimary);
    this.#onFault = onFault;
  }

  /** Whether documents are known to lack declared indexes. */
  get isBuilding(): boolean {
    return this.#building !== undefined;
  }

  /** Whether `buildSome` may have work. */
  get hasBuilding(): boolean {
    return this.isBuilding || !this.#isTidy;
  }

  /** The outdated rules in the collection. @throws Error, where `isStart`, when a newer release was here */
  async findOutdated({ isStart = false } = {}): Promise<readonly string[]> {
    return (await this.#look(isStart)).outdated;
  }

  async #look(isStart = false): Promise<FoundRules> {
    const [kind, documents, limits] = [this.#kind, this.#documents, this.#database.limits];
    const all = await documents.distinct('keyedBy', {}, limits);
    const verdicts = all.map((rules) => compareKeyRules(parseKeyRules(rules), kind.keyRules));
    if (isStart && verdicts.includes('newer'))
      throw new Error('a newer release has written to it; it was left as it is');
    const changes = all.map((rules) => declaredChanges(parseKeyRules(rules), kind.keyRules));
    const partial = all.filter((_, at) => changes[at]?.added.length);
    const filter = { keyedBy: { $in: partial } };
    if (partial.length === 0) this.#building = undefined;
    else
      this.#building ??= {
        done: 0,
        all: await documents.countDocuments(filter, { hint: keyedByIndex, ...limits }),
      };
    return {
      outdated: all.filter((rules, at) => verdicts[at] === 'outdated' && !partial.includes(rules)),
      partial,
      excess: all.filter((rules, at) => changes[at]?.removed.length && !partial.includes(rules)),
      unbuilt: [...new Set(changes.flatMap((change) => change?.added ?? []))],
    };
  }

  /**
   * A step in the background: makes the keys for declared indexes. Once after the start, it also removes the keys of other indexes; processes with an
   * earlier declaration may make them again. @returns what is left, in words for people; undefined at the end
   */
  async buildSome(): Promise<string | undefined> {
    const { partial, excess, unbuilt } = await this.#look();
    const rules = this.#isTidy ? partial : [...partial, ...excess];
    if (rules.length === 0) {
      this.#isTidy = true;
      return undefined;
    }
    await this.#database.assertLayout();
    const options = { hint: keyedByIndex, limit: batchSize };
    const batch = await this.#documents.find({ keyedBy: { $in: rules } }, options).toArray();
    const rebuilt = await this.#rebuild(batch, rules, new Map());
    const progress = this.#building ?? { done: 0, all: 0 };
    progress.done += rebuilt;
    return describeBuilding({ unbuilt, ...progress });
  }

  /**
   * Checks the keys that it found shared last time first, since a store that isn't ready calls it all the time.
   * @param outdated of `findOutdated` @throws Error if a filter has become unique, and resources share a key of it
   */
  async assertUnique(outdated: readonly string[]): Promise<void> {
    const kind = this.#kind;
    const rules = outdated.map((text) => new Set(parseKeyRules(text).indexes));
    const isNew = (filter: FilterName) => rules.some((made) => !made.has(uniqueRule(filter)));
    if (!kind.uniqueFilters.some(isNew)) return;
    for (const filter of [{ _id: { $in: this.#sharing } }, {}]) {
      const duplicates = new DuplicateKeys(kind);
      do
        for await (const found of this.#documents.find<ShownDocument>(filter, { projection: shown }))
          duplicates.add(readStored(kind, found), found._id);
      while (duplicates.beginSecond());
      this.#sharing = duplicates.ids;
      duplicates.assertNone();
    }
  }

  /**
   * In batches, until one is not full and no other process has written any of its documents meanwhile.
   * @throws Error naming two resources when their names or unique keys have become equal, after the keys of all others were rebuilt
   */
  async run(outdated: readonly string[], onBatch?: OnBatch): Promise<void> {
    const documents = this.#documents;
    const filter = { keyedBy: { $in: outdated } };
    const all = onBatch ? await documents.countDocuments(filter, { hint: keyedByIndex }) : 0;
    const collisions = new Map<string, string>();
    let done = 0;
    for (let isLeft = true; isLeft; ) {
      await this.#database.assertLayout();
      const others = { ...filter, _id: { $nin: [...collisions.keys()] } };
      const batch = await documents.find(others, { hint: keyedByIndex, limit: batchSize }).toArray();
      const rebuilt = await this.#rebuild(batch, outdated, collisions);
      done += rebuilt;
      onBatch?.(done, all);
      isLeft = rebuilt < batch.length || batch.length === batchSize;
    }
    const [first] = collisions.values();
    if (first !== undefined) throw new Error(`${first} (${collisions.size} in all)`);
  }

  /**
   * Returns when reads find all resources that were written before the call. @param asked may need declared indexes, which it doesn't wait for
   * @throws DomainError `unavailable` when that takes longer than a read may (rebuilding continues), or a newer release has changed the layout
   */
  async catchUp(asked?: Asked): Promise<void> {
    const { outdated, unbuilt } = await this.#look();
    if (asked) assertBuilt({ unbuilt, ...(this.#building ?? { done: 0, all: 0 }) }, asked);
    if (outdated.length === 0) return;
    const isLate = pause(this.#database.limits.maxTimeMS, true, { ref: false });
    if (await Promise.race([this.#runNext(), isLate]))
      throw new DomainError('unavailable', 'Keys that another release has made are being rebuilt.');
  }

  /** A run in progress may have passed the documents in question, so callers wait for the next one, which they share. */
  #runNext(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        this.#running = this.findOutdated()
          .then((outdated) => this.run(outdated))
          .catch((cause: unknown) => this.#fail(cause));
        return this.#running;
      });
    return this.#next;
  }

  #fail(cause: unknown): never {
    if (!(cause instanceof Error) || cause instanceof MongoError || cause instanceof DomainError) throw cause;
    this.#onFault(cause);
    throw new DomainError('unavailable', 'The store is not ready.', { cause });
  }

  #keysOf(document: ResourceDocument) {
    const kind = this.#kind;
    return toKeys(kind, document._id, kind.makeKeysOf(document._id, readStored(kind, document)));
  }

  /**
   * @param collisions receives the documents whose names are taken, by id, with a description of each
   * @returns the number of documents with new keys
   */
  async #rebuild(
    batch: readonly ResourceDocument[],
    outdated: readonly string[],
    collisions: Map<string, string>,
  ): Promise<number> {
    if (batch.length === 0) return 0;
    const updates = batch.map((found) => {
      const { _id, version, keyedBy } = found;
      return { updateOne: { filter: { _id, version, keyedBy }, update: { $set: this.#keysOf(found) } } };
    });
    try {
      return (await this.#documents.bulkWrite(updates, { ordered: false })).matchedCount;
    } catch (cause) {
      if (!(cause instanceof MongoBulkWriteError) || cause.code !== 11000) throw cause;
      const failed = cause.result.getWriteErrors().flatMap(({ index }) => batch[index] ?? []);
      for (const found of failed) await this.#freeKeys(found, outdated, collisions);
      return cause.result.matchedCount;
    }
  }

  /** Only a document whose keys are current keeps its name and its unique keys. */
  async #freeKeys(
    wanting: ResourceDocument,
    outdated: readonly string[],
    collisions: Map<string, string>,
  ): Promise<void> {
    const [kind, documents] = [this.#kind, this.#documents];
    const { name, unique = [] } = this.#keysOf(wanting);
    const others = { _id: { $ne: wanting._id } };
    const holder =
      (await documents.findOne({ ...others, name })) ??
      (await documents.findOne({ ...others, unique: { $in: unique, $gt: '' } }));
    if (holder === null) return;
    const { _id, keyedBy, name: held } = holder;
    const shared = unique.find((key) => holder.unique?.includes(key)) ?? '';
    const [same, todo, freed] =
      held === name
        ? ([kind.unique.member, 'rename', { name: parkedName(_id) }] as const)
        : ([filterOf(shared), 'change', { unique: [] }] as const);
    const told = `the ${same} of ${kind.name} ${wanting._id} is now the same as that of ${kind.name} ${_id}; ${todo} one first`;
    if (!outdated.includes(keyedBy)) collisions.set(wanting._id, told);
    else await documents.updateOne({ _id, name: held, keyedBy }, { $set: freed });
  }
}
