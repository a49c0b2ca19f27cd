/** A directory of users with declared attributes, and callers whose profiles limit its members. */

import { randomUUID } from 'node:crypto';
import { defineUsers } from '../../src/adapters/apis/users/index.ts';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { type KindRules, makeAccess } from '../../src/domain/access/profile.ts';
import type { Access } from '../../src/domain/find/access.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import type { Caller } from '../../src/domain/ports.ts';
import { users } from '../../src/domain/use-cases/users.ts';
import { declarations } from './declared.ts';

const kinds = kindsOf(declarations);
export const userKind = kinds.of('user');
export const { document } = defineUsers(kinds);

export const author = { client: 'a', via: 'test' };
export const unlimited: Caller = { id: 'a', via: 'test', scopes: new Set(['users:read', 'users:write']) };
export const limitedBy = (rules: KindRules, contract?: string): Caller => {
  const access: Access = makeAccess(
    kinds,
    'p',
    new Map([['user', { create: true, ...rules }]]),
    () => 'mark',
  );
  return { ...unlimited, access, contract };
};

export function directory() {
  const store = memoryStore(kinds);
  const clock = { now: () => new Date() };
  const all = users(store, clock, { id: randomUUID, version: randomUUID }, kinds);
  const stored = async (id: string): Promise<Content> => contentOf((await all.read(unlimited, id)).value);
  return { ...all, store, stored };
}

export type Content = Readonly<Record<string, unknown>>;
export function contentOf(user: object): Content {
  const { id: _id, meta: _meta, ...content } = user as User;
  return content;
}
