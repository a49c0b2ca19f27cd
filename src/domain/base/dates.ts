/** Dates that clients and operators send (RFC 3339). */
import { IsDateTime } from 'typebox/format';

/** With a time zone. Undefined for anything else, also for leap seconds, which JavaScript doesn't know. */
export function instantOf(text: string): Date | undefined {
  const time = new Date(text);
  return IsDateTime(text) && !Number.isNaN(time.getTime()) ? time : undefined;
}

/** As stored dates are: in UTC, with milliseconds. Undefined for an invalid date, or one without a four-digit year in UTC. */
export function canonicalDate(value: string): string | undefined {
  const printed = instantOf(value)?.toISOString();
  return printed !== undefined && /^\d/.test(printed) ? printed : undefined;
}
