import { type ActivityQuery, type Change, readActivity } from '../api/changes.ts';
import { listResources } from '../api/directory.ts';
import type { KindName, ListQuery, Resource } from '../schema/kinds.ts';
import { readPatiently } from './patiently.ts';

/** The service's largest pages. */
const [pageSize, historySize] = [1000, 100];

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

/** All changes of a query, the newest first. @param signal ends it @throws Error as `patiently` */
export async function* readChanges(
  conditions: ActivityQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly Change[]> {
  let query = { ...conditions, limit: historySize };
  for (;;) {
    const page = await readPatiently(() => readActivity(query, signal), [], signal);
    yield page?.changes ?? [];
    if (!page?.more) return;
    query = { ...query, after: page.next };
  }
}
