/** Maps the writer thread's answers to results and errors of the port. */
import { kinds } from '../../../../domain/at-import.ts';
import { DomainError, idTaken, type KindName } from '../../../../domain/base/errors.ts';
import { unknownMembers } from '../../../../domain/kinds/group/members.ts';
import type { WriteOutcome } from '../../../../domain/ports.ts';
import { staleCode } from '../file/file-watch.ts';
import type { WriteResult } from './writer-messages.ts';

/** For callers that get one outcome for each of several writes. */
export const toOutcome = (done: boolean): WriteOutcome => (done ? 'done' : 'stale');

/** Of a write that was rejected. @throws what is no refusal */
export function asOutcome(cause: unknown): WriteOutcome {
  if (cause instanceof DomainError) return cause;
  throw cause;
}

/** As the writer had it, whose errors come as texts. @param stale the file is no longer where it was */
export const causeOf = (reason: string, stale = false): Error =>
  Object.assign(new Error(reason), stale ? { code: staleCode } : {});

/** @param name the kind that was written @param cause as of `causeOf` */
export function toError(
  result: Exclude<WriteResult, 'done' | 'stale'>,
  name: KindName,
  cause: unknown,
): Error {
  if (typeof result === 'object') return unknownMembers('add', result.unknown);
  switch (result) {
    case 'id-taken':
      return idTaken(name);
    case 'name-taken':
      return kinds.of(name).nameTaken();
    case 'unavailable':
      return new DomainError(result, 'The write was not done.', { cause });
    case 'outcome-unknown':
      return new DomainError(result, 'The write was begun and its end is not known.', { cause });
    case 'fault':
      return new Error('The write failed by a fault of the store.', { cause });
  }
}
