/** Attributes that a PATCH value without a path names. Members of an object have no order (RFC 8259 §4), so no two may set the same. */
import type { Filter, PatchPath } from '../filter/syntax.ts';
import { invalidSyntax, showPath } from '../resource/read-value.ts';
import { showTarget } from './operation.ts';

/** Equal for filters that differ in white space and the spelling of names only. */
const keyOf = (filter: Filter | undefined): string =>
  filter === undefined
    ? ''
    : JSON.stringify(filter, (name, value: unknown) =>
        name === 'path' ? showPath(value as PatchPath['path']) : value,
      );

/** By filter, `''` for the whole list: the sub-attributes that are set, `''` for all of them. */
type Named = Map<string, Set<string>>;

export class Overlaps {
  readonly #named = new Map<string, Named>();

  /**
   * Two filters that differ may find the same item; whether they do depends on the user, and then the later one counts.
   * @throws ScimError `invalidSyntax` where the attribute, its parent, or a part of it was added before
   */
  add(target: PatchPath): void {
    const { path, filter, sub } = target;
    const attribute = showPath({ ...path, sub: undefined });
    const named: Named = this.#named.get(attribute) ?? new Map();
    const key = keyOf(filter);
    const name = sub?.name ?? '';
    // Without a filter it is about all items, whichever filter finds them.
    const others = filter === undefined ? [...named.values()] : [named.get(''), named.get(key)];
    for (const subs of others) assertApart(subs ?? new Set(), name, target);
    named.set(key, (named.get(key) ?? new Set()).add(name));
    this.#named.set(attribute, named);
  }
}

function assertApart(subs: ReadonlySet<string>, name: string, target: PatchPath): void {
  if (subs.has(name)) throw invalidSyntax(`${showTarget(target)} is there twice.`);
  if (subs.has('') || (name === '' && subs.size > 0))
    throw invalidSyntax(`${showPath({ ...target.path, sub: undefined })} is there as a whole and in part.`);
}
