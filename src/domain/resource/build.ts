/**
 * Makes a whole resource from a client's input: the schema first, then the rules that a schema can't express.
 *
 * In: plain values (after `merge-patch.ts`, for a patch). Out: a `Stored` (`stored.ts`), whose text is printed once, here. `resource.ts`
 * has the members of every kind. `annotations.ts` has our own keywords of schemas; `annotated-fields.ts` finds the fields that carry one.
 */
import type { TObject } from 'typebox';
import { invalidResource, type KindName, type Violation } from '../base/errors.ts';
import { isDeepEqual, isObject } from '../base/plain-values.ts';
import { maxViolations, normalize, validator } from '../base/schema-validator.ts';
import { canonicalUuid } from '../base/uuid.ts';
import type { Meta, Resource } from './resource.ts';
import { type Membership, Stored } from './stored.ts';

/** What distinguishes the documents of one kind. */
export interface BuildRules<T extends Resource> {
  readonly name: KindName;
  /** As it is stored: its members are printed in this order. */
  readonly schema: TObject;
  /** As clients send it. */
  readonly input: TObject;
  /** Members that only the service sets: ignored in what a client sends. */
  readonly readOnly: readonly string[];
  /** In bytes: the limit of the whole as canonical JSON in UTF-8. */
  readonly maxBytes: number;
  /** The member whose value is unique, and what a schema can't say of it: the end of a violation, undefined if it is fine. */
  readonly unique: { readonly member: string; readonly findFault: (value: string) => string | undefined };
  /** What else a schema can't say; pointers into the input as it is given here. @param input as far as it has its schema's type */
  readonly findFaults?: (input: Readonly<Record<string, unknown>>) => readonly Violation[];
  /** Members of the stored resource that stay when the input leaves them out, as in a PUT without `active`. */
  readonly inherit?: (current: Stored<T> | undefined) => Readonly<Record<string, unknown>>;
  /** Of a new resource, if the kind has members. */
  readonly membership?: Membership;
}

export interface Builder<T extends Resource, I> {
  /**
   * @param stored the resource that the input replaces, if any
   * @throws DomainError `invalid-…`, with up to 20 violations
   */
  readInput(input: unknown, stored?: T): I;
  /**
   * Finds the violations that don't depend on the stored resource: unknown members are refused even where the patch would only remove
   * them. Returns the patch without read-only members.
   * @throws DomainError `invalid-…`
   */
  checkPatch(patch: unknown): Readonly<Record<string, unknown>>;
  /** @param input the result of an edit of `stored` @throws DomainError `invalid-…` */
  readEdited(input: unknown, stored: T): I;
  /** Members in the schema's order; printed once, here. @param current the resource that it replaces */
  print(id: string, input: I, meta: Meta, current?: Stored<T>): Stored<T>;
  /** As `print`. @throws DomainError `invalid-…` when the whole is larger than its limit */
  assemble(id: string, input: I, meta: Meta, current?: Stored<T>): Stored<T>;
  /** @throws DomainError `invalid-…` when the body names another resource than the URL does */
  assertSameId(input: unknown, id: string): void;
}

const utf8 = new TextEncoder();

/** An unchanged stored member need not pass the current rules, which may be stricter than those it was stored by. */
const concernsChange = (input: unknown, stored: object | undefined) => (violation: Violation) => {
  const member = violation.pointer.split('/')[1];
  if (stored === undefined || member === undefined || !isObject(input)) return true;
  return !Object.hasOwn(stored, member) || !isDeepEqual(input[member], Reflect.get(stored, member));
};

export function builder<T extends Resource, I extends object>({
  name,
  schema,
  readOnly,
  maxBytes,
  unique,
  findFaults = () => [],
  inherit = () => ({}),
  membership,
  ...rules
}: BuildRules<T>): Builder<T, I> {
  const validate = validator(rules.input);
  const membersInOrder = Object.keys(schema.properties);

  /** An id may come in either case of letters. */
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

  function readInput(input: unknown, stored?: T): I {
    const given = omitReadOnly(input);
    const { value, violations, dropped, original } = validate(given);
    const isNew = concernsChange(value, stored);
    const isReported = violations.some(({ pointer }) => pointer === `/${unique.member}`);
    const others = isObject(value) ? findFaults(value) : [];
    const wrong = [
      ...violations,
      ...(isReported ? [] : uniqueViolations(value)),
      ...others.map(({ pointer, detail }) => ({ pointer: original(pointer), detail })),
    ].filter((violation) => dropped.has(violation) || isNew(violation));
    if (wrong.length > 0) throw invalidResource(name, wrong.slice(0, maxViolations));
    return value as I;
  }

  function assertSameId(input: unknown, id: string): void {
    const given = omitReadOnly(input);
    if (!isObject(given) || given.id === undefined || given.id === null || given.id === id) return;
    throw invalidResource(name, [{ pointer: '/id', detail: 'must be the id in the URL' }]);
  }

  function print(id: string, input: I, meta: Meta, current?: Stored<T>): Stored<T> {
    const all: Record<string, unknown> = { ...inherit(current), ...input, id, meta };
    const document: Record<string, unknown> = {};
    for (const member of membersInOrder) if (member in all) document[member] = all[member];
    return Stored.of(document as unknown as T, current?.membership ?? membership);
  }

  return {
    readInput,
    checkPatch(patch) {
      const given = omitReadOnly(patch);
      if (!isObject(given)) throw invalidResource(name, [{ pointer: '', detail: 'must be an object' }]);
      const { violations } = normalize(rules.input, given);
      if (violations.length > 0) throw invalidResource(name, violations);
      return given;
    },
    readEdited(input, stored) {
      assertSameId(input, stored.id);
      return readInput(input, stored);
    },
    print,
    assemble(id, input, meta, current) {
      const whole = print(id, input, meta, current);
      const bytes = utf8.encode(whole.text).length;
      if (bytes <= maxBytes) return whole;
      const detail = `is ${bytes} bytes as JSON; a ${name} has at most ${maxBytes}`;
      throw invalidResource(name, [{ pointer: '', detail }]);
    },
    assertSameId,
  };
}
