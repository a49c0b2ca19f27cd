/** What the release before this one wrote: keys for its filters, and nothing to search or sort by. */

import type { Collection } from 'mongodb';
import {
  collectionName,
  type Derived,
} from '../../../../src/adapters/stores/mongodb/documents/stored-document.ts';
import { joinKey } from '../../../../src/domain/find/keys.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { makeKeys } from '../../../support/kinds.ts';
import type { TestDatabase } from '../../../support/mongodb.ts';

export const rulesBefore = '1 active,email,externalId,role,userName';

type DocumentBefore = { readonly _id: string } & Omit<User, 'id'> &
  Pick<Derived, 'nameKey' | 'keys' | 'keyedBy'>;

export function toDocumentBefore({ id, ...members }: User): DocumentBefore {
  const { name, filters } = makeKeys({ id, ...members });
  return { _id: id, ...members, nameKey: name, keys: filters.map(joinKey), keyedBy: rulesBefore };
}

/** A process of that release, as far as it writes. */
export function processBefore({ client }: TestDatabase) {
  const options = { writeConcern: { w: 'majority', journal: true } } as const;
  const users: Collection<DocumentBefore> = client.db().collection(collectionName, options);
  return {
    insert: async (user: User) => void (await users.insertOne(toDocumentBefore(user))),
    replace: async (user: User, version: string) => {
      const { _id, ...members } = toDocumentBefore(user);
      const { matchedCount } = await users.replaceOne({ _id, 'meta.version': version }, members);
      return matchedCount === 1;
    },
  };
}
