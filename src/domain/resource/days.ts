/** Days of the calendar as instants, by time zone. The console loads this file, too. */

/** The end of a day is the beginning of the next one. */
export type DayEnd = 'start' | 'end';

/** In ms. */
const [second, hour, day] = [1000, 3_600_000, 86_400_000];

/** No zone has been further from UTC. */
const furthest = 16 * hour;

/** Programs mean *for ever* by this day. RFC 3339 has no instant after it. */
const [lastDay, lastInstant] = ['9999-12-31', '9999-12-31T23:59:59.999Z'];

const maxFormats = 1000;
/** Kept by zone, because making one takes far longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** @returns undefined for an unknown zone */
function formatIn(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    // Swedish dates have the form of ISO 8601.
    const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' });
    if (formats.size >= maxFormats) formats.clear();
    formats.set(timeZone, format);
    return format;
  } catch {
    return undefined;
  }
}

/** @param zone of IANA, such as `Europe/Amsterdam` */
export const isTimeZone = (zone: string): boolean => formatIn(zone) !== undefined;

const printDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

const isDay = (text: string): boolean =>
  /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) && printDay(Date.parse(text) || 0) === text;

/** @returns an instant in UTC; undefined for a text that is not a day, such as `2027-02-30`, and for an unknown zone */
export function instantOfDay(text: string, end: DayEnd, zone: string): string | undefined {
  const format = formatIn(zone);
  if (format === undefined || !isDay(text)) return undefined;
  if (end === 'end' && text === lastDay) return lastInstant;
  const midnight = Date.parse(text) + (end === 'end' ? day : 0);
  const wanted = printDay(midnight);
  // The first second of the day, wherever clocks are set: in some zones the day begins at one o'clock then.
  let [before, from] = [midnight - furthest, midnight + furthest];
  while (from - before > second) {
    const between = before + Math.floor((from - before) / 2 / second) * second;
    if (format.format(between) >= wanted) from = between;
    else before = between;
  }
  return new Date(from).toISOString();
}

/** @returns the day whose start or end the instant is; undefined for another time of a day, and for an unknown zone */
export function dayOfInstant(instant: string, end: DayEnd, zone: string): string | undefined {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return undefined;
  const found = instant === lastInstant ? lastDay : formatIn(zone)?.format(end === 'end' ? time - 1 : time);
  return found !== undefined && instantOfDay(found, end, zone) === instant ? found : undefined;
}
