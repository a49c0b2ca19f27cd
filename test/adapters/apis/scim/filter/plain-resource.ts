/** A user as a SCIM resource (RFC 7643 §4), made without a line of the service's own. */
import type { User } from '../../../../../src/domain/kinds/user/user.ts';

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const own = 'urn:user-management:1:User';

export function plainResource(user: User): Record<string, unknown> {
  const { meta, roles, attributes, enterprise, ...rest } = user as User & { enterprise?: object };
  const resource: Record<string, unknown> = { schemas: [core], ...rest };
  if (roles !== undefined) resource.roles = roles.map((value) => ({ value }));
  if (enterprise !== undefined) resource[enterpriseUrn] = enterprise;
  if (attributes !== undefined)
    resource[own] = { attributes: Object.entries(attributes).map(([name, value]) => ({ name, value })) };
  const { created, lastModified, version } = meta;
  const location = `https://example.org/scim/v2/Users/${user.id}`;
  resource.meta = { resourceType: 'User', created, lastModified, location, version: `"${version}"` };
  return resource;
}
