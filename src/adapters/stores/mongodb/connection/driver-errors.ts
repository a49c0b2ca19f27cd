/** Maps the driver's errors to the port's, which distinguish writes that were not done from writes with an unknown outcome. */

import { MongoBulkWriteError, MongoError, MongoInvalidArgumentError, MongoServerError } from 'mongodb';
import { DomainError, idTaken } from '../../../../domain/base/errors.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import { nameIndex } from '../documents/indexes.ts';

/** Refused before anything was done: not the primary (three spellings), not authorized, wrong credentials. */
const refusalCodes: ReadonlySet<unknown> = new Set([10107, 13435, 13436, 13, 18]);

/** Refused for as long as the account or the server stays as it is: not authorized, not supported, not part of the hosted tier. */
const lastingCodes: ReadonlySet<unknown> = new Set([13, 115, 8000]);

export const isLastingRefusal = (cause: unknown): boolean =>
  cause instanceof MongoServerError && lastingCodes.has(cause.code);

/** One line for the log without users' data: a server's own message may quote values. */
export function describeError(cause: unknown): string {
  // An error that no server sent, such as of the connection.
  if (cause instanceof MongoBulkWriteError && cause.errorResponse instanceof Error)
    return describeError(cause.errorResponse);
  if (cause instanceof MongoServerError)
    return `${cause.name} ${cause.code ?? ''} ${cause.codeName ?? ''}`.trim();
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}

/** A fault in the program, which is passed on as it is. */
const isFault = (cause: unknown): boolean =>
  !(cause instanceof MongoError) || cause instanceof MongoInvalidArgumentError;

/** For the log, in place of the driver's error: that one carries the server's replies, and with them users. */
const reason = (cause: unknown): { cause?: Error } =>
  cause === undefined ? {} : { cause: new Error(describeError(cause)) };

export const outcomeUnknown = (cause?: unknown): DomainError =>
  new DomainError('outcome-unknown', 'The write was sent and its end is not known.', reason(cause));

/** The error for the caller of a read. A fault in the program stays as it is. */
export function toReadError(cause: unknown): unknown {
  if (isFault(cause)) return cause;
  return new DomainError('unavailable', 'The store could not be read.', reason(cause));
}

/** @param message the server's, which names the index */
export const toConflict = (message: string, kind: Kind): DomainError =>
  new RegExp(`index: ${nameIndex}\\b`).test(message) ? kind.nameTaken() : idTaken(kind.name);

function isSurelyUndone(cause: unknown, attempts: number): boolean {
  if (attempts === 0) return true;
  if (!(cause instanceof MongoServerError)) return false;
  // The label holds for all attempts: the driver prefers an error without it.
  if (cause.hasErrorLabel('NoWritesPerformed')) return true;
  return attempts === 1 && refusalCodes.has(cause.code);
}

export const undone = (cause: unknown): DomainError =>
  new DomainError('unavailable', 'The write was not done.', reason(cause));

/**
 * @param cause tells of no single write
 * @param attempts how often the command was sent
 * @returns the error for the caller of the write
 */
export function toWriteError(cause: unknown, attempts: number): unknown {
  if (isFault(cause)) return cause;
  return isSurelyUndone(cause, attempts) ? undone(cause) : outcomeUnknown(cause);
}

/** Of a transaction, whose end alone may be unknown: before it, nothing was done. */
export function toTransactionError(cause: unknown, kind: Kind): unknown {
  if (isFault(cause)) return cause;
  if (cause instanceof MongoServerError && cause.code === 11000) return toConflict(cause.message, kind);
  const isUnknown = cause instanceof MongoError && cause.hasErrorLabel('UnknownTransactionCommitResult');
  return isUnknown ? outcomeUnknown(cause) : undone(cause);
}
