/** Declared attributes with the id of a user that does not exist: the user was deleted later, or the id came with an import. */

import { Examples } from './examine-declarations.ts';
import { listAll } from './examine-log.ts';
import { declaringKinds, type Section, sections } from './kinds/attributes/declaration.ts';
import type { Kind } from './kinds/kind.ts';
import type { Kinds } from './kinds.ts';
import { readable } from './resource/build.ts';
import { findIds, type Store, type StoredResource } from './store.ts';
import { unescapePointer } from './validation/schema-validator.ts';

/** One for each id. */
function referencesOf({ references }: Kind, stored: StoredResource) {
  const value = readable(stored);
  const found = value === undefined ? [] : (references?.(value, undefined) ?? []);
  return found.map(({ id, pointer }) => ({
    ...{ id, holder: stored.id, attribute: unescapePointer(pointer.split('/')[2] ?? '') },
  }));
}

async function examineKind(store: Store, kind: Kind): Promise<ReadonlyMap<string, Examples>> {
  const found = new Map<string, Examples>();
  for await (const batch of listAll(store, kind.name)) {
    const all = batch.flatMap((stored) => referencesOf(kind, stored));
    const users = await findIds(store, 'user', [...new Set(all.map(({ id }) => id))]);
    const missing = all.filter(({ id }) => !users.has(id));
    for (const [attribute, some] of Map.groupBy(missing, (one) => one.attribute)) {
      const examples = found.get(attribute) ?? new Examples(kind.name);
      for (const holder of new Set(some.map((one) => one.holder))) examples.add(holder);
      found.set(attribute, examples);
    }
  }
  return found;
}

/** Reads all resources of a kind that has an attribute of the type `user`. @returns a line for each attribute with such ids */
export async function examineReferences(store: Store, kinds: Kinds): Promise<readonly string[]> {
  const what = 'the id of a user that does not exist';
  const lines = async (section: Section): Promise<readonly string[]> => {
    const kind = kinds.of(declaringKinds[section]);
    const found = kind.references === undefined ? [] : await examineKind(store, kind);
    return [...found].map(
      ([name, one]) => `${section}.${name}: ${one.describe(`has ${what}`, `have ${what}`)}`,
    );
  };
  return (await Promise.all(sections.map(lines))).flat();
}
