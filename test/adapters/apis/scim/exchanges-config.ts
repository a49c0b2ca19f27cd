/** What the service says of itself, for those recorded exchanges that ask. */
import { core, type ExpectedAnswer, enterprise, listAnswer, own } from './exchanges.ts';

export const configAnswer: ExpectedAnswer = {
  status: 200,
  // As many as there are kinds of credentials.
  apart: ['authenticationSchemes'],
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
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    ...{ id: 'Group', name: 'Group', endpoint: '/Groups', description: 'A group of users.' },
    schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
    schemaExtensions: [{ schema: 'urn:user-management:1:Group', required: false }],
    meta: { resourceType: 'ResourceType', location: '{{url}}/scim/v2/ResourceTypes/Group' },
  },
]);
