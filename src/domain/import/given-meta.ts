/** The dates in a row of an import. */
import { invalidResource, type KindName, type Violation } from '../base/errors.ts';
import { isObject } from '../base/plain-values.ts';

export interface GivenMeta {
  /** As stored dates are: in UTC, with milliseconds. */
  readonly created?: string;
  readonly lastModified?: string;
}

/** RFC 3339 §5.6; stored dates have milliseconds. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;
const ourOwn = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Undefined for an invalid date, or one without a four-digit year in UTC. */
function readDate(value: string): string | undefined {
  if (!dateTime.test(value)) return undefined;
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) return undefined;
  const printed = new Date(ms).toISOString();
  return ourOwn.test(printed) ? printed : undefined;
}

/** @param name the kind @throws DomainError `invalid-…` for invalid dates; missing ones are left out */
export function readGivenMeta(name: KindName, value: unknown): GivenMeta {
  const meta = isObject(value) && Object.hasOwn(value, 'meta') ? value.meta : undefined;
  if (!isObject(meta)) return {};
  const wrong: Violation[] = [];
  const read = (member: keyof GivenMeta): GivenMeta => {
    const given = Object.hasOwn(meta, member) ? meta[member] : undefined;
    if (given === undefined || given === null || given === '') return {};
    const date = typeof given === 'string' ? readDate(given) : undefined;
    if (date !== undefined) return { [member]: date };
    wrong.push({ pointer: `/meta/${member}`, detail: 'must be a date and time (RFC 3339)' });
    return {};
  };
  const dates = { ...read('created'), ...read('lastModified') };
  if (wrong.length === 0) return dates;
  throw invalidResource(name, wrong);
}
