/** Which documents have to be reindexed: those whose keys an earlier release made. */

import type { Collection } from 'mongodb';
import { keyRules } from '../../../../domain/at-import.ts';
import { compareKeyRules, parseKeyRules } from '../../../../domain/find/keys.ts';
import type { AnyDocumentType } from '../documents/stored-document.ts';
import { type AnyDocument, type OnBatch, Reindexing } from './reindexing.ts';

/** Null is unknown. */
export const compareRules = (keyedBy: string | null): ReturnType<typeof compareKeyRules> =>
  keyedBy === null ? 'outdated' : compareKeyRules(parseKeyRules(keyedBy), keyRules);

/** The rules of all keys in the collection; documents without rules are left out. */
async function findRules(documents: Collection<AnyDocument>): Promise<string[]> {
  const all = await documents.distinct('keyedBy');
  return all.filter((keyedBy) => typeof keyedBy === 'string');
}

/**
 * Returns when no keys are left that an earlier release had made before; finding that there are none is a look into an index.
 * @param onBegin called when there are, before they are made anew
 * @throws Error when a newer release was here, or two names have become the same one
 */
export async function reindex(
  documents: Collection<AnyDocument>,
  type: AnyDocumentType,
  onBegin: () => void,
  onBatch: OnBatch,
): Promise<void> {
  const known = await findRules(documents);
  if (known.some((keyedBy) => compareRules(keyedBy) === 'newer')) {
    throw new Error('a newer release has written to it; it was left as it is');
  }
  const outdated = known.filter((keyedBy) => compareRules(keyedBy) === 'outdated');
  const reindexing = new Reindexing(documents, type, [null, ...outdated]);
  if (!(await reindexing.isNeeded())) return;
  onBegin();
  await reindexing.run(onBatch);
}

/** The same beside a release that goes on writing, whichever it is. @throws Error when two names have become the same one */
export async function reindexAgain(documents: Collection<AnyDocument>, type: AnyDocumentType): Promise<void> {
  const known = await findRules(documents);
  const outdated = known.filter((keyedBy) => compareRules(keyedBy) === 'outdated');
  await new Reindexing(documents, type, [null, ...outdated]).run();
}
