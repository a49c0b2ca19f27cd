import { locale } from '../language.ts';

const print = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the page's language and the reader's time zone. @param at RFC 3339 */
export function Moment({ at }: { readonly at: string }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <>{at}</>;
  return (
    <time dateTime={at} title={at}>
      {print.format(date)}
    </time>
  );
}
