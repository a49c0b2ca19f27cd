/** What copies and their comparison need beside the stores. */
import { randomUUID } from 'node:crypto';
import { listAll } from '../../src/domain/import/copy-resources.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import { portOf } from './stores.ts';
import type { UserStore } from './verbs.ts';

export const copyParts = {
  kind: kindsOf().of('user'),
  clock: { now: () => new Date() },
  ids: { id: randomUUID, version: randomUUID },
};

export const listOf = (store: UserStore) => listAll(copyParts, portOf(store));
