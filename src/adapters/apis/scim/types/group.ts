/** Groups as a resource type (RFC 7643 §4.2). */
import type { Kinds } from '../../../../domain/kinds.ts';
import { maxRelated } from '../resource/relation.ts';
import { type ResourceType, resourceType } from '../resource/resource-type.ts';

export const defineScimGroups = (kinds: Kinds): ResourceType =>
  resourceType({
    kind: kinds.of('group'),
    name: 'Group',
    endpoint: '/Groups',
    description: 'A group of users.',
    schema: { id: 'urn:ietf:params:scim:schemas:core:2.0:Group', name: 'Group', description: 'Group' },
    filters: { displayName: 'displayName', externalId: 'externalId', 'members.value': 'member' },
    relation: {
      name: 'members',
      description: `The members, unless there are more than ${maxRelated}.`,
      to: { kind: kinds.of('user'), name: 'User', endpoint: '/Users' },
      type: 'User',
      scope: 'groups:read',
      isWritable: true,
    },
    maxBodyBytes: 2 * 1024 * 1024,
  });
