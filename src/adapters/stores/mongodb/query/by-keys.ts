/** Finds resources by keys of their indexes, such as names. */
import type { StoredResource } from '../../../../domain/store.ts';
import { type ResourceDocument, readStored, type ShownDocument, shown } from '../documents/document.ts';
import { keysIndex } from '../documents/indexes.ts';
import type { Table } from '../documents/tables.ts';

/** @param wanted the keys, by their joined forms */
export async function findByKeys(
  table: Table,
  wanted: ReadonlyMap<string, string>,
  limit: number,
  maxTimeMS: number,
): Promise<Map<string, StoredResource[]>> {
  // Where very many share a key, those of the others would be missed among them.
  const most = wanted.size * limit;
  const options = { maxTimeMS, hint: keysIndex, limit: most + 1, batchSize: most + 1 };
  const all = await table.documents
    .find({ keys: { $in: [...wanted.keys()] } }, options)
    .project<ShownDocument & Pick<ResourceDocument, 'keys'>>({ ...shown, keys: 1 })
    .toArray();
  const found = new Map<string, StoredResource[]>();
  if (all.length > most && wanted.size > 1) {
    for (const one of wanted)
      for (const [key, some] of await findByKeys(table, new Map([one]), limit, maxTimeMS))
        found.set(key, some);
    return found;
  }
  for (const document of all)
    for (const joined of document.keys) {
      const key = wanted.get(joined);
      if (key === undefined) continue;
      const some = found.get(key) ?? [];
      if (some.length < limit) some.push(readStored(table.kind, document));
      found.set(key, some);
    }
  return found;
}
