import type { Groups } from '../../../domain/groups.ts';
import type { DescribedApi } from '../../http/core/api.ts';
import type { StaticDocument } from '../../http/static-documents.ts';
import { resourceRoutes } from '../resources/routes.ts';
import { type ResourceParts, resourceService } from '../resources/service.ts';
import { groupDefinition } from './documents.ts';
import { memberRoutes } from './members.ts';
import { groupProblems } from './problems.ts';

/** In bytes after decoding: more than any group in XML and UTF-16. A change of members may be larger. */
const maxBodyBytes = 64 * 1024;

export interface GroupsParts extends Omit<ResourceParts, 'definition'> {
  readonly resources: Groups;
}

export const groupsApi = (parts: GroupsParts): DescribedApi => ({
  name: 'groups',
  description: 'Groups of users. The members of a group are the users that the list of users has by `group`.',
  prefixes: ['/groups'],
  access: 'credentials',
  isShed: true,
  maxBodyBytes,
  formats: parts.formats,
  problems: groupProblems,
  routes: [
    ...resourceRoutes(resourceService({ ...parts, definition: groupDefinition })),
    ...memberRoutes(parts.resources, parts.formats),
  ],
});

/** Published beside the OpenAPI document. */
export const groupSchemas = (api: DescribedApi): readonly StaticDocument[] => [
  {
    path: '/schemas/group.json',
    contentType: 'application/schema+json',
    summary: 'Groups as JSON Schema',
    make: async () => (await import('./schemas.ts')).groupJsonSchema(api),
  },
  {
    path: '/schemas/group.xsd',
    contentType: 'application/xml; charset=utf-8',
    summary: 'Groups as XML Schema',
    make: async () => (await import('./schemas.ts')).groupXsd(),
  },
  {
    path: '/schemas/members.xsd',
    contentType: 'application/xml; charset=utf-8',
    summary: 'Changes of members as XML Schema',
    make: async () => (await import('./schemas.ts')).membersXsd(),
  },
];
