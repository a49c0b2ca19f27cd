/**
 * Attributes that an installation declares (the setting `attributes.file`): the file's content, and what is wrong with it.
 *
 * `schema.ts` makes fields of a kind of them, from which formats, contracts and stores follow; `declare.ts` adds them to a kind, with
 * filters (unique ones, too, which stores enforce) and rules. Types are in `validation/attribute-types.ts`.
 */
import * as Type from 'typebox';
import { attributeTypeNames, attributeTypes, mostItems } from '../../validation/attribute-types.ts';
import { closed, findMistakes, oneOf } from '../../validation/explain.ts';
import { measurePattern, mostTries } from './pattern-cost.ts';

const flag = () => Type.Optional(Type.Boolean());

/** The maximum length of a text, and of all items of a list as one text, in code points. */
export const maxAttributeLength = 1024;

const Declared = closed({
  type: oneOf(...attributeTypeNames),
  /** A list of values, without duplicates. */
  list: flag(),
  maxItems: Type.Optional(Type.Integer({ minimum: 1, maximum: mostItems })),
  maxLength: Type.Optional(Type.Integer({ minimum: 1, maximum: maxAttributeLength })),
  /** A regular expression of JavaScript, with the flag `u`. */
  pattern: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  values: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, uniqueItems: true })),
  minimum: Type.Optional(Type.Number()),
  maximum: Type.Optional(Type.Number()),
  filter: flag(),
  sort: flag(),
  search: flag(),
  /** No two resources of the kind have the same value. It implies `filter`. */
  unique: flag(),
  /** Kept and shown, but no longer written. */
  retired: flag(),
  /** What people call it, by language. */
  label: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z]{2}$' }), Type.String({ minLength: 1 }))),
  description: Type.Optional(Type.String({ minLength: 1 })),
  /** The URN of a SCIM extension, a colon and the attribute's name there. Left out: in the service's own extension. */
  scim: Type.Optional(
    Type.String({
      pattern: '^urn:[A-Za-z0-9:._-]+:[A-Za-z][A-Za-z0-9_-]*$',
      must: 'be urn:…:Name:attribute',
    }),
  ),
});
export type Declared = Type.Static<typeof Declared>;

/** The pattern of all names, declared or not. */
export const namePattern = '^[A-Za-z][A-Za-z0-9_-]{0,63}$';

/** The declarations of one kind. */
const DeclaredByName = Type.Record(Type.String({ pattern: namePattern }), Declared, {
  ...{ additionalProperties: false, maxProperties: 64 },
  must: 'have a name of up to 64 letters, digits, _ and -, that begins with a letter',
});

const undeclared = Type.Optional(oneOf('text', 'refuse'));
const Declarations = closed({
  /** Whether clients may set others, as texts: `text` by default. */
  undeclared,
  /** The attributes of users. */
  attributes: Type.Optional(DeclaredByName),
  groups: Type.Optional(DeclaredByName),
});

export interface KindDeclarations {
  readonly undeclared?: 'text' | 'refuse' | undefined;
  readonly attributes?: Readonly<Record<string, Declared>> | undefined;
}

export interface Declarations extends KindDeclarations {
  readonly groups?: Readonly<Record<string, Declared>>;
}

/** The kinds with attributes, by the member of the file that declares them. */
export const declaringKinds = { attributes: 'user', groups: 'group' } as const;
export type Section = keyof typeof declaringKinds;
export const sections = Object.keys(declaringKinds) as readonly Section[];

/** Mistakes in the limits of a declaration, by the rules of its type. */
function findTypeFaults({ type, ...declared }: Declared): string[] {
  const isText = type === 'string';
  const isNumber = type === 'integer' || type === 'decimal';
  const wrong = (names: readonly (keyof typeof declared)[], why: string): string[] =>
    names.flatMap((name) => (declared[name] === undefined ? [] : [`${name}: ${why}`]));
  return [
    ...(isText ? [] : wrong(['maxLength', 'pattern', 'values', 'search'], 'is for type string')),
    ...(isNumber ? [] : wrong(['minimum', 'maximum'], 'is for the types integer and decimal')),
    ...(declared.list ? wrong(['sort'], 'is not for lists') : wrong(['maxItems'], 'is for lists')),
    ...((declared.minimum ?? Number.NEGATIVE_INFINITY) > (declared.maximum ?? Number.POSITIVE_INFINITY)
      ? ['minimum: must not be above maximum']
      : []),
  ];
}

function findPatternFaults(attributes: readonly (readonly [string, Declared])[]): string[] {
  let sum = 0;
  return attributes.flatMap(([name, { pattern, maxLength = maxAttributeLength, list }]) => {
    const tries = pattern === undefined ? 0 : measurePattern(pattern, maxLength);
    if (typeof tries === 'string') return [`${name}.pattern: ${tries}`];
    // A client may send more than maxItems, and mistakes are listed for each item.
    sum += tries * (list ? mostItems : 1);
    return sum > mostTries
      ? [`${name}.pattern: may take too long: a shorter maxLength, or fewer repetitions, make it quicker`]
      : [];
  });
}

/** The validator takes an absent member with such a name for a present one. */
const inherited = Object.getOwnPropertyNames(Object.prototype);

/** @param builtIn names of the kind's own members and parameters: SCIM clients leave out the URN of an attribute */
function findNameFaults(names: readonly string[], builtIn: readonly string[]): string[] {
  const seen = new Map(
    [...builtIn, ...inherited].map((name) => [name.toLowerCase(), `the built-in ${name}`]),
  );
  return names.flatMap((name) => {
    const before = seen.get(name.toLowerCase());
    seen.set(name.toLowerCase(), name);
    return before === undefined ? [] : [`${name}: has the name of ${before}`];
  });
}

const urnOf = (scim: string): string => scim.slice(0, Math.max(scim.lastIndexOf(':'), 0));

/** Labels are headings of tables, and SCIM clients may leave out the URN: each stands for one attribute. */
function findSharedFaults(attributes: readonly (readonly [string, Declared])[]): string[] {
  const seen = new Map(attributes.map(([name]) => [`label ${name.toLowerCase()}`, name]));
  const urns = new Map<string, string>();
  return attributes.flatMap(([name, { label = {}, scim = '' }]) => {
    const urn = urnOf(scim);
    const spelled = urns.get(urn.toLowerCase()) ?? urn;
    urns.set(urn.toLowerCase(), spelled);
    const marks = [...new Set(Object.values(label))].map((one) => `label ${one.toLowerCase()}`);
    const clashes = [...marks, ...(scim === '' ? [] : [`scim ${scim.toLowerCase()}`])].flatMap((mark) => {
      const before = seen.get(mark) ?? name;
      seen.set(mark, name);
      return before === name ? [] : [`${name}: has the ${mark.split(' ')[0]} of ${before}`];
    });
    return [
      ...clashes,
      ...(spelled === urn ? [] : [`${name}.scim: must spell the URN as ${spelled}`]),
      ...(standardUrn.test(urn) ? [`${name}.scim: must not be in a schema of the standard`] : []),
    ];
  });
}

const standardUrn = /^urn:(?:ietf|user-management):/i;

/** A SCIM schema describes the attributes of one kind. */
function findUrnFaults({ attributes = {}, groups = {} }: Declarations): string[] {
  const ofUsers = new Set(Object.values(attributes).map(({ scim = '' }) => urnOf(scim).toLowerCase()));
  return Object.entries(groups).flatMap(([name, { scim }]) =>
    scim !== undefined && ofUsers.has(urnOf(scim).toLowerCase())
      ? [`groups.${name}.scim: must not have a URN of attributes of users`]
      : [],
  );
}

/** @returns a line for each mistake, which begins with the name. @param builtIn as of `findNameFaults` */
function findFaults(attributes: NonNullable<Declarations[Section]>, builtIn: readonly string[]): string[] {
  const declared = Object.entries(attributes);
  return [
    ...findNameFaults(Object.keys(attributes), builtIn),
    ...findSharedFaults(declared),
    ...findPatternFaults(declared),
    ...declared.flatMap(([name, one]) => findTypeFaults(one).map((fault) => `${name}.${fault}`)),
  ];
}

/** @returns the declarations, or a line for each mistake, which names the attribute. @param builtIn as of `findNameFaults` */
export function parseDeclarations(
  given: unknown,
  builtIn: (section: Section) => readonly string[],
): Declarations | readonly string[] {
  const mistakes = findMistakes(Declarations, given);
  if (mistakes.length > 0) return mistakes;
  const declarations = given as Declarations;
  const faults = [
    ...sections.flatMap((section) =>
      findFaults(declarations[section] ?? {}, builtIn(section)).map((fault) => `${section}.${fault}`),
    ),
    ...findUrnFaults(declarations),
  ];
  return faults.length > 0 ? faults : declarations;
}

/** Values can be found by them. */
export const isFilter = ({ filter, unique }: Declared): boolean => filter === true || unique === true;

/** A list can be sorted by them. Ranges need the order, too. */
export const isSorted = ({ type, list, filter, unique, sort }: Declared): boolean =>
  list !== true && (sort === true || ((filter || unique) === true && attributeTypes[type].isOrdered));
