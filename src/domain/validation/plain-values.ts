/** Plain values, which JSON can represent, and two kinds of texts among them: dates (RFC 3339) and UUIDs (RFC 9562 §4). */
import { IsDateTime } from 'typebox/format';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns undefined for a text that isn't JSON */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined for what an object inherits, such as `constructor`: the names of maps are the clients'. */
export const ownValue = (members: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined;

/** Whether it means the same as no value in what clients send. */
export const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).every(isBlank));

/** Equality, regardless of the order of members. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every(
    (key) => Object.hasOwn(other, key) && isDeepEqual(Reflect.get(one, key), Reflect.get(other, key)),
  );
}

/** A date with a time zone. Undefined for anything else, also for leap seconds, which JavaScript doesn't know. */
export function instantOf(text: string): Date | undefined {
  const time = new Date(text);
  return IsDateTime(text) && !Number.isNaN(time.getTime()) ? time : undefined;
}

const isBetweenMilliseconds = /\.\d{3}\d*[1-9]/;

/**
 * As stored dates are: in UTC, with milliseconds. Undefined for an invalid date, or one without a four-digit year in UTC.
 * @param roundsUp to the next millisecond, for the ends of ranges; otherwise to the last one
 */
export function canonicalDate(value: string, roundsUp = false): string | undefined {
  const instant = instantOf(value);
  if (instant === undefined) return undefined;
  const more = Number(roundsUp && isBetweenMilliseconds.test(value));
  const printed = new Date(instant.getTime() + more).toISOString();
  return /^\d/.test(printed) ? printed : undefined;
}

/** The pattern of UUIDs in canonical lower case, for schemas. */
export const uuidPattern = '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/** In either case of letters. */
export const anyCaseUuidPattern = uuidPattern.replaceAll('a-f', 'a-fA-F');

const inAnyCase = new RegExp(anyCaseUuidPattern);

/** The UUID in canonical lower case; undefined when it isn't a UUID. */
export const canonicalUuid = (candidate: string): string | undefined =>
  inAnyCase.test(candidate) ? candidate.toLowerCase() : undefined;
