/**
 * Which operations of a Bulk are done at once. RFC 7644 §3.7 allows it where the outcome is that of one after the other; so those stay
 * apart that write the same user, that refer to one another, or of which one may take the userName that the other frees.
 */
import { isObject } from '../../../../domain/base/plain-values.ts';
import { mapUserName } from '../../../../domain/user/user-name.ts';
import { coreUrn, findAttribute, findSchema } from '../resource/attributes.ts';
import { type BulkIds, referencePath } from './ids.ts';
import type { BulkOperation } from './request.ts';

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

/** The core schema's attributes may stand below its URN, too. */
const coreMembers = (data: unknown): readonly [string, unknown][] =>
  (isObject(data) ? Object.entries(data) : []).flatMap(([key, value]): [string, unknown][] =>
    isObject(value) && findSchema(key)?.id === coreUrn ? Object.entries(value) : [[key, value]],
  );

/** Undefined for none, and for a value that is no text: the operation fails then, and takes no name. */
function nameIn(data: unknown): string | undefined {
  const [, name] = coreMembers(data).find(([key]) => findAttribute(key)?.attribute.name === 'userName') ?? [];
  if (typeof name !== 'string') return undefined;
  return name.length > maxNameLength ? name : mapUserName(name);
}

/** Of two that have a target in common the first has to be done before the second, whichever of them makes the user. */
function targetsOf({ method, path, bulkId, data }: BulkOperation): readonly string[] {
  if (method !== 'POST') return [path.toLowerCase()];
  const name = nameIn(data);
  return [
    ...(name === undefined ? [] : [`name ${name}`]),
    ...(bulkId === undefined ? [] : [referencePath(bulkId).toLowerCase()]),
  ];
}

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
    const { data, bulkId } = operation;
    const use = nameUseOf(operation);
    const targets = targetsOf(operation);
    const isFree = use === 'none' || this.#use === 'none' || (use === this.#use && use !== 'both');
    if (!isFree || targets.some((target) => this.#targets.has(target))) return false;
    if (this.#ids.hasReference(data, this.#bulkIds)) return false;
    this.operations.push(operation);
    for (const target of targets) this.#targets.add(target);
    if (bulkId !== undefined) this.#bulkIds.add(bulkId);
    if (use !== 'none') this.#use = use;
    return true;
  }
}

/**
 * In steps, since each operation is searched for references.
 * @param most of them, so that no more fail than may: the first `atOnce` at most are taken
 */
export function* takeBatch(
  operations: readonly BulkOperation[],
  most: number,
  ids: BulkIds,
): Generator<void, readonly BulkOperation[], void> {
  const batch = new Batch(ids);
  for (const operation of operations.slice(0, Math.min(atOnce, most))) {
    if (!batch.add(operation)) break;
    yield;
  }
  return batch.operations;
}
