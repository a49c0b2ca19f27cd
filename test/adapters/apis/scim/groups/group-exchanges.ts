/** Groups in recorded exchanges: what Okta and Entra ID push, as their documentation shows it. */
import type { ExpectedAnswer, Members } from '../exchanges.ts';
import { groupUrn } from './group-client.ts';

/** @param version one of our own names for the state of the group */
export function group(version: string, members: Members, written = version): Members {
  const [who = ''] = version.split('.');
  return {
    ...{ schemas: [groupUrn], id: `{{id ${who}}}`, ...members },
    meta: {
      ...{ resourceType: 'Group', created: `{{time ${who}.1}}`, lastModified: `{{time ${written}}}` },
      ...{ location: `{{url}}/scim/v2/Groups/{{id ${who}}}`, version: `{{version ${version}}}` },
    },
  };
}

export const groupAnswer = (
  status: 200 | 201,
  version: string,
  members: Members,
  written?: string,
): ExpectedAnswer => ({
  status,
  headers: { etag: `{{version ${version}}}`, 'last-modified': null },
  body: group(version, members, written),
});

/** The name of a member of a group is shown to clients that may read users. */
export const member = (who: string, display: string): Members => ({
  ...{ value: `{{id ${who}}}`, display, type: 'User', $ref: `{{url}}/scim/v2/Users/{{id ${who}}}` },
});

export const changedAnswer: ExpectedAnswer = { status: 204, headers: { etag: null } };
