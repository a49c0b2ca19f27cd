/** Reads the body of a PATCH (RFC 7644 §3.5.2) in the forms of the standard and of identity providers. */
import type { MembersChange } from '../../../../domain/store.ts';
import { isObject } from '../../../../domain/validation/plain-values.ts';
import { compileItemFilter, type FilterTest, keyMemory } from '../filter/matches.ts';
import type { PatchPath, ScimFilter } from '../filter/syntax.ts';
import { patchUrn, readMembers } from '../protocol/messages.ts';
import { type Attribute, type AttributePath, findUnkept } from '../resource/attributes.ts';
import type { Mistakes } from '../resource/errors.ts';
import { foldName } from '../resource/fold-name.ts';
import { checkSchemas, isSchemas } from '../resource/read-resource.ts';
import {
  type Complex,
  invalidSyntax,
  invalidValue,
  isEmpty,
  overLimit,
  readItem,
  readValue,
} from '../resource/read-value.ts';
import { maxRelated } from '../resource/relation.ts';
import type { ResourceType } from '../resource/resource-type.ts';
import { findTargets, inOperation, type PatchOperation, showTarget } from './operation.ts';
import { PatchedMembers } from './patch-members.ts';

/** An old form of Entra ID: `[{"$ref": null, "value": "x"}]`. */
function unwrapValue(value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, 'value')) return value;
  return Object.keys(value).every((name) => name === 'value' || name === '$ref') ? value.value : value;
}

const unwrapList = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;

function unwrap({ type, multiValued }: Attribute, value: unknown): unknown {
  if (multiValued) return Array.isArray(value) || isEmpty(value) ? value : [value];
  return type === 'complex' ? unwrapList(value) : unwrapValue(unwrapList(value));
}

/** Accepts a list of one for a single value, and one item for a list. @throws ScimError `invalidValue`, `invalidSyntax` */
function readOperationValue(target: PatchPath, value: unknown): unknown {
  const { path, filter, sub } = target;
  const where = showTarget(target);
  if (sub !== undefined) return readValue(sub, unwrap(sub, value), where);
  if (filter !== undefined) return readItem(path.attribute, unwrapList(value), where);
  return readValue(path.attribute, unwrap(path.attribute, value), where);
}

/** Matches the items that have all of these sub-attributes. */
function filterOf(item: Complex, path: AttributePath): ScimFilter {
  const filters = path.subs.flatMap((one): ScimFilter[] => {
    const value = (item[one.sub?.name ?? ''] ?? null) as string | boolean | null;
    return value === null ? [] : [{ kind: 'compare', path: one, operator: 'eq', value }];
  });
  if (filters.length === 0) throw invalidValue('each value to remove must say which one is meant.');
  return { kind: 'and', filters };
}

/**
 * Reads the value of a `remove`. The standard has none, but Entra ID and others use it to name the list items to remove. An empty list
 * removes nothing: a client that has nothing to remove sends one. For other targets the value is ignored, as in the standard.
 * @returns a filter for these items; undefined to remove the whole target
 * @throws ScimError `invalidValue`, `invalidSyntax`
 */
function readListed(target: PatchPath, value: unknown): ScimFilter | undefined {
  const { path, filter, sub } = target;
  const isWholeList = path.attribute.multiValued && filter === undefined && sub === undefined;
  if (!isWholeList || value === undefined || value === null) return undefined;
  const isNothing = isEmpty(value);
  const listed = isNothing ? [] : (readOperationValue(target, value) as readonly Complex[]);
  if (!isNothing && listed.length === 0)
    throw invalidValue(`${showTarget(target)} must say which of them are to go.`);
  return { kind: 'or', filters: listed.map((item) => filterOf(item, path)) };
}

/**
 * Per PATCH. Each attribute of an operation without a path counts as one. The limit exceeds the attributes of a user. Each operation may
 * scan a list of 100.
 */
export const maxPatchOperations = 500;
/** In all filters of a PATCH together: each runs on up to 100 items. */
export const maxPatchComparisons = 500;

interface Patch {
  readonly operations: readonly PatchOperation[];
  readonly members: MembersChange | undefined;
}

type Op = PatchOperation['op'];
const isOp = (op: string): op is Op => op === 'add' || op === 'remove' || op === 'replace';

const isUnkept = ({ path, sub }: PatchPath): boolean =>
  sub !== undefined && findUnkept(path.attribute, sub.name) !== undefined;

const countComparisons = (filter: ScimFilter): number => {
  if (filter.kind === 'and' || filter.kind === 'or')
    return filter.filters.reduce((sum, one) => sum + countComparisons(one), 0);
  return 'filter' in filter ? countComparisons(filter.filter) : 1;
};

/** Counts targets and comparisons while it reads, so that the rest of a body beyond the limits costs nothing. */
class PatchReader {
  readonly members = new PatchedMembers();
  readonly #type: ResourceType;
  #targets = 0;
  #comparisons = 0;
  readonly #remember = keyMemory();

  constructor(type: ResourceType) {
    this.#type = type;
  }

  /** Yields the attributes that one operation changes, read on demand, without those that have mistakes. */
  *readOperation(message: unknown, index: number, mistakes: Mistakes): Generator<PatchOperation, void, void> {
    const attempt = <T>(run: () => T) => mistakes.collect(() => inOperation(index, run));
    const given = attempt(() => this.#readTargets(message));
    if (given === undefined) return;
    for (const [find, value] of given.targets) {
      const operation = attempt(() => this.#readChange(given.op, index, find(), value));
      if (operation !== undefined) yield operation;
    }
  }

  #readTargets(message: unknown) {
    const members = readMembers(message, ['op', 'path', 'value'], 'The operation');
    const given = members.get('op');
    const op = typeof given === 'string' ? foldName(given) : '';
    if (!isOp(op)) throw invalidSyntax('op must be add, remove or replace.');
    const path = members.get('path') ?? '';
    if (typeof path !== 'string') throw invalidSyntax('path must be a text.');
    return { op, targets: findTargets(this.#type, op, path, members.get('value')) };
  }

  /** Undefined for ignored attributes, and for members, which are read separately. */
  #readChange(
    op: Op,
    index: number,
    target: PatchPath | undefined,
    value: unknown,
  ): PatchOperation | undefined {
    if (target === undefined) return undefined;
    if (target.path.attribute.isRelation) {
      this.members.apply({ op, target, value });
      return undefined;
    }
    this.#countTarget();
    if (isSchemas(target.path) || isUnkept(target)) return undefined;
    const isRemoved = op === 'remove';
    return {
      ...{ op, index, target },
      value: isRemoved ? null : readOperationValue(target, value),
      finds: this.#compile(target.filter),
      listed: isRemoved ? this.#compile(readListed(target, value)) : undefined,
    };
  }

  #countTarget(): void {
    this.#targets += 1;
    if (this.#targets > maxPatchOperations)
      throw overLimit(`A PATCH may change ${maxPatchOperations} attributes.`);
  }

  #compile(filter: ScimFilter | undefined): FilterTest | undefined {
    if (filter === undefined) return undefined;
    this.#comparisons += countComparisons(filter);
    if (this.#comparisons > maxPatchComparisons)
      throw overLimit(`The filters of a PATCH may have ${maxPatchComparisons} comparisons together.`);
    return compileItemFilter(filter, this.#remember);
  }
}

function operationsIn({ relation, name }: ResourceType, body: unknown): readonly unknown[] {
  const members = readMembers(body, ['schemas', 'Operations']);
  checkSchemas(members.get('schemas'), patchUrn, ['PatchOp', name], invalidSyntax);
  const operations = members.get('Operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw invalidSyntax('Operations must be a list of at least one operation.');
  const most = relation?.isWritable ? maxRelated : maxPatchOperations;
  if (operations.length > most) throw invalidSyntax(`Operations must have at most ${most} operations.`);
  return operations;
}

/**
 * Checks everything that doesn't depend on the stored resource, in steps so that other requests are served in between. Ignores `schemas` and
 * read-only attributes in operations without a path.
 * @param mistakes gets ScimErrors `invalidSyntax`, `invalidPath`, `invalidValue`, `mutability`, `noTarget`, which name the operation
 * @returns operations in the order in which they apply, without those on members, and those with mistakes
 * @throws ScimError `invalidSyntax` for anything but a list of operations, and for an exceeded limit
 */
export function* readPatch(
  type: ResourceType,
  body: unknown,
  mistakes: Mistakes,
): Generator<void, Patch, void> {
  const read: PatchOperation[] = [];
  const reader = new PatchReader(type);
  for (const [index, message] of operationsIn(type, body).entries()) {
    for (const operation of reader.readOperation(message, index, mistakes)) {
      read.push(operation);
      yield;
    }
    yield;
  }
  return { operations: read, members: reader.members.change };
}
