import { matchAll } from '../../src/domain/find/conditions.ts';
import type { UserStore } from './verbs.ts';

/** Removes the users and groups of a store, damaged ones too. */
export async function removeAll(store: UserStore): Promise<void> {
  for (const rows of [store, store.groups]) {
    const all = await rows.list({ where: matchAll, limit: 10_000 });
    await Promise.all(all.map(({ id, version }) => rows.remove(id, version)));
  }
}
