/**
 * Bodies made from the schema, each with one thing in it that grows: every list, map, object, text and nesting there is, as large
 * as it may be and far beyond. What is added to the schema is covered without a change here.
 */
import fc from 'fast-check';
import Type, { type TSchema } from 'typebox';
import { maxUserBodyBytes } from '../../src/adapters/apis/users/index.ts';
import { maxDepth } from '../../src/adapters/formats/port/format.ts';
import { shapeOf } from '../../src/adapters/formats/port/schema-shapes.ts';
import { User, UserInput } from '../../src/domain/kinds/user/user.ts';
import { emailAddress } from '../../src/domain/kinds/user/user-patterns.ts';
import { replaceForeignCharacters } from '../../src/domain/validation/schema-validator.ts';

/** A document that both formats can print; a name may stand in it twice. */
type Tree =
  | string
  | { readonly levels: number }
  | { readonly list: readonly Tree[]; readonly item: string }
  | { readonly members: readonly (readonly [name: string, value: Tree])[]; readonly entry?: string };

interface Growing {
  readonly name: string;
  /** How many of it there may be. */
  readonly limit: number;
  /** True when a user with `limit` of them is valid; undefined where that depends on their values. */
  readonly good: boolean | undefined;
  readonly of: (count: number) => Tree;
}

export interface SchemaBody {
  readonly name: string;
  readonly format: 'json' | 'xml';
  readonly body: string;
  readonly good: boolean | undefined;
}

const keyword = (schema: TSchema, name: string): unknown => (schema as Record<string, unknown>)[name];
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const samples = new Map<string, string>();

/** Made once for each pattern: fast-check takes a while to understand one, and a list may have 4,096 texts. */
function matching(pattern: string): string {
  const known = samples.get(pattern);
  if (known !== undefined) return known;
  const any = fc
    .stringMatching(new RegExp(pattern))
    .filter((text) => replaceForeignCharacters(text) === text)
    // More than the pattern says.
    .filter((text) => pattern !== emailAddress.pattern || /@[a-z]+$/i.test(text));
  const [sample = ''] = fc.sample(any, { seed: 1, numRuns: 1 });
  samples.set(pattern, sample);
  return sample;
}

/** A text that the schema allows; another for each index where it has no pattern. */
function aText(schema: TSchema, index: number): string {
  const pattern = keyword(schema, 'pattern');
  if (typeof pattern === 'string') return matching(pattern);
  return keyword(schema, 'type') === 'boolean' ? 'false' : `x${index}`;
}

/** The least that the schema allows. */
function least(schema: TSchema, index = 0): Tree {
  const kind = shapeOf(schema);
  if (kind.is === 'value') return aText(schema, index);
  if (kind.is === 'list') return { list: [least(kind.of, index)], item: kind.item };
  if (kind.is === 'map') return { members: [['a', least(kind.of, index)]], entry: kind.entry };
  const [any] = kind.members.keys();
  const required = (keyword(schema, 'required') as string[] | undefined) ?? [any ?? ''];
  return {
    members: [...kind.members]
      .filter(([name]) => required.includes(name))
      .map(([name, of]) => [name, least(of, index)]),
  };
}

const within = (growing: readonly Growing[], name: string, wrap: (tree: Tree) => Tree): Growing[] =>
  growing.map((one) => ({ ...one, name: `${name}${one.name}`, of: (count) => wrap(one.of(count)) }));

function ofText(schema: TSchema): Growing[] {
  const limit = Number(keyword(schema, 'maxLength') ?? 64);
  const free = keyword(schema, 'type') === 'string' && keyword(schema, 'pattern') === undefined;
  return [
    {
      name: ', characters',
      limit,
      good: free && keyword(schema, 'format') === undefined ? true : undefined,
      of: (count) => 'x'.repeat(count),
    },
    { name: ', nested', limit: maxDepth, good: false, of: (levels) => ({ levels }) },
  ];
}

function ofObject(schema: TSchema, known: ReadonlyMap<string, TSchema>): Growing[] {
  const { members } = least(schema) as { members: readonly (readonly [string, Tree])[] };
  const beside = (name: string, value: Tree): Tree => ({
    members: [...members.filter(([other]) => other !== name), [name, value]],
  });
  const [first = ''] = known.keys();
  return [
    {
      name: ', unknown members',
      limit: known.size,
      good: false,
      of: (count) => ({ members: [...members, ...times(count, (index) => [`x${index}`, 'x'] as const)] }),
    },
    {
      name: ', one member again and again',
      limit: 2,
      good: false,
      of: (count) => ({ members: [...members, ...times(count, () => [first, 'x'] as const)] }),
    },
    ...[...known].flatMap(([name, of]) => within(growingIn(of), `.${name}`, (tree) => beside(name, tree))),
  ];
}

/** All that can grow in a value of the schema. */
function growingIn(schema: TSchema): Growing[] {
  const kind = shapeOf(schema);
  if (kind.is === 'value') return ofText(schema);
  if (kind.is === 'object') {
    const growing = ofObject(schema, kind.members);
    // Read-only members are ignored, so any value is valid.
    return keyword(schema, 'readOnly') === true
      ? growing.map((one) => ({ ...one, good: undefined }))
      : growing;
  }
  const { of } = kind;
  if (kind.is === 'list') {
    const { item } = kind;
    const limit = Number(keyword(schema, 'maxItems'));
    const items = (count: number) => ({ list: times(count, (index) => least(of, index)), item });
    return [
      { name: ', items', limit, good: true, of: items },
      ...within(growingIn(of), '[]', (tree) => ({ list: [tree], item })),
    ];
  }
  const { entry } = kind;
  const limit = Number(keyword(schema, 'maxProperties'));
  const entries = (count: number) => times(count, (index) => [`a${index}`, least(of, index)] as const);
  return [
    { name: ', entries', limit, good: true, of: (count) => ({ members: entries(count), entry }) },
    {
      name: ', names',
      limit: 64,
      good: true,
      of: (count) => ({ members: [['a'.repeat(count), 'x']], entry }),
    },
    ...within(growingIn(of), '{}', (tree) => ({ members: [['a', tree]], entry })),
  ];
}

function inJson(tree: Tree): string {
  if (typeof tree === 'string') return tree === 'false' ? tree : JSON.stringify(tree);
  if ('levels' in tree) return `${'['.repeat(tree.levels)}"x"${']'.repeat(tree.levels)}`;
  if ('list' in tree) return `[${tree.list.map(inJson).join()}]`;
  return `{${tree.members.map(([name, value]) => `${JSON.stringify(name)}:${inJson(value)}`).join()}}`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function inXml(tree: Tree): string {
  if (typeof tree === 'string') return escaped(tree);
  if ('levels' in tree) return `${'<a>'.repeat(tree.levels)}x${'</a>'.repeat(tree.levels)}`;
  if ('list' in tree) return tree.list.map((one) => `<${tree.item}>${inXml(one)}</${tree.item}>`).join('');
  const { entry } = tree;
  return tree.members
    .map(([name, value]) =>
      entry === undefined
        ? `<${name}>${inXml(value)}</${name}>`
        : `<${entry} name="${name}">${inXml(value)}</${entry}>`,
    )
    .join('');
}

const write = { json: inJson, xml: (tree: Tree) => `<user>${inXml(tree)}</user>` };

/** As many as a body holds. */
function fitting({ of, limit }: Growing, print: (tree: Tree) => string): number {
  const [few, many] = [limit, 2 * limit].map((count) => print(of(count)).length) as [number, number];
  // The later ones are longer, by their numbers.
  return Math.max(1, Math.floor(((maxUserBodyBytes - few) / (many - few)) * limit * 0.8));
}

/** How much there is of what grows: as much as may be, beyond, and as much as a body holds. */
const amounts: Readonly<Record<string, (growing: Growing, print: (tree: Tree) => string) => number>> = {
  'as many as there may be': ({ limit }) => limit,
  'ten times as many': ({ limit }) => 10 * limit,
  'a thousand times as many': ({ limit }) => 1000 * limit,
  'as many as fit': fitting,
};

/** The body of a request: it may hold `meta`, which is ignored. */
const sent = Type.Object({ ...UserInput.properties, meta: Type.Optional(User.properties.meta) });

/** All of them, one after the other: together they would take some hundred MB. */
export function* schemaBodies(): Generator<SchemaBody, void, void> {
  for (const growing of growingIn(sent))
    for (const [amount, count] of Object.entries(amounts))
      for (const format of ['json', 'xml'] as const) {
        const print = write[format];
        const body = print(growing.of(Math.min(count(growing, print), maxUserBodyBytes)));
        const good =
          growing.limit === count(growing, print)
            ? growing.good
            : growing.good === undefined
              ? undefined
              : false;
        yield { name: `user${growing.name}, ${amount}, in ${format}`, format, body, good };
      }
}
