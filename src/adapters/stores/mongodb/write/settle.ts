/** Which writes of one command were done, where the server reports only how many. */
import type { Outcome, Write } from '../../../../domain/store.ts';
import { outcomeUnknown } from '../connection/driver-errors.ts';
import type { ResourceDocument } from '../documents/document.ts';

/** @returns undefined where another client may have written since */
function certainOutcome(write: Write, version: string | undefined): Outcome | undefined {
  if (write.op === 'remove') return version === undefined ? undefined : 'stale';
  return 'next' in write && version === write.next.meta.version ? 'done' : undefined;
}

/**
 * If some were done and others weren't, what is stored now tells which: a replaced resource has its new version, and a removed one is gone.
 * Unless another client has written meanwhile, that accounts for all that were done.
 * @param find reads what is stored now
 */
export async function settle(
  writes: readonly Write[],
  done: number,
  find: (ids: readonly string[]) => Promise<readonly Pick<ResourceDocument, '_id' | 'version'>[]>,
): Promise<readonly Outcome[]> {
  if (done === writes.length) return writes.map(() => 'done');
  if (done === 0) return writes.map(() => 'stale');
  const found = await find(writes.map(({ id }) => id)).catch(() => undefined);
  if (found === undefined) return writes.map(() => outcomeUnknown());
  const versions = new Map(found.map(({ _id, version }) => [_id, version]));
  const certain = writes.map((write) => certainOutcome(write, versions.get(write.id)));
  const others = certain.filter((outcome) => outcome === undefined).length;
  const left = done - certain.filter((outcome) => outcome === 'done').length;
  const ofOthers = left === 0 ? 'stale' : left === others ? 'done' : undefined;
  return certain.map((outcome) => outcome ?? ofOthers ?? outcomeUnknown());
}
