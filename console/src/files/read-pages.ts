/** All that a list has, over all of its pages. */
import type { Document } from 'user-files/types';
import type { ListAddress } from '../address/address.ts';
import { orderedQueryOf } from '../address/list-query.ts';
import { listResources } from '../api/directory.ts';
import type { KindName, ListQuery } from '../schema/kinds.ts';
import { readPatiently } from './patiently.ts';

/** The service's largest page. */
const pageSize = 1000;

/** @param signal ends it */
export async function* readPages(
  kind: KindName,
  list: ListAddress,
  signal: AbortSignal,
): AsyncGenerator<readonly Document[]> {
  let query: ListQuery = { ...orderedQueryOf(list), limit: pageSize };
  for (;;) {
    const page = await readPatiently(() => listResources({ kind, query }, signal), [], signal);
    yield (page?.resources ?? []) as unknown as readonly Document[];
    const after = page?.links.next?.after;
    if (after === undefined) return;
    query = { ...query, after };
  }
}
