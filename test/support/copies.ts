/** What copies and their comparison need beside the stores. */
import { randomUUID } from 'node:crypto';
import { listCopied } from '../../src/domain/import/copy-resources.ts';
import { findDifferences, type IsSame } from '../../src/domain/import/differences.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import { portOf } from './stores.ts';
import type { UserStore } from './verbs.ts';

export const copyParts = {
  kind: kindsOf().of('user'),
  clock: { now: () => new Date() },
  ids: { id: randomUUID, version: randomUUID },
};

const listOf = (store: UserStore) => listCopied(copyParts.kind, portOf(store));

const isEqual: IsSame = (one, other) => one.text === other.text;

/** The ids of users that only one store has, or that differ: by a byte, unless `isSame` is given. */
export async function* differencesOf(one: UserStore, other: UserStore, isSame = isEqual) {
  for await (const { id } of findDifferences(listOf(one), listOf(other), isSame)) yield id;
}
