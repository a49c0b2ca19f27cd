/** The errors for what a profile doesn't allow. They name the profile and members, never a value or another resource. */
import type { MemberAccess } from '../resource/viewer.ts';
import { DomainError, type KindName } from '../validation/errors.ts';

interface Profile {
  readonly profile: string;
}

/** @param names of members, with dots */
export const attributeHidden = ({ profile }: Profile, ...names: readonly string[]): DomainError =>
  new DomainError('attribute-hidden', `The profile ${profile} hides ${[...new Set(names)].join(', ')}.`);

export const attributeReadOnly = ({ profile }: Profile, name: string): DomainError =>
  new DomainError(
    'attribute-read-only',
    `The profile ${profile} does not change ${name}; nothing was changed.`,
  );

/** @param doing what the profile's credentials may not do */
export const notAllowed = (
  { profile }: Profile,
  doing: 'create' | 'delete' | 'erase',
  plural: string,
): DomainError =>
  new DomainError('outside-of-profile', `The profile ${profile} does not ${doing} ${plural}.`);

export const outsideOfProfile = ({ profile }: Profile, kind: KindName): DomainError =>
  new DomainError(
    'outside-of-profile',
    `The profile ${profile} does not reach this ${kind} as it would be; nothing was changed.`,
  );

/** Names no hidden member whose value is taken, as that of a restored resource may be. */
export function withoutHidden<T>({ shows }: Pick<MemberAccess, 'shows'>, outcome: T): T | DomainError {
  if (!(outcome instanceof DomainError && outcome.code.endsWith('-taken'))) return outcome;
  const isHidden = outcome.violations.some(({ pointer }) => shows(pointer.split('/').slice(1)) === 'none');
  return isHidden ? new DomainError(outcome.code, 'A value that the profile hides is taken.') : outcome;
}
