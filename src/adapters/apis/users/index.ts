/** `/users`: the directory, in every format. */
import type { DescribedApi } from '../../http/core/api.ts';
import type { StaticDocument } from '../../http/static-documents.ts';
import { resourceRoutes } from '../resources/routes.ts';
import { type ResourceParts, resourceService } from '../resources/service.ts';
import { userDefinition } from './definition.ts';
import { userProblems } from './problems.ts';

/** In bytes after decoding: more than any user in XML and UTF-16. */
export const maxBodyBytes = 256 * 1024;

export const usersApi = (parts: Omit<ResourceParts, 'definition'>): DescribedApi => ({
  name: 'users',
  description: 'The directory.',
  prefixes: ['/users'],
  access: 'credentials',
  isShed: true,
  maxBodyBytes,
  formats: parts.formats,
  problems: userProblems,
  routes: resourceRoutes(resourceService({ ...parts, definition: userDefinition })),
});

/** Published beside the OpenAPI document. */
export const userSchemas = (api: DescribedApi): readonly StaticDocument[] => [
  {
    path: '/schemas/user.json',
    contentType: 'application/schema+json',
    summary: 'Users as JSON Schema',
    make: async () => (await import('./schemas.ts')).userJsonSchema(api),
  },
  {
    path: '/schemas/user.xsd',
    contentType: 'application/xml; charset=utf-8',
    summary: 'Users as XML Schema',
    make: async () => (await import('./schemas.ts')).userXsd(),
  },
];
