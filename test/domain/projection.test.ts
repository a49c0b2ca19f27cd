import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import Type, { type TSchema } from 'typebox';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { defineKind, type Kind } from '../../src/domain/kinds/kind.ts';
import { kindsOf, makeKinds } from '../../src/domain/kinds.ts';
import type { Caller } from '../../src/domain/ports.ts';
import { list, objectOf, text } from '../../src/domain/resource/annotations.ts';
import { idType, Meta } from '../../src/domain/resource/resource.ts';
import { resources } from '../../src/domain/use-cases/resources.ts';
import { refused } from '../contract/refusals.ts';
import { runs } from '../support/runs.ts';

/** A member as a plain model has it: the minor version that added it, and what it is. */
interface Member {
  readonly since: number;
  readonly is: 'text' | 'flag' | 'list' | 'map' | readonly Grown[];
}
type Grown = readonly [name: string, member: Member];
type Value = Readonly<Record<string, unknown>>;

/** Few names, so that nested members and entries of maps share them. */
const name = fc.constantFrom('a', 'b', 'c', 'd');
const since = fc.integer({ min: 12, max: 15 });
const simple = fc.constantFrom('text', 'flag', 'list', 'map');
const membersOf = <T extends Member['is']>(is: fc.Arbitrary<T>) =>
  fc.uniqueArray(fc.tuple(name, fc.record({ since, is })), { minLength: 1, selector: ([one]) => one });
const grown: fc.Arbitrary<readonly Grown[]> = membersOf(fc.oneof(simple, membersOf(simple)));

function schemaOf({ since: version, is }: Member): TSchema {
  const more = { since: `1.${version}` };
  if (is === 'text') return Type.Optional(text(64, 'x', more));
  if (is === 'flag') return Type.Optional(Type.Boolean(more));
  if (is === 'list') return list('item', 3, text(64), more);
  if (is === 'map')
    return Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-d]$' }), text(64), { additionalProperties: false, ...more }),
    );
  return Type.Optional(objectOf('x', schemasOf(is), more));
}

const schemasOf = (members: readonly Grown[]) =>
  Object.fromEntries(members.map(([member, rest]) => [member, schemaOf(rest)]));

const words = fc.constantFrom('x', '"a":1', '\\', ',"meta":{', '}');

function anyValue({ is }: Member): fc.Arbitrary<unknown> {
  if (is === 'text') return words;
  if (is === 'flag') return fc.boolean();
  if (is === 'list') return fc.array(words, { minLength: 1, maxLength: 3 });
  if (is === 'map') return fc.dictionary(name, words, { minKeys: 1 });
  return anyDocument(is).filter((value) => Object.keys(value).length > 0);
}

const anyDocument = (members: readonly Grown[]): fc.Arbitrary<Value> =>
  fc.record(Object.fromEntries(members.map(([member, rest]) => [member, anyValue(rest)])), {
    requiredKeys: [],
  }) as fc.Arbitrary<Value>;

/** The part of a value that a version knows, or the part that it does not know. */
function part(members: readonly Grown[], value: Value, version: number, isKnown: boolean): Value {
  const found = members.flatMap(([member, { since: added, is }]) => {
    const given = value[member];
    if (given === undefined) return [];
    if (added > version) return isKnown ? [] : [[member, given] as const];
    if (typeof is === 'string') return isKnown ? [[member, given] as const] : [];
    const inner = part(is, given as Value, version, isKnown);
    return Object.keys(inner).length === 0 ? [] : [[member, inner] as const];
  });
  return Object.fromEntries(found);
}

/** Schemas, documents of them before and after a change, and a version. */
const cases = grown.chain((members) =>
  fc.record({
    members: fc.constant(members),
    before: anyDocument(members),
    after: anyDocument(members),
    version: fc.integer({ min: 12, max: 14 }),
  }),
);

function directoryOf(members: readonly Grown[]) {
  const properties = { serial: text(64), ...schemasOf(members) };
  const id = idType('x');
  const options = { additionalProperties: false };
  const schema = Type.Object({ id, ...properties, meta: Meta }, options);
  const kind = defineKind({
    ...{ name: 'device', schema, input: Type.Object({ id: Type.Optional(id), ...properties }, options) },
    ...{ readOnly: ['meta'], maxBytes: 4096, filters: {} },
    unique: {
      ...{ member: 'serial', map: (serial: string) => serial, version: 1, taken: 'serial-taken' },
      findFault: () => undefined,
    },
  } as unknown as Parameters<typeof defineKind>[0]) as unknown as Kind<never, { id?: string }>;
  const store = memoryStore(makeKinds([kind as unknown as Kind, ...kindsOf().all]));
  const clock = { now: () => new Date() };
  return resources({ kind, storeFor: () => store, clock, ids: { id: randomUUID, version: randomUUID } });
}

const callerOf = (contract?: string): Caller => ({
  ...{ id: 'client', via: 'test', contract },
  scopes: new Set(['devices:read', 'devices:write']) as unknown as Caller['scopes'],
});
const contentOf = ({ value }: { readonly value: object }): Value => {
  const { id: _id, meta: _meta, serial: _serial, ...content } = value as Value;
  return content;
};

describe('A client of an earlier version, of a schema that has grown since,', () => {
  const unpinned = callerOf();

  it('never sees, loses or changes members that it does not know, whatever it sends', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ members, before, after, version }) => {
        const directory = directoryOf(members);
        const pinned = callerOf(`1.${version}`);
        const known = (value: Value) => part(members, value, version, true);
        const { id } = await directory.create(unpinned, { serial: 's', ...before });
        expect(contentOf(await directory.read(pinned, id))).to.deep.equal(known(before));
        const written = await directory.replace(pinned, id, { serial: 's', ...known(after) });
        expect(contentOf(written)).to.deep.equal(known(after));
        const stored = contentOf(await directory.read(unpinned, id));
        expect(known(stored)).to.deep.equal(known(after));
        expect(part(members, stored, version, false)).to.deep.equal(part(members, before, version, false));
      }),
      { numRuns: runs(300) },
    );
  });

  it('never sees, loses or changes them with a patch; one that names such a member is refused', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ members, before, after, version }) => {
        const directory = directoryOf(members);
        const pinned = callerOf(`1.${version}`);
        const { id } = await directory.create(unpinned, { serial: 's', ...before });
        const [known, unknown] = [true, false].map((isKnown) => part(members, after, version, isKnown));
        const patched = directory.patch(pinned, id, after);
        if (Object.keys(unknown ?? {}).length > 0) await refused(patched, 'invalid-device');
        else await patched;
        await directory.patch(pinned, id, known);
        const stored = contentOf(await directory.read(unpinned, id));
        expect(part(members, stored, version, false)).to.deep.equal(part(members, before, version, false));
        expect(contentOf(await directory.read(pinned, id))).to.deep.equal(
          part(members, stored, version, true),
        );
        expect(part(members, stored, version, true)).to.deep.include(
          Object.fromEntries(Object.entries(known ?? {}).filter(([, value]) => typeof value !== 'object')),
        );
      }),
      { numRuns: runs(300) },
    );
  });
});
