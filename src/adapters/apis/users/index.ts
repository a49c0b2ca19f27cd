/** `/users`: the directory, in every format. */
import type { DescribedApi } from '../../http/core/api.ts';
import type { StaticDocument } from '../../http/static-documents.ts';
import { userProblems } from './problems.ts';
import { userRoutes } from './routes.ts';
import { type UsersParts, usersService } from './users-service.ts';

/** In bytes after decoding: more than any user in XML and UTF-16. */
export const maxBodyBytes = 256 * 1024;

export const usersApi = (parts: UsersParts): DescribedApi => ({
  name: 'users',
  description: 'The directory.',
  prefixes: ['/users'],
  access: 'credentials',
  isShed: true,
  maxBodyBytes,
  formats: parts.formats,
  problems: userProblems,
  routes: userRoutes(usersService(parts)),
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
