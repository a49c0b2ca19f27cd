/** Maps the driver's errors to the port's, which distinguish writes that were not done from writes with an unknown outcome. */

import {
  MongoBulkWriteError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoServerError,
} from 'mongodb';
import { DomainError } from '../../../../domain/validation/errors.ts';

export const duplicateKey = 11000;

/** Whether the server has answered with this code. */
export const hasCode = (cause: unknown, code: number): boolean =>
  cause instanceof MongoServerError && cause.code === code;

/** Refusals that last until the account or the server changes: not authorized, not supported, not part of the hosted tier. */
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

/** A fault in the program, which is passed on unchanged. */
const isFault = (cause: unknown): boolean =>
  !(cause instanceof MongoError) || cause instanceof MongoInvalidArgumentError;

/** For the log, in place of the driver's error, which contains the server's replies and so users' data. */
const reason = (cause: unknown): { cause?: Error } =>
  cause === undefined ? {} : { cause: new Error(describeError(cause)) };

const outcomeUnknown = (cause: unknown): DomainError =>
  new DomainError('outcome-unknown', 'The write was sent and its end is not known.', reason(cause));

/** The error for the caller of a read. A fault in the program is returned unchanged. */
export function toReadError(cause: unknown): unknown {
  if (isFault(cause)) return cause;
  return new DomainError('unavailable', 'The store could not be read.', reason(cause));
}

export const undone = (cause?: unknown): DomainError =>
  new DomainError('unavailable', 'The write was not done.', reason(cause));

/**
 * The commit of a transaction was sent, and its outcome is unknown. Before the commit nothing is done. The driver's label isn't enough: an error
 * lacks it if no server was found for a repetition.
 */
export class CommitUnknown extends Error {}

/** The connection failed during a transaction. */
export const isBroken = (cause: unknown): boolean =>
  cause instanceof MongoBulkWriteError ? isBroken(cause.errorResponse) : cause instanceof MongoNetworkError;

/**
 * Another transaction or write came first, or another server is the primary: the transaction can succeed when it is run again. A snapshot doesn't
 * show what another writer has just written, but the unique index does: the next snapshot shows such a duplicate, too.
 */
export function isConflict(cause: unknown): boolean {
  if (!(cause instanceof MongoServerError)) return false;
  return cause.hasErrorLabel('TransientTransactionError') || cause.code === duplicateKey;
}

/** The server refuses something in the transaction, every time it is run. */
export const isRefusal = (cause: unknown): boolean =>
  cause instanceof MongoServerError && !isBroken(cause) && !isConflict(cause);

/** The error for the callers of the writes of a transaction. */
export function toWriteError(cause: unknown): Error {
  if (cause instanceof CommitUnknown) return outcomeUnknown(cause.cause);
  if (isFault(cause)) return cause instanceof Error ? cause : new Error(String(cause));
  return undone(cause);
}
