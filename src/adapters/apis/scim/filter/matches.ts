/**
 * Matches a resource against a filter (RFC 7644 §3.4.2.2).
 *
 * A missing value is null (RFC 7643 §2.5): it equals no value, so `ne` is true for it and the other operators are false. A list matches if
 * one item matches, also for `ne`; an empty list counts as one null.
 */
import { compareCodePoints } from '../../../../domain/find/sorts.ts';
import { lowerCase } from '../../../../domain/unicode/case-mapping.ts';
import { type AttributeTypeName, attributeKeys } from '../../../../domain/validation/attribute-types.ts';
import { isObject } from '../../../../domain/validation/plain-values.ts';
import type { AttributePath } from '../resource/attributes.ts';
import { parseInstant } from './instants.ts';
import type { Comparison, FilterValue, Operator, ScimFilter } from './syntax.ts';

/** Maps a text value for comparison: texts with the same key are equal. */
type TextKey = (text: string) => string | undefined;

/** Returns the same key function with a cache. */
type Remember = (key: TextKey) => TextKey;

/** More than the texts of one resource that a filter usually compares repeatedly. */
const mostRemembered = 256;

/** Caches mapped texts, since a long filter compares the same few texts many times. */
export function keyMemory(): Remember {
  const keys = new Map<TextKey, TextKey>();
  return (key) => {
    const known = new Map<string, string | undefined>();
    const remembering = (text: string): string | undefined => {
      if (known.has(text)) return known.get(text);
      if (known.size >= mostRemembered) known.clear();
      const mapped = key(text);
      known.set(text, mapped);
      return mapped;
    };
    const made = keys.get(key) ?? remembering;
    keys.set(key, made);
    return made;
  };
}

export type FilterTest = (value: unknown) => boolean;

/** The values at a path. For a list, one per item, which may be undefined. */
type Values = (from: unknown) => readonly unknown[];

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;

function itemsAt(resource: unknown, { extension, attribute, isAbsent }: AttributePath): readonly unknown[] {
  // The resource may have another attribute of this name.
  if (isAbsent) return [];
  const within = extension === undefined ? resource : memberOf(resource, extension);
  const value = memberOf(within, attribute.name);
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** For a declared attribute, the keys by which the domain compares its values. */
function valuesOf(path: AttributePath, isWithin: boolean): Values {
  const { typed } = path.sub ?? path.attribute;
  const values = plainValuesOf(path, isWithin);
  if (typed === undefined || typed === 'dateTime') return values;
  return (from) => values(from).map((value) => attributeKeys(typed, value)[0]);
}

function plainValuesOf(path: AttributePath, isWithin: boolean): Values {
  const name = path.sub?.name;
  if (name === undefined) return (resource) => itemsAt(resource, path);
  if (isWithin) return (item) => [memberOf(item, name)];
  return (resource) => itemsAt(resource, path).map((item) => memberOf(item, name));
}

/** An empty text or list is not a value, nor is an object whose members all have none. */
function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.values(value).some(isPresent);
}

/** Items without `primary` are not primary (RFC 7643 §2.4). */
const isPrimary = ({ attribute, sub }: AttributePath): boolean =>
  attribute.multiValued && sub?.name === 'primary';

const isCaseExact = ({ attribute, sub }: AttributePath): boolean => (sub ?? attribute).caseExact;
const asIs: TextKey = (text) => text;

const orders: Readonly<Record<Exclude<Operator, 'ne' | 'co' | 'sw' | 'ew'>, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};

const parts: Readonly<Record<'co' | 'sw' | 'ew', (text: string, part: string) => boolean>> = {
  co: (text, part) => text.includes(part),
  sw: (text, part) => text.startsWith(part),
  ew: (text, part) => text.endsWith(part),
};

/** At the end of a word, lower-case sigma has a separate form, but a part may end within a word. */
const withoutFinalSigma = (text: string): string => (text.includes('ς') ? text.replaceAll('ς', 'σ') : text);

/** If the part is as long as the text, the result must be that of `eq`. */
function partTest(has: (text: string, part: string) => boolean, wanted: string, key: TextKey): FilterTest {
  const part = withoutFinalSigma(wanted);
  return (given) => {
    if (typeof given !== 'string') return false;
    const text = key(given) ?? '';
    return text.length === wanted.length ? text === wanted : has(withoutFinalSigma(text), part);
  };
}

function textTest(
  operator: Exclude<Operator, 'ne'>,
  value: string,
  path: AttributePath,
  key: TextKey,
): FilterTest {
  const wanted = key(value);
  if (wanted === undefined) return () => false;
  if (operator === 'co' || operator === 'sw' || operator === 'ew') {
    const has = parts[operator];
    if (!isCaseExact(path)) return partTest(has, wanted, key);
    return (given) => typeof given === 'string' && has(given, value);
  }
  const suits = orders[operator];
  return (given) => typeof given === 'string' && suits(compareCodePoints(key(given) ?? '', wanted));
}

function dateTest(operator: Exclude<Operator, 'ne'>, value: string): FilterTest {
  const wanted = parseInstant(value);
  if (operator === 'co' || operator === 'sw' || operator === 'ew') return () => false;
  const suits = orders[operator];
  return (given) => typeof given === 'string' && suits(parseInstant(given) - wanted);
}

/** The key of a declared attribute's value. Of a text that is no value, such as a part of one, the text itself. */
export const keyOf = (typed: AttributeTypeName, value: FilterValue): string =>
  attributeKeys(typed, value)[0] ?? lowerCase(String(value));

function valueTest({ path, operator, value }: Comparison, remember: Remember): FilterTest {
  if (operator === 'ne') {
    const isSame = valueTest({ kind: 'compare', path, operator: 'eq', value }, remember);
    return (given) => !isSame(given);
  }
  const { type, typed } = path.sub ?? path.attribute;
  if (type === 'dateTime') return dateTest(operator, String(value));
  if (typed !== undefined) return textTest(operator, keyOf(typed, value), path, asIs);
  if (typeof value !== 'string') return (given) => given === value;
  const key = path.filter?.key ?? (isCaseExact(path) ? asIs : lowerCase);
  return textTest(operator, value, path, remember(key));
}

function comparisonTest(comparison: Comparison, isWithin: boolean, remember: Remember): FilterTest {
  const { path, operator, value } = comparison;
  const values = valuesOf(path, isWithin);
  if (value === null) return (from) => values(from).some(isPresent) === (operator === 'ne');
  const ofValue = valueTest(comparison, remember);
  const ofAbsent = ofValue(undefined);
  const ofUnsaid = isPrimary(path) ? ofValue(false) : ofAbsent;
  return (from) => {
    const found = values(from);
    return found.length === 0 ? ofAbsent : found.some((one) => (one === undefined ? ofUnsaid : ofValue(one)));
  };
}

function toTest(filter: ScimFilter, isWithin: boolean, remember: Remember): FilterTest {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const tests = filter.filters.map((one) => toTest(one, isWithin, remember));
      return filter.kind === 'and'
        ? (from) => tests.every((test) => test(from))
        : (from) => tests.some((test) => test(from));
    }
    case 'not': {
      const test = toTest(filter.filter, isWithin, remember);
      return (from) => !test(from);
    }
    case 'present': {
      const values = valuesOf(filter.path, isWithin);
      return (from) => values(from).some(isPresent);
    }
    case 'items': {
      const test = toTest(filter.filter, true, remember);
      return (resource) => itemsAt(resource, filter.path).some(test);
    }
    case 'compare':
      return comparisonTest(filter, isWithin, remember);
  }
}

/** Prepares a filter for many resources. The test never throws, for any input. */
export const compileFilter = (filter: ScimFilter): FilterTest => toTest(filter, false, keyMemory());

export const matches = (filter: ScimFilter, resource: unknown): boolean => compileFilter(filter)(resource);

/** For the items of a list. @param filter from within a value path @param remember shared by filters on the same items */
export const compileItemFilter = (filter: ScimFilter, remember: Remember): FilterTest =>
  toTest(filter, true, remember);
