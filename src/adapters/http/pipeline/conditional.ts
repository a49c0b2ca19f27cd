/** Entity tags and conditional requests (RFC 9110 §8.8, §13): the one place where ETag strings live. Each API sets Cache-Control (`apis/resources/service.ts`). */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ambiguousUntil } from '../../../domain/meta.ts';
import type { Principal } from '../../../domain/ports.ts';
import { DomainError } from '../../../domain/validation/errors.ts';
import { formatDate, parseDate } from '../headers/http-date.ts';
import type { Choice } from '../headers/negotiation.ts';
import { HttpProblem } from '../problems/problems.ts';
import type { Coding } from './codings.ts';

/** The state of a resource for its validators. */
interface Versioned {
  /** Changes with every change of the resource. */
  readonly version: string;
  /** RFC 3339. */
  readonly lastModified: string;
}

interface Current {
  readonly meta: Versioned;
}

/** Evaluated at the instant of the read or write. */
type Condition<R extends Current> = (current: R) => boolean;

/**
 * The strong tag of a representation: the version, a dot, and the format with its revision and media type, and what the client sees of the resource.
 * @param state of a representation that changes without its version: letters and digits
 * @param viewer who is pinned to a version of the contract, or has a profile
 */
export function entityTag(
  version: string,
  { format, index }: Choice,
  state?: string,
  { contract, access }: Pick<Principal, 'contract' | 'access'> = {},
): string {
  const pin = contract === undefined ? '' : `-v${contract.replace('.', '-')}`;
  const limit = access === undefined ? '' : `-p${access.mark}`;
  const own = `${format.name}${format.revision}${index === 0 ? '' : `-${index}`}${pin}${limit}`;
  return `"${version}.${own}${state === undefined ? '' : `.${state}`}"`;
}

/** The strong tag of an answer without a version, such as a list: a hash of its bytes and of the fields that describe them. */
export function contentTag(body: Buffer, ...fields: readonly string[]): string {
  const hash = createHash('sha256')
    .update(`${fields.join('\n')}\n`)
    .update(body);
  return `"${hash.digest('base64url').slice(0, 22)}"`;
}

/** A content coding changes the bytes, so the tag differs, too (RFC 9110 §8.8.3.3). */
export const tagInCoding = (tag: string, coding: Coding): string =>
  coding === 'identity' ? tag : `${tag.slice(0, -1)}-${coding}"`;

/** Elements may be empty (RFC 9110 §5.6.1.2). */
const listOfTags = /^[ \t,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t,]*|$))+$/;
const oneTag = /(?:W\/)?"[^"]*"/g;

/** The tags of a list, or `*`. @throws HttpProblem 400: a malformed tag would be a lock without effect */
function parseTags(name: string, value: string): readonly string[] | '*' {
  if (value.trim() === '*') return '*';
  if (!listOfTags.test(value))
    throw new HttpProblem('invalid-header', `${name} must be * or entity tags in double quotes.`);
  return value.match(oneTag) ?? [];
}

/**
 * The version is the part of a strong tag before the first dot. The rest is ignored, so that the tag of any representation works, also of
 * an earlier release or with a proxy's suffix.
 */
const versionOf = (tag: string): string => tag.slice(1, -1).split('.')[0] ?? '';
/** The part of a strong tag that `entityTag` makes from the state. */
const stateIn = (tag: string): string | undefined => /^"[^.]*[.][^.]*[.](\w*)/.exec(tag)?.[1];
const toStrongTag = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag);

/**
 * `Last-Modified` is the first whole second after the change, or the answer's own second if that is earlier. Dates have a resolution of one second,
 * so a date within the second of the change doesn't say whether the client has the state before or after it: it never causes a 304, but does cause a
 * 412. Rounding up avoids handing out such dates.
 */
export const lastModifiedOf = (current: Versioned, now: number): string =>
  formatDate(Math.min(ambiguousUntil(current) + 1000, now));

const isUnchangedSince = (current: Versioned, date: number): boolean => ambiguousUntil(current) < date;

/**
 * Without the conditions by date: for a resource whose dates don't cover its whole state, and which therefore has no date (RFC 9110 §13.1.3,
 * §13.1.4).
 */
export function withoutDates(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'if-modified-since': _read, 'if-unmodified-since': _written, ...others } = headers;
  return others;
}

const failed = (message: string): DomainError => new DomainError('precondition-failed', message);

const weakTag = (): DomainError =>
  failed('A weak tag (W/) never matches If-Match: send the ETag without W/. A gateway may have weakened it.');

const excluded = (): DomainError =>
  failed(
    'The current version is what If-None-Match excludes. To change only this version, send its ETag in If-Match.',
  );

/**
 * The condition from If-Match, If-Unmodified-Since and If-None-Match, in the order of RFC 9110 §13.2.2.
 * @param stateOf returns the state for comparing it with tags, too
 * @returns a condition that may throw DomainError `precondition-failed`, with its own reason; where it is false, `domain/commit-one.ts` throws it
 * @throws HttpProblem 400
 */
export function preconditionOfWrite<R extends Current>(
  headers: IncomingHttpHeaders,
  stateOf: (current: R) => string | undefined = () => undefined,
): Condition<R> | undefined {
  const match = headers['if-match'];
  const none = headers['if-none-match'];
  const date = parseDate(headers['if-unmodified-since']);
  const wanted = match === undefined ? undefined : parseTags('If-Match', match);
  const unwanted = none === undefined ? undefined : parseTags('If-None-Match', none);
  if (wanted === undefined && unwanted === undefined && date === undefined) return undefined;
  return (current) => {
    // Read only to compare a tag or a date: the meta of a resource that another program wrote may be unreadable.
    const state = stateOf(current);
    const isNamedBy = (tag: string): boolean =>
      versionOf(tag) === current.meta.version && (state === undefined || stateIn(tag) === state);
    if (wanted !== undefined) {
      if (wanted !== '*' && !wanted.some((tag) => tag.startsWith('"') && isNamedBy(tag))) {
        if (wanted.some((tag) => isNamedBy(toStrongTag(tag)))) throw weakTag();
        return false;
      }
    } else if (date !== undefined && !isUnchangedSince(current.meta, date)) return false;
    if (unwanted === '*' || unwanted?.some((tag) => isNamedBy(toStrongTag(tag)))) throw excluded();
    return true;
  };
}

/** A tag of a resource with a version: the tags of lists have no dot. */
const isVersionTag = (tag: string): boolean => tag.includes('.');

/**
 * From If-Match and If-None-Match of a POST. Its target is the list (RFC 9110 §13.1), which always exists. The list's tag can't be compared
 * atomically with the write, so a condition on it can't hold; the list has no date (§13.1.4).
 * @returns a check that throws DomainError `precondition-failed`
 * @throws HttpProblem 400
 */
export function creationCondition(headers: IncomingHttpHeaders): () => void {
  const match = headers['if-match'];
  const none = headers['if-none-match'];
  const wanted = match === undefined ? '*' : parseTags('If-Match', match);
  const unwanted = none === undefined ? [] : parseTags('If-None-Match', none);
  const holds = wanted === '*' && unwanted !== '*' && unwanted.every(isVersionTag);
  return () => {
    if (!holds) throw failed('It is the list that this asks about, and nothing is promised of it.');
  };
}

/**
 * For reads of a resource without version and date, such as a list.
 * @param tag empty for an answer without one
 * @throws DomainError `precondition-failed`; HttpProblem 400
 */
export function checkIfMatch(
  { 'if-match': match }: IncomingHttpHeaders,
  tag: string,
  codings: () => readonly Coding[],
): void {
  if (match === undefined) return;
  const wanted = parseTags('If-Match', match);
  if (wanted === '*' || (tag !== '' && codings().some((coding) => wanted.includes(tagInCoding(tag, coding)))))
    return;
  throw new DomainError('precondition-failed', 'The current ETag does not match If-Match.');
}

/** From If-Match and If-Unmodified-Since. For a read, If-None-Match asks for a 304 and is no precondition. */
export function preconditionOfRead<R extends Current>(
  headers: IncomingHttpHeaders,
  stateOf?: (current: R) => string | undefined,
): Condition<R> | undefined {
  if (headers['if-match'] === undefined && headers['if-unmodified-since'] === undefined) return undefined;
  const { 'if-none-match': _question, ...conditions } = headers;
  return preconditionOfWrite(conditions, stateOf);
}

/**
 * The tag in If-None-Match of a copy that is still fresh.
 * @param tag of the representation before it is encoded
 * @param codings in which the client may have received it
 * @throws HttpProblem 400
 */
export function findHeldTag(
  { 'if-none-match': none }: IncomingHttpHeaders,
  tag: string,
  codings: () => readonly Coding[],
): string | undefined {
  const held = none === undefined ? [] : parseTags('If-None-Match', none);
  if (held === '*' || held.length === 0) return undefined;
  const strong = new Set(held.map(toStrongTag));
  return codings()
    .map((coding) => tagInCoding(tag, coding))
    .find((candidate) => strong.has(candidate));
}

/** True for `If-None-Match: *`, or for a fresh copy by date. @param current left out where the response has no version */
export function isFresh(headers: IncomingHttpHeaders, current?: Versioned): boolean {
  const none = headers['if-none-match'];
  if (none !== undefined) return none.trim() === '*';
  const date = parseDate(headers['if-modified-since']);
  return date !== undefined && current !== undefined && isUnchangedSince(current, date);
}

/** @throws HttpProblem 428 (RFC 6585 §3) */
export function requireIfMatch(headers: IncomingHttpHeaders): void {
  if (headers['if-match'] === undefined)
    throw new HttpProblem(
      'precondition-required',
      'Send If-Match with the ETag of the resource that you change.',
    );
}
