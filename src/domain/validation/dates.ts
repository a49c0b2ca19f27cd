/** Dates that clients and operators send (RFC 3339). */
import { IsDateTime } from 'typebox/format';

/** With a time zone. Undefined for anything else, also for leap seconds, which JavaScript doesn't know. */
export function instantOf(text: string): Date | undefined {
  const time = new Date(text);
  return IsDateTime(text) && !Number.isNaN(time.getTime()) ? time : undefined;
}

const isBetweenMilliseconds = /\.\d{3}\d*[1-9]/;

/**
 * As stored dates are: in UTC, with milliseconds. Undefined for an invalid date, or one without a four-digit year in UTC.
 * @param roundsUp to the next millisecond, for the ends of ranges; otherwise to the last one
 */
export function canonicalDate(value: string, roundsUp = false): string | undefined {
  const instant = instantOf(value);
  if (instant === undefined) return undefined;
  const more = Number(roundsUp && isBetweenMilliseconds.test(value));
  const printed = new Date(instant.getTime() + more).toISOString();
  return /^\d/.test(printed) ? printed : undefined;
}
