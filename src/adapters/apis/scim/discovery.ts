/** The discovery documents (RFC 7644 §4, RFC 7643 §5–7, RFC 9865 §4), derived from the schema and the limits. No credentials needed. */
import type { Authenticator } from '../../../domain/ports.ts';
import type { Route } from '../../http/pipeline/api.ts';
import type { Context } from '../../http/pipeline/context.ts';
import { ApiProblem, noSuchResource } from '../../http/problems/problems.ts';
import { maxBulkBytes, maxBulkOperations } from './bulk/request.ts';
import { defaultCount, maxCount } from './list/parameters.ts';
import { configUrn, listUrn, resourceTypeUrn, schemaUrn, sendDocument } from './protocol/messages.ts';
import { base, type ScimService, shownEndpoints } from './protocol/service.ts';
import type { Attribute, AttributeSchema } from './resource/attributes.ts';
import type { ResourceType } from './resource/resource-type.ts';

const supported = { supported: true } as const;

/** Authentication schemes (RFC 7643 §5), by HTTP scheme. */
const schemes = {
  Bearer: {
    type: 'oauthbearertoken',
    name: 'Bearer token',
    description: 'Authorization: Bearer, with what the operator has handed out.',
    specUri: 'https://www.rfc-editor.org/info/rfc6750',
  },
  Basic: {
    type: 'httpbasic',
    name: 'HTTP Basic',
    description: "Authorization: Basic, with an API key's id and secret.",
    specUri: 'https://www.rfc-editor.org/info/rfc7617',
  },
} as const satisfies Record<Authenticator['scheme'], object>;

const providerConfig = (service: ScimService) => ({
  schemas: [configUrn],
  patch: supported,
  bulk: { ...supported, maxOperations: maxBulkOperations, maxPayloadSize: maxBulkBytes },
  filter: { ...supported, maxResults: maxCount },
  changePassword: { supported: false },
  sort: supported,
  etag: supported,
  pagination: {
    cursor: true,
    index: true,
    defaultPaginationMethod: 'index',
    defaultPageSize: defaultCount,
    maxPageSize: maxCount,
  },
  authenticationSchemes: service.schemes.map((scheme, index) => ({
    ...schemes[scheme],
    ...(index === 0 ? { primary: true } : {}),
  })),
  meta: { resourceType: 'ServiceProviderConfig', location: service.url('/ServiceProviderConfig') },
});

/** The core schema, and each extension with an attribute that the client sees. */
const shownSchemas = ({ schema, schemas }: ResourceType): readonly AttributeSchema[] =>
  schemas.filter(({ id, attributes }) => id === schema.id || attributes.some(({ hiddenBy }) => !hiddenBy));

const showType = (service: ScimService, type: ResourceType) => ({
  schemas: [resourceTypeUrn],
  ...{ id: type.name, name: type.name, endpoint: type.endpoint, description: type.description },
  schema: type.schema.id,
  schemaExtensions: shownSchemas(type)
    .slice(1)
    .map(({ id }) => ({ schema: id, required: false })),
  meta: { resourceType: 'ResourceType', location: service.url(`/ResourceTypes/${type.name}`) },
});

function showAttribute(shown: Attribute): object {
  const {
    subAttributes,
    maxItems: _most,
    isTexts: _texts,
    isLanguage: _language,
    typed: _typed,
    isRelation: _relation,
    hiddenBy: _hidden,
    refuse: _refuse,
    ...attribute
  } = shown;
  return {
    ...attribute,
    ...(subAttributes.length === 0 ? {} : { subAttributes: showAttributes(subAttributes) }),
  };
}

const showAttributes = (attributes: readonly Attribute[]): object[] =>
  attributes.filter(({ hiddenBy }) => !hiddenBy).map(showAttribute);

const showSchema = (service: ScimService, { attributes, ...schema }: AttributeSchema) => ({
  schemas: [schemaUrn],
  ...schema,
  attributes: showAttributes(attributes),
  meta: { resourceType: 'Schema', location: service.url(`/Schemas/${schema.id}`) },
});

/** Rejects filters, so that clients don't take the full list for the matches (RFC 7644 §4). */
function refuseFilter({ state }: Context): void {
  if (state.query.has('filter'))
    throw new ApiProblem('scim-filter-refused', 'Remove the filter: these documents cannot be filtered.');
}

/** A client with a profile gets only what it sees. Clients without credentials get everything, so wrong credentials are ignored. */
async function identify(ctx: Context): Promise<void> {
  if (ctx.req.headers.authorization === undefined) return;
  try {
    await ctx.state.authenticate?.(ctx);
  } catch {}
}

const send = (ctx: Context, document: object) =>
  sendDocument(ctx, {
    status: 200,
    content: JSON.stringify(document),
    fields: ['Cache-Control', ctx.state.principal?.access === undefined ? 'no-cache' : 'private, no-cache'],
  });

const listOf = (documents: readonly object[]) => ({
  schemas: [listUrn],
  totalResults: documents.length,
  startIndex: 1,
  itemsPerPage: documents.length,
  Resources: documents,
});

function found<T>(one: T | undefined): T {
  if (one === undefined) throw noSuchResource();
  return one;
}

const typesOf = (service: ScimService): readonly ResourceType[] =>
  shownEndpoints(service).map(({ type }) => type);

const documents: Readonly<Record<string, (service: ScimService, params: Context['params']) => object>> = {
  '/ServiceProviderConfig': providerConfig,
  '/ResourceTypes': (service) => listOf(typesOf(service).map((type) => showType(service, type))),
  '/ResourceTypes/:name': (service, { name }) =>
    showType(service, found(typesOf(service).find((type) => type.name === name))),
  '/Schemas': (service) =>
    listOf(
      typesOf(service)
        .flatMap(shownSchemas)
        .map((schema) => showSchema(service, schema)),
    ),
  '/Schemas/:urn': (service, { urn }) => {
    const named = typesOf(service).flatMap((type) => {
      const schema = type.findSchema(String(urn));
      return shownSchemas(type).filter((one) => one === schema);
    });
    return showSchema(service, found(named[0]));
  },
};

export const discoveryRoutes = (service: ScimService): readonly Route[] =>
  Object.entries(documents).map(([path, make]) => ({
    method: 'GET',
    path: base + path,
    access: 'open',
    query: { filter: {} },
    ignoresOtherParameters: true,
    isNegotiated: true,
    async handle(ctx) {
      refuseFilter(ctx);
      await identify(ctx);
      return send(ctx, make(service.viewFor(ctx.state.principal?.access), ctx.params));
    },
  }));
