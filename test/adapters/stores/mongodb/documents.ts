/** Users as the store keeps them in MongoDB, for tests that write or read past it. */

import {
  type ResourceDocument,
  toContent,
} from '../../../../src/adapters/stores/mongodb/documents/document.ts';
import { noSnapshot } from '../../../../src/adapters/stores/mongodb/query/memberships.ts';
import type { Pages } from '../../../../src/adapters/stores/mongodb/query/pages.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { kindsOf } from '../../../../src/domain/kinds.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import type { PageQuery, Store } from '../../../../src/domain/store.ts';
import { verbsOf } from '../../../support/store-verbs.ts';
import type { UserStore } from '../../../support/verbs.ts';

export const userKind = kindsOf().of('user');

export const userDocument = (user: User): ResourceDocument => ({
  _id: user.id,
  ...toContent(userKind, Stored.of(user)),
});

/** Lists and counts of pages without a store around them. */
export const listsOf = (pages: Pages): Pick<UserStore, 'list' | 'count'> =>
  verbsOf({ page: (_: string, query: PageQuery) => pages.read(query.where, query, noSnapshot) } as Store);
