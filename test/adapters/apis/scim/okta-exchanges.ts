/**
 * What Okta sends, as its documentation of SCIM 2.0 and its public test of SCIM servers show it: a connection that is tested, users who
 * are made, changed, deactivated and made active again. In the order in which it is sent, to a directory without users.
 */
import type { Exchange } from './exchanges.ts';
import { connection, creation } from './okta-creation.ts';
import { lifecycle, update } from './okta-lifecycle.ts';

export const oktaExchanges: readonly Exchange[] = [...connection, ...creation, ...update, ...lifecycle];
