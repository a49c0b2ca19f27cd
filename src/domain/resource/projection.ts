/**
 * What a client sees of the documents of a kind: all members but the hidden ones. A client that is pinned to a version of the contract
 * lacks the members that later versions added; what it writes leaves them as they are.
 *
 * A projection is made from the schema, once for each set of hidden members. Hidden are members of the document and of objects in it, never
 * members of a list's items or entries of a map: a list that a client sends back would lose them.
 */
import type { TObject, TSchema } from 'typebox';
import { isObject } from '../validation/plain-values.ts';

/** By name: the member as a whole, or its hidden members. */
interface Hidden extends ReadonlyMap<string, 'whole' | Hidden> {}

type Members = Readonly<Record<string, unknown>>;

export interface Projection {
  /** The schema without the hidden members, in which they are unknown. */
  narrow(schema: TObject): TObject;
  /** A value without its hidden members; objects with nothing else are left out. Parts of the argument are shared. */
  show(value: object): object;
  /** Like `show`, for the canonical text of a document: the same text if nothing in it is hidden. @throws SyntaxError if it isn't JSON */
  showText(text: string): string;
  /** What is to be stored: the input, with the hidden members of the document that it replaces. */
  keep(input: object, current: object): object;
  /** @param pointer to a member, or to a part of one (RFC 6901) */
  hides(pointer: string): boolean;
}

const membersOf = (schema: TSchema): readonly (readonly [string, TSchema])[] =>
  Object.entries('properties' in schema ? (schema.properties as Readonly<Record<string, TSchema>>) : {});

/** @throws Error for a hidden member of a list's item */
function findHidden(schema: TSchema, isHidden: (member: TSchema) => boolean): Hidden {
  const hidden = new Map<string, 'whole' | Hidden>();
  for (const [name, member] of membersOf(schema)) {
    if (isHidden(member)) {
      hidden.set(name, 'whole');
      continue;
    }
    if ('items' in member && findHidden(member.items as TSchema, isHidden).size > 0)
      throw new Error(
        `an item of ${name} has a hidden member: a client that replaces the list would lose it`,
      );
    const parts = findHidden(member, isHidden);
    if (parts.size > 0) hidden.set(name, parts);
  }
  return hidden;
}

function narrow<S extends TSchema>(schema: S, hidden: Hidden): S {
  const members = membersOf(schema).flatMap(([name, member]) => {
    const part = hidden.get(name);
    if (part === 'whole') return [];
    return [[name, part === undefined ? member : narrow(member, part)] as const];
  });
  const properties = Object.fromEntries(members);
  const required = 'required' in schema ? (schema.required as readonly string[]) : [];
  return { ...schema, properties, required: required.filter((name) => name in properties) };
}

function omit(value: Members, hidden: Hidden): Members {
  const shown = Object.entries(value).flatMap(([name, member]) => {
    const part = hidden.get(name);
    if (part === 'whole') return [];
    if (part === undefined || !isObject(member)) return [[name, member] as const];
    const rest = omit(member, part);
    return Object.keys(rest).length === 0 ? [] : [[name, rest] as const];
  });
  return Object.fromEntries(shown);
}

/** If the input leaves out an object, its hidden members stay, unless they are invalid without the others. */
function keep(schema: TSchema, hidden: Hidden, input: Members, current: Members): Members {
  const kept: Record<string, unknown> = { ...input };
  const schemas = new Map(membersOf(schema));
  for (const [name, part] of hidden) {
    const [old, given, of = {}] = [current[name], input[name], schemas.get(name)];
    if (part === 'whole') {
      if (old !== undefined) kept[name] = old;
      continue;
    }
    const isWhole = given === undefined && 'required' in of && (of.required as unknown[]).length > 0;
    if (!isObject(old) || isWhole || (given !== undefined && !isObject(given))) continue;
    const object = keep(of, part, given ?? {}, old);
    if (Object.keys(object).length > 0) kept[name] = object;
  }
  return kept;
}

const namesIn = (hidden: Hidden): string[] =>
  [...hidden].flatMap(([name, part]) => (part === 'whole' ? [name] : namesIn(part)));

/** Texts without escapes, numbers, truth values, and objects and lists of these. */
const simpleValue = (() => {
  const text = '"[^"\\\\]*"';
  return `(?:${text}|[^",{}[\\]]+|[{[](?:${text}|[^"{}[\\]])*[}\\]])`;
})();

/**
 * Cuts hidden members that stand in front of `meta`, where members are added, out of a text without parsing it, which would cost a page
 * twice its time. Elsewhere a name may also be an entry of a map.
 * @returns `cut`, which returns undefined for any other text, and the names of the members that it cuts
 */
function cutter(schema: TSchema, hidden: Hidden) {
  const names = membersOf(schema).flatMap(([name]) => (name === 'meta' ? [] : [name]));
  const last = names.slice(names.findLastIndex((name) => hidden.get(name) !== 'whole') + 1);
  const starts = last.map((name) => `,${JSON.stringify(name)}:`);
  const pattern = new RegExp(
    `${starts.map((start) => `(?:${start}${simpleValue})?`).join('')}(?=,"meta":\\{)`,
    'y',
  );
  const cut = (text: string): string | undefined => {
    for (const start of starts) {
      const at = text.lastIndexOf(start);
      if (at < 0) continue;
      pattern.lastIndex = at;
      const isFound = pattern.test(text) && pattern.lastIndex > at;
      return isFound ? text.slice(0, at) + text.slice(pattern.lastIndex) : undefined;
    }
    return undefined;
  };
  return { cut, names: last };
}

/** @param isHidden called with each member of the schema @returns undefined if nothing is hidden */
export function projectionOf(
  schema: TObject,
  isHidden: (member: TSchema) => boolean,
): Projection | undefined {
  const hidden = findHidden(schema, isHidden);
  if (hidden.size === 0) return undefined;
  const mark = (name: string): string => `${JSON.stringify(name)}:`;
  const marks = namesIn(hidden).map(mark);
  const { cut, names: cutOnce } = cutter(schema, hidden);
  // After a cut these names are entries of maps.
  const otherMarks = namesIn(new Map([...hidden].filter(([name]) => !cutOnce.includes(name)))).map(mark);
  return {
    narrow: (of) => narrow(of, hidden),
    show: (value) => omit(value as Members, hidden),
    showText(text) {
      const rest = cut(text);
      const isHiding = (rest === undefined ? marks : otherMarks).some((one) => text.includes(one));
      return isHiding ? JSON.stringify(omit(JSON.parse(text), hidden)) : (rest ?? text);
    },
    keep: (input, current) => keep(schema, hidden, input as Members, current as Members),
    hides(pointer) {
      let part: 'whole' | Hidden | undefined = hidden;
      for (const name of pointer.split('/').slice(1)) {
        part = part.get(name);
        if (part === undefined || part === 'whole') break;
      }
      return part === 'whole';
    },
  };
}
