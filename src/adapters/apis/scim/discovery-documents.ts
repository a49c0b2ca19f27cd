/** What the API says of itself (RFC 7643 §5–7), for its contract. */
import Type from 'typebox';
import type { DocumentType } from '../../http/api.ts';
import { message } from './documents.ts';
import { configUrn, resourceTypeUrn, schemaUrn } from './urns.ts';

const anything = (description: string) => Type.Unknown({ description });
const uri = () => Type.String({ format: 'uri-reference' });
const meta = Type.Object({ resourceType: Type.String(), location: uri() }, { title: 'DiscoveryMeta' });

const supported = Type.Object({ supported: Type.Boolean() }, { title: 'Supported' });
const scheme = Type.Object(
  {
    type: Type.String(),
    name: Type.String(),
    description: Type.String(),
    specUri: Type.String({ format: 'uri' }),
    primary: Type.Optional(Type.Boolean()),
  },
  { title: 'AuthenticationScheme' },
);

/** @param example as the API shows it */
export const configDocument = (example: unknown): DocumentType => ({
  ...message(
    'ServiceProviderConfig',
    configUrn,
    {
      patch: supported,
      bulk: Type.Object(
        { supported: Type.Boolean(), maxOperations: Type.Integer(), maxPayloadSize: Type.Integer() },
        { title: 'BulkSupport' },
      ),
      filter: Type.Object(
        { supported: Type.Boolean(), maxResults: Type.Integer() },
        { title: 'FilterSupport' },
      ),
      changePassword: supported,
      sort: supported,
      etag: supported,
      pagination: Type.Object(
        {
          ...{ cursor: Type.Boolean(), index: Type.Boolean() },
          defaultPaginationMethod: Type.String({ enum: ['cursor', 'index'] }),
          defaultPageSize: Type.Integer(),
          maxPageSize: Type.Integer(),
        },
        { title: 'Pagination', description: 'RFC 9865 §4.' },
      ),
      authenticationSchemes: Type.Array(scheme, { item: 'scheme' }),
      meta,
    },
    'What the service can do.',
  ),
  example,
});

/** @param example as the API shows it */
export const typeDocument = (example: unknown): DocumentType => ({
  ...message(
    'ResourceType',
    resourceTypeUrn,
    {
      id: Type.String(),
      name: Type.String(),
      endpoint: Type.String(),
      description: Type.String(),
      schema: Type.String({ format: 'uri' }),
      schemaExtensions: Type.Array(
        Type.Object(
          { schema: Type.String({ format: 'uri' }), required: Type.Boolean() },
          { title: 'SchemaExtension' },
        ),
        { item: 'extension' },
      ),
      meta,
    },
    'A kind of resource.',
  ),
  example,
});

/** @param example as the API shows it */
export const schemaDocument = (example: unknown): DocumentType => ({
  ...message(
    'Schema',
    schemaUrn,
    {
      id: Type.String({ format: 'uri' }),
      name: Type.String(),
      description: Type.String(),
      attributes: Type.Array(anything('An attribute (RFC 7643 §7).'), { item: 'attribute' }),
      meta,
    },
    'The attributes of a schema.',
  ),
  example,
});
