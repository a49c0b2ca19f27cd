/**
 * Reads a client's value for one attribute by the attribute model: the result has the standard's names and the attribute's type. Other
 * rules, such as the maximum length of a text, belong to the domain.
 */
import { attributeHidden } from '../../../../domain/access/refusals.ts';
import { readAttributeValue } from '../../../../domain/validation/attribute-types.ts';
import { canonicalDate, isObject, readJson } from '../../../../domain/validation/plain-values.ts';
import { replaceForeignCharacters } from '../../../../domain/validation/schema-validator.ts';
import {
  type Attribute,
  findSubAttribute,
  findUnkept,
  hasReference,
  suggestSubAttribute,
} from './attributes.ts';
import { mapAll, ScimError } from './errors.ts';
import { foldName, isNamed } from './fold-name.ts';

/** An object of sub-attributes, by name in the model. */
export type Complex = Readonly<Record<string, unknown>>;

export const invalidValue = (detail: string): ScimError => new ScimError('invalidValue', detail);
export const invalidSyntax = (detail: string): ScimError => new ScimError('invalidSyntax', detail);
export const overLimit = (detail: string): ScimError => new ScimError('invalidSyntax', detail, true);

/** In UTF-16 code units, since a client's name may be as long as a body. */
const maxNameShown = 128;

/** Quotes a client's name for an error message. */
export const showName = (name: string): string =>
  JSON.stringify(
    replaceForeignCharacters(name.length > maxNameShown ? `${name.slice(0, maxNameShown)}…` : name),
  );

/** True for values that mean no value (RFC 7643 §2.5); identity providers send an empty string for it. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Entra ID sends `"True"` and `"False"`. Accepting any other text, even an empty one, could reactivate a user who has left. */
function readBoolean(value: unknown, where: string): boolean | null {
  if (typeof value === 'boolean' || value === null) return value;
  const text = typeof value === 'string' ? foldName(value) : undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalidValue(`${where} must be true or false.`);
}

/**
 * Entra ID sends a role as `{"id":"…","value":"Admin","displayName":"…"}` in a text. A list in JSON is refused: it would become a single role that no
 * client means. Any other text is the role.
 */
function readRole(text: string, where: string): string {
  const json = /^\s*[[{]/.test(text) ? readJson(text) : undefined;
  if (Array.isArray(json) && json.some((item) => typeof item === 'string' || isObject(item)))
    throw invalidValue(`${where} is a list in JSON: send an item for each of them.`);
  if (!isObject(json) || !['id', 'value', 'displayName'].some((name) => Object.hasOwn(json, name)))
    return text;
  if (typeof json.value === 'string' && json.value !== '') return json.value;
  throw invalidValue(`${where} is JSON without a "value": give the role a value at the identity provider.`);
}

/** As the service stores it, and as filters compare it. @throws DomainError `attribute-hidden` for the name of a hidden entry of a map */
export function toTag({ isLanguage, refuse }: Attribute, text: string): string {
  refuse?.(text);
  return isLanguage ? text.replaceAll('_', '-') : text;
}

function readSimple(attribute: Attribute, value: unknown, where: string): unknown {
  const { type, typed } = attribute;
  // The domain refuses what is no value. Entra ID sends "True".
  const isTruth = type === 'boolean' && typeof value === 'string';
  if (typed !== undefined)
    return isEmpty(value) ? null : readAttributeValue(typed, isTruth ? foldName(value) : value);
  if (type === 'boolean') return readBoolean(value, where);
  if (isEmpty(value)) return null;
  if (typeof value !== 'string') throw invalidValue(`${where} must be a text.`);
  // As it is stored, so that a PATCH by another form of it has no effect. The domain refuses what is no instant.
  if (type === 'dateTime') return canonicalDate(value) ?? value;
  return attribute.isTexts ? readRole(value, where) : toTag(attribute, value);
}

const isIgnored = (attribute: Attribute, name: string): boolean =>
  findUnkept(attribute, name) !== undefined || (name === '$ref' && hasReference(attribute));

/** Drafts of the standard have `managerId` for the `value` of a manager. */
const findSub = (attribute: Attribute, name: string): Attribute | undefined =>
  findSubAttribute(
    attribute,
    hasReference(attribute) && isNamed(name, `${attribute.name}Id`) ? 'value' : name,
  );

/**
 * Entra ID sends a manager as a string; the previous manager's name is then removed, unless it is hidden from the client. Other clients send
 * list items as strings.
 */
function readBare(attribute: Attribute, value: unknown): unknown {
  if (findSubAttribute(attribute, 'value') === undefined) return value;
  const others = hasReference(attribute) ? attribute.subAttributes.filter(({ hiddenBy }) => !hiddenBy) : [];
  return { ...Object.fromEntries(others.map(({ name }) => [name, null])), value };
}

const unknownSubAttribute = (attribute: Attribute, name: string, where: string): ScimError =>
  invalidSyntax(`${where} has no sub-attribute ${showName(name)}${suggestSubAttribute(attribute, name)}.`);

function readComplex(attribute: Attribute, value: unknown, where: string): Complex {
  const isTyped = findSubAttribute(attribute, 'value')?.typed !== undefined;
  const isBare = typeof value === 'string' || (isTyped && !isObject(value));
  const given = isBare ? readBare(attribute, value) : value;
  if (!isObject(given)) throw invalidValue(`${where} must be an object.`);
  const read = new Map<string, unknown>();
  let saysMore = false;
  mapAll(Object.entries(given), ([name, inner]) => {
    const sub = findSub(attribute, name);
    if (sub === undefined) {
      if (!isIgnored(attribute, name)) throw unknownSubAttribute(attribute, name, where);
      saysMore ||= !isEmpty(inner);
      return;
    }
    if (sub.hiddenBy) throw attributeHidden(sub.hiddenBy, `${where}.${sub.name}`);
    if (read.has(sub.name)) throw invalidSyntax(`${where}.${sub.name} occurs more than once.`);
    if (sub.mutability !== 'readOnly') read.set(sub.name, readSimple(sub, inner, `${where}.${sub.name}`));
  });
  // Without a value, the other sub-attributes would be lost silently.
  if (saysMore && attribute.isTexts && (read.get('value') ?? null) === null)
    throw invalidValue(`${where}.value is required.`);
  return Object.fromEntries(read);
}

/** @throws ScimError `invalidValue` for more than one primary item (RFC 7643 §2.4) */
function assertOnePrimary(items: readonly Complex[], where: string): void {
  if (items.filter(({ primary }) => primary === true).length > 1)
    throw invalidValue(`${where} must have at most one that is primary.`);
}

export function assertLength(
  items: readonly unknown[],
  { maxItems = Number.POSITIVE_INFINITY }: Attribute,
  where: string,
): void {
  if (items.length > maxItems) throw invalidValue(`${where} must have at most ${maxItems} items.`);
}

/** A template of an identity provider that had no value to fill in: `{"type": "work", "value": ""}`. */
const isUnfilled = (item: unknown): boolean =>
  isObject(item) &&
  Object.entries(item).some(([name, value]) => isNamed(name, 'value') && isEmpty(value)) &&
  Object.entries(item).every(([name, value]) => isEmpty(value) || /^(?:type|primary)$/i.test(name));

/** One object stands for a list of one, as templates of OneLogin have it. */
function readItems(attribute: Attribute, given: unknown, where: string): readonly Complex[] {
  const value: unknown = isObject(given) ? [given] : given;
  if (!Array.isArray(value)) throw invalidValue(`${where} must be a list.`);
  assertLength(value, attribute, where);
  const items = mapAll(value, (item: unknown, index) =>
    isEmpty(item) || isUnfilled(item) ? [] : [readComplex(attribute, item, `${where}[${index}]`)],
  ).flat();
  assertOnePrimary(items, where);
  return items;
}

export const readItem = (attribute: Attribute, value: unknown, where: string): Complex | null =>
  isEmpty(value) ? null : readComplex(attribute, value, where);

/**
 * @param where the attribute's name in errors
 * @returns null for no value, also for sub-attributes
 * @throws ScimError `invalidValue`, and `invalidSyntax` for unknown names
 */
export function readValue(attribute: Attribute, value: unknown, where: string): unknown {
  if (attribute.type !== 'complex') return readSimple(attribute, value, where);
  if (isEmpty(value)) return null;
  return attribute.multiValued ? readItems(attribute, value, where) : readComplex(attribute, value, where);
}

/** Removes nulls; undefined if nothing is left. */
export function compact(value: unknown): unknown {
  if (value === null) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(compact).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, inner]) => inner !== null);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
