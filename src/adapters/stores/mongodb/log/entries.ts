/**
 * Entries of the change log as documents, and the documents that hold the state of the log: where it ends (`Counter`), where the feed begins
 * (`Feed`), and up to where a new layout is complete (`Migrated`).
 *
 * A transaction begins by taking numbers from the counter, which stays locked until the commit: the next transaction, of any process, starts
 * after it. So a snapshot that shows an entry shows all with lower numbers.
 */
import type {
  ClientSession,
  Collection,
  CollectionOptions,
  Db,
  FindOptions,
  IndexDescription,
} from 'mongodb';
import { type Change, type Entry, type Place, withValues } from '../../../../domain/changes/change.ts';
import { beingFilled, isFilling } from '../../../../domain/changes/moves.ts';
import type { Actor } from '../../../../domain/store.ts';
import { DomainError, type KindName } from '../../../../domain/validation/errors.ts';
import { newMark } from '../../../system/clock-and-ids.ts';
import { type Database, fromPrimary } from '../connection/database.ts';
import { assertKnownLayout, layoutNumber } from '../layout/layout-number.ts';
import { type IdKey, type LeaversDocument, toIdKey } from './users.ts';

export interface EntryDocument {
  /** The number. */
  readonly _id: number;
  readonly mark: string;
  readonly at: number;
  /** See `subjectOf`. */
  readonly of: string;
  /** The rest of the entry as JSON. */
  readonly entry: string;
  /** `Actor.request`, if there is one; migrations add it to entries of release 1.0. */
  readonly request?: IdKey;
  /** `Change.values` as JSON, until they are erased. */
  readonly values?: string;
  /** See `users.ts`; in all entries about members and in deletions of their owner, except those of release 1.0 (`migrations/`). */
  readonly users?: readonly IdKey[];
  /** The size of the leavers that follow, in bytes. */
  readonly leaving?: number;
}

/** Where the log ends. Every transaction that writes begins with this document, and locks it until it is committed. */
export interface Counter {
  readonly _id: 'counter';
  /** Null while the log is switched off; see `isFilling`. */
  readonly line: string | null;
  /** The place of the last entry. */
  readonly number: number;
  readonly mark: string;
  /** `layoutNumber`; missing until a release after 1.0 opens the database. */
  readonly layout?: number;
  /** How many of the numbers processes of this layout have taken: the rest grows when an older release writes (`migrations/run.ts`). */
  readonly taken?: number;
  /** See `StoreLocation.declared`; missing before the first declarations. */
  readonly declared?: string;
  /** Another one for each erasure without an entry, so that it locks this document. */
  readonly erasure?: string;
}

/** The last entry that left the feed. */
interface Feed extends Place {
  readonly _id: 'feed';
}

/** The progress of the migration (`migrations/run.ts`). */
export interface Migrated {
  readonly _id: 'migration';
  /** Entries up to this number are complete. */
  readonly done: number;
  /** `untakenOf` the counter when they became so. */
  readonly untaken?: number;
  /** The process at work, until this time by the clock of the server. */
  readonly holder?: string;
  readonly until?: Date;
}

export interface TransactionOptions {
  readonly session: ClientSession;
  readonly maxTimeMS: number;
}

export interface LogCollections {
  readonly entries: Collection<EntryDocument>;
  readonly leavers: Collection<LeaversDocument>;
  readonly state: Collection<Counter | Feed | Migrated>;
}

export const logCollectionsOf = (db: Db, options?: CollectionOptions): LogCollections => ({
  entries: db.collection('changes', options),
  leavers: db.collection('change_leavers', options),
  state: db.collection('change_log', options),
});

/** Decisions need the newest state. */
export const logOf = ({ db }: Pick<Database, 'db'>): LogCollections => logCollectionsOf(db, fromPrimary);

/** Readers of whole entries don't need the fields for indexes and sizes. */
export const shownEntry = { request: 0, users: 0, leaving: 0 } as const;
export type ShownEntry = Omit<EntryDocument, keyof typeof shownEntry>;

export const toPlace = ({ _id: number, mark }: Pick<EntryDocument, '_id' | 'mark'>): Place => ({
  number,
  mark,
});

/** Where the log ends, if there is one, the place of the last entry that left the feed, and the progress of the migration. */
export async function readState({ state }: LogCollections, options: FindOptions) {
  const found = await state.find({}, options).toArray();
  const counter = found.find((one): one is Counter => one._id === 'counter');
  const { number = 0, mark = '' } = found.find((one): one is Feed => one._id === 'feed') ?? {};
  const migrated = found.find((one): one is Migrated => one._id === 'migration');
  return { counter, begin: { number, mark }, migrated };
}

/** The numbers that older releases have taken. */
export const untakenOf = ({ number, taken = 0 }: Pick<Counter, 'number' | 'taken'>): number => number - taken;

/** @param line of a log that another process fills @throws DomainError `unavailable` */
export function assertFilled(line: string | null | undefined): void {
  if (isFilling(line)) throw new DomainError('unavailable', beingFilled);
}

/** For work outside of transactions. @param mayFill see `StoreHooks` @throws DomainError as `assertKnownLayout` and `assertFilled` */
export async function assertLayout(
  log: LogCollections,
  mayFill: boolean,
  options: FindOptions,
): Promise<void> {
  const { counter } = await readState(log, options);
  assertKnownLayout(counter?.layout);
  if (!mayFill) assertFilled(counter?.line);
}

/** The entries of each resource, in order. */
export const historyIndex: IndexDescription = { name: 'of_1__id_1', key: { of: 1, _id: 1 } };

/** The entries of each request, in order. */
export const requestIndex: IndexDescription = {
  name: 'request_1__id_1',
  key: { request: 1, _id: 1 },
  partialFilterExpression: { request: { $exists: true } },
};

/** Names the resource of an entry. */
export const subjectOf = (kind: KindName, id: string): string => `${kind} ${id}`;

/** A change without its place yet. */
export interface NewEntry {
  /** See `subjectOf`. */
  readonly of: string;
  readonly change: Change;
  readonly by: Actor;
  readonly users: readonly IdKey[] | undefined;
}

/** The first command of a transaction. @param count the maximum number of entries @returns the end of the log, after these numbers @throws DomainError as `assertKnownLayout` */
export async function takeNumbers(
  { state }: LogCollections,
  count: number,
  options: TransactionOptions,
): Promise<Counter> {
  const update = {
    $inc: { number: count, taken: count },
    $set: { mark: newMark() },
    $setOnInsert: { line: newMark(), layout: layoutNumber },
  };
  const after = { ...options, upsert: true, returnDocument: 'after' } as const;
  const counter = (await state.findOneAndUpdate({ _id: 'counter' }, update, after)) as Counter;
  assertKnownLayout(counter.layout);
  return counter;
}

/** The first command of a transaction that makes no entries. @throws DomainError as `assertKnownLayout` */
export async function lockLog({ state }: LogCollections, options: TransactionOptions): Promise<void> {
  const update = { $set: { erasure: newMark() } };
  const counter = await state.findOneAndUpdate({ _id: 'counter' }, update, options);
  assertKnownLayout((counter as Counter | null)?.layout);
}

/**
 * The last entry gets the number of `end`, which is always the end of the log. While the log is switched off or filled, nothing is written.
 * @returns the number of the first entry; undefined if nothing is written
 */
export async function appendEntries(
  { entries }: LogCollections,
  { line, number: end, mark }: Counter,
  added: readonly NewEntry[],
  options: TransactionOptions,
): Promise<number | undefined> {
  if (line === null || isFilling(line)) return undefined;
  const at = Date.now();
  const first = end - added.length + 1;
  const documents = added.map((one, behind) => toDocument(one, { number: first + behind, mark }, at));
  await entries.insertMany(documents, options);
  return first;
}

export function toDocument(
  { of, change: { values, ...change }, by, users }: NewEntry,
  { number, mark }: Place,
  at: number,
): EntryDocument {
  const entry = JSON.stringify({ ...change, by });
  const further = {
    ...(values && { values: JSON.stringify(values) }),
    ...(by.request && { request: toIdKey(by.request) }),
    ...(users && { users }),
  };
  return { _id: number, mark, at, of, entry, ...further };
}

export const readEntry = ({ _id, mark, at, entry, values }: ShownEntry): Entry =>
  withValues({ ...JSON.parse(entry), number: _id, mark, at }, values);
