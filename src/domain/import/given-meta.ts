/** The dates in a row of an import. */

import { invalidResource, type KindName, type Violation } from '../validation/errors.ts';
import { canonicalDate, isObject } from '../validation/plain-values.ts';

export interface GivenMeta {
  /** As stored dates are: in UTC, with milliseconds. */
  readonly created?: string;
  readonly lastModified?: string;
}

/** @param name the kind @throws DomainError `invalid-…` for invalid dates; missing ones are left out */
export function readGivenMeta(name: KindName, value: unknown): GivenMeta {
  const meta = isObject(value) && Object.hasOwn(value, 'meta') ? value.meta : undefined;
  if (!isObject(meta)) return {};
  const wrong: Violation[] = [];
  const read = (member: keyof GivenMeta): GivenMeta => {
    const given = Object.hasOwn(meta, member) ? meta[member] : undefined;
    if (given === undefined || given === null || given === '') return {};
    const date = typeof given === 'string' ? canonicalDate(given) : undefined;
    if (date !== undefined) return { [member]: date };
    wrong.push({ pointer: `/meta/${member}`, detail: 'must be a date and time (RFC 3339)' });
    return {};
  };
  const dates = { ...read('created'), ...read('lastModified') };
  if (wrong.length === 0) return dates;
  throw invalidResource(name, wrong);
}
