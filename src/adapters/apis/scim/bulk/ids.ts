/**
 * References between the operations of a Bulk (RFC 7644 §3.7.2). Resources to be created get their ids in advance, so that operations can
 * refer to them in any order, even in circles.
 */
import { isObject } from '../../../../domain/validation/plain-values.ts';
import { ScimError } from '../resource/errors.ts';
import { showName } from '../resource/read-value.ts';

const prefix = 'bulkId:';

/** The path of the resource that a POST with this path and bulkId creates. */
export const referencePath = (path: string, bulkId: string): string => `${path}/${prefix}${bulkId}`;

export class BulkIds {
  readonly #ids = new Map<string, { readonly id: string; readonly kind: string }>();
  readonly #failed = new Set<string>();

  /** @param id of the new resource @param kind its name for people */
  add(bulkId: string, id: string, kind: string): void {
    this.#ids.set(bulkId, { id, kind });
  }

  /** Operations that refer to it from now on fail as well. */
  fail(bulkId: string): void {
    this.#failed.add(bulkId);
  }

  /** Resolves a reference; returns any other text unchanged. Undefined for a resource that this Bulk doesn't create. */
  find(text: string): string | undefined {
    if (!text.startsWith(prefix)) return text;
    const bulkId = text.slice(prefix.length);
    return this.#failed.has(bulkId) ? undefined : this.#ids.get(bulkId)?.id;
  }

  /** @throws ScimError for a resource that this Bulk doesn't create */
  #resolve(text: string): string {
    const found = this.find(text);
    if (found !== undefined) return found;
    const bulkId = text.slice(prefix.length);
    const kind = this.#ids.get(bulkId)?.kind;
    throw new ScimError(
      'invalidValue',
      kind === undefined
        ? `No operation has the bulkId ${showName(bulkId)}, to which another one refers.`
        : `A ${kind} is referred to that could not be created.`,
    );
  }

  /** Replaces references in the value with ids. @throws ScimError */
  replaceIn(value: unknown): unknown {
    if (typeof value === 'string') return this.#resolve(value);
    if (Array.isArray(value)) return value.map((item) => this.replaceIn(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.replaceIn(member)]));
  }
}

/** The bulkIds that the value refers to. */
export function referencesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.startsWith(prefix) ? [value.slice(prefix.length)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(referencesIn);
}
