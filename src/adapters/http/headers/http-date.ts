/** HTTP-date (RFC 9110 §5.6.7). */

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(?<month>${months.join('|')})`;
const time = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';
/** IMF-fixdate, and the two obsolete forms that must be understood: of RFC 850 and of asctime. All are in GMT. */
const dateForms = [
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT`,
  `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT`,
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/** Two digits mean the latest year that is at most 50 years from now. */
function toFullYear(digits: string, now: Date): number {
  if (digits.length > 2) return Number(digits);
  const latest = now.getUTCFullYear() + 50;
  return latest - ((latest - Number(digits)) % 100);
}

/** In ms; undefined for any other text, since RFC 9110 §13.1.3 and §13.1.4 require such fields to be ignored. */
export function parseDate(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const parts = dateForms.map((form) => form.exec(value)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return undefined;
  const { year = '', day, hour, minute, second } = parts;
  const date = new Date(0);
  date.setUTCFullYear(toFullYear(year, new Date()), months.indexOf(parts.month ?? ''), Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  return date.getUTCDate() === Number(day) && Number(hour) < 24 && Number(minute) < 60
    ? date.getTime()
    : undefined;
}

/** Without the fraction of a second. @throws RangeError for NaN, which is no date */
export function formatDate(ms: number): string {
  if (Number.isNaN(ms)) throw new RangeError('Not a date.');
  return new Date(ms).toUTCString();
}
