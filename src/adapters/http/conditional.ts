/** Entity tags and conditional requests (RFC 9110 §8.8, §13): the one place where ETag strings live. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../../domain/errors.ts';
import { ambiguousUntil } from '../../domain/meta.ts';
import type { User } from '../../domain/user.ts';
import type { Precondition } from '../../domain/users.ts';
import type { Coding } from './codings.ts';
import { formatDate, parseDate } from './http-date.ts';
import { type Choice, mediaTypeOf } from './negotiation.ts';
import { HttpProblem } from './problems.ts';

/** The strong tag of one representation as it is: the user's version, and after the dot what it is printed as. */
export function entityTag(version: string, { format, index }: Choice): string {
  return `"${version}.${format.name}${format.revision}${index === 0 ? '' : `-${index}`}"`;
}

/** The strong tag of an answer that is no one user: of its bytes and the header fields that belong to them. */
export function contentTag(body: string, choice: Choice, link: string): string {
  const hash = createHash('sha256').update(`${mediaTypeOf(choice)?.contentType}\n${link}\n${body}`);
  return `"${hash.digest('base64url').slice(0, 22)}"`;
}

/** The tag of the same in a content coding: other bytes, so another tag (RFC 9110 §8.8.3.3). */
export const inCoding = (tag: string, coding: Coding): string =>
  coding === 'identity' ? tag : `${tag.slice(0, -1)}-${coding}"`;

/** Elements may be empty (RFC 9110 §5.6.1.2). */
const listOfTags = /^[ \t,]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,[ \t,]*|$))+$/;
const oneTag = /(?:W\/)?"[^"]*"/g;

/** The tags of a list, or `*`. @throws HttpProblem 400: a tag that can't be read would be a lock that doesn't hold */
function parseTags(name: string, value: string): readonly string[] | '*' {
  if (value.trim() === '*') return '*';
  if (!listOfTags.test(value))
    throw new HttpProblem('invalid-header', `${name} must be * or entity tags in double quotes.`);
  return value.match(oneTag) ?? [];
}

/**
 * The version that a strong tag names: what comes before the first dot. All that follows is left aside, so
 * that the tag of any representation serves, also one of an earlier release or with a proxy's suffix.
 */
const versionIn = (tag: string): string => tag.slice(1, -1).split('.')[0] ?? '';
const strong = (tag: string): string => tag.replace(/^W\//, '');

const second = (ms: number): number => Math.floor(ms / 1000) * 1000;

/**
 * What `Last-Modified` says: the first whole second that tells the state after the change from those before it, or the answer's
 * own second while that one hasn't come. Dates have a resolution of one second, so a date within the second of the change can't
 * tell: it gives no 304 and does give 412. Rounding up keeps the dates that we hand out from being among those.
 */
export const lastModified = ({ meta }: Pick<User, 'meta'>, now: number): string =>
  formatDate(Math.min(ambiguousUntil(meta) + 1000, second(now)));

const unchangedSince = ({ meta }: Pick<User, 'meta'>, date: number): boolean => ambiguousUntil(meta) < date;

/** What If-Match, If-Unmodified-Since and If-None-Match ask of a write, in the precedence of RFC 9110 §13.2.2. */
export function preconditionOf(headers: IncomingHttpHeaders): Precondition | undefined {
  const match = headers['if-match'];
  const none = headers['if-none-match'];
  const date = parseDate(headers['if-unmodified-since']);
  const wanted = match === undefined ? undefined : parseTags('If-Match', match);
  const unwanted = none === undefined ? undefined : parseTags('If-None-Match', none);
  if (wanted === undefined && unwanted === undefined && date === undefined) return undefined;
  return (user) => {
    // No tag and no date speaks of a damaged user; it is there for `*`.
    const names = (tag: string): boolean => user !== undefined && versionIn(tag) === user.meta.version;
    if (wanted !== undefined) {
      if (wanted !== '*' && !wanted.some((tag) => tag.startsWith('"') && names(tag))) return false;
    } else if (date !== undefined && !(user !== undefined && unchangedSince(user, date))) return false;
    if (unwanted === undefined) return true;
    return unwanted !== '*' && !unwanted.some((tag) => names(strong(tag)));
  };
}

/** A user's tag, which no list ever has: those have no dot. */
const isOfUser = (tag: string): boolean => tag.includes('.');

/**
 * What If-Match and If-None-Match ask of a POST. Its target is the list (RFC 9110 §13.1), which is always there; which tag that has
 * is not decided together with the write, so that what depends on it can't be promised. It has no date to go by (§13.1.4).
 * @returns what throws DomainError `precondition-failed`
 * @throws HttpProblem 400
 */
export function creationCondition(headers: IncomingHttpHeaders): () => void {
  const match = headers['if-match'];
  const none = headers['if-none-match'];
  const wanted = match === undefined ? '*' : parseTags('If-Match', match);
  const unwanted = none === undefined ? [] : parseTags('If-None-Match', none);
  const holds = wanted === '*' && unwanted !== '*' && unwanted.every(isOfUser);
  return () => {
    if (!holds)
      throw new DomainError(
        'precondition-failed',
        'It is the list that this asks about, and nothing is promised of it.',
      );
  };
}

/**
 * What If-Match asks of a read of something other than a user; it has no date.
 * @param tag its tag; empty where it has none
 * @throws DomainError `precondition-failed`; HttpProblem 400
 */
export function checkMatch(
  { 'if-match': match }: IncomingHttpHeaders,
  tag: string,
  codings: () => readonly Coding[],
): void {
  if (match === undefined) return;
  const wanted = parseTags('If-Match', match);
  if (wanted === '*' || (tag !== '' && codings().some((coding) => wanted.includes(inCoding(tag, coding)))))
    return;
  throw new DomainError('precondition-failed', 'It is not, or not any more, what If-Match names.');
}

/** What If-Match and If-Unmodified-Since ask of a read; If-None-Match there is a question, not a condition. */
export function readConditions(headers: IncomingHttpHeaders): Precondition | undefined {
  if (headers['if-match'] === undefined && headers['if-unmodified-since'] === undefined) return undefined;
  const { 'if-none-match': _question, ...conditions } = headers;
  return preconditionOf(conditions);
}

/** The tag of a copy that the client has, among those of a representation in these codings. @throws HttpProblem 400 */
export function heldTag(
  { 'if-none-match': none }: IncomingHttpHeaders,
  tag: string,
  codings: () => readonly Coding[],
): string | undefined {
  const held = none === undefined ? [] : parseTags('If-None-Match', none);
  if (held === '*' || held.length === 0) return undefined;
  const tags = codings().map((coding) => inCoding(tag, coding));
  return tags.find((candidate) => held.some((one) => strong(one) === candidate));
}

/** Whether any copy serves, by `*`, or one of its date; `user` where the answer is one user. */
export function isFresh(headers: IncomingHttpHeaders, user?: Pick<User, 'meta'>): boolean {
  const none = headers['if-none-match'];
  if (none !== undefined) return none.trim() === '*';
  const date = parseDate(headers['if-modified-since']);
  return date !== undefined && user !== undefined && unchangedSince(user, date);
}

/** @throws HttpProblem 428 (RFC 6585 §3) */
export function requireIfMatch(headers: IncomingHttpHeaders): void {
  if (headers['if-match'] === undefined)
    throw new HttpProblem(
      'precondition-required',
      'Send If-Match with the ETag of the user you mean to change.',
    );
}
