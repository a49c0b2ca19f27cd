import { daysAgo, locale, printDay } from '../language.ts';

const print = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const printExactly = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' });
const printClock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const printWholeDay = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });

interface MomentProps {
  /** RFC 3339. */
  readonly at: string;
  /** The day that it begins or ends, if it is about a day. */
  readonly day?: string | undefined;
  /** Shows the date and time instead of the distance from now, for example beside another time. */
  readonly isExact?: boolean;
  /** The day is shown above. */
  readonly isClock?: boolean;
}

/** In seconds, the largest first. */
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
/** In days: times further away are shown as dates. */
const nearby = 7;

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const relativeWeek = nearby * 86_400;

/** `3 hours ago`, `yesterday`; undefined for times that are not nearby, and for those to come: `until in an hour` would be no sentence. */
function describeNearby(date: Date): string | undefined {
  const seconds = (date.getTime() - Date.now()) / 1000;
  if (seconds > 0 || seconds < -relativeWeek) return undefined;
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 60];
  return unit === 'second'
    ? relative.format(0, 'second')
    : relative.format(Math.trunc(seconds / length), unit);
}

/** `Today`, `Yesterday`, or the date: the day of a time. */
export function describeDay(at: string): string {
  const date = new Date(at);
  const isDaysAgo = (days: number) => daysAgo(days).toDateString() === date.toDateString();
  const ago = [0, 1].find(isDaysAgo);
  const said = ago === undefined ? printWholeDay.format(date) : relative.format(-ago, 'day');
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** A time in the page's language and the reader's time zone; the exact time on hover. */
export function Moment({ at, day, isExact = false, isClock = false }: MomentProps) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <>{at}</>;
  return (
    <time dateTime={at} title={printExactly.format(date)}>
      {isClock && printClock.format(date)}
      {!isClock &&
        (day === undefined ? (!isExact && describeNearby(date)) || print.format(date) : printDay(day))}
    </time>
  );
}
