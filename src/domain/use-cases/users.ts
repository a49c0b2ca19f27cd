/**
 * The use cases of users (resources.ts).
 *
 * A write comes in as plain values. `resource/build.ts` checks them against the schema (`kinds/`) and then against
 * the rules that a schema cannot express, `meta.ts` adds dates and a version, and the result is a `Stored` resource: canonical JSON, printed
 * once, which is stored and sent unchanged. A store (`store.ts`) compares the version in the same step that writes, so that no update is
 * lost. A list is described by conditions, an order and a place in it (`find/`).
 *
 * The folders, from the bottom:
 * - `validation/`: errors, plain values, the schema validator;
 * - `unicode/`: tables, case mapping, folding, PRECIS, the bidi rule. Skip it on a first reading. `kinds/user/user-name.ts` maps a userName;
 * - `resource/`: what users and groups have in common: annotations, validation, merge patch, the stored document;
 * - `find/`: filters, sorts, search, and the keys by which stores index resources. The API limits a page (apis/resources/parameters.ts);
 * - `kinds/`: what a kind of resource is; users and groups, their schemas, names and rules;
 * - `access/`: what a caller with an access profile sees and writes (`limited-store.ts`). Skip it on a first reading;
 * - `import/`: files of users, in batches of planned rows (`import-resources.ts` first); copying one store into another.
 */

import { limitedStores } from '../access/limited-store.ts';
import type { Kind } from '../kinds/kind.ts';
import type { User } from '../kinds/user/user.ts';
import { type Kinds, kindsOf } from '../kinds.ts';
import type { Clock, Ids } from '../ports.ts';
import type { Store } from '../store.ts';
import { type Resources, resources } from './resources.ts';

export interface Users extends Resources<User> {
  /** Returns when requests can be served. @throws DomainError `unavailable` */
  check(): Promise<void>;
}

/** @param kinds left out: without declared attributes */
export const users = (store: Store, clock: Clock, ids: Ids, kinds: Kinds = kindsOf()): Users => ({
  ...resources<User, { id?: string }>({
    kind: kinds.of('user') as unknown as Kind<User>,
    storeFor: limitedStores(store, kinds),
    clock,
    ids,
  }),
  check: () => store.check(),
});
