import { locale, printDay } from '../language.ts';

const print = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const printExactly = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' });

interface MomentProps {
  /** RFC 3339. */
  readonly at: string;
  /** The day that it begins or ends, if it is about a day. */
  readonly day?: string | undefined;
}

/** In seconds, the largest first. */
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
/** In days: farther times are told by their date. */
const nearby = 7;

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const relativeWeek = nearby * 86_400;

/** `3 hours ago`, `yesterday`; undefined for times that are not nearby. */
function describeNearby(date: Date): string | undefined {
  const seconds = (date.getTime() - Date.now()) / 1000;
  if (Math.abs(seconds) > relativeWeek) return undefined;
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 60];
  return unit === 'second'
    ? relative.format(0, 'second')
    : relative.format(Math.trunc(seconds / length), unit);
}

/** A time in the page's language and the reader's time zone; the exact time on hover. */
export function Moment({ at, day }: MomentProps) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <>{at}</>;
  return (
    <time dateTime={at} title={printExactly.format(date)}>
      {day === undefined ? (describeNearby(date) ?? print.format(date)) : printDay(day)}
    </time>
  );
}
