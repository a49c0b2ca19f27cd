/** The operations of a PATCH on members (RFC 7644 §3.5.2), put together to one change, which doesn't depend on who is a member. */
import type { MembersChange } from '../../../../domain/store.ts';
import { relatedIn, type ScimFilter } from '../filter/syntax.ts';
import { ScimError } from '../resource/errors.ts';
import { isEmpty, overLimit } from '../resource/read-value.ts';
import { maxRelated, readRelatedIds } from '../resource/relation.ts';
import { type PatchOperation, showTarget } from './operation.ts';

type MembersOperation = Pick<PatchOperation, 'op' | 'target' | 'value'>;

/** `members[value eq "…"]`, for several ids joined by `or`. */
function idsInFilter(filter: ScimFilter, { target }: MembersOperation): readonly string[] {
  const isOr = filter.kind === 'or' && filter.filters.every(({ kind }) => kind === 'compare');
  if (filter.kind !== 'compare' && !isOr)
    throw new ScimError(
      'invalidPath',
      `${showTarget(target)}: the filter must name values by eq, joined by or.`,
    );
  return relatedIn(filter).flatMap((id) => id ?? []);
}

export class PatchedMembers {
  readonly #add = new Set<string>();
  readonly #remove = new Set<string>();
  #isWhole = false;
  #isChanged = false;
  #count = 0;

  get change(): MembersChange | undefined {
    if (!this.#isChanged) return undefined;
    return { isWhole: this.#isWhole, add: [...this.#add], remove: [...this.#remove] };
  }

  /** @throws ScimError for any shape but those of docs/scim.md */
  apply(operation: MembersOperation): void {
    const { op, target } = operation;
    if (target.sub !== undefined)
      throw new ScimError('invalidPath', `${showTarget(target)} can't be changed.`);
    if (op === 'remove') {
      this.#removeSome(operation);
      return;
    }
    if (target.filter !== undefined)
      throw new ScimError('invalidPath', `${showTarget(target)} can be removed only.`);
    const ids = this.#read(operation);
    if (op === 'replace') this.#clear();
    for (const id of ids) {
      this.#add.add(id);
      this.#remove.delete(id);
    }
    this.#isChanged ||= ids.length > 0;
  }

  #removeSome(operation: MembersOperation): void {
    const { target, value } = operation;
    if (target.filter === undefined && value === undefined) {
      this.#clear();
      return;
    }
    const ids =
      target.filter === undefined
        ? this.#read(operation)
        : this.#counted(idsInFilter(target.filter, operation));
    for (const id of ids) {
      this.#add.delete(id);
      if (!this.#isWhole) this.#remove.add(id);
    }
    this.#isChanged ||= ids.length > 0;
  }

  #clear(): void {
    this.#add.clear();
    this.#remove.clear();
    [this.#isWhole, this.#isChanged] = [true, true];
  }

  /** An empty value names no member; for `replace`, only an empty list does. */
  #read({ op, target, value }: MembersOperation): readonly string[] {
    if (op !== 'replace' && isEmpty(value)) return [];
    const isList = Array.isArray(value) || isEmpty(value);
    return this.#counted(readRelatedIds(target.path.attribute, isList ? value : [value]));
  }

  #counted(ids: readonly string[]): readonly string[] {
    this.#count += ids.length;
    if (this.#count > maxRelated) throw overLimit(`A PATCH may change at most ${maxRelated} members.`);
    return ids;
  }
}
