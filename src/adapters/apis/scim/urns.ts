/** The URNs of messages (RFC 7644 §8.2) and of what the API says of itself (RFC 7643 §5–7). */
const message = (name: string): string => `urn:ietf:params:scim:api:messages:2.0:${name}`;

export const listUrn = message('ListResponse');
export const searchUrn = message('SearchRequest');
export const patchUrn = message('PatchOp');
export const bulkUrn = message('BulkRequest');
export const bulkResponseUrn = message('BulkResponse');
export const errorUrn = message('Error');

const schema = (name: string): string => `urn:ietf:params:scim:schemas:core:2.0:${name}`;

export const configUrn = schema('ServiceProviderConfig');
export const resourceTypeUrn = schema('ResourceType');
export const schemaUrn = schema('Schema');
