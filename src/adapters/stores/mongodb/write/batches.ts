/** Many writes in two commands, one for those that are new and one for the others; each write ends as it would have ended alone. */
import {
  type AnyBulkWriteOperation,
  type BulkWriteResult,
  type Collection,
  MongoBulkWriteError,
} from 'mongodb';
import { DomainError } from '../../../../domain/base/errors.ts';
import type { UserWrite, WriteOutcome } from '../../../../domain/ports.ts';
import { type SentId, toConflict } from '../connection/driver-errors.ts';
import type { Operations } from '../connection/operations.ts';
import {
  toDocument,
  toUpdate,
  type UserDocument,
  userDocuments,
  withVersion,
} from '../documents/stored-document.ts';

type Operation = AnyBulkWriteOperation<UserDocument>;

/** What the server said of a command: how many it has done, and what was wrong with the others, by their place. */
interface Answer {
  readonly done: number;
  readonly errors: ReadonlyMap<number, WriteOutcome>;
  /** False when it is not known whether a majority has them. */
  readonly isDurable: boolean;
}

const outcomeUnknown = (): DomainError =>
  new DomainError('outcome-unknown', 'The write was sent and its end is not known.');

/** A statement's own error. After errors other than conflicts it is unknown whether the statement changed anything. */
const toOutcome = (error: { readonly code: number; readonly errmsg?: string | undefined }): WriteOutcome =>
  error.code === 11000 ? toConflict({ message: error.errmsg ?? '' }, 'user') : outcomeUnknown();

function toAnswer(result: BulkWriteResult): Answer {
  const errors = new Map(result.getWriteErrors().map((error) => [error.index, toOutcome(error)]));
  const done = result.insertedCount + result.matchedCount;
  return { done, errors, isDurable: result.getWriteConcernError() === undefined };
}

/** An error that tells of each write is an answer. @throws the others */
function answerIn(cause: unknown): Answer {
  if (!(cause instanceof MongoBulkWriteError)) throw cause;
  const answer = toAnswer(cause.result);
  if (answer.errors.size === 0 && answer.isDurable) throw cause;
  return answer;
}

export class Batches {
  readonly #operations: Operations;
  readonly #users: Collection<UserDocument>;
  readonly #limits: { readonly maxTimeMS: number };

  constructor(operations: Operations, users: Collection<UserDocument>, maxTimeMS: number) {
    this.#operations = operations;
    this.#users = users;
    this.#limits = { maxTimeMS };
  }

  async write(writes: readonly UserWrite[]): Promise<readonly WriteOutcome[]> {
    const [created, changed] = [writes.filter(isNew), writes.filter((write) => !isNew(write))];
    const [inserted, replaced] = await Promise.all([this.#insert(created), this.#replace(changed)]);
    const [nextInserted, nextReplaced] = [inserted.values(), replaced.values()];
    return writes.map(
      (write) => (isNew(write) ? nextInserted : nextReplaced).next().value ?? outcomeUnknown(),
    );
  }

  async #insert(writes: readonly UserWrite[]): Promise<WriteOutcome[]> {
    const operations = writes.map(
      ({ user }): Operation => ({ insertOne: { document: toDocument(user, user.id, userDocuments) } }),
    );
    const answer = await this.#send(operations);
    if (answer instanceof DomainError) return writes.map(() => answer);
    const isWhole = answer.isDurable && answer.done === writes.length - answer.errors.size;
    return writes.map((_, at) => answer.errors.get(at) ?? (isWhole ? 'done' : outcomeUnknown()));
  }

  async #replace(writes: readonly UserWrite[]): Promise<WriteOutcome[]> {
    const operations = writes.map(({ user, version = '' }): Operation => {
      const update = toUpdate(toDocument(user, user.id, userDocuments));
      return { updateOne: { filter: { _id: user.id, ...withVersion(version) }, update } };
    });
    const answer = await this.#send(operations);
    if (answer instanceof DomainError) return writes.map(() => answer);
    const { done, errors, isDurable } = answer;
    if (!isDurable) return writes.map((_, at) => errors.get(at) ?? outcomeUnknown());
    if (done === writes.length - errors.size) return writes.map((_, at) => errors.get(at) ?? 'done');
    const settled = await this.#tellStale(
      writes.filter((_, at) => !errors.has(at)),
      done,
    );
    const next = settled.values();
    return writes.map((_, at) => errors.get(at) ?? next.next().value ?? outcomeUnknown());
  }

  /** The server reports only how many it found. A user that another client has written since looks like a stale one. */
  async #tellStale(writes: readonly UserWrite[], done: number): Promise<WriteOutcome[]> {
    const ids = writes.map(({ user }) => user.id);
    const options = { ...this.#limits, projection: { 'meta.version': 1 } };
    const documents = await this.#operations
      .read(() => this.#users.find({ _id: { $in: ids } }, options).toArray())
      .catch(() => []);
    const versions = new Map(documents.map(({ _id, meta }) => [_id, meta?.version]));
    const isOurs = ({ user }: UserWrite) => versions.get(user.id) === user.meta.version;
    const isClear = writes.filter(isOurs).length === done;
    return writes.map((write) => {
      if (isOurs(write)) return 'done';
      return isClear ? 'stale' : outcomeUnknown();
    });
  }

  async #send(operations: readonly Operation[]): Promise<Answer | DomainError> {
    if (operations.length === 0) return { done: 0, errors: new Map(), isDurable: true };
    try {
      return await this.#operations.write('load', (comment) => this.#run(operations, comment));
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  }

  /** The documents are serialized once, however often they are sent; the comment each time. */
  async #run(operations: readonly Operation[], comment: SentId): Promise<Answer> {
    try {
      const options = { ...this.#limits, ordered: false, comment };
      return toAnswer(await this.#users.bulkWrite(operations, options));
    } catch (cause) {
      return answerIn(cause);
    }
  }
}

const isNew = ({ version }: UserWrite): boolean => version === undefined;
