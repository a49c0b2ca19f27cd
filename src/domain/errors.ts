/**
 * What can go wrong, each with a stable code. What a code means to a client (status, words, headers) is
 * the adapters' business; what it means here stands beside it.
 */

/** One thing wrong with what a client sent: where (an RFC 6901 pointer into the user) and why. */
export interface Violation {
  readonly pointer: string;
  readonly detail: string;
}

export type DomainErrorCode =
  /** The credentials are missing, wrong or no longer valid. */
  | 'unauthenticated'
  /** The credentials are right and don't reach this far. */
  | 'insufficient-scope'
  /** What was understood breaks the user's rules. Nothing changed. */
  | 'invalid-user'
  | 'user-not-found'
  /** The user is no longer what the caller's precondition asks for. Nothing changed. */
  | 'precondition-failed'
  | 'user-name-taken'
  | 'id-taken'
  /** What is stored under the id is no user any more: something else than the service wrote it. Replacing or removing it mends that. */
  | 'damaged-user'
  /** Not done, and worth trying again: the store or the keys are out of reach, or too busy. */
  | 'unavailable'
  /** Asked of the store and never answered: done or not, nobody knows. Read before repeating. */
  | 'outcome-unknown';

/** Every failure that the use cases and the ports may throw on purpose; all else is a fault of ours. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: DomainErrorCode;
  /** For `invalid-user` and the two conflicts: where in the user it lies. */
  readonly violations: readonly Violation[];
  /** For `insufficient-scope`: the scope that was missing. */
  readonly scope: string | undefined;

  constructor(
    code: DomainErrorCode,
    message: string,
    more: { violations?: readonly Violation[]; scope?: string; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.violations = more.violations ?? [];
    this.scope = more.scope;
  }
}

/** A uniqueness conflict, naming the member that is taken. */
export function taken(member: 'userName' | 'id'): DomainError {
  const detail = `another user has this ${member}`;
  return new DomainError(member === 'id' ? 'id-taken' : 'user-name-taken', `The ${member} is taken.`, {
    violations: [{ pointer: `/${member}`, detail }],
  });
}

export const changed = (): DomainError =>
  new DomainError('precondition-failed', 'The user has changed since the version you named.');

export const notFound = (): DomainError => new DomainError('user-not-found', 'There is no such user.');
