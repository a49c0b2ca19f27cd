/** Parses the query of GET /users: filters, limit and cursor. An unknown parameter or value is refused, never ignored. */
import { createHash } from 'node:crypto';
import { type FilterName, type Filters, filterNames, filters } from '../../../domain/filters.ts';
import { replaceForeignCharacters } from '../../../domain/schema-validator.ts';
import { canonicalUuid } from '../../../domain/uuid.ts';
import { HttpProblem } from '../../http/problems.ts';

/** Of users in a page. */
export const maxLimit = 1000;

export const listParameters: readonly string[] = [...filterNames, 'limit', 'after'];

export interface ListQuery {
  readonly filters: Filters;
  /** Undefined: all users. */
  readonly limit: number | undefined;
  /** The id after which the page begins. */
  readonly after: string | undefined;
  /** The query of the page that begins after the user with this id. */
  nextQuery(id: string): string;
}

const invalidParameter = (detail: string) => new HttpProblem('invalid-parameter', detail);

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidParameter('The query has a percent-encoding that is not UTF-8.');
  }
}

/** @throws HttpProblem 400 for a name that is unknown or stands twice */
function parsePairs(querystring: string): Map<string, string> {
  const given = new Map<string, string>();
  for (const pair of querystring.split('&').filter((part) => part !== '')) {
    const at = pair.indexOf('=');
    const name = decode(at === -1 ? pair : pair.slice(0, at));
    if (!listParameters.includes(name)) {
      throw invalidParameter(`A parameter is not known here. There are: ${listParameters.join(', ')}.`);
    }
    if (given.has(name)) throw invalidParameter(`${name} stands more than once.`);
    given.set(name, at === -1 ? '' : decode(pair.slice(at + 1)));
  }
  return given;
}

/** @returns the filters' keys, as stores know them @throws HttpProblem 400 for a value that no user can have */
function parseFilters(given: ReadonlyMap<string, string>): Filters {
  const asked = filterNames.flatMap((name): [FilterName, string][] => {
    const value = given.get(name);
    if (value === undefined) return [];
    const possible = value !== '' && replaceForeignCharacters(value) === value;
    const key = possible ? filters[name].key(value) : undefined;
    if (key === undefined) throw invalidParameter(`${name} has a value that no user can have.`);
    return [[name, key]];
  });
  return Object.fromEntries(asked);
}

function parseLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : maxLimit + 1;
  if (limit > maxLimit) throw invalidParameter(`limit must be a whole number from 1 to ${maxLimit}.`);
  return limit;
}

const checksumBytes = 8;

/**
 * A cursor is the id's 16 bytes and a checksum over them and the filters, in base64url: one that was cut, mistyped or carried over to
 * another list is noticed. It needs no secret, since it grants nothing: who may list may begin anywhere.
 */
function makeCursor(id: string, asked: Filters): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  const ordered = filterNames.map((name) => [name, asked[name] ?? null]);
  const checksum = createHash('sha256').update(bytes).update(JSON.stringify(ordered)).digest();
  return Buffer.concat([bytes, checksum.subarray(0, checksumBytes)]).toString('base64url');
}

/** @returns the id in a cursor of the list with these filters @throws HttpProblem 400 for any other text */
function parseCursor(after: string, asked: Filters): string {
  const hex = Buffer.from(after, 'base64url').toString('hex').slice(0, 32);
  const id = canonicalUuid(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
  if (id === undefined || makeCursor(id, asked) !== after)
    throw invalidParameter(
      'after is not a cursor of this list: take it from the Link of the page before, filters unchanged.',
    );
  return id;
}

/** @throws HttpProblem 400 */
export function parseListQuery(querystring: string): ListQuery {
  const given = parsePairs(querystring);
  const asked = parseFilters(given);
  const limit = parseLimit(given.get('limit'));
  const after = given.get('after');
  if (after !== undefined && limit === undefined) throw invalidParameter('after goes with limit.');
  return {
    filters: asked,
    limit,
    after: after === undefined ? undefined : parseCursor(after, asked),
    nextQuery: (id) => {
      const kept = [...given].filter(([name]) => name !== 'after');
      return new URLSearchParams([...kept, ['after', makeCursor(id, asked)]]).toString();
    },
  };
}
