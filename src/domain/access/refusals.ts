/** The errors for what a profile doesn't allow. They name the profile and members, never a value or another resource. */
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
