/** The query of GET /users: filters, and the cursor of a page. What isn't understood is refused, never ignored. */
import { createHash } from 'node:crypto';
import { type FilterName, type Filters, filterNames, filters } from '../../../domain/filters.ts';
import { canonicalUuid } from '../../../domain/uuid.ts';
import { replaceForeignCharacters } from '../../../domain/validation.ts';
import { HttpProblem } from '../../http/problems.ts';

/** How many users a page may hold. */
export const maxLimit = 1000;

export const listParameters: readonly string[] = [...filterNames, 'limit', 'after'];

export interface ListQuery {
  readonly filters: Filters;
  /** Undefined: all users there are. */
  readonly limit: number | undefined;
  /** The id after which the page begins. */
  readonly after: string | undefined;
  /** The query of the page after the user with this id. */
  next(id: string): string;
}

const refuse = (detail: string) => new HttpProblem('invalid-parameter', detail);

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw refuse('The query has a percent-encoding that is not UTF-8.');
  }
}

function pairs(querystring: string): Map<string, string> {
  const given = new Map<string, string>();
  for (const pair of querystring.split('&').filter((part) => part !== '')) {
    const at = pair.indexOf('=');
    const name = decode(at === -1 ? pair : pair.slice(0, at));
    if (!listParameters.includes(name)) {
      throw refuse(`A parameter is not known here. There are: ${listParameters.join(', ')}.`);
    }
    if (given.has(name)) throw refuse(`${name} stands more than once.`);
    given.set(name, at === -1 ? '' : decode(pair.slice(at + 1)));
  }
  return given;
}

function keysAsked(given: ReadonlyMap<string, string>): Filters {
  const asked = filterNames.flatMap((name): [FilterName, string][] => {
    const value = given.get(name);
    if (value === undefined) return [];
    const possible = value !== '' && replaceForeignCharacters(value) === value;
    const key = possible ? filters[name].key(value) : undefined;
    if (key === undefined) throw refuse(`${name} has a value that no user can have.`);
    return [[name, key]];
  });
  return Object.fromEntries(asked);
}

function limitIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : maxLimit + 1;
  if (limit > maxLimit) throw refuse(`limit must be a whole number from 1 to ${maxLimit}.`);
  return limit;
}

const sealBytes = 8;

/**
 * A cursor: the id's 16 bytes and a seal over them and the filters, so that one that was cut, mistyped or carried over
 * to another list is noticed. It grants nothing, hence no secret: whoever may list may begin anywhere.
 */
function cursor(id: string, asked: Filters): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  const ordered = filterNames.map((name) => [name, asked[name] ?? null]);
  const seal = createHash('sha256').update(bytes).update(JSON.stringify(ordered)).digest();
  return Buffer.concat([bytes, seal.subarray(0, sealBytes)]).toString('base64url');
}

function idIn(after: string, asked: Filters): string {
  const hex = Buffer.from(after, 'base64url').toString('hex').slice(0, 32);
  const id = canonicalUuid(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
  if (id === undefined || cursor(id, asked) !== after)
    throw refuse(
      'after is not a cursor of this list: take it from the Link of the page before, filters unchanged.',
    );
  return id;
}

/** @throws HttpProblem 400 */
export function parseListQuery(querystring: string): ListQuery {
  const given = pairs(querystring);
  const asked = keysAsked(given);
  const limit = limitIn(given.get('limit'));
  const after = given.get('after');
  if (after !== undefined && limit === undefined) throw refuse('after goes with limit.');
  return {
    filters: asked,
    limit,
    after: after === undefined ? undefined : idIn(after, asked),
    next: (id) => {
      const kept = [...given].filter(([name]) => name !== 'after');
      return new URLSearchParams([...kept, ['after', cursor(id, asked)]]).toString();
    },
  };
}
