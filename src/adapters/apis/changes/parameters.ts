/** The parameters of feeds and histories: read, and described for the contract. */

import type { ChangeFilter } from '../../../domain/changes/filter.ts';
import { type Cursor, parseCursor, type Start } from '../../../domain/changes/log.ts';
import { maxSearchLength, maxTerms, parseSearch, type Term } from '../../../domain/find/search.ts';
import type { FeedQuery, HistoryQuery } from '../../../domain/use-cases/feed.ts';
import { anyCaseUuidPattern, canonicalUuid } from '../../../domain/validation/plain-values.ts';
import type { Parameter } from '../../http/pipeline/api.ts';
import { invalidParameter, type Query, singleOf } from '../../http/pipeline/query.ts';
import { parseBound, parseCount } from '../resources/parameters.ts';

/** The default number of changes on a page; smaller for histories, whose changes have values. */
export const [maxFeed, maxHistory] = [1_000, 100];

/** In seconds: proxies give up after a minute. */
const maxWait = 50;

/** The maximum number of values of one filter. */
const maxValues = 50;

type Parameters = Readonly<Record<string, Parameter>>;

const cursor = { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,90}$' };

const limitOf = (most: number, usual: number): Parameter => ({
  description: `The maximum number of changes on a page; default: ${usual}.`,
  schema: { type: 'integer', minimum: 1, maximum: most },
});

const several = (description: string, items: object): Parameter => ({
  description,
  schema: { type: 'array', minItems: 1, maxItems: maxValues, items },
});

const instant = (description: string): Parameter => ({
  description: `${description}: a date and time (RFC 3339).`,
  schema: { type: 'string', format: 'date-time' },
});

const names = { type: 'string', minLength: 1 };

export const filterParameters = (types: readonly string[]): Parameters => ({
  type: several('Only changes of these types.', { type: 'string', enum: types }),
  id: several('Only changes of the resources with these ids.', {
    type: 'string',
    pattern: anyCaseUuidPattern,
  }),
  by: several('Only changes by these clients, or by persons with these subjects.', names),
  changed: several(
    'Only updates that changed one of these members, a part of it, or a list or object that has it: JSON Pointers as in `changed`, such as `/title`.',
    { type: 'string', pattern: '^/' },
  ),
  notBy: several('Omits changes by these clients, such as those of a follower that also writes.', names),
  from: instant('Only changes at this time or later'),
  to: instant('Only changes before this time'),
});

export const feedParameters = (types: readonly string[]): Parameters => ({
  since: {
    description:
      'The start of the page: `next` of the previous page, the `cursor` of a change, `start` for the oldest change that is kept, or `now` for changes to come. Required.',
    schema: cursor,
    example: 'start',
  },
  limit: limitOf(maxFeed, maxFeed),
  wait: {
    description:
      'The number of seconds that the request may wait for a change if there is none yet. Neither it nor `limit` can be combined with `text/event-stream`.',
    schema: { type: 'integer', minimum: 1, maximum: maxWait },
  },
  ...filterParameters(types),
});

/** Histories of a single resource. */
export const historyParameters: Parameters = {
  limit: limitOf(maxHistory, maxHistory),
  after: { description: '`next` of the previous page: older changes follow.', schema: cursor },
};

/** The history of all resources. */
export const wholeHistoryParameters = (types: readonly string[]): Parameters => ({
  ...historyParameters,
  ...filterParameters(types),
  request: several('Only changes of the requests with these ids, as `X-Request-Id` has them.', {
    type: 'string',
    pattern: anyCaseUuidPattern,
  }),
  label: {
    description: `Only changes whose \`label\` has, for each of up to ${maxTerms} terms, a word that begins with it, compared as \`search\` of the lists compares.`,
    schema: { type: 'string', minLength: 1, maxLength: maxSearchLength },
  },
});

/** A cursor that is truncated or invented is the client's mistake. The answer 410 would hide it, since it tells the client to start again. */
function readCursor(name: string, text: string, values: string): Cursor {
  const cursor = parseCursor(text);
  if (cursor !== undefined) return cursor;
  throw invalidParameter(`${name} must be ${values}, unchanged.`);
}

const readStart = (text: string): Start =>
  text === 'start' || text === 'now'
    ? text
    : readCursor('since', text, 'start, now, next of a page or the cursor of a change');

function parseSince(text: string | undefined): Start {
  if (text === undefined || text === '')
    throw invalidParameter(
      'since is missing: send since=start for all changes that are kept, since=now for those to come, or next of the page before.',
    );
  return readStart(text);
}

function parseInstant(given: Query, name: string): number | undefined {
  const text = singleOf(given, name);
  if (text === undefined) return undefined;
  return Date.parse(parseBound(name, text));
}

function parseSet(
  given: Query,
  name: string,
  read: (text: string) => string | undefined,
  must: string,
): ReadonlySet<string> | undefined {
  const values = given.get(name);
  if (values === undefined) return undefined;
  if (values.length > maxValues) throw invalidParameter(`${name} occurs more than ${maxValues} times.`);
  return new Set(
    values.map((text) => {
      const value = read(text);
      if (value === undefined) throw invalidParameter(`${name} must ${must}.`);
      return value;
    }),
  );
}

const pointerIn = (text: string): string | undefined => (text.startsWith('/') ? text : undefined);

const anyName = (text: string): string | undefined => (text === '' ? undefined : text);

function parseNames(given: Query, name: 'by' | 'notBy'): ReadonlySet<string> | undefined {
  const names = parseSet(given, name, anyName, 'not be empty');
  return names && new Set([...names, ...(given.withPluses?.get(name) ?? [])]);
}

function parseFilter(given: Query, types: readonly string[]): ChangeFilter {
  return {
    types: parseSet(
      given,
      'type',
      (text) => types.find((type) => type === text),
      `be one of ${types.join(', ')}`,
    ),
    ids: parseSet(given, 'id', canonicalUuid, 'be a UUID'),
    changed: parseSet(given, 'changed', pointerIn, 'be a JSON Pointer such as /title'),
    by: parseNames(given, 'by'),
    notBy: parseNames(given, 'notBy'),
    from: parseInstant(given, 'from'),
    to: parseInstant(given, 'to'),
    label: parseLabel(singleOf(given, 'label')),
  };
}

function parseLabel(text: string | undefined): readonly Term[] | undefined {
  const terms = text === undefined ? undefined : parseSearch(text);
  if (typeof terms === 'string') throw invalidParameter(`label must ${terms}.`);
  return terms;
}

/** @throws HttpProblem 400 */
export function parseFeedQuery(
  given: Query,
  types: readonly string[],
): FeedQuery & { readonly wait: number | undefined } {
  const limit = parseCount(given, 'limit', maxFeed) ?? maxFeed;
  const wait = parseCount(given, 'wait', maxWait, ' of seconds');
  const filter = parseFilter(given, types);
  return { since: parseSince(singleOf(given, 'since')), limit, filter, wait };
}

/** The number of changes that a stream reads at a time. */
const streamedAtOnce = 100;

/** @param lastEvent the id of the last event that the client has received; empty: none @throws as `parseFeedQuery` */
export function parseStreamQuery(given: Query, types: readonly string[], lastEvent: string): FeedQuery {
  for (const name of ['limit', 'wait'])
    if (given.has(name)) throw invalidParameter(`${name} does not go with text/event-stream.`);
  const filter = parseFilter(given, types);
  const since =
    lastEvent === ''
      ? parseSince(singleOf(given, 'since'))
      : readCursor('Last-Event-ID', lastEvent, 'the id of an event');
  return { since, limit: streamedAtOnce, filter };
}

/** @throws HttpProblem 400 */
export function parseHistoryQuery(given: Query, types: readonly string[]): HistoryQuery {
  const after = singleOf(given, 'after');
  return {
    limit: parseCount(given, 'limit', maxHistory) ?? maxHistory,
    after: after === undefined ? undefined : readCursor('after', after, 'next of a page'),
    filter: parseFilter(given, types),
    requests: parseSet(given, 'request', canonicalUuid, 'be a UUID'),
  };
}
