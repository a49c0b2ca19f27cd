/** The service's own record of a resource: when it was created and last changed, and its version. */
import type { Meta } from './resource/resource.ts';

/** HTTP dates have no fractions of a second (RFC 9110 §5.6.7). In milliseconds. */
const truncateToSecond = (ms: number): number => Math.floor(ms / 1000) * 1000;

/** In seconds: after many quick changes dates are ambiguous for at most this long. */
const maxLag = 60;

/** The number of seconds at the end of a version. */
const lag = /~(\d+)$/;

/**
 * In milliseconds. An HTTP date up to this one may stand for an earlier state of the resource; a later one can't. It is the second of the
 * change, or a later one when that second was already the date of an earlier state: after two changes in one second, or when
 * the clock was set back.
 */
export const ambiguousUntil = ({ lastModified, version }: Omit<Meta, 'created'>): number =>
  truncateToSecond(Date.parse(lastModified)) + Number(lag.exec(version)?.[1] ?? 0) * 1000;

export function firstMeta(now: Date, version: string): Meta {
  const created = now.toISOString();
  return { created, lastModified: created, version };
}

/**
 * `lastModified` grows with every change, whatever the clock does. So does `ambiguousUntil`, by a whole second, but `lastModified` doesn't run ahead
 * of the clock when changes come quickly.
 */
export function nextMeta(old: Meta, now: Date, version: string): Meta {
  // Another program has left no valid dates.
  if (Number.isNaN(Date.parse(old.created) + Date.parse(old.lastModified))) return firstMeta(now, version);
  const lastModified = Math.max(now.getTime(), Date.parse(old.lastModified) + 1);
  const wanted = ambiguousUntil(old) + 1000;
  const lags = Math.min(maxLag, (wanted - truncateToSecond(lastModified)) / 1000);
  return {
    created: old.created,
    lastModified: new Date(lastModified).toISOString(),
    version: lags > 0 ? `${version}~${lags}` : version,
  };
}

/**
 * `next`, with the dates of a restored resource. If clients have seen later dates of `old`, the version shows it. @param next from `firstMeta` or
 * `nextMeta`
 */
export function restoreMeta(dates: Partial<Omit<Meta, 'version'>>, next: Meta, old?: Meta): Meta {
  const created = dates.created ?? (old === undefined ? dates.lastModified : undefined) ?? next.created;
  const { lastModified } = dates;
  if (lastModified === undefined) {
    const latest = next.lastModified < created ? created : next.lastModified;
    return { ...next, created, lastModified: latest };
  }
  const version = next.version.replace(lag, '');
  const wanted = old === undefined ? 0 : ambiguousUntil(old) + 1000;
  const lags = Math.min(maxLag, (wanted - truncateToSecond(Date.parse(lastModified))) / 1000);
  return { created, lastModified, version: lags > 0 ? `${version}~${lags}` : version };
}
