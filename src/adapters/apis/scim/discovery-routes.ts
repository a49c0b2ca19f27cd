/** The routes by which the API is discovered: open to all (RFC 7644 §4). */
import type { DocumentType, Route } from '../../http/api.ts';
import {
  listSchemas,
  listTypes,
  providerConfig,
  readSchema,
  readType,
  showConfig,
  showSchema,
  userType,
} from './discovery.ts';
import { configDocument, schemaDocument, typeDocument } from './discovery-documents.ts';
import { listOf } from './documents.ts';
import { schemas } from './resource/attributes.ts';
import { base, type ScimService } from './service.ts';

interface Parts {
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly shows: DocumentType;
  readonly handle: Route['handle'];
  readonly params?: Route['params'];
}

const routeOf = ({ path, shows, params, ...route }: Parts): Route => ({
  ...{ method: 'GET', access: 'open', isNegotiated: true, headers: [] },
  ...route,
  ...(params === undefined ? {} : { params }),
  path: `${base}${path}`,
  answers: [{ status: 200, description: 'As it is.', shows, headers: [] }],
  problems: ['not-acceptable', 'scim-filter-refused', ...(params === undefined ? [] : ['no-such-resource'])],
});

export function discoveryRoutes(service: ScimService): readonly Route[] {
  const config = configDocument(providerConfig(service));
  const type = typeDocument(userType(service));
  // The shortest one.
  const shown = schemas.at(-1);
  const schema = schemaDocument(shown === undefined ? {} : showSchema(service, shown));
  const names = { type: 'string', enum: ['User'] };
  const urns = { type: 'string', enum: schemas.map(({ id }) => id) };
  const all: readonly (Omit<Parts, 'handle'> & { readonly show: typeof showConfig })[] = [
    {
      path: '/ServiceProviderConfig',
      id: 'serviceProviderConfig',
      summary: 'What the service can do',
      shows: config,
      show: showConfig,
    },
    {
      path: '/ResourceTypes',
      id: 'resourceTypes',
      summary: 'The kinds of resources',
      shows: listOf(type),
      show: listTypes,
    },
    {
      path: '/ResourceTypes/:name',
      id: 'resourceType',
      summary: 'One kind of resource',
      shows: type,
      show: readType,
      params: { name: { schema: names } },
    },
    { path: '/Schemas', id: 'schemas', summary: 'The schemas', shows: listOf(schema), show: listSchemas },
    {
      path: '/Schemas/:urn',
      id: 'schema',
      summary: 'One schema',
      shows: schema,
      show: readSchema,
      params: { urn: { schema: urns } },
    },
  ];
  return all.map(({ show, ...parts }) => routeOf({ ...parts, handle: (ctx) => show(ctx, service) }));
}
