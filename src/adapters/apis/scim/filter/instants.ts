/** Points in time as xsd:dateTime writes them (RFC 7643 §2.3.5), to be compared whatever their zone and precision. */
import { compareCodePoints } from '../../../../domain/find/sorts.ts';

export interface Instant {
  /** Since 1970, whole ones. */
  readonly seconds: number;
  /** Decimals of a second, any number of them, without zeros at the end. */
  readonly fraction: string;
}

const dateTime = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))?$/;

const lastDay = (year: number, month: number): number =>
  new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

function isTime(hour: number, minute: number, second: number, fraction: string): boolean {
  // Midnight at the end of a day may be written so (XML Schema 1.1 part 2, §3.3.7).
  if (hour === 24) return minute === 0 && second === 0 && fraction === '';
  return hour < 24 && minute < 60 && second < 60;
}

/** An expression for it would look at each run of zeros as often as it is long. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
}

const maxZone = 14 * 60;

/**
 * Without a zone it is UTC, as everything that the service says.
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
  // Date.UTC takes the years up to 99 for those of the last century.
  const date = new Date(Date.UTC(2000, month - 1, day, hour, minute, second));
  date.setUTCFullYear(year);
  const seconds = date.getTime() / 1000 - (found[8] === '-' ? -zone : zone) * 60;
  return { seconds, fraction };
}

/** Below zero when `one` is earlier. */
export const compareInstants = (one: Instant, other: Instant): number =>
  one.seconds - other.seconds || compareCodePoints(one.fraction, other.fraction);
