/** How long queries hold the event loop of the process that makes them. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseListQuery } from '../test/support/kinds.ts';
import { openSqliteStore } from '../test/support/stores.ts';
import type { UserStore } from '../test/support/verbs.ts';

/** Sixteen clients ask the same at once. */
const atOnce = 16;

/** In milliseconds. */
const resolution = 1;

/** By its name, and a query of `/users`. */
interface Asked {
  readonly name: string;
  readonly query: string;
}

/** The store's part of a request: the first batch of the page, and the total. */
async function ask(store: UserStore, { query }: Asked): Promise<void> {
  const { conditions, sort, after, before, hasTotal } = parseListQuery(query.replace(/^\?/, ''));
  const end = before === 'end' ? undefined : before;
  await store.list({ ...conditions, sort, after: after ?? end, backward: before !== undefined, limit: 64 });
  if (hasTotal) await store.count(conditions);
}

/** The query that held it longest, and for how long, in milliseconds. */
export async function measureHeld(
  file: string,
  queries: readonly Asked[],
): Promise<{ name: string; ms: number }> {
  const store = await openSqliteStore({
    file,
    onFatal: (cause) => {
      throw cause;
    },
  });
  const histogram = monitorEventLoopDelay({ resolution });
  let longest = { name: '', ms: 0 };
  for (const query of queries) {
    await ask(store, query);
    histogram.reset();
    histogram.enable();
    await Promise.all(Array.from({ length: atOnce }, () => ask(store, query)));
    await new Promise((resolve) => setTimeout(resolve, 2 * resolution));
    histogram.disable();
    const ms = Math.max(0, histogram.max / 1e6 - resolution);
    if (ms > longest.ms) longest = { name: query.name, ms };
  }
  await store.close();
  return longest;
}
