/**
 * The messages of RFC 7644 and the discovery documents of RFC 7643 §5–7, as JSON Schema: what answers of SCIM are held to. `/Schemas`
 * describes users and groups, so each is any object here (scim-schemas.ts). Only the members that the service shows are listed.
 */
type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string', minLength: 1 };
const uri: Schema = { type: 'string', format: 'uri' };
const count: Schema = { type: 'integer', minimum: 0 };
const boolean: Schema = { type: 'boolean' };
const status: Schema = { type: 'string', pattern: '^[1-5][0-9][0-9]$' };
const reference: Schema = { type: 'string', format: 'uri-reference' };
const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values });
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** With a question mark behind the names of members that may be left out. */
function object(members: Readonly<Record<string, Schema>>): Schema {
  const entries = Object.entries(members).map(([name, schema]) => [name.replace('?', ''), schema] as const);
  const required = Object.keys(members).filter((name) => !name.endsWith('?'));
  return { type: 'object', properties: Object.fromEntries(entries), required };
}

const message = (urn: string, members: Readonly<Record<string, Schema>>): Schema =>
  object({ schemas: { type: 'array', items: oneOf(urn), minItems: 1, maxItems: 1 }, ...members });

const api = (name: string): string => `urn:ietf:params:scim:api:messages:2.0:${name}`;
const core = (name: string): string => `urn:ietf:params:scim:schemas:core:2.0:${name}`;

/** RFC 7644 §3.4.2, RFC 9865 §2. */
const listResponse = (resources: Schema): Schema =>
  message(api('ListResponse'), {
    'totalResults?': count,
    'startIndex?': { type: 'integer', minimum: 1 },
    itemsPerPage: count,
    'nextCursor?': text,
    'previousCursor?': text,
    Resources: listOf(resources),
  });

/** RFC 7644 §3.12. */
const error = message(api('Error'), { status, 'scimType?': text, detail: text });

/** RFC 7644 §3.7.3. */
const bulkResponse = message(api('BulkResponse'), {
  Operations: listOf(
    object({
      method: oneOf('POST', 'PUT', 'PATCH', 'DELETE'),
      'bulkId?': text,
      'location?': reference,
      'version?': text,
      status,
      'response?': named('Error'),
    }),
  ),
});

const metaOf = (resourceType: string): Schema =>
  object({ resourceType: oneOf(resourceType), location: reference });

const supported = object({ supported: boolean });

/** RFC 7643 §5, RFC 9865 §4. */
const providerConfig = message(core('ServiceProviderConfig'), {
  ...{ patch: supported, changePassword: supported, sort: supported, etag: supported },
  bulk: object({ supported: boolean, maxOperations: count, maxPayloadSize: count }),
  filter: object({ supported: boolean, maxResults: count }),
  pagination: object({
    ...{ cursor: boolean, index: boolean, defaultPaginationMethod: oneOf('cursor', 'index') },
    ...{ defaultPageSize: count, maxPageSize: count },
  }),
  authenticationSchemes: listOf(
    object({ type: text, name: text, description: text, specUri: uri, 'primary?': boolean }),
  ),
  meta: metaOf('ServiceProviderConfig'),
});

/** RFC 7643 §6. */
const resourceType = message(core('ResourceType'), {
  ...{ id: text, name: text, endpoint: text, description: text, schema: uri },
  schemaExtensions: listOf(object({ schema: uri, required: boolean })),
  meta: metaOf('ResourceType'),
});

/** RFC 7643 §7. */
const attribute = object({
  ...{ name: text, multiValued: boolean, required: boolean, description: { type: 'string' } },
  type: oneOf('string', 'boolean', 'integer', 'decimal', 'dateTime', 'reference', 'binary', 'complex'),
  'caseExact?': boolean,
  mutability: oneOf('readOnly', 'readWrite', 'immutable', 'writeOnly'),
  returned: oneOf('always', 'default', 'request', 'never'),
  uniqueness: oneOf('none', 'server', 'global'),
  'canonicalValues?': listOf(text),
  'referenceTypes?': listOf(text),
  'subAttributes?': listOf(named('Attribute')),
});

const schema = message(core('Schema'), {
  ...{ id: uri, name: text, description: text, attributes: listOf(named('Attribute')) },
  meta: metaOf('Schema'),
});

/** By the names that the table of answers uses. */
export const scimMessages = {
  User: { type: 'object' },
  Users: listResponse({ type: 'object' }),
  Group: { type: 'object' },
  Groups: listResponse({ type: 'object' }),
  Error: error,
  BulkResponse: bulkResponse,
  ServiceProviderConfig: providerConfig,
  ResourceType: resourceType,
  ResourceTypes: listResponse(named('ResourceType')),
  Attribute: attribute,
  Schema: schema,
  Schemas: listResponse(named('Schema')),
} as const satisfies Readonly<Record<string, Schema>>;
