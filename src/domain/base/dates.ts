/** RFC 3339 §5.6; stored dates have milliseconds. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;
const ourOwn = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** As stored dates are: in UTC, with milliseconds. Undefined for an invalid date, or one without a four-digit year in UTC. */
export function canonicalDate(value: string): string | undefined {
  if (!dateTime.test(value)) return undefined;
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) return undefined;
  const printed = new Date(ms).toISOString();
  return ourOwn.test(printed) ? printed : undefined;
}
