/** The resources of many keys of a filter, in one query: what a batch of an import or of SCIM's Bulk looks up. */

import type { FilterName } from '../../../../domain/find/filters.ts';
import { joinKey } from '../../../../domain/find/keys.ts';
import type { StoredResource } from '../../../../domain/store.ts';
import { type ResourceDocument, readStored, type ShownDocument, shown } from '../documents/document.ts';
import { keysIndex } from '../documents/indexes.ts';
import type { Pages } from './pages.ts';

interface WantedKeys {
  readonly filter: FilterName;
  readonly keys: readonly string[];
  /** For each key. */
  readonly limit: number;
}

/** @returns resources by key; keys without resources are left out */
export async function findByKeys(
  pages: Pages,
  wanted: WantedKeys,
  limits: { readonly maxTimeMS: number },
): Promise<Map<string, StoredResource[]>> {
  const { filter, limit } = wanted;
  const keys = new Map(wanted.keys.map((key) => [joinKey([filter, key]), key]));
  // If very many resources share one key, the limit would hide the resources of the other keys.
  const most = keys.size * limit;
  const options = { ...limits, hint: keysIndex, limit: most + 1, batchSize: most + 1 };
  const all = await pages.documents
    .find({ keys: { $in: [...keys.keys()] } }, options)
    .project<ShownDocument & Pick<ResourceDocument, 'keys'>>({ ...shown, keys: 1 })
    .toArray();
  const found = new Map<string, StoredResource[]>();
  if (all.length > most && keys.size > 1) {
    for (const key of keys.values())
      for (const [one, some] of await findByKeys(pages, { filter, keys: [key], limit }, limits))
        found.set(one, some);
    return found;
  }
  for (const document of all)
    for (const joined of document.keys) {
      const key = keys.get(joined);
      if (key === undefined) continue;
      const some = found.get(key) ?? [];
      if (some.length < limit) some.push(readStored(pages.kind, document));
      found.set(key, some);
    }
  return found;
}
