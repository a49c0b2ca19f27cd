import type { Test } from '../filter/matches.ts';
import type { PatchPath } from '../filter/syntax.ts';
import { ScimError } from '../resource/errors.ts';
import { showPath } from '../resource/read-value.ts';

/** One attribute to change, out of an operation of a PATCH (RFC 7644 §3.5.2): one without a path says several. */
export interface Operation {
  readonly op: 'add' | 'remove' | 'replace';
  /** The operation's place in the list, from 0. */
  readonly index: number;
  readonly target: PatchPath;
  /** In the model's names and types. Null for none, within an object too: then the target is to have none. */
  readonly value: unknown;
  /** Finds the items that the filter of the target means; undefined where it has none. */
  readonly finds: Test | undefined;
  /** Of a removal: finds the items of the list that are to go; undefined for the whole target. */
  readonly listed: Test | undefined;
}

/** How errors name it; what its filter says is not repeated. */
export function showTarget({ path, filter, sub }: PatchPath): string {
  const attribute = showPath({ ...path, sub: undefined });
  return `${attribute}${filter === undefined ? '' : '[…]'}${sub === undefined ? '' : `.${sub.name}`}`;
}

/** A ScimError that is thrown meanwhile says in which operation. */
export function inOperation<T>(index: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    throw new ScimError(error.scimType, `Operations[${index}]: ${error.message}`);
  }
}
