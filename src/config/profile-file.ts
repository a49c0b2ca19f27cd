/**
 * The content of the file of access profiles: makes an `Access` (domain/access/) of each profile. A filter has the parameters of a list, so
 * adapters/apis/resources reads it.
 */
import { hash } from 'node:crypto';
import JSON5 from 'json5';
import * as Type from 'typebox';
import {
  filterParametersOf,
  ListParameters,
  parseRanges,
  rangeParametersOf,
} from '../adapters/apis/resources/parameters.ts';
import { messageOf } from '../adapters/system/errors.ts';
import { findFaultsOfRules, type KindRules, makeAccess } from '../domain/access/profile.ts';
import type { Access, NamedMembers } from '../domain/find/access.ts';
import { allOf, type Condition } from '../domain/find/conditions.ts';
import type { Kind } from '../domain/kinds/kind.ts';
import type { Kinds } from '../domain/kinds.ts';
import { profileName } from '../domain/scopes.ts';
import { closed, findMistakes } from '../domain/validation/explain.ts';
import { suggest } from '../domain/validation/suggest.ts';

const must = "be '*' or a list of names";
const allOrNames = () =>
  Type.Unsafe<'*' | string[]>({ type: ['string', 'array'], pattern: '^\\*$', items: Type.String(), must });

type Value = string | number | boolean;
const values = ['string', 'number', 'boolean'];
const aValue = { must: 'be a text, a number, true or false, or a list of them' };
const Where = Type.Record(
  Type.String(),
  Type.Unsafe<Value | Value[]>({
    ...{ type: [...values, 'array'], minItems: 1, items: { type: values, ...aValue }, ...aValue },
  }),
  { minProperties: 1 },
);
type Where = Type.Static<typeof Where>;

const RulesInFile = closed({
  where: Type.Optional(Where),
  read: allOrNames(),
  except: Type.Optional(Type.Array(Type.String())),
  write: Type.Optional(allOrNames()),
  create: Type.Optional(Type.Boolean()),
  delete: Type.Optional(Type.Boolean()),
});
type RulesInFile = Type.Static<typeof RulesInFile>;
type File = { readonly profiles: Readonly<Record<string, Readonly<Record<string, RulesInFile>>>> };

/** The rules of a profile are by the plural of the kind: `users`. */
const fileOf = ({ all }: Kinds) =>
  closed({
    profiles: Type.Record(
      Type.String({ pattern: profileName.source }),
      closed(Object.fromEntries(all.map(({ plural }) => [plural, Type.Optional(RulesInFile)]))),
      { additionalProperties: false, must: 'have a name of up to 64 lower-case letters, digits and -' },
    ),
  });

interface ReadFilter {
  readonly where?: Condition;
  readonly faults: readonly string[];
}

/** All filters must hold. Filters by membership are refused, since a change of members writes no document that would enter or leave the profile. */
function readFilter(kind: Kind, where: Where): ReadFilter {
  const parameters = new ListParameters(kind);
  const filters = filterParametersOf(kind).filter(({ filter }) => kind.filters[filter]?.keys !== undefined);
  const names = [...filters, ...rangeParametersOf(kind)].map(({ name }) => name);
  const faults: string[] = [];
  const take = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      faults.push(messageOf(error));
      return undefined;
    }
  };
  const queries = Object.entries(where).map(([given, value]) => {
    const isList = Array.isArray(value) && kind.filterNames.includes(given);
    return new Map([[isList ? `${given}.in` : given, [value].flat().map(String)]]);
  });
  const conditions = queries.flatMap((query) => {
    const unknown = [...query.keys()].filter((name) => !names.includes(name));
    faults.push(
      ...unknown.map(
        (name) => `${name} is no filter for the fields of ${kind.plural}${suggest(name, names)}`,
      ),
    );
    return unknown.length > 0 ? [] : (take(() => parameters.parseFilters(query).where) ?? []);
  });
  const ranges = take(() => parseRanges(kind, new Map(queries.flatMap((query) => [...query])))) ?? [];
  return { where: allOf([...conditions, ...ranges]), faults };
}

interface ReadRules {
  readonly rules: ReadonlyMap<string, KindRules>;
  readonly faults: readonly string[];
}

function readRules(kinds: Kinds, given: Readonly<Record<string, RulesInFile>>): ReadRules {
  const read = kinds.all.flatMap((kind) => {
    const { where: filters, ...others } = given[kind.plural] ?? {};
    if (!('read' in others)) return [];
    const { where, faults }: ReadFilter = filters === undefined ? { faults: [] } : readFilter(kind, filters);
    const rules = { ...others, where };
    const all = [...faults.map((fault) => `where: ${fault}`), ...findFaultsOfRules(kind, rules)];
    return [{ kind, rules, faults: all.map((fault) => `${kind.plural}.${fault}`) }];
  });
  return {
    rules: new Map(read.map(({ kind, rules }) => [kind.name, rules])),
    faults: read.flatMap(({ faults }) => faults),
  };
}

/** 60 bits. */
const markOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 10);

/** @param text in JSON5 @returns the profiles by name, or a line for each mistake @throws SyntaxError */
export function parseProfiles(kinds: Kinds, text: string): ReadonlyMap<string, Access> | readonly string[] {
  const given: unknown = JSON5.parse(text.replace(/^\ufeff/, ''));
  const mistakes = findMistakes(fileOf(kinds), given);
  if (mistakes.length > 0) return mistakes;
  const read = Object.entries((given as File).profiles).map(([name, profile]) => ({
    name,
    ...readRules(kinds, profile),
  }));
  const faults = read.flatMap(({ name, faults: own }) => own.map((fault) => `profiles.${name}.${fault}`));
  if (faults.length > 0) return faults;
  const shared = new Map<string, NamedMembers>();
  return new Map(read.map(({ name, rules }) => [name, makeAccess(kinds, name, rules, markOf, shared)]));
}
