/**
 * Turns what a client sent into a value of a schema, or tells what is wrong with it, each with a pointer.
 * What is empty becomes absent; members come out in the schema's order, so that a user prints alike
 * whichever format it came in.
 */
import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { codePoints, label } from './code-points.ts';
import type { Violation } from './errors.ts';
import { explain } from './explain.ts';
import { isObject } from './plain-values.ts';

// Process-wide, and needed before the first schema is compiled: more errors than a client is told, since some fall away.
Settings.Set({ maxErrors: 64, exactOptionalPropertyTypes: true });

/** How many violations a client is told at most. */
export const maxViolations = 20;

/** The characters of XML 1.0 (§2.2): what one format can't carry is refused in the other too. */
export const foreignCharacter = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** What a walk by the schema made of a value: empties dropped, unknown members and characters reported. */
export interface Tidied {
  /** Undefined when nothing is left. */
  readonly value: unknown;
  readonly violations: readonly Violation[];
  /** The pointer that a client knows, for one into `value`: list items that were empty have gone. */
  readonly original: (pointer: string) => string;
}

export interface Validation {
  /** Of the schema's type when there are no violations; else what is left without what could not be kept. */
  readonly value: unknown;
  /** At most maxViolations. */
  readonly violations: readonly Violation[];
  /** Those among them that tell of something which `value` no longer shows. */
  readonly dropped: ReadonlySet<Violation>;
}

/** The most of a member's name that a pointer repeats: names that a client makes up can be as long as a body. */
const maxNameShown = 128;

/** A member's name as a step of a pointer (RFC 6901 §3); cut off when it is longer than any name there is. */
export function escapePointer(member: string): string {
  const shown = member.length > maxNameShown ? `${member.slice(0, maxNameShown)}…` : member;
  return shown.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A pointer made elsewhere, out of the names that were sent. */
const shortened = (pointer: string): string =>
  pointer
    .split('/')
    .map((step) => escapePointer(step.replaceAll('~1', '/').replaceAll('~0', '~')))
    .join('/');

const foreignCharacters = new RegExp(foreignCharacter.source, 'gu');

/** U+FFFD for each character that not every format can carry: for showing what a client sent. */
export const carriable = (text: string): string => text.replace(foreignCharacters, '\uFFFD');

/**
 * Walks `input` by the schema, without judging types or texts: `validator` does that with what is left. It stops where a list or
 * a map is larger than it may be, and where no more is told, so that what is left is no larger than the schema allows.
 */
export function tidy(schema: TSchema, input: unknown): Tidied {
  const violations: Violation[] = [];
  const moved = new Map<string, number[]>();
  /** Where the walk is; a pointer is made of it only where something is to be told. */
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
    const known: Record<string, TSchema> | undefined =
      'properties' in of ? (of.properties as never) : undefined;
    const entry = 'patternProperties' in of ? Object.values(of.patternProperties as object)[0] : undefined;
    for (const key of known ? Object.keys(value) : []) {
      if (known === undefined || Object.hasOwn(known, key)) continue;
      if (violations.length === maxViolations) break;
      steps.push(key);
      report('is not known here');
      steps.pop();
    }
    const limit = 'maxProperties' in of ? Number(of.maxProperties) : Number.POSITIVE_INFINITY;
    const result: [string, unknown][] = [];
    for (const key of Object.keys(known ?? value)) {
      if (!Object.hasOwn(value, key)) continue;
      const clean = walk(known?.[key] ?? entry ?? {}, value[key], key);
      if (clean === undefined) continue;
      // Those that are empty don't count: a patch takes entries out by them.
      if (result.length === limit) return report(`must have at most ${limit} entries`);
      result.push([key, clean]);
    }
    return result.length === 0 ? undefined : Object.fromEntries(result);
  }

  function cleaned(of: TSchema, value: unknown): unknown {
    if (value === null) return undefined;
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) {
      const limit = 'maxItems' in of ? Number(of.maxItems) : undefined;
      if (limit !== undefined && value.length > limit) return report(`must have at most ${limit} items`);
      return items('items' in of ? (of.items as TSchema) : {}, value);
    }
    return isObject(value) ? members(of, value) : value;
  }

  function walk(of: TSchema, value: unknown, step: string | number): unknown {
    steps.push(step);
    const clean = cleaned(of, value);
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
  return { value: cleaned(schema, input), violations, original };
}

/**
 * Compiles a schema, once; what it returns never throws, whatever it is given (nesting must be bounded by the reader).
 * Without violations the value is a `Static` of the schema.
 */
export function validator(schema: TObject): (input: unknown) => Validation {
  const compiled = Compile(schema);
  return (input) => {
    if (!isObject(input)) {
      const violation = { pointer: '', detail: 'must be an object' };
      return { value: input, violations: [violation], dropped: new Set([violation]) };
    }
    const tidied = tidy(schema, input);
    const dropped = new Set(tidied.violations);
    const value = tidied.value ?? {};
    if (dropped.size === 0 && compiled.Check(value)) return { value, violations: [], dropped };
    const reported = new Set(tidied.violations.map(({ pointer }) => pointer));
    const wrong = explain(compiled.Errors(value), schema)
      .map(({ pointer, detail }) => ({ pointer: shortened(tidied.original(pointer)), detail }))
      .filter(({ pointer }) => !reported.has(pointer));
    return { value, violations: [...tidied.violations, ...wrong].slice(0, maxViolations), dropped };
  };
}
