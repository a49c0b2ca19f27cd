/** What the service notes of every user: when it was made and changed, and which version of it this is. */
import type { User } from './user.ts';

type Meta = User['meta'];

/** Dates of HTTP have no more. */
const second = (ms: number): number => Math.floor(ms / 1000) * 1000;

/** By how many seconds a version's dates may lag at most: how long after many quick changes a date says nothing. */
const maxLag = 60;

/** Stands at the end of a version. */
const lag = /~(\d+)$/;

/**
 * A date up to this one, in milliseconds, can't tell this state of the user from those before it; a later one can. It is the
 * second of the change, and later where that second, or one after it, may have been told of an earlier state already: because two
 * changes came in one second, or because the clock was set back between them.
 */
export function ambiguousUntil({ lastModified, version }: Meta): number {
  return second(Date.parse(lastModified)) + Number(lag.exec(version)?.[1] ?? 0) * 1000;
}

export function firstMeta(now: Date, version: string): Meta {
  const created = now.toISOString();
  return { created, lastModified: created, version };
}

/**
 * `lastModified` grows with every change, whatever the clock does; so does `ambiguousUntil`, by a whole second, without
 * `lastModified` running ahead of the clock when changes come quickly.
 */
export function nextMeta(old: Meta, now: Date, version: string): Meta {
  const lastModified = Math.max(now.getTime(), Date.parse(old.lastModified) + 1);
  const wanted = ambiguousUntil(old) + 1000;
  const lags = Math.min(maxLag, (wanted - second(lastModified)) / 1000);
  return {
    created: old.created,
    lastModified: new Date(lastModified).toISOString(),
    version: lags > 0 ? `${version}~${lags}` : version,
  };
}

/** As far as `found` can be read; else as if it had been made now. */
export function mendedMeta(found: unknown, now: Date): Meta {
  const given: { readonly [member: string]: unknown } = typeof found === 'object' ? { ...found } : {};
  const date = (value: unknown): string =>
    typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : now.toISOString();
  const version = typeof given.version === 'string' ? given.version : '';
  return { created: date(given.created), lastModified: date(given.lastModified), version };
}
