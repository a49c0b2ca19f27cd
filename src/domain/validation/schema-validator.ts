/**
 * Turns input into a value of a schema, or into violations, each with a pointer. Empty values become absent; members
 * come out in the schema's order and instants in one form, so that a user prints alike whichever format it came in. The rules themselves, such as the pattern of
 * e-mail addresses, are part of the schema: `user.ts`.
 */
import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { codePoints, label } from '../unicode/code-points.ts';
import { type AttributeTypeName, mostItems, readAttributeValue, splitItems } from './attribute-types.ts';
import { maxViolations, type Violation } from './errors.ts';
import { explain } from './explain.ts';
import { canonicalDate, isObject } from './plain-values.ts';
import { suggestMember } from './suggest.ts';

// Process-wide, and needed before the first schema is compiled. More errors than are reported, since some are dropped.
Settings.Set({ maxErrors: 64, exactOptionalPropertyTypes: true });

/** Not a character of XML 1.0 (§2.2): refused in every format, so that every format can represent every user. */
export const foreignCharacter = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** A value without empty members and items; unknown members and foreign characters are violations. */
interface Normalized {
  /** Undefined when nothing is left. */
  readonly value: unknown;
  readonly violations: readonly Violation[];
  /** Turns a pointer into `value` into one into the client's input, where empty list items still count. */
  readonly original: (pointer: string) => string;
}

/** `value` has the schema's type when there are no violations; otherwise parts are dropped. There are at most `maxViolations`. */
interface Validation extends Normalized {
  /** Those among `violations` whose cause is no longer in `value`. */
  readonly dropped: ReadonlySet<Violation>;
}

/** In UTF-16 code units: a client's member name may be as long as a body. */
const maxNameShown = 128;

/** A member's name as a step of a pointer (RFC 6901 §3); cut off when it is longer than any known name. */
export function escapePointer(member: string): string {
  const shown = member.length > maxNameShown ? `${member.slice(0, maxNameShown)}…` : member;
  return shown.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The name of a member, from a step of a pointer. */
export const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** A pointer that was made elsewhere, from the client's names. */
const shorten = (pointer: string): string =>
  pointer
    .split('/')
    .map((step) => escapePointer(unescapePointer(step)))
    .join('/');

const foreignCharacters = new RegExp(foreignCharacter.source, 'gu');

/** Replaces characters that some format can't represent with U+FFFD: for quoting a client's input. */
export const replaceForeignCharacters = (text: string): string => text.replace(foreignCharacters, '\uFFFD');

interface Keywords extends TSchema {
  readonly typed?: AttributeTypeName;
  readonly format?: string;
  readonly items?: Keywords;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly pattern?: string;
  readonly maxLength?: number;
}

/**
 * Drops empty values, and reads the texts of declared attributes, without checking types or texts: `validator` does that afterwards. Stops at
 * lists and maps that are too long, and at `maxViolations`, so that the result is no larger than the schema allows.
 */
export function normalize(schema: TSchema, input: unknown): Normalized {
  const violations: Violation[] = [];
  const moved = new Map<string, number[]>();
  /** The path to the current value; printed as a pointer only for a violation. */
  const steps: (string | number)[] = [];
  const pointer = (): string => steps.map((step) => `/${escapePointer(String(step))}`).join('');
  const report = (detail: string): undefined => {
    if (violations.length < maxViolations) violations.push({ pointer: pointer(), detail });
    return undefined;
  };

  function text(value: string): string | undefined {
    const found = foreignCharacter.exec(value);
    if (found === null) return value === '' ? undefined : value;
    const [point = 0] = codePoints(found[0]);
    return report(`has ${label(point)}, which XML 1.0 cannot carry`);
  }

  function items(of: TSchema, value: readonly unknown[]): unknown[] | undefined {
    const kept: number[] = [];
    const result: unknown[] = [];
    for (const [index, item] of value.entries()) {
      const clean = walk(of, item, index);
      if (clean === undefined) continue;
      kept.push(index);
      result.push(clean);
    }
    if (result.length < value.length) moved.set(`${pointer()}/`, kept);
    return result.length === 0 ? undefined : result;
  }

  function members(of: TSchema, value: Record<string, unknown>) {
    const known = 'properties' in of ? (of.properties as Record<string, TSchema>) : undefined;
    const entry = 'patternProperties' in of ? Object.values(of.patternProperties as object)[0] : undefined;
    const isClosed = known !== undefined && entry === undefined;
    for (const key of isClosed ? Object.keys(value) : []) {
      if (known === undefined || Object.hasOwn(known, key)) continue;
      if (violations.length === maxViolations) break;
      steps.push(key);
      report(`is not known here${suggestMember(key, new Map(Object.entries(known)))}`);
      steps.pop();
    }
    const limit = 'maxProperties' in of ? Number(of.maxProperties) : Number.POSITIVE_INFINITY;
    const result: [string, unknown][] = [];
    for (const key of Object.keys(isClosed ? known : value)) {
      if (!Object.hasOwn(value, key)) continue;
      const own = known !== undefined && Object.hasOwn(known, key) ? known[key] : undefined;
      const clean = walk(own ?? entry ?? {}, value[key], key);
      if (clean === undefined) continue;
      // Empty ones don't count: a patch uses them to remove entries.
      if (result.length === limit) return report(`must have at most ${limit} entries`);
      result.push([key, clean]);
    }
    return result.length === 0 ? undefined : Object.fromEntries(result);
  }

  function normalizeValue(of: TSchema, value: unknown): unknown {
    if (value === null) return undefined;
    if (typeof value === 'string') {
      const { typed, format, items: ofItems } = of as Keywords;
      const isInstant = format === 'date-time' && typed === undefined;
      const clean = text(isInstant ? (canonicalDate(value) ?? value) : value);
      if (clean !== undefined && ofItems?.typed !== undefined) return normalizeValue(of, splitItems(clean));
      return typed === undefined || clean === undefined ? clean : readAttributeValue(typed, clean);
    }
    if (Array.isArray(value)) {
      // A longer list may have been stored by an earlier declaration: what has not changed is no violation.
      const isTyped = (of as Keywords).items?.typed !== undefined;
      const limit = 'maxItems' in of ? Number(of.maxItems) : undefined;
      if (limit !== undefined && value.length > (isTyped ? mostItems : limit))
        return report(`must have at most ${limit} items`);
      return items('items' in of ? (of.items as TSchema) : {}, value);
    }
    if (isObject(value)) return members(of, value);
    // Adding zero turns -0 into 0, since both print alike.
    return typeof value === 'number' ? value + 0 : value;
  }

  function walk(of: TSchema, value: unknown, step: string | number): unknown {
    steps.push(step);
    const clean = normalizeValue(of, value);
    steps.pop();
    return clean;
  }

  const original = (pointer: string) => {
    for (const [list, kept] of moved) {
      if (!pointer.startsWith(list)) continue;
      const [index, ...rest] = pointer.slice(list.length).split('/');
      return [`${list}${kept[Number(index)] ?? index}`, ...rest].join('/');
    }
    return pointer;
  };
  return { value: normalizeValue(schema, input), violations, original };
}

/** As `pattern`, but not tried on texts that are too long anyway: a declared pattern is quick for the texts of its `maxLength` only. */
class BoundedPattern extends RegExp {
  readonly #maxLength: number;

  constructor(pattern: string, maxLength: number) {
    super(pattern, 'u');
    this.#maxLength = maxLength;
  }

  override test(text: string): boolean {
    const isTooLong = text.length > this.#maxLength && codePoints(text).length > this.#maxLength;
    return isTooLong || super.test(text);
  }
}

/** The library lists errors keyword by keyword, and so tries the pattern of a text that it has found too long. */
function withBounds<S extends TSchema>(schema: S): S {
  const { properties, items, typed, pattern, maxLength } = schema as Keywords;
  const entries = Object.entries(properties ?? {}).map(([name, of]) => [name, withBounds(of)]);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(entries) }),
    ...(items && { items: withBounds(items) }),
    ...(typed && pattern && maxLength && { pattern: new BoundedPattern(pattern, maxLength) }),
  };
}

/**
 * Compiles a schema, which takes milliseconds: call it once a schema. The result never throws; the body reader must bound the nesting.
 * Without violations the value is a `Static` of the schema.
 */
export function validator(schema: TObject): (input: unknown) => Validation {
  const compiled = Compile(withBounds(schema));
  return (input) => {
    if (!isObject(input)) {
      const violation = { pointer: '', detail: 'must be an object' };
      const dropped = new Set([violation]);
      return { value: input, violations: [violation], dropped, original: (pointer) => pointer };
    }
    const normalized = normalize(schema, input);
    const { original } = normalized;
    const dropped = new Set(normalized.violations);
    const value = normalized.value ?? {};
    if (dropped.size === 0 && compiled.Check(value)) return { value, violations: [], dropped, original };
    const reported = new Set(normalized.violations.map(({ pointer }) => pointer));
    const wrong = explain(compiled.Errors(value), schema)
      .map(({ pointer, detail }) => ({ pointer: shorten(original(pointer)), detail }))
      .filter(({ pointer }) => !reported.has(pointer));
    const violations = [...normalized.violations, ...wrong].slice(0, maxViolations);
    return { value, violations, dropped, original };
  };
}
