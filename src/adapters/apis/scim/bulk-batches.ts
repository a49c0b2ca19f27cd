/**
 * Which operations of a Bulk are done at once. RFC 7644 §3.7 allows it where the outcome is that of one after the other; so those stay
 * apart that write the same user, that refer to one another, or of which one may take the userName that the other frees.
 */
import { isObject } from '../../../domain/plain-values.ts';
import { mapUserName } from '../../../domain/user-name.ts';
import type { BulkIds } from './bulk-ids.ts';
import type { BulkOperation } from './bulk-request.ts';

/** So that the store commits them together. */
const atOnce = 32;

/** In UTF-16 code units. A longer one is refused, and not mapped before: that takes its time. */
const maxNameLength = 256;

/** What an operation does to names that are taken: a PUT may free one and take another. */
type NameUse = 'takes' | 'frees' | 'both' | 'none';

function nameUseOf({ method, data }: BulkOperation): NameUse {
  if (method === 'POST') return 'takes';
  if (method === 'DELETE') return 'frees';
  return method === 'PATCH' && !/username/i.test(JSON.stringify(data) ?? '') ? 'none' : 'both';
}

function nameIn(data: unknown): string {
  const entries = isObject(data) ? Object.entries(data) : [];
  const name = String(entries.find(([key]) => /(?:^|:)userName$/i.test(key))?.[1]);
  return name.length > maxNameLength ? name : mapUserName(name);
}

/** Of two with the same target the first has to be done before the second. */
const targetOf = ({ method, path, data }: BulkOperation): string =>
  method === 'POST' ? `name ${nameIn(data)}` : path.toLowerCase();

class Batch {
  readonly operations: BulkOperation[] = [];
  readonly #ids: BulkIds;
  readonly #targets = new Set<string>();
  readonly #bulkIds = new Set<string>();
  #use: NameUse = 'none';

  constructor(ids: BulkIds) {
    this.#ids = ids;
  }

  /** False where it has to wait for those before it. */
  add(operation: BulkOperation): boolean {
    const { path, data, bulkId } = operation;
    const use = nameUseOf(operation);
    const target = targetOf(operation);
    const isFree = use === 'none' || this.#use === 'none' || (use === this.#use && use !== 'both');
    if (!isFree || this.#targets.has(target) || this.#ids.hasReference([path, data], this.#bulkIds))
      return false;
    this.operations.push(operation);
    this.#targets.add(target);
    if (bulkId !== undefined) this.#bulkIds.add(bulkId);
    if (use !== 'none') this.#use = use;
    return true;
  }
}

/** @param most of them, so that no more fail than may: the first `atOnce` at most are taken */
export function takeBatch(
  operations: readonly BulkOperation[],
  most: number,
  ids: BulkIds,
): readonly BulkOperation[] {
  const batch = new Batch(ids);
  for (const operation of operations.slice(0, Math.min(atOnce, most))) if (!batch.add(operation)) break;
  return batch.operations;
}
