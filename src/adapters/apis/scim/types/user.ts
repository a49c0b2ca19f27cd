/** Users as a resource type (RFC 7643 §4.1, §4.3). */
import type { Kinds } from '../../../../domain/kinds.ts';
import { maxRelated } from '../resource/relation.ts';
import { type ResourceType, resourceType } from '../resource/resource-type.ts';

export const defineScimUsers = (kinds: Kinds): ResourceType =>
  resourceType({
    kind: kinds.of('user'),
    name: 'User',
    endpoint: '/Users',
    description: 'A user of the directory.',
    schema: { id: 'urn:ietf:params:scim:schemas:core:2.0:User', name: 'User', description: 'User Account' },
    extensions: { enterprise: 'EnterpriseUser' },
    filters: {
      userName: 'userName',
      externalId: 'externalId',
      'emails.value': 'email',
      active: 'active',
      roles: 'role',
      'enterprise.manager.value': 'manager',
      'enterprise.employeeNumber': 'employeeNumber',
      'groups.value': 'group',
    },
    // Credentials belong to the identity provider.
    foreign: {
      name: 'password',
      refusal: 'This service keeps no passwords: let the identity provider send none.',
    },
    relation: {
      name: 'groups',
      description: `The groups to which the user belongs, unless there are more than ${maxRelated}.`,
      to: { kind: kinds.of('group'), name: 'Group', endpoint: '/Groups' },
      type: 'direct',
      scope: 'groups:read',
      isWritable: false,
    },
  });
