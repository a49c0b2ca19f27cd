/**
 * What tags and dates of a resource cover. The members of a group, or their number, change while its version and its dates stay: they are a part of
 * the tag, and a kind with members has no dates.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Kind } from '../../../domain/kinds/kind.ts';
import type { Resource } from '../../../domain/resource/resource.ts';
import type { Stored } from '../../../domain/resource/stored.ts';
import { lastModifiedOf, withoutDates } from '../../http/pipeline/conditional.ts';

/** The part of the tag beside the version; undefined for a resource without members. */
export const membersState = ({ membership }: Stored<Resource>): string | undefined =>
  membership && `m${membership.revision}`;

/** For a client with a profile: a revision would reveal how often members outside of its filter come and go. */
export const countState = ({ membership }: Stored<Resource>): string | undefined =>
  membership?.memberCount === undefined ? undefined : `n${membership.memberCount}`;

export const hasDates = ({ members }: Kind): boolean => members === undefined;

export const conditionsOn = (kind: Kind, headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  hasDates(kind) ? headers : withoutDates(headers);

/** @throws DomainError `damaged` */
export const lastModifiedField = (kind: Kind, stored: Stored<Resource>): readonly string[] =>
  hasDates(kind) ? ['Last-Modified', stored.read(() => lastModifiedOf(stored.meta, Date.now()))] : [];
