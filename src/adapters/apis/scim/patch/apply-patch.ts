/**
 * SCIM's PATCH (RFC 7644 §3.5.2): a list of operations on one resource, applied atomically.
 *
 * 1. `read-patch.ts` reads the body, before the stored resource is read. It checks everything that does not depend on it.
 * 2. `operation.ts` finds the attributes of an operation. An operation without a path has several, one for each name in its value, so it
 *    becomes several operations here (`operation.ts`).
 *    `read-patch.ts` then reads each value by the type of its attribute.
 * 3. This file applies the operations to the stored resource, in order. A simple attribute is set or removed. For objects and
 *    lists of objects, `edit-items.ts` selects the items by the filter in the path, and changes, adds or removes them.
 *
 * The result is a resource, which `resource/resource.ts` converts to the domain's input. The domain validates it, and the store writes it.
 */
import { attributeText, splitItems } from '../../../../domain/validation/attribute-types.ts';
import { isObject } from '../../../../domain/validation/plain-values.ts';
import type { Attribute } from '../resource/attributes.ts';
import { ScimError } from '../resource/errors.ts';
import type { Member } from '../resource/members.ts';
import { buildResource } from '../resource/read-resource.ts';
import { type Complex, invalidValue, readValue } from '../resource/read-value.ts';
import type { ScimResource } from '../resource/resource.ts';
import type { ResourceType } from '../resource/resource-type.ts';
import { editItems, type Items, termsOf, withPrimary } from './edit-items.ts';
import { inOperation, type PatchOperation, showTarget } from './operation.ts';

/** By attribute; attributes without a value are absent. */
type Values = Map<Attribute, unknown>;

function readValues({ schema, schemas }: ResourceType, resource: ScimResource): Values {
  const values: Values = new Map();
  for (const { id, attributes } of schemas) {
    const within = id === schema.id ? resource : resource[id];
    if (!isObject(within)) continue;
    for (const attribute of attributes)
      if (Object.hasOwn(within, attribute.name)) values.set(attribute, within[attribute.name]);
  }
  return values;
}

function editComplex(attribute: Attribute, current: unknown, operation: PatchOperation): unknown {
  const one = current === undefined ? [] : [current as Complex];
  const given = attribute.multiValued ? withPrimary(attribute, (current ?? []) as Items) : one;
  const items = editItems(given, operation);
  if (items.length === 0) return undefined;
  if (attribute.isTexts) return items.map(({ value }) => ({ value }));
  return attribute.multiValued ? items : items[0];
}

/** Reads what an earlier operation has left, which the domain has not checked yet: an object is not a text. */
function textOf(value: unknown): string {
  const values = Array.isArray(value) ? (value as Items).map((item) => item.value) : [value];
  return attributeText(values.filter((one) => typeof one !== 'object'));
}

/**
 * A client that doesn't know of a declaration names the attribute in the list of the undeclared ones, as before. The operation is applied
 * to these and to the declared ones that it names, which keep their own place.
 */
function editMap(type: ResourceType, values: Values, operation: PatchOperation, { declared }: Member) {
  const { value, listed, target } = operation;
  const { path, filter } = target;
  // A path such as `attributes.value` has a text in the place of items.
  const given = filter === undefined && Array.isArray(value) ? (value as Items).map((item) => item.name) : [];
  const wanted = filter && termsOf(filter)?.map(([sub, name]) => sub === 'name' && name);
  const items = [...((values.get(path.attribute) ?? []) as Items)];
  const attributes = new Map<unknown, Attribute>();
  for (const [name, { urn, name: shown }] of declared ?? []) {
    const one = type.findAny(`${urn}:${shown}`)?.attribute;
    if (one === undefined || one.hiddenBy) continue;
    attributes.set(name, one);
    const item = { name, value: textOf(values.get(one)) };
    if (!values.has(one) || !((wanted ?? given).includes(name) || listed?.(item))) continue;
    items.unshift(item);
    values.delete(one);
  }
  const others = editItems(items, operation).filter(({ name, value: text }) => {
    const one = attributes.get(name);
    if (one === undefined || typeof text !== 'string') return true;
    values.set(one, readValue(one, one.multiValued ? splitItems(text) : text, one.name));
    return false;
  });
  return others.length === 0 ? undefined : others;
}

/** RFC 7644 §3.5.2.2 requires `mutability` for removing a required attribute; replacing one with nothing is a missing value. */
const missing = ({ op, target }: PatchOperation, { kind }: ResourceType): ScimError =>
  op === 'remove'
    ? new ScimError('mutability', `${showTarget(target)} can't be removed: every ${kind.name} has it.`)
    : invalidValue(`${showTarget(target)} must have a value: every ${kind.name} has it.`);

function edit(type: ResourceType, values: Values, operation: PatchOperation): void {
  const { op, target, value } = operation;
  const { attribute } = target.path;
  const simple = op === 'remove' ? undefined : (value ?? undefined);
  const map = type.members.get(attribute.name);
  const next =
    map?.declared?.size && map.urn === target.path.extension
      ? editMap(type, values, operation, map)
      : attribute.type === 'complex'
        ? editComplex(attribute, values.get(attribute), operation)
        : simple;
  if (next !== undefined) values.set(attribute, next);
  else if (attribute.required) throw missing(operation, type);
  else values.delete(attribute);
}

/**
 * Runs in steps, since an operation may look at each item of a long list; other requests are served in between.
 * @param resource from `toResource`; not modified
 * @returns for `toInput`
 * @throws ScimError `noTarget`, `mutability`, `invalidValue`; the message names the operation
 */
export function* applyPatch(
  type: ResourceType,
  resource: ScimResource,
  operations: readonly PatchOperation[],
): Generator<void, ScimResource, void> {
  const values = readValues(type, resource);
  for (const operation of operations) {
    inOperation(operation.index, () => edit(type, values, operation));
    yield;
  }
  const { id, meta } = resource;
  return { ...buildResource(type, (attribute) => values.get(attribute)), id, meta };
}
