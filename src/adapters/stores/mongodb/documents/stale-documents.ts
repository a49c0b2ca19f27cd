/** Documents that somebody has changed by hand, so that they lie in an index where they no longer belong. */
import { positionOf } from '../../../../domain/find/sorts.ts';
import type { StoredUser } from '../../../../domain/user/stored-user.ts';
import { type ProjectedDocument, readStored } from './stored-document.ts';

/**
 * Where a page begins and ends, the next one goes on by the user's own key. With another one in the index, which somebody has left who
 * changed the document by hand, it would miss users, or come back to the same for ever.
 */
export function findStale(documents: readonly ProjectedDocument[], by: string | undefined): StoredUser[] {
  if (by === undefined) return [];
  return [documents[0], documents.at(-1)].flatMap((document) => {
    if (document === undefined) return [];
    const stored = readStored(document);
    const { [by]: key } = (document.sorts ?? {}) as Record<string, unknown>;
    return positionOf(stored, { by }).key === key ? [] : [stored];
  });
}
