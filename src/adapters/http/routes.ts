/** Every route, as data. Order, statuses and headers that all share stand in app.ts. */
import type { Operation } from '../../domain/scopes.ts';
import type { Context, Service } from './context.ts';
import { createUser, patchUser, readUser, removeUser, replaceUser } from './user-handlers.ts';
import { listUsers } from './user-list.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base path. The log names a request by it. */
  readonly path: string;
  /** What it does, and by that the scope it takes (domain/scopes.ts). */
  readonly operation: Operation;
  /** Whether a success has a body, so that one must be acceptable. */
  readonly answersWithBody: boolean;
  readonly handler: (ctx: Context, service: Service) => Promise<void>;
}

const users = '/users';
const user = '/users/:id';

export const routes: readonly Route[] = [
  { method: 'GET', path: users, operation: 'list', answersWithBody: true, handler: listUsers },
  { method: 'POST', path: users, operation: 'create', answersWithBody: true, handler: createUser },
  { method: 'GET', path: user, operation: 'read', answersWithBody: true, handler: readUser },
  { method: 'PUT', path: user, operation: 'replace', answersWithBody: true, handler: replaceUser },
  { method: 'PATCH', path: user, operation: 'patch', answersWithBody: true, handler: patchUser },
  { method: 'DELETE', path: user, operation: 'remove', answersWithBody: false, handler: removeUser },
];
