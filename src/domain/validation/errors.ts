/**
 * The errors of the domain, each with a stable code. The adapters decide how a code looks to a client (status, words, headers).
 *
 * Of the other files, read `schema-validator.ts`: it decides what clients learn of their mistakes (`explain.ts` has the words). The rest are
 * small tools.
 */

/** The name of a kind of resource, as codes and messages have it: `user`. */
export type KindName = string;

/** One thing wrong with what a client sent: where (an RFC 6901 pointer into the document) and why. */
export interface Violation {
  readonly pointer: string;
  readonly detail: string;
}

export type DomainErrorCode =
  /** The credentials are missing, wrong or no longer valid. */
  | 'unauthenticated'
  /** The credentials are valid but lack a scope. */
  | 'insufficient-scope'
  /** The credentials name no profile that can be used: none, several, or one that isn't there. */
  | 'profile-refused'
  /** The profile of the credentials hides a member that the request names. Nothing changed. */
  | 'attribute-hidden'
  /** The profile of the credentials doesn't let them change a member. Nothing changed. */
  | 'attribute-read-only'
  /** The profile of the credentials doesn't allow the write, or its result. Nothing changed. */
  | 'outside-of-profile'
  /** The input is well-formed but violates the rules of the resource. Nothing changed. */
  | `invalid-${KindName}`
  | `${KindName}-not-found`
  /** The resource no longer meets the caller's precondition. Nothing changed. */
  | 'precondition-failed'
  /** The id, or the unique name of the kind. */
  | `${string}-taken`
  /** An id to be added as a member belongs to no user. Nothing changed. */
  | 'invalid-members'
  /** The stored resource can't be read: another program wrote it. Replacing or removing it repairs that. */
  | 'damaged'
  /** The change log has no deletion of the resource, or not all of it. Nothing changed. */
  | 'not-restorable'
  /** The store has no change log: it is switched off. */
  | 'not-logged'
  /** Entries of the change log behind a cursor were removed. */
  | 'cursor-expired'
  /** A cursor is of another change log, or of a state that a restored one replaced. */
  | 'cursor-foreign'
  /** The query would scan too many resources. */
  | 'query-too-costly'
  /** Not done, and can be retried: the store or the keys are unreachable or too busy. */
  | 'unavailable'
  /** The store did not answer: the outcome is unknown. Read before repeating. */
  | 'outcome-unknown';

/** Why credentials were refused, for metrics. A fixed list, so that it reveals nothing about a credential. */
type CredentialFault =
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
  /** For invalid resources, conflicts and unknown members: the violations and their places in the document. */
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

/** Ids in a change of members that belong to no user, by their positions in one of its lists; at most `maxViolations`. */
export class UnknownMembers extends DomainError {
  readonly list: 'add' | 'remove';
  readonly unknown: readonly { readonly position: number; readonly detail: string }[];

  constructor(
    list: 'add' | 'remove',
    positions: readonly number[],
    detailOf: (position: number) => string = () => 'belongs to no user',
  ) {
    const unknown = positions
      .slice(0, maxViolations)
      .map((position) => ({ position, detail: detailOf(position) }));
    super('invalid-members', 'Only users can be members; nothing was changed.', {
      violations: unknown.map(({ position, detail }) => ({ pointer: `/${list}/${position}`, detail })),
    });
    this.list = list;
    this.unknown = unknown;
  }
}

/** @param message fit for the client */
export const unauthenticated = (fault: CredentialFault, message: string): DomainError =>
  new DomainError('unauthenticated', message, { fault });

export const isCode = (error: unknown, code: DomainErrorCode): boolean =>
  error instanceof DomainError && error.code === code;

/** The failure to report for writes that were sent together: a write that may be done must not be reported as not done. */
export const graverFailure = <T>(first: T | undefined, next: T): T =>
  first === undefined || isCode(next, 'outcome-unknown') ? next : first;

/** A uniqueness conflict, naming the member that is taken. */
export function memberTaken(
  name: KindName,
  member: string,
  code: `${string}-taken`,
  pointer = `/${member}`,
): DomainError {
  return new DomainError(code, `The ${member} is taken.`, {
    violations: [{ pointer, detail: `another ${name} has this ${member}` }],
  });
}

export const idTaken = (name: KindName): DomainError => memberTaken(name, 'id', 'id-taken');

export const queryTooCostly = (): DomainError =>
  new DomainError(
    'query-too-costly',
    'Too many resources would have to be looked at. Ask for a longer word, one more word or one more filter; for a list, also for another order, or without its total.',
  );

export const resourceChanged = (name: KindName): DomainError =>
  new DomainError('precondition-failed', `The ${name} has changed since the version you named.`);

/** @param isId false for a text that cannot be an id */
export const resourceNotFound = (name: KindName, isId = true): DomainError =>
  new DomainError(`${name}-not-found`, `There is no such ${name}${isId ? '' : ': the id is not a UUID'}.`);

/** In one answer. */
export const maxViolations = 20;

/** With the first of the violations. */
export const invalidResource = (name: KindName, violations: readonly Violation[]): DomainError =>
  new DomainError(`invalid-${name}`, `The ${name} breaks the rules named in errors; nothing was changed.`, {
    violations: violations.slice(0, maxViolations),
  });

/**
 * The error for an exception of the language, which reading a damaged resource causes; undefined for errors that are thrown on purpose. Its
 * message is logged, so it names the resource and the place in the program, but no values.
 */
export function damagedResource(id: string | undefined, cause: unknown): DomainError | undefined {
  if (!(cause instanceof TypeError || cause instanceof RangeError || cause instanceof SyntaxError))
    return undefined;
  const { name, message, stack = '' } = cause;
  const [, place = ''] = /^\s+at (.*)$/m.exec(stack.replace(message, '')) ?? [];
  return new DomainError('damaged', `What is stored of ${id} can't be read (${name} at ${place}).`);
}

/** The error's message and those of its causes, five at most: for errors that are thrown on purpose, which need no stack. */
export function reasonsOf(error: Error): string[] {
  const reasons: string[] = [];
  for (let at: unknown = error; at instanceof Error && reasons.length < 5; at = at.cause)
    reasons.push(at.message);
  return reasons;
}
