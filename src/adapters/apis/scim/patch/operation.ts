import type { FilterTest } from '../filter/matches.ts';
import type { PatchPath } from '../filter/syntax.ts';
import { showPath } from '../resource/attributes.ts';
import { ScimError } from '../resource/errors.ts';

/** The change of one attribute, from a PATCH operation (RFC 7644 §3.5.2). An operation without a path yields several. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  /** The operation's index in the list. */
  readonly index: number;
  readonly target: PatchPath;
  /** In the model's names and types. Null removes the target, or within an object the sub-attribute. */
  readonly value: unknown;
  /** Matches the items selected by the target's filter; undefined without a filter. */
  readonly finds: FilterTest | undefined;
  /** For `remove`: matches the list items to remove; undefined removes the whole target. */
  readonly listed: FilterTest | undefined;
}

/** The target's name in errors, without the content of its filter. */
export function showTarget({ path, filter, sub }: PatchPath): string {
  const attribute = showPath({ ...path, sub: undefined });
  return `${attribute}${filter === undefined ? '' : '[…]'}${sub === undefined ? '' : `.${sub.name}`}`;
}

/** Adds the operation's index to a ScimError thrown by `run`. */
export function inOperation<T>(index: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    const details = error.details.map((detail) => `Operations[${index}]: ${detail}`);
    throw new ScimError(error.scimType, details, error.isLimit);
  }
}
