/** What copies and their comparison need beside the stores. */
import { randomUUID } from 'node:crypto';
import { listAll } from '../../src/domain/import/copy-resources.ts';
import { findDifferences } from '../../src/domain/import/differences.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import { portOf } from './stores.ts';
import type { UserStore } from './verbs.ts';

export const copyParts = {
  kind: kindsOf().of('user'),
  clock: { now: () => new Date() },
  ids: { id: randomUUID, version: randomUUID },
};

export const listOf = (store: UserStore) => listAll(copyParts, portOf(store));

/** The ids of users that only one store has, or that differ by a byte. */
export const differencesOf = (one: UserStore, other: UserStore) =>
  findDifferences(listOf(one), listOf(other), (left, right) => left.text === right.text);
