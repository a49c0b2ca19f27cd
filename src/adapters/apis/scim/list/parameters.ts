/** Query parameters (RFC 7644 §3.4.2, RFC 9865 §2), from the URL or from the body of a `.search`. */

import type { Sort } from '../../../../domain/find/sorts.ts';
import type { Context } from '../../../http/pipeline/context.ts';
import { singlesOf } from '../../../http/pipeline/query.ts';
import { parseFilter } from '../filter/parse.ts';
import { type Comparison, replaceComparisons, type ScimFilter, SyntaxFault } from '../filter/syntax.ts';
import { readMembers, searchUrn } from '../protocol/messages.ts';
import { absent } from '../resource/attributes.ts';
import { ScimError } from '../resource/errors.ts';
import { foldName } from '../resource/fold-name.ts';
import { type Projection, readProjection } from '../resource/projection.ts';
import { checkSchemas } from '../resource/read-resource.ts';
import { invalidSyntax } from '../resource/read-value.ts';
import type { ResourceType } from '../resource/resource-type.ts';

/** Resources per page. */
export const maxCount = 1000;
export const defaultCount = 100;
/** The limit of `startIndex` and `count`, positive or negative. */
const maxInteger = 999_999_999_999_999;

export interface ScimQuery {
  readonly filter: ScimFilter | undefined;
  /** As given, since cursors are bound to it. */
  readonly filterText: string | undefined;
  readonly sort: Sort;
  /** One-based. */
  readonly startIndex: number;
  readonly count: number;
  /** Empty: the first page by cursor. Undefined: by index. */
  readonly cursor: string | undefined;
  readonly projection: Projection;
}

export const parameterNames = [
  'filter',
  'sortBy',
  'sortOrder',
  'startIndex',
  'count',
  'cursor',
  'attributes',
  'excludedAttributes',
] as const;
type ParameterName = (typeof parameterNames)[number];

/** Strings from a URL; from a body also numbers and lists. */
export interface ScimParameters extends ReadonlyMap<ParameterName, unknown> {
  /** A `+` was read as a space. */
  readonly hasPlus?: boolean;
}

/** Reads the parameters of a route. @throws HttpProblem 400 for a repeated one */
export function readAddress({ state: { query } }: Context): ScimParameters {
  const given = singlesOf(query) as ScimParameters;
  const filter = String(given.get('filter') ?? '');
  const withPluses = query.withPluses?.get('filter')?.[0] ?? filter;
  if (filter === withPluses) return given;
  // The sender encoded the first space as `%20`, so each `+` is a plus.
  const isEncoded = withPluses[filter.indexOf(' ')] === ' ';
  return isEncoded
    ? new Map([...given, ['filter', withPluses]])
    : Object.assign(new Map(given), { hasPlus: true });
}

/** Parameters in the body of a `.search` (RFC 7644 §3.4.3). @throws ScimError */
export function readSearchRequest(body: unknown): ScimParameters {
  const members = readMembers(body, ['schemas', ...parameterNames]);
  checkSchemas(members.get('schemas'), searchUrn, ['SearchRequest'], invalidSyntax);
  return new Map(
    [...members].filter(([name, value]) => name !== 'schemas' && value !== null),
  ) as ScimParameters;
}

function textOf(given: ScimParameters, name: ParameterName): string | undefined {
  const value = given.get(name);
  if (value === undefined || typeof value === 'string') return value;
  throw new ScimError('invalidValue', `${name} must be a text.`);
}

function integerOf(given: ScimParameters, name: 'startIndex' | 'count', least: number): number | undefined {
  const value = given.get(name);
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || Math.abs(number) > maxInteger)
    throw new ScimError(
      name === 'count' ? 'invalidCount' : 'invalidValue',
      `${name} must be a whole number.`,
    );
  // Smaller values count as the minimum (RFC 7644 §3.4.2.4).
  return Math.max(least, number);
}

function namesOf(
  given: ScimParameters,
  name: 'attributes' | 'excludedAttributes',
): readonly string[] | undefined {
  const value = given.get(name);
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value.split(',');
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new ScimError('invalidValue', `${name} must be names of attributes.`);
}

function sortOf({ findAttribute, sortable }: ResourceType, given: ScimParameters): Sort {
  const by = textOf(given, 'sortBy');
  const order = foldName(textOf(given, 'sortOrder') ?? 'ascending');
  if (order !== 'ascending' && order !== 'descending')
    throw new ScimError('invalidValue', 'sortOrder must be ascending or descending.');
  if (by === undefined) return {};
  const path = findAttribute(by);
  if (path?.sort === undefined && path?.attribute.name !== 'id' && !path?.isAbsent)
    throw new ScimError('invalidValue', `sortBy must be one of ${sortable.join(', ')}.`);
  return { by: path.sort, descending: order === 'descending' };
}

/** Also compares with pluses: each space in the value may have been a `+`. */
function readBoth(comparison: Comparison): ScimFilter {
  const { operator, value } = comparison;
  if (typeof value !== 'string' || !value.includes(' ') || operator === 'ne') return comparison;
  return { kind: 'or', filters: [comparison, { ...comparison, value: value.replaceAll(' ', '+') }] };
}

/** @throws ScimError `invalidFilter`, with the position */
function filterOf(type: ResourceType, given: ScimParameters): ScimFilter | undefined {
  const text = textOf(given, 'filter');
  if (text === undefined) return undefined;
  try {
    const filter = parseFilter(type, text);
    return given.hasPlus ? replaceComparisons(filter, readBoth) : filter;
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    throw new ScimError('invalidFilter', `filter: ${error.message}`);
  }
}

/** `attributes` and `excludedAttributes`, allowed for every response with a resource (RFC 7644 §3.9). @throws ScimError */
export const projectionOf = (type: ResourceType, given: ScimParameters): Projection =>
  readProjection(type, namesOf(given, 'attributes'), namesOf(given, 'excludedAttributes'));

/** The type in a search of several types: attributes of the other types are absent. */
const amongTypes = (type: ResourceType, types: readonly ResourceType[]): ResourceType => ({
  ...type,
  findAttribute(path) {
    const [other] = types.flatMap((one) => one.findAttribute(path) ?? []);
    return type.findAttribute(path) ?? (other && absent(other));
  },
});

/** @param types the types that are searched together @throws ScimError */
export function readQuery(
  own: ResourceType,
  given: ScimParameters,
  types: readonly ResourceType[] = [own],
): ScimQuery {
  const type = amongTypes(own, types);
  const cursor = textOf(given, 'cursor');
  if (cursor !== undefined && given.has('startIndex'))
    throw new ScimError('invalidCursor', 'cursor does not go with startIndex.');
  return {
    filter: filterOf(type, given),
    filterText: textOf(given, 'filter'),
    sort: sortOf(type, given),
    startIndex: integerOf(given, 'startIndex', 1) ?? 1,
    count: Math.min(maxCount, integerOf(given, 'count', 0) ?? defaultCount),
    cursor,
    projection: projectionOf(own, given),
  };
}
