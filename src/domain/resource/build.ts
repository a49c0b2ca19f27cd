/**
 * Makes a whole resource from a client's input: the schema first, then the rules that a schema can't express.
 *
 * In: plain values (after `mergePatch`, for a patch). Out: a `Stored` (`stored.ts`), whose text is printed once, here. `resource.ts`
 * has the members of every kind. `annotations.ts` has our own keywords of schemas, and finds the fields that carry one.
 */

import type { TObject, TObjectOptions } from 'typebox';
import { invalidResource, type KindName, type Violation } from '../validation/errors.ts';
import { canonicalUuid, isDeepEqual, isObject } from '../validation/plain-values.ts';
import { normalize, unescapePointer, validator } from '../validation/schema-validator.ts';
import type { Projection } from './projection.ts';
import type { Meta, Resource } from './resource.ts';
import { type Membership, Stored } from './stored.ts';

/**
 * What time alone changes in a resource. Instants are in the form of stored dates. A write happens at the `lastModified` that it gives the
 * resource.
 */
export interface TimeRules<T extends Resource> {
  /** The instant of the next change; undefined if there is none. Stores keep it as the key of a sort. */
  readonly nextAt: (resource: T) => string | undefined;
  /** The members that change at `nextAt` or later. */
  readonly follow: (resource: T, at: string) => Partial<T>;
  /** The inherited members as time has changed them. @param resource the result of a write, inherited members included */
  readonly inherit: (resource: Partial<T>, at: string) => Partial<T>;
  /**
   * @param current returns the resource that `next` replaces, unless it can't be read
   * @param hides whether messages must not tell the value of a member
   */
  readonly findFaults: (
    next: T,
    current: () => T | undefined,
    at: string,
    hides: (pointer: string) => boolean,
  ) => readonly Violation[];
}

/** The rules that distinguish the documents of one kind. */
export interface BuildRules<T extends Resource> {
  readonly name: KindName;
  /** The schema of the stored document, which has its members in this order. */
  readonly schema: TObject;
  /** The schema of what clients send. */
  readonly input: TObject;
  /** Members that only the service sets: ignored in what a client sends. */
  readonly readOnly: readonly string[];
  /** In bytes: the limit of the whole as canonical JSON in UTF-8. */
  readonly maxBytes: number;
  /** The member whose value is unique, and what a schema can't say of it: the end of a violation, undefined if it is fine. */
  readonly unique: { readonly member: string; readonly findFault: (value: string) => string | undefined };
  /** Rules that a schema can't state; pointers are into `input`, whose valid parts have the types of the schema. */
  readonly findFaults?: (input: Readonly<Record<string, unknown>>) => readonly Violation[];
  /** Members of the stored resource that stay when the input leaves them out, as in a PUT without `active`. */
  readonly inherit?: (current: Stored<T> | undefined) => Readonly<Record<string, unknown>>;
  readonly times?: TimeRules<T>;
  /** Set for a new resource if the kind has members. */
  readonly membership?: Membership;
  /** For a client that doesn't see, or may not change, all members: the others stay unchanged. */
  readonly projection?: Projection | undefined;
}

/** Input from a reader. The reader's violations are reported together with those that the rules find. */
export class ReadInput {
  readonly value: unknown;
  readonly violations: readonly Violation[];
  /** Members that it leaves out, and that the client can't change, stay: as the result of an edit it would remove them. */
  readonly isReplacement?: boolean | undefined;

  constructor({ value, violations, isReplacement }: ReadInput) {
    [this.value, this.violations, this.isReplacement] = [value, violations, isReplacement];
  }

  static of(input: unknown): ReadInput {
    return input instanceof ReadInput ? input : new ReadInput({ value: input, violations: [] });
  }
}

export interface Builder<T extends Resource, I> {
  /**
   * @param input or a ReadInput, as everywhere below
   * @param stored the resource that the input replaces, if any
   * @throws DomainError `attribute-hidden`; `invalid-…`, with up to 20 violations
   */
  readInput(input: unknown, stored?: T): I;
  /**
   * Finds the violations that don't depend on the stored resource. Unknown members are refused even if the patch only removes them. Returns the patch
   * without read-only members.
   * @param stored as for `readInput`
   * @throws DomainError `attribute-hidden`, `invalid-…`
   */
  checkPatch(patch: unknown, stored?: T): Readonly<Record<string, unknown>>;
  /**
   * @param input the result of an edit of `stored`, as the client sees that
   * @throws DomainError `attribute-hidden`, `attribute-read-only`, `invalid-…`, in this order
   */
  readEdited(input: unknown, stored: T): I;
  /** Members in the schema's order; printed once, here. @param current the resource that it replaces */
  print(id: string, input: I, meta: Meta, current?: Stored<T>): Stored<T>;
  /** As `print`. @throws DomainError `invalid-…` when the whole is larger than its limit */
  assemble(id: string, input: I, meta: Meta, current?: Stored<T>): Stored<T>;
  /** Adds a violation if the body names another resource than the URL. */
  bindTo(id: string, input: unknown): unknown;
  /** Whether an access profile limits what the client sees or changes. What it writes depends on what is stored. */
  readonly isLimited: boolean;
}

const utf8 = new TextEncoder();

/**
 * An unchanged stored member need not pass the current rules, which may be stricter than those it was stored by; nor need an unchanged entry
 * of a map.
 */
const concernsChange =
  (input: unknown, stored: object | undefined, maps: ReadonlySet<string>) => (violation: Violation) => {
    const [, member, entry] = violation.pointer.split('/').map(unescapePointer);
    if (stored === undefined || member === undefined || !isObject(input)) return true;
    if (!Object.hasOwn(stored, member)) return true;
    const [given, kept] = [input[member], Reflect.get(stored, member)];
    if (entry === undefined || !maps.has(member) || !isObject(given) || !isObject(kept))
      return !isDeepEqual(given, kept);
    return !Object.hasOwn(kept, entry) || !isDeepEqual(given[entry], kept[entry]);
  };

/** The value; undefined for a resource that can't be read. */
export function readable<T extends Resource>(stored: Stored<T> | undefined): T | undefined {
  try {
    return stored?.value;
  } catch {
    return undefined;
  }
}

/** The violations in places that have no others. */
function elsewhere(others: readonly Violation[], violations: readonly Violation[]): readonly Violation[] {
  // The case of nearly every document.
  if (violations.length === 0) return violations;
  const places = new Set(others.map(({ pointer }) => pointer));
  return violations.filter(({ pointer }) => !places.has(pointer));
}

/** Left out of a patch, since the stored resource may have it. Items of lists are replaced as a whole. */
const isLeftOut = (patch: unknown, { pointer, detail }: Violation): boolean =>
  detail === 'is required' &&
  !/\/\d+\//.test(pointer) &&
  !(isObject(patch) && Object.hasOwn(patch, pointer.slice(1)));

export function builder<T extends Resource, I extends object>({
  name,
  schema,
  readOnly,
  maxBytes,
  unique,
  findFaults = () => [],
  inherit = () => ({}),
  membership,
  projection,
  times,
  ...rules
}: BuildRules<T>): Builder<T, I> {
  const inputSchema = projection?.narrow(rules.input) ?? rules.input;
  const limits = projection?.limits;
  const validate = validator(inputSchema);
  const membersInOrder = Object.keys(schema.properties);
  const maps = new Set(membersInOrder.filter((member) => 'entry' in (schema.properties[member] as object)));

  /** The letters of an id may be in either case. */
  function omitReadOnly(input: unknown): unknown {
    if (!isObject(input)) return input;
    const rest = { ...input };
    for (const member of readOnly) delete rest[member];
    if (typeof rest.id !== 'string') return rest;
    return { ...rest, id: canonicalUuid(rest.id) ?? rest.id };
  }

  function uniqueViolations(input: unknown): Violation[] {
    const value = isObject(input) ? input[unique.member] : undefined;
    const detail = typeof value === 'string' ? unique.findFault(value) : undefined;
    return detail === undefined ? [] : [{ pointer: `/${unique.member}`, detail }];
  }

  /** @param found the violations of the reader @returns further ones, in other places */
  function examine(given: unknown, stored: T | undefined, found: readonly Violation[]) {
    const { value, violations, dropped, original } = validate(given);
    // Compares typed values and, for clients without types, texts that they send back as they saw them.
    const isNew = [value, given].map((input) => concernsChange(input, stored, maps));
    if (stored && limits) isNew.push(({ pointer }) => !limits.locks(pointer));
    const others = isObject(value) ? findFaults(value) : [];
    // A name that is too long may take a second to examine: normalization is quadratic in marks.
    const isReported = [...found, ...violations].some(({ pointer }) => pointer === `/${unique.member}`);
    const more = elsewhere(violations, [
      ...(isReported ? [] : uniqueViolations(value)),
      ...others.map(({ pointer, detail }) => ({ pointer: original(pointer), detail })),
    ]);
    const wrong = elsewhere(found, [...violations, ...more]);
    return {
      value,
      wrong: wrong.filter((violation) => dropped.has(violation) || isNew.every((is) => is(violation))),
    };
  }

  function readInput(input: unknown, stored?: T): I {
    const { value: given, violations } = ReadInput.of(input);
    limits?.refuseHidden({ value: given, violations });
    const { value, wrong } = examine(omitReadOnly(given), stored, violations);
    if (violations.length + wrong.length > 0) throw invalidResource(name, [...violations, ...wrong]);
    return value as I;
  }

  function bindTo(id: string, input: unknown): unknown {
    const { value, violations, isReplacement } = ReadInput.of(input);
    const given = omitReadOnly(value);
    if (!isObject(given) || given.id === undefined || given.id === null || given.id === id) return input;
    const violation = { pointer: '/id', detail: 'must be the id in the URL' };
    return new ReadInput({ value, violations: [...violations, violation], isReplacement });
  }

  function readEdited(input: unknown, stored: T): I {
    const bound = ReadInput.of(bindTo(stored.id, input));
    const { value, violations, isReplacement } = bound;
    if (limits === undefined || !isObject(value)) return readInput(bound, stored);
    limits.refuseHidden(bound);
    const given = isReplacement ? limits.complete(value, stored) : value;
    const [next, old] = [given, stored].map((one) => normalize(inputSchema, omitReadOnly(one)).value);
    limits.refuseChanges(next, old);
    return readInput(new ReadInput({ value: given, violations }), stored);
  }

  /** Nothing of an unreadable resource is kept. @throws DomainError `damaged` instead, for a client whose profile hides it */
  function keepHidden(input: object, current: Stored<T> | undefined): object {
    if (projection === undefined || current === undefined) return input;
    if (limits) return current.read(() => projection.keep(input, current.value));
    try {
      return projection.keep(input, current.value);
    } catch {
      return input;
    }
  }

  function documentOf(id: string, input: I, meta: Meta, current?: Stored<T>): T {
    const [inherited, given] = [inherit(current), keepHidden(input, current)];
    const limited = times?.inherit({ ...inherited, ...given } as Partial<T>, meta.lastModified);
    const followed = { ...inherited, ...limited };
    // Members that the client can't change get the value that follows from others, as if the client had left them out.
    const locked = Object.entries(current && limits ? followed : {}).filter(([member]) =>
      limits?.locks(`/${member}`),
    );
    const all: Record<string, unknown> = { ...followed, ...given, ...Object.fromEntries(locked), id, meta };
    const document: Record<string, unknown> = {};
    for (const member of membersInOrder) if (member in all) document[member] = all[member];
    return document as unknown as T;
  }

  /** Hidden members count towards the size, too. */
  function findFull(document: object): Violation[] {
    return [...(limits ? maps : [])].flatMap((map) => {
      const { maxProperties = Number.POSITIVE_INFINITY } = schema.properties[map] as TObjectOptions;
      if (Object.keys(Reflect.get(document, map) ?? {}).length <= maxProperties) return [];
      return [{ pointer: `/${map}`, detail: `must have at most ${maxProperties} entries` }];
    });
  }

  const printDocument = (document: T, current: Stored<T> | undefined): Stored<T> =>
    Stored.of(document, current?.membership ?? membership);

  return {
    readInput,
    checkPatch(patch, stored) {
      const { value, violations } = ReadInput.of(patch);
      limits?.refuseHidden({ value, violations });
      const given = omitReadOnly(value);
      const isWrong = violations.length + normalize(inputSchema, given).violations.length > 0;
      if (isObject(given) && !isWrong) return given;
      const { wrong } = examine(given, stored, violations);
      const found = wrong.filter((violation) => !isLeftOut(given, violation));
      throw invalidResource(name, [...violations, ...found]);
    },
    readEdited,
    print: (id, input, meta, current) => printDocument(documentOf(id, input, meta, current), current),
    assemble(id, input, meta, current) {
      const document = documentOf(id, input, meta, current);
      const hides = (pointer: string) => limits !== undefined && projection?.hides(pointer) === true;
      const untimely = times?.findFaults(document, () => readable(current), meta.lastModified, hides);
      const faults = [...findFull(document), ...(untimely ?? [])];
      if (faults.length > 0) throw invalidResource(name, faults);
      const whole = printDocument(document, current);
      const bytes = utf8.encode(whole.text).length;
      if (bytes <= maxBytes) return whole;
      const size = limits ? 'is too large' : `is ${bytes} bytes as JSON`;
      const detail = `${size}; a ${name} has at most ${maxBytes}${limits ? ' bytes as JSON' : ''}`;
      throw invalidResource(name, [{ pointer: '', detail }]);
    },
    bindTo,
    isLimited: limits !== undefined,
  };
}

/**
 * JSON Merge Patch (RFC 7396 §2) on plain values of any format. Changes neither argument. `null` removes, an object merges, any other value (lists
 * too) replaces.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [member, value] of Object.entries(patch))
    if (value === null) merged.delete(member);
    else merged.set(member, mergePatch(merged.get(member), value));
  return Object.fromEntries(merged);
}
