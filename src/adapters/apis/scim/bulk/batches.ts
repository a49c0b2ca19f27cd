/**
 * Decides in which order the operations of a Bulk run, and which of them concurrently. RFC 7644 §3.7 allows this if the result is the same as in sequence, as it
 * is except for members (`planOperations`). Operations run separately if they write the same resource, refer to each other, if one deletes what the other
 * refers to, or if one may take a unique value that the other frees.
 */
import { maxAttributeLength } from '../../../../domain/kinds/attributes/declaration.ts';
import { canonicalUuid, isObject } from '../../../../domain/validation/plain-values.ts';
import type { AttributePath } from '../resource/attributes.ts';
import { namesIn } from '../resource/read-resource.ts';
import type { ResourceType } from '../resource/resource-type.ts';
import { type BulkOperation, prefix, referencePath, referencesIn, textsIn } from './request.ts';

/** The store commits these together. */
const atOnce = 32;

/** In UTF-16 code units. Longer names and values are invalid, and not mapped, since mapping them is slow. */
const maxLength = { name: 256, value: maxAttributeLength };

/** The effect of an operation on taken unique values: a PUT may free one and take another. */
type ValueUse = 'takes' | 'frees' | 'both' | 'none';

/** A PATCH that changes a unique attribute has one of these texts, in lower case: its name, or the URN of an extension, which it may remove. */
function marksOf({ kind, members }: ResourceType): readonly string[] {
  const declared = kind.uniqueFilters.flatMap((filter) => members.get(filter) ?? []);
  const marks = declared.flatMap(({ name, path: [, entry], urn }) => [name, entry ?? [], urn ?? []].flat());
  return [kind.unique.member, ...marks].map((mark) => mark.toLowerCase());
}

function valueUseOf({ method, data, endpoint }: BulkOperation): ValueUse {
  if (endpoint === undefined) return 'none';
  if (method === 'POST') return 'takes';
  if (method === 'DELETE') return 'frees';
  const text = (JSON.stringify(data) ?? '').toLowerCase();
  const isChanged = marksOf(endpoint.type).some((mark) => text.includes(mark));
  return method === 'PATCH' && !isChanged ? 'none' : 'both';
}

/** Undefined if it isn't a string: then the operation fails and takes no name. */
function nameKey(name: unknown, { kind }: ResourceType): string | undefined {
  if (typeof name !== 'string') return undefined;
  return name.length > maxLength.name ? name : kind.unique.map(name);
}

/** The unique key of an attribute; the list of undeclared attributes may contain declared ones, too. @param value undefined if there is none */
function uniqueKeyOf({ kind }: ResourceType, filter: string, value: unknown): readonly string[] {
  const isUnique = kind.uniqueFilters.includes(filter);
  return [value].flat().flatMap((one) => {
    const text = isObject(one) ? one.value : one;
    const printed = text === undefined ? undefined : String(text);
    if (!isUnique || printed === undefined || printed.length > maxLength.value) return [];
    const key = kind.filters[filter]?.key(printed);
    return key === undefined ? [] : [`${filter} ${key}`];
  });
}

function uniqueKeysAt(type: ResourceType, path: AttributePath, value: unknown): readonly string[] {
  const { kind, members } = type;
  const { name } = path.attribute;
  if (path.extension === undefined && name === kind.unique.member)
    return [nameKey(value, type) ?? []].flat().map((key) => `${name} ${key}`);
  const filters = [path, ...path.subs].flatMap(({ filter }) => filter?.name ?? []);
  const listed = members.get(name)?.form === 'map' && Array.isArray(value) ? value : [];
  return [
    ...filters.flatMap((filter) => uniqueKeyOf(type, filter, value)),
    ...listed.filter(isObject).flatMap((item) => uniqueKeyOf(type, `${name}.${item.name}`, item)),
  ];
}

/** The unique values that a POST takes. */
const uniqueKeysIn = (data: unknown, type: ResourceType): readonly string[] =>
  (isObject(data) ? [...namesIn(type, data)] : []).flatMap(([name, value]) => {
    const path = type.findAny(name);
    return path === undefined ? [] : uniqueKeysAt(type, path, value);
  });

/** What an operation writes. Of two operations with a common target, the first must finish before the second starts, whichever creates the resource. */
function targetsOf({ method, path, endpoint, bulkId, data }: BulkOperation): readonly string[] {
  if (endpoint === undefined) return [];
  if (method !== 'POST') return [path.toLowerCase()];
  return [
    ...uniqueKeysIn(data, endpoint.type).map((key) => `key ${path} ${key}`),
    ...(bulkId === undefined ? [] : [referencePath(path, bulkId).toLowerCase()]),
  ];
}

/** An operation, and what decides with which others it can run. */
interface Planned {
  readonly operation: BulkOperation;
  /** The bulkIds that it refers to. */
  readonly references: readonly string[];
  /** The ids that it refers to, such as those of members; also as `bulkId:…`. */
  readonly ids: readonly string[];
  /** The id of the resource that it deletes, as in `ids`. */
  readonly deletes: string | undefined;
  readonly targets: readonly string[];
  readonly use: ValueUse;
}

const idOf = (text: string): string | undefined => (text.startsWith(prefix) ? text : canonicalUuid(text));

const plan = (operation: BulkOperation): Planned => ({
  operation,
  references: referencesIn(operation.data),
  ids: textsIn(operation.data).flatMap((text) => idOf(text) ?? []),
  deletes: operation.method === 'DELETE' ? idOf(operation.rest ?? '') : undefined,
  targets: targetsOf(operation),
  use: valueUseOf(operation),
});

const hasMembers = ({ operation: { endpoint } }: Planned): boolean =>
  endpoint?.type.relation?.isWritable === true;

/**
 * In the order of the request, except that members are created before the first operation on a group that refers to them, and so before
 * operations in between, as docs/scim.md says. Runs in steps, since each operation is searched for references.
 */
export function* planOperations(
  operations: readonly BulkOperation[],
): Generator<void, readonly Planned[], void> {
  const planned: Planned[] = [];
  for (const operation of operations) {
    planned.push(plan(operation));
    yield;
  }
  const members = planned.filter((one) => one.operation.method === 'POST' && !hasMembers(one));
  const creations = new Map(members.map((one) => [one.operation.bulkId, one]));
  const ordered = new Set<Planned>();
  for (const one of planned) {
    const named = hasMembers(one) ? one.references : [];
    for (const creation of named.flatMap((bulkId) => creations.get(bulkId) ?? [])) ordered.add(creation);
    ordered.add(one);
    yield;
  }
  return [...ordered];
}

/** What the operations of a batch use: another one must wait for it. */
class Used {
  readonly #targets = new Set<string>();
  readonly #bulkIds = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #deleted = new Set<string>();
  #use: ValueUse = 'none';

  allows({ references, ids, deletes, targets, use }: Planned): boolean {
    const isFree = use === 'none' || this.#use === 'none' || (use === this.#use && use !== 'both');
    const isDeleted = deletes !== undefined && this.#ids.has(deletes);
    return (
      isFree &&
      !isDeleted &&
      !ids.some((id) => this.#deleted.has(id)) &&
      !targets.some((target) => this.#targets.has(target)) &&
      !references.some((id) => this.#bulkIds.has(id))
    );
  }

  add({ operation: { bulkId }, ids, deletes, targets, use }: Planned): void {
    for (const target of targets) this.#targets.add(target);
    for (const id of ids) this.#ids.add(id);
    if (deletes !== undefined) this.#deleted.add(deletes);
    if (bulkId !== undefined) this.#bulkIds.add(bulkId);
    if (use !== 'none') this.#use = use;
  }
}

/** @param most the maximum number of operations, so that no more than allowed can fail; at most `atOnce` are taken */
export function takeBatch(planned: readonly Planned[], most: number): readonly BulkOperation[] {
  const batch: BulkOperation[] = [];
  const used = new Used();
  for (const one of planned.slice(0, Math.min(atOnce, most))) {
    if (!used.allows(one)) break;
    batch.push(one.operation);
    used.add(one);
  }
  return batch;
}
