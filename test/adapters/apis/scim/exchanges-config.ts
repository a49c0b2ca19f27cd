/** What the service says of itself, for those recorded exchanges that ask. */
import { core, type ExpectedAnswer, enterprise, listAnswer, own } from './exchanges.ts';

export const configAnswer: ExpectedAnswer = {
  status: 200,
  body: {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: true, maxOperations: 1000, maxPayloadSize: 1_048_576 },
    filter: { supported: true, maxResults: 1000 },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: 100,
      maxPageSize: 1000,
    },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer',
        description: "A signed token, or an API key's bearer secret.",
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
      {
        type: 'httpbasic',
        name: 'Basic',
        description: "An API key's id and secret.",
        specUri: 'https://www.rfc-editor.org/info/rfc7617',
      },
    ],
    meta: {
      resourceType: 'ServiceProviderConfig',
      location: '{{url}}/scim/v2/ServiceProviderConfig',
    },
  },
};

export const typesAnswer: ExpectedAnswer = listAnswer([
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'A user of the directory.',
    schema: core,
    schemaExtensions: [
      { schema: enterprise, required: false },
      { schema: own, required: false },
    ],
    meta: { resourceType: 'ResourceType', location: '{{url}}/scim/v2/ResourceTypes/User' },
  },
]);
