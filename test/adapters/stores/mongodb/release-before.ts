/** What the release before this one wrote: keys for its filters, and nothing to search or sort by. */
import type { Collection } from 'mongodb';
import type { ResourceDocument } from '../../../../src/adapters/stores/mongodb/documents/document.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import type { TestDatabase } from '../../../support/mongodb.ts';
import { userDocument } from './documents.ts';

export const rulesBefore = '1 active,email,externalId,role,userName';

type DocumentBefore = Omit<ResourceDocument, 'search' | 'sorts' | 'words'>;

export function toDocumentBefore(user: User): DocumentBefore {
  const { search: _1, sorts: _2, words: _3, ...document } = userDocument(user);
  return { ...document, keyedBy: rulesBefore };
}

/** A process of that release, as far as it writes. */
export function processBefore({ client }: TestDatabase) {
  const options = { writeConcern: { w: 'majority', journal: true } } as const;
  const users: Collection<DocumentBefore> = client.db().collection('users', options);
  return {
    insert: async (user: User) => void (await users.insertOne(toDocumentBefore(user))),
    replace: async (user: User, version: string) => {
      const { _id, ...members } = toDocumentBefore(user);
      const { matchedCount } = await users.replaceOne({ _id, version }, members);
      return matchedCount === 1;
    },
  };
}
