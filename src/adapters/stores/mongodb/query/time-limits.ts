/** What it means that MongoDB has ended a query for lack of time. */
import { type Collection, MongoServerError } from 'mongodb';
import { DomainError } from '../../../../domain/base/errors.ts';
import type { UserDocument } from '../documents/stored-document.ts';

/** In milliseconds: what a server that isn't too busy needs less than, for one user. */
const soon = 100;

const timeExpired = 50;
export const isTimeExpired = (cause: unknown): boolean =>
  cause instanceof MongoServerError && cause.code === timeExpired;

/**
 * Out of time on a server that is quick otherwise, it was the query.
 * @returns the error to throw
 * @throws the server's own error where that isn't quick
 */
export async function explainEnd(
  users: Collection<UserDocument>,
  cause: unknown,
  maxTimeMS: number,
): Promise<unknown> {
  if (!isTimeExpired(cause)) return cause;
  await users.findOne({ _id: '' }, { maxTimeMS: Math.min(soon, maxTimeMS) });
  return new DomainError(
    'query-too-costly',
    'Too many users would have to be looked at: ask with a longer term or one more filter, or without the total.',
  );
}
