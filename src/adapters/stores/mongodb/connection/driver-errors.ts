/** Maps the driver's errors to the port's, which distinguish writes that were not done from writes with an unknown outcome. */

import { MongoError, MongoInvalidArgumentError, MongoServerError, MongoWriteConcernError } from 'mongodb';
import { kinds } from '../../../../domain/at-import.ts';
import { DomainError, idTaken, type KindName } from '../../../../domain/base/errors.ts';
import { nameIndex } from '../documents/indexes.ts';

/**
 * An id that counts how often it was serialized, which the driver does for each attempt, right before sending. The error of a
 * write doesn't say whether it was sent: when a retry finds no primary, the driver throws only that.
 */
export class SentId {
  attempts = 0;
  readonly #id: string;

  constructor(id: string) {
    this.#id = id;
  }

  /** The BSON library's hook. */
  toBSON(): string {
    this.attempts += 1;
    return this.#id;
  }
}

/** Refused before anything was done: not the primary (three spellings), not authorized, wrong credentials. */
const refusalCodes: ReadonlySet<unknown> = new Set([10107, 13435, 13436, 13, 18]);

/** One line for the log without users' data: a server's own message may quote values. */
export function describeError(cause: unknown): string {
  if (cause instanceof MongoServerError)
    return `${cause.name} ${cause.code ?? ''} ${cause.codeName ?? ''}`.trim();
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}

/** A fault in the program, which is passed on as it is. */
const isFault = (cause: unknown): boolean =>
  !(cause instanceof MongoError) || cause instanceof MongoInvalidArgumentError;

/** For the log, in place of the driver's error: that one carries the server's replies, and with them users. */
const reason = (cause: unknown): { cause: Error } => ({ cause: new Error(describeError(cause)) });

/** The error for the caller of a read. A fault in the program stays as it is. */
export function toReadError(cause: unknown): unknown {
  if (isFault(cause)) return cause;
  return new DomainError('unavailable', 'The store could not be read.', reason(cause));
}

/** Servers without `keyPattern`, and errors of one write among many, name the index in the message. */
export function toConflict(
  cause: { readonly message: string; readonly keyPattern?: unknown },
  name: KindName,
): DomainError {
  const pattern = cause.keyPattern;
  const isName =
    typeof pattern === 'object' && pattern !== null
      ? 'nameKey' in pattern
      : new RegExp(`index: ${nameIndex}\\b`).test(cause.message);
  return isName ? kinds.of(name).nameTaken() : idTaken(name);
}

function isSurelyUndone(cause: unknown, attempts: number): boolean {
  if (attempts === 0) return true;
  if (!(cause instanceof MongoServerError) || cause instanceof MongoWriteConcernError) return false;
  // The label holds for all attempts: the driver prefers an error without it.
  if (cause.hasErrorLabel('NoWritesPerformed')) return true;
  return attempts === 1 && refusalCodes.has(cause.code);
}

/**
 * @param attempts how often the write was sent @param name the kind that was written
 * @returns the error for the caller of the write
 */
export function toWriteError(cause: unknown, attempts: number, name: KindName): unknown {
  if (isFault(cause)) return cause;
  const isAnswer = cause instanceof MongoServerError && !(cause instanceof MongoWriteConcernError);
  if (isAnswer && cause.code === 11000) return toConflict(cause, name);
  if (isSurelyUndone(cause, attempts)) {
    return new DomainError('unavailable', 'The write was not done.', reason(cause));
  }
  return new DomainError('outcome-unknown', 'The write was sent and its end is not known.', reason(cause));
}

/** Of a transaction, whose end alone may be unknown: before it, nothing was done. */
export function toTransactionError(cause: unknown, name: KindName): unknown {
  if (isFault(cause)) return cause;
  if (cause instanceof MongoServerError && cause.code === 11000) return toConflict(cause, name);
  const isUnknown = cause instanceof MongoError && cause.hasErrorLabel('UnknownTransactionCommitResult');
  return isUnknown
    ? new DomainError('outcome-unknown', 'The write was sent and its end is not known.', reason(cause))
    : new DomainError('unavailable', 'The write was not done.', reason(cause));
}
