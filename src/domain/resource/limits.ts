/**
 * What an access profile refuses in the input of a write: hidden members by name, since a value that was compared could be guessed, and
 * changes of members that are visible but not writable.
 */
import { DomainError, type DomainErrorCode, maxViolations, type Violation } from '../validation/errors.ts';
import { covers, findChanged, findNamed, keep, type Members, type Parts } from './parts.ts';

/** What a reader has read, as `ReadInput`. */
interface Given {
  readonly value: unknown;
  readonly violations: readonly Violation[];
}

export interface Limits {
  /** @throws DomainError `attribute-hidden` */
  refuseHidden(given: Given): void;
  /** The input of a replacement, with the members that it leaves out and the client can't change. @param seen the document as the client sees it */
  complete(given: Members, seen: object): Members;
  /** Of values in one form, so that what a client has read is no change. @throws DomainError `attribute-read-only` */
  refuseChanges(next: unknown, seen: unknown): void;
  /** Whether the client can't change a stored member. */
  locks(pointer: string): boolean;
}

function refuse(code: DomainErrorCode, pointers: readonly string[], message: string, detail: string): void {
  if (pointers.length === 0) return;
  const violations = [...new Set(pointers)].slice(0, maxViolations).map((pointer) => ({ pointer, detail }));
  throw new DomainError(code, `${message} Nothing was changed.`, { violations });
}

export const limitsOf = (hidden: Parts | undefined, locked: Parts | undefined): Limits => ({
  refuseHidden({ value, violations }) {
    if (hidden === undefined) return;
    const broken = violations.map(({ pointer }) => pointer).filter((pointer) => covers(hidden, pointer));
    refuse(
      'attribute-hidden',
      [...findNamed(hidden, value), ...broken],
      'The profile of these credentials hides members that the request names.',
      'is hidden by the profile',
    );
  },
  complete: (given, seen) => (locked ? keep(locked, given, seen as Members, true) : given),
  refuseChanges(next, seen) {
    refuse(
      'attribute-read-only',
      locked ? findChanged(locked, next, seen) : [],
      'The profile of these credentials does not let them change some members of the request.',
      'is read-only in the profile',
    );
  },
  locks: (pointer) => locked !== undefined && covers(locked, pointer),
});
