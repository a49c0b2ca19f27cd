/**
 * The one place where a write is applied. Writes of one document each are sent together, in unordered commands for each collection and form:
 * insert, update, delete. A write that touches memberships is a transaction of its own. A resource is removed by a command if it has
 * no memberships, which the command checks; otherwise by a transaction.
 */
import {
  type AnyBulkWriteOperation,
  type BulkWriteResult,
  type ClientSession,
  type Db,
  type Filter,
  MongoBulkWriteError,
} from 'mongodb';
import { DomainError } from '../../../../domain/base/errors.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Kinds } from '../../../../domain/kinds.ts';
import type { MembersChange, Outcome, Write } from '../../../../domain/store.ts';
import { outcomeUnknown, toConflict } from '../connection/driver-errors.ts';
import type { Operations } from '../connection/operations.ts';
import { noMembers, type ResourceDocument, toContent, toDocument } from '../documents/document.ts';
import { idIndex } from '../documents/indexes.ts';
import { documentsOf, type Table } from '../documents/tables.ts';
import type { Members } from './members.ts';
import { settle } from './settle.ts';
import type { Transactions } from './transactions.ts';

type Statement = AnyBulkWriteOperation<ResourceDocument>;

/** Writes in one command. The server works on the commands of one commit at once, and through each one by one. */
const inCommand = 128;

export interface CommitParts {
  readonly db: Db;
  readonly kinds: Kinds;
  readonly operations: Operations;
  readonly members: Members;
  readonly transactions: Transactions;
  readonly maxTimeMS: number;
}

const withoutMemberships: Filter<ResourceDocument> = { 'groups.0': { $exists: false }, 'members.set': null };

/** The members that the write changes in a transaction. */
function changeOf(write: Write): MembersChange | undefined {
  if (write.op === 'members') return write.change;
  if (write.op === 'replace') return write.members;
  if (write.op === 'create' && write.members?.length) return { add: write.members, remove: [] };
  return undefined;
}

/** Matches the document that the write names, if it is still stored. */
function filterOf(write: Exclude<Write, { op: 'create' }>): Filter<ResourceDocument> {
  const version = write.op === 'members' ? write.version : write.before.meta.version;
  return {
    _id: write.id,
    ...(version !== undefined && { version }),
    ...(write.revision !== undefined && { 'members.revision': write.revision }),
  };
}

function toStatement(kind: Kind, write: Write): Statement {
  switch (write.op) {
    case 'create':
      return { insertOne: { document: toDocument(kind, write.next) } };
    case 'replace':
      return { updateOne: { filter: filterOf(write), update: { $set: toContent(kind, write.next) } } };
    default:
      return { deleteOne: { filter: { ...filterOf(write), ...withoutMemberships }, hint: idIndex } };
  }
}

const inParts = (writes: readonly Write[]): (readonly Write[])[] =>
  Array.from({ length: Math.ceil(writes.length / inCommand) }, (_, at) =>
    writes.slice(at * inCommand, (at + 1) * inCommand),
  );

export class Commits {
  readonly #parts: CommitParts;

  constructor(parts: CommitParts) {
    this.#parts = parts;
  }

  async commit(writes: readonly Write[]): Promise<readonly Outcome[]> {
    const outcomes = new Map<Write, Outcome>();
    /** Refusals and failures are outcomes. @throws faults of the program */
    const settling = async (some: readonly Write[], attempt: () => Promise<unknown>): Promise<void> => {
      try {
        await attempt();
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        for (const write of some) outcomes.set(write, error);
      }
    };
    const single = writes.filter((write) => changeOf(write) === undefined);
    const bulks = Map.groupBy(single, ({ op, kind }) => `${op} ${kind}`);
    const sending = [...bulks.values()].flatMap((bulk) =>
      inParts(bulk).map((part) => settling(part, () => this.#send(part, outcomes))),
    );
    await Promise.all(sending);
    // One after the other: those of one commit often change the same members, and would only conflict.
    for (const write of writes) {
      const ended = outcomes.get(write);
      if (ended === undefined || (ended === 'stale' && write.op === 'remove'))
        await settling([write], async () => outcomes.set(write, await this.#transact(write)));
    }
    return writes.map((write) => outcomes.get(write) ?? outcomeUnknown());
  }

  /** @param writes of one kind and form @param outcomes gets theirs */
  async #send(writes: readonly Write[], outcomes: Map<Write, Outcome>): Promise<void> {
    const { operations, maxTimeMS } = this.#parts;
    const table = this.#tableOf(writes[0]);
    const result = await this.#run(
      table,
      writes.map((write) => toStatement(table.kind, write)),
    );
    for (const { index, code, errmsg = '' } of result.getWriteErrors()) {
      const write = writes[index];
      // After other errors it is unknown whether the statement changed anything.
      const outcome = code === 11000 ? toConflict(errmsg, table.kind) : outcomeUnknown();
      if (write !== undefined) outcomes.set(write, outcome);
    }
    const others = writes.filter((write) => !outcomes.has(write));
    const done = result.insertedCount + result.matchedCount + result.deletedCount;
    const options = { maxTimeMS, projection: { version: 1 } };
    const find = (ids: readonly string[]) =>
      operations.read(() => table.documents.find({ _id: { $in: ids } }, options).toArray());
    // Otherwise it is not known whether a majority has them.
    const isDurable = result.getWriteConcernError() === undefined;
    const settled = isDurable ? await settle(others, done, find) : [];
    for (const [at, write] of others.entries()) outcomes.set(write, settled[at] ?? outcomeUnknown());
  }

  /** The documents are serialized once, however often they are sent; the comment each time. */
  async #run({ kind, documents }: Table, statements: readonly Statement[]): Promise<BulkWriteResult> {
    const options = { maxTimeMS: this.#parts.maxTimeMS, ordered: false };
    return await this.#parts.operations.write(kind.plural, async (comment) => {
      try {
        return await documents.bulkWrite(statements, { ...options, comment });
      } catch (cause) {
        // An error that tells of each write is an answer.
        if (!(cause instanceof MongoBulkWriteError)) throw cause;
        const { result } = cause;
        if (result.getWriteErrorCount() === 0 && result.getWriteConcernError() === undefined) throw cause;
        return result;
      }
    });
  }

  #tableOf(write: Write | undefined): Table {
    const { db, kinds } = this.#parts;
    const kind = kinds.of(write?.kind ?? '');
    return { kind, documents: documentsOf(db, kind) };
  }

  async #transact(write: Write): Promise<Outcome> {
    const { operations, transactions } = this.#parts;
    const table = this.#tableOf(write);
    const run = () => transactions.run(write.id, (session) => this.#apply(table, write, session));
    return (await operations.transact(table.kind, run)) ? 'done' : 'stale';
  }

  /** @returns false when what the write names is no longer stored */
  async #apply({ kind, documents }: Table, write: Write, session: ClientSession): Promise<boolean> {
    const { members, maxTimeMS } = this.#parts;
    const options = { session, maxTimeMS };
    if (write.op === 'remove') {
      const fields = { groups: 1, members: 1 };
      const gone = await documents.findOneAndDelete(filterOf(write), { ...options, projection: fields });
      if (gone === null) return false;
      await members.end(session, gone);
      return true;
    }
    // A new resource has the revision 0, whatever its members are.
    let before = { ...noMembers, revision: -1 };
    if (write.op === 'create') await documents.insertOne(toDocument(kind, write.next), options);
    else {
      // Always a write, so that a concurrent change of the same members fails at once.
      const touch = { $inc: { 'members.revision': 1 } };
      const update = write.op === 'members' ? touch : { ...touch, $set: toContent(kind, write.next) };
      const found = await documents.findOneAndUpdate(filterOf(write), update, {
        ...options,
        projection: { members: 1 },
        returnDocument: 'before',
      });
      if (found === null) return false;
      before = found.members ?? noMembers;
    }
    const after = await members.change(session, before, changeOf(write) ?? { add: [], remove: [] });
    await documents.updateOne({ _id: write.id }, { $set: { members: after } }, options);
    return true;
  }
}
