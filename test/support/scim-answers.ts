/**
 * What SCIM's routes answer with: the statuses, header fields and messages that docs/scim.md and RFC 7644 promise. The check of every
 * exchange (contract-check.ts) holds answers to this table, which is not published and is written by hand, so that a route which
 * begins to answer otherwise is noticed.
 */
import type { Scope } from '../../src/domain/scopes.ts';
import type { Json } from './contract.ts';
import { scimMessages } from './scim-messages.ts';

export interface ScimAnswer {
  readonly method: string;
  /** Below `/scim/v2`. */
  readonly path: string;
  /** None where no credentials are needed, or one of several scopes. */
  readonly scope?: Scope;
  /** In words: which of several scopes it takes. */
  readonly scopes?: string;
  readonly success: number;
  /** The status of a success without a body. */
  readonly brief?: number;
  readonly shows?: keyof typeof scimMessages;
  /** Fields of the success, beside those of every answer. */
  readonly fields?: readonly string[];
  /** Statuses of its errors, beside those of every request. */
  readonly errors: readonly number[];
}

const validators = ['ETag', 'Last-Modified'];
const body = [406, 413, 415];
const lock = [404, 412, 428];
const discovery = (path: string, shows: keyof typeof scimMessages, ...errors: number[]): ScimAnswer => ({
  ...{ method: 'GET', path, success: 200, shows, errors: [403, 406, ...errors] },
});

/** @param isBrief a PATCH is answered without the resource, unless attributes are asked for */
function answersOf(
  name: 'User' | 'Group',
  fields: readonly string[],
  isBrief = false,
): readonly ScimAnswer[] {
  const kind = name.toLowerCase() as 'user' | 'group';
  const [read, write]: readonly [Scope, Scope] = [`${kind}s:read`, `${kind}s:write`];
  const [path, shows] = [`/${name}s`, `${name}s` as const];
  const one = { path: `${path}/{id}`, shows: name, fields, success: 200 };
  const update = { ...one, scope: write, errors: [...body, ...lock, 409, 504] };
  return [
    { method: 'GET', path, scope: read, success: 200, shows, errors: [406] },
    { method: 'POST', path: `${path}/.search`, scope: read, success: 200, shows, errors: body },
    {
      ...{ method: 'POST', path, scope: write, success: 201, shows: name },
      fields: ['Location', ...fields],
      errors: [...body, 409, 412, 504],
    },
    { ...one, method: 'GET', scope: read, errors: [404, 406, 412] },
    { ...update, method: 'PUT' },
    { ...update, method: 'PATCH', ...(isBrief && { brief: 204 }) },
    {
      method: 'DELETE',
      path: `${path}/{id}`,
      scope: `${kind}s:delete`,
      success: 204,
      errors: [...lock, 504],
    },
  ];
}

export const scimAnswers: readonly ScimAnswer[] = [
  ...answersOf('User', validators),
  ...answersOf('Group', ['ETag'], true),
  {
    ...{ method: 'POST', path: '/.search', scopes: 'one to read', success: 200, shows: 'Users' },
    errors: body,
  },
  {
    ...{ method: 'POST', path: '/Bulk', scopes: 'that of each operation', success: 200 },
    ...{ shows: 'BulkResponse', errors: body },
  },
  discovery('/ServiceProviderConfig', 'ServiceProviderConfig'),
  discovery('/ResourceTypes', 'ResourceTypes'),
  discovery('/ResourceTypes/{name}', 'ResourceType', 404),
  discovery('/Schemas', 'Schemas'),
  discovery('/Schemas/{urn}', 'Schema', 404),
];

const pattern = (source: string) => ({ type: 'string', pattern: source });

/** By the names of header fields; any text where a field is not listed. */
const fieldSchemas: Readonly<Record<string, object>> = {
  ETag: pattern('^"[!#-~]*"$'),
  'Last-Modified': pattern('^[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT$'),
  Location: { type: 'string', format: 'uri-reference' },
  'Retry-After': { type: 'integer', minimum: 1 },
  'X-Content-Type-Options': { type: 'string', const: 'nosniff' },
  'X-Request-Id': { type: 'string', format: 'uuid' },
};

/** With a question mark behind the names of fields that may be missing. */
const fieldsOf = (names: readonly string[]) =>
  Object.fromEntries(
    ['Cache-Control', 'X-Content-Type-Options', 'X-Request-Id', ...names].map((written) => {
      const name = written.replace('?', '');
      return [name, { required: name === written, schema: fieldSchemas[name] ?? { type: 'string' } }];
    }),
  );

const contentOf = (name: keyof typeof scimMessages, ...types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { $ref: `#/components/schemas/${name}` } }]));

/** Before there is a request nothing is negotiated, so that these may come without Vary. */
const early: readonly number[] = [400, 408, 431, 501];
const anywhere: readonly number[] = [...early, 417, 500, 503];

/** Fields of an error, by its status. */
function errorFields(status: number, isOpen: boolean): readonly string[] {
  if (status === 401 || (status === 403 && !isOpen)) return ['WWW-Authenticate'];
  if (status === 415) return ['Accept?', 'Accept-Encoding?', 'Accept-Patch?', 'Accept-Post?'];
  return status === 503 ? ['Retry-After'] : [];
}

function responsesOf({ scope, scopes, success, brief, shows, fields = [], errors, method }: ScimAnswer) {
  const isOpen = scope === undefined && scopes === undefined;
  const statuses = [...anywhere, ...(isOpen ? [] : [401, 403]), ...errors];
  const failures = statuses.map((status) => [
    status,
    {
      headers: fieldsOf([early.includes(status) ? 'Vary?' : 'Vary', ...errorFields(status, isOpen)]),
      content: contentOf('Error', 'application/scim+json'),
    },
  ]);
  // A tag is of a representation without a coding, so one user is never compressed.
  const isTagged = fields.includes('ETag');
  const headers = fieldsOf([
    ...['Vary', ...fields],
    ...(isTagged || shows === undefined ? [] : ['Content-Encoding?']),
  ]);
  const content =
    shows === undefined ? {} : { content: contentOf(shows, 'application/scim+json', 'application/json') };
  const unchanged = isTagged && method === 'GET' ? [[304, { headers }]] : [];
  const empty = brief === undefined ? [] : [[brief, { headers: fieldsOf(['Vary']) }]];
  return Object.fromEntries([[success, { headers, ...content }], ...empty, ...unchanged, ...failures]);
}

/**
 * The table in OpenAPI's form, which the check of exchanges reads.
 * @param showsGroups of requests for the groups of a user: its version doesn't tell of them, so the answers have no validators
 */
export function scimContract(showsGroups = false): Json {
  const paths: Record<string, Record<string, object>> = {};
  for (const answer of scimAnswers) {
    const path = `/scim/v2${answer.path}`;
    const fields = answer.fields?.filter(
      (name) => !(showsGroups && answer.shows === 'User' && validators.includes(name)),
    );
    const responses = responsesOf({ ...answer, ...(fields && { fields }) });
    paths[path] = { ...paths[path], [answer.method.toLowerCase()]: { responses } };
  }
  return { paths, components: { schemas: scimMessages } } as unknown as Json;
}
