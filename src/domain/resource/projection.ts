/**
 * The members of a kind that a client sees and may change: all except those added after the version of the contract that it is pinned to, and
 * those that its access profile leaves out. Its writes leave the others unchanged.
 *
 * A projection is made from the schema, once for each version and profile. `parts.ts` has the operations on the parts that are left out.
 */
import type { TObject, TSchema } from 'typebox';
import { attributesMember, attributeText } from '../validation/attribute-types.ts';
import { DomainError, type DomainErrorCode, maxViolations, type Violation } from '../validation/errors.ts';
import { isObject } from '../validation/plain-values.ts';
import { isLater, isSince } from './annotations.ts';
import { cutter } from './cut-text.ts';
import {
  covers,
  findChanged,
  findNamed,
  keep,
  type Members,
  membersOf,
  omit,
  type Parts,
  partsOutside,
  requiredOf,
} from './parts.ts';
import type { Extent, MemberAccess, MemberPath } from './resource.ts';

/** The result of a reader, as `ReadInput`. */
interface Given {
  readonly value: unknown;
  readonly violations: readonly Violation[];
}

/** What an access profile refuses: hidden members by name, since a value that was compared could be guessed, and changes of others. */
export interface Limits {
  /** @throws DomainError `attribute-hidden` */
  refuseHidden(given: Given): void;
  /** The input of a replacement, with the members that it leaves out and the client can't change. @param seen the document as the client sees it */
  complete(given: Members, seen: object): Members;
  /** Compares values in one form, so that sending back what was read is no change. @throws DomainError `attribute-read-only` */
  refuseChanges(next: unknown, seen: unknown): void;
  /** Whether the client can't change a stored member. */
  locks(pointer: string): boolean;
}

export interface Projection {
  /** The schema without the hidden members, in which they are unknown. */
  narrow(schema: TObject): TObject;
  /** A value without its hidden members; objects with nothing else are left out. Parts of the argument are shared. */
  show(value: object): object;
  /** Like `show`, for the canonical text of a document: the same text if nothing in it is hidden. @throws SyntaxError if it isn't JSON */
  showText(text: string): string;
  /**
   * What is to be stored: the input, with the parts that the client can't change in the document that it replaces.
   * @throws TypeError if these can't be separated from the rest
   */
  keep(input: object, current: object): object;
  /** @param pointer to a member, or to a part of one (RFC 6901) */
  hides(pointer: string): boolean;
  /** The limits of an access profile, which refuse what a pinned client may send without harm. */
  readonly limits?: Limits | undefined;
}

/** Hides nothing. */
export const whole: Projection = {
  narrow: (schema) => schema,
  show: (value) => value,
  showText: (text) => text,
  keep: (input) => input,
  hides: () => false,
};

function narrow<S extends TSchema>(schema: S, hidden: Parts): S {
  const members = membersOf(schema).flatMap(([name, member]) => {
    const part = hidden.of(name);
    if (part === 'all') return [];
    return [[name, part === undefined ? member : narrow(member, part)] as const];
  });
  const properties = Object.fromEntries(members);
  return { ...schema, properties, required: requiredOf(schema).filter((name) => name in properties) };
}

/** `show` and `showText`. */
function shower(hidden: Parts): Pick<Projection, 'show' | 'showText'> {
  // Without the colon: another program may have written a space before it.
  const marks = hidden.names.map((name) => JSON.stringify(name));
  const show = (value: object): object => omit(hidden, value as Members);
  const cut = cutter(hidden);
  return {
    show,
    showText(text) {
      if (!marks.some((mark) => text.includes(mark))) return text;
      return cut(text) ?? JSON.stringify(show(JSON.parse(text)));
    },
  };
}

function refuse(code: DomainErrorCode, pointers: readonly string[], message: string, detail: string): void {
  if (pointers.length === 0) return;
  const violations = [...new Set(pointers)].slice(0, maxViolations).map((pointer) => ({ pointer, detail }));
  throw new DomainError(code, `${message} Nothing was changed.`, { violations });
}

const limitsOf = (hidden: Parts | undefined, locked: Parts | undefined): Limits => ({
  refuseHidden({ value, violations }) {
    if (hidden === undefined) return;
    const broken = violations.map(({ pointer }) => pointer).filter((pointer) => covers(hidden, pointer));
    refuse(
      'attribute-hidden',
      [...findNamed(hidden, value), ...broken],
      'The profile of these credentials hides members that the request names.',
      'is hidden by the profile',
    );
  },
  complete: (given, seen) => (locked ? keep(locked, given, seen as Members, true) : given),
  refuseChanges(next, seen) {
    refuse(
      'attribute-read-only',
      locked ? findChanged(locked, next, seen) : [],
      'The profile of these credentials does not let them change some members of the request.',
      'is read-only in the profile',
    );
  },
  locks: (pointer) => locked !== undefined && covers(locked, pointer),
});

/** Which members are left out. */
interface Restriction {
  readonly contract: string | undefined;
  readonly access: MemberAccess | undefined;
  /** Members that no client can change: naming them is no change. */
  readonly fixed: readonly string[];
}

/** @returns undefined if no member is left out */
export function projectionOf(
  schema: TObject,
  { contract, access, fixed }: Restriction,
): Projection | undefined {
  const outside = (extentOf: (path: MemberPath) => Extent): Parts | undefined =>
    partsOutside(schema, (path, member = {}) =>
      contract !== undefined && isSince(member, contract) ? 'none' : extentOf(path),
    );
  const hidden = outside((path) => access?.shows(path) ?? 'whole');
  const locked = access
    ? outside((path) => (fixed.includes(path[0] ?? '') ? 'whole' : access.writes(path)))
    : hidden;
  if (hidden === undefined && locked === undefined) return undefined;
  const { show, showText } = hidden ? shower(hidden) : whole;
  return {
    narrow: (of) => (hidden ? narrow(of, hidden) : of),
    show,
    showText,
    keep: (input, current) => (locked ? keep(locked, input as Members, current as Members) : input),
    hides: (pointer) => hidden !== undefined && covers(hidden, pointer),
    limits:
      access &&
      limitsOf(
        partsOutside(schema, (path) => access.shows(path)),
        locked,
      ),
  };
}

/** The first version of the contract with types. */
const typedSince = '1.13';

const attributesMark = `"${attributesMember}":{`;

/** Shares the argument's other parts. */
function showTexts(value: object): object {
  const attributes: unknown = Reflect.get(value, attributesMember);
  if (!isObject(attributes)) return value;
  const texts = Object.entries(attributes).map(([name, one]) => [name, attributeText(one)]);
  return { ...value, [attributesMember]: Object.fromEntries(texts) };
}

/**
 * For clients that are pinned to a version of the contract in which declared attributes were texts.
 * @returns the projection with texts in the place of typed values; the projection itself if the client or the kind knows no types
 */
export function textsOnly(
  schema: TObject,
  contract: string,
  projection: Projection | undefined,
): Projection | undefined {
  const { properties } = (schema.properties[attributesMember] ?? {}) as { properties?: object };
  if (properties === undefined || !isLater(typedSince, contract)) return projection;
  const inner = projection ?? whole;
  return {
    ...inner,
    show: (value) => showTexts(inner.show(value)),
    showText(text) {
      const shown = inner.showText(text);
      return shown.includes(attributesMark) ? JSON.stringify(showTexts(JSON.parse(shown))) : shown;
    },
  };
}
