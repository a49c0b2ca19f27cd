/**
 * The errors of the domain, each with a stable code. The adapters decide how a code looks to a client (status, words, headers).
 */

/** One thing wrong with what a client sent: where (an RFC 6901 pointer into the user) and why. */
export interface Violation {
  readonly pointer: string;
  readonly detail: string;
}

export type DomainErrorCode =
  /** The credentials are missing, wrong or no longer valid. */
  | 'unauthenticated'
  /** The credentials are valid but lack a scope. */
  | 'insufficient-scope'
  /** The input is well-formed but violates the rules of a user. Nothing changed. */
  | 'invalid-user'
  | 'user-not-found'
  /** The user no longer meets the caller's precondition. Nothing changed. */
  | 'precondition-failed'
  | 'user-name-taken'
  | 'id-taken'
  /** The stored document is no longer a valid user: another program wrote it. Replacing or removing it repairs that. */
  | 'damaged-user'
  /** The query would scan too many users. */
  | 'query-too-costly'
  /** Not done, and can be retried: the store or the keys are unreachable or too busy. */
  | 'unavailable'
  /** The store did not answer: the outcome is unknown. Read before repeating. */
  | 'outcome-unknown';

/** Why credentials were refused, for metrics. A fixed list, so that it reveals nothing about a credential. */
export type CredentialFault =
  | 'credentials-missing'
  | 'credentials-malformed'
  /** Credentials of this kind are not enabled. */
  | 'credentials-not-taken'
  | 'key-wrong'
  | 'key-expired'
  | 'token-malformed'
  | 'token-too-long'
  | 'token-unsupported'
  | 'token-algorithm-refused'
  | 'token-not-for-access'
  | 'token-key-unknown'
  | 'token-signature-wrong'
  | 'token-issuer-wrong'
  | 'token-audience-wrong'
  | 'token-times-missing'
  | 'token-not-yet-valid'
  | 'token-expired';

/** Use cases and ports throw only this on purpose; any other error is a bug. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: DomainErrorCode;
  /** For `invalid-user` and the two conflicts: the violations and their places in the user. */
  readonly violations: readonly Violation[];
  /** For `insufficient-scope`: the scope that was missing. */
  readonly scope: string | undefined;
  /** For `unauthenticated`. */
  readonly fault: CredentialFault | undefined;

  constructor(
    code: DomainErrorCode,
    message: string,
    more: {
      violations?: readonly Violation[];
      scope?: string;
      fault?: CredentialFault;
      cause?: unknown;
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.violations = more.violations ?? [];
    this.scope = more.scope;
    this.fault = more.fault;
  }
}

/** @param message fit for the client */
export const unauthenticated = (fault: CredentialFault, message: string): DomainError =>
  new DomainError('unauthenticated', message, { fault });

export const isCode = (error: unknown, code: DomainErrorCode): boolean =>
  error instanceof DomainError && error.code === code;

/** A uniqueness conflict, naming the member that is taken. */
export function memberTaken(member: 'userName' | 'id'): DomainError {
  const detail = `another user has this ${member}`;
  return new DomainError(member === 'id' ? 'id-taken' : 'user-name-taken', `The ${member} is taken.`, {
    violations: [{ pointer: `/${member}`, detail }],
  });
}

export const userChanged = (): DomainError =>
  new DomainError('precondition-failed', 'The user has changed since the version you named.');

export const userNotFound = (): DomainError => new DomainError('user-not-found', 'There is no such user.');

/** The error's message and those of its causes, five at most: for errors that are thrown on purpose, which need no stack. */
export function reasonsOf(error: Error): string[] {
  const reasons: string[] = [];
  for (let at: unknown = error; at instanceof Error && reasons.length < 5; at = at.cause)
    reasons.push(at.message);
  return reasons;
}
