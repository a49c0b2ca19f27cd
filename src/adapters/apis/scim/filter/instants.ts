/** Instants in xsd:dateTime format (RFC 7643 §2.3.5), comparable in any zone and precision. */
import { compareCodePoints } from '../../../../domain/find/sorts.ts';

export interface Instant {
  /** Whole seconds since 1970. */
  readonly seconds: number;
  /** The decimal digits of the second, any number of them, without trailing zeros. */
  readonly fraction: string;
}

const dateTime = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))?$/;

const lastDay = (year: number, month: number): number =>
  new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

function isTime(hour: number, minute: number, second: number, fraction: string): boolean {
  // 24:00:00 is midnight at the end of a day (XML Schema 1.1 part 2, §3.3.7).
  if (hour === 24) return minute === 0 && second === 0 && fraction === '';
  return hour < 24 && minute < 60 && second < 60;
}

/** A regular expression would be quadratic in runs of zeros. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
}

const maxZone = 14 * 60;

/**
 * Without a zone it is UTC, like all times of the service.
 * @returns undefined for a text that isn't an xsd:dateTime of the years 0001 to 9999
 */
export function parseInstant(text: string): Instant | undefined {
  const found = dateTime.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const fraction = withoutLastZeros(found[7] ?? '');
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > lastDay(year, month)) return undefined;
  if (!isTime(hour, minute, second, fraction)) return undefined;
  const [zoneHours, zoneMinutes] = [Number(found[9] ?? 0), Number(found[10] ?? 0)];
  const zone = zoneHours * 60 + zoneMinutes;
  if (zoneMinutes > 59 || zone > maxZone) return undefined;
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  const date = new Date(Date.UTC(2000, month - 1, day, hour, minute, second));
  date.setUTCFullYear(year);
  const seconds = date.getTime() / 1000 - (found[8] === '-' ? -zone : zone) * 60;
  return { seconds, fraction };
}

/** In RFC 3339, in UTC. */
export const printInstant = ({ seconds, fraction }: Instant): string =>
  new Date(seconds * 1000).toISOString().replace(/000Z$/, `${fraction.padEnd(3, '0')}Z`);

/** Negative if `one` is earlier. */
export const compareInstants = (one: Instant, other: Instant): number =>
  one.seconds - other.seconds || compareCodePoints(one.fraction, other.fraction);
