import { listResources } from '../api/directory.ts';
import type { KindName, ListQuery, Resource } from '../schema/kinds.ts';
import { readPatiently } from './patiently.ts';

/** The service's largest page. */
const pageSize = 1000;

/** All results of a query, page by page. @param signal ends it @throws Error as `patiently` */
export async function* readPages(
  kind: KindName,
  conditions: ListQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly Resource[]> {
  let query: ListQuery = { ...conditions, limit: pageSize };
  for (;;) {
    const page = await readPatiently(() => listResources({ kind, query }, signal), [], signal);
    yield page?.resources ?? [];
    const after = page?.links.next?.after;
    if (after === undefined) return;
    query = { ...query, after };
  }
}
