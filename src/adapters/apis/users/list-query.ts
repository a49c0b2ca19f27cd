/** The query of GET /users. */
import { filters, sortNames } from '../../../domain/at-import.ts';
import type { ListDefinition } from '../resources/definition.ts';
import { listParser } from '../resources/list-query.ts';

export const userListDefinition: ListDefinition = {
  name: 'user',
  filters,
  sortNames,
  // Cursors have included these since the first release.
  alwaysNamed: new Set(['userName', 'externalId', 'email', 'active', 'role']),
};

/** @throws HttpProblem 400 */
export const parseListQuery = listParser(userListDefinition);
