import { randomUUID } from 'node:crypto';
import type { User } from '../../src/domain/kinds/user/user.ts';

/** A valid user like no other: what isn't given in `overrides` is either new (id, userName, version) or fixed. */
export function aUser(overrides: Partial<User> = {}): User {
  const id = overrides.id ?? randomUUID();
  return {
    id,
    userName: `user-${id}`,
    active: true,
    meta: {
      created: '2026-01-02T03:04:05.678Z',
      lastModified: '2026-01-02T03:04:05.678Z',
      version: randomUUID(),
    },
    ...overrides,
  };
}

/** The user with these changes and a new version, as a write would store it. */
export function changed(user: User, changes: Partial<User> = {}): User {
  return { ...user, ...changes, meta: { ...user.meta, version: randomUUID() } };
}
