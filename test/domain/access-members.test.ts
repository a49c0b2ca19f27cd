import { expect } from 'chai';
import fc from 'fast-check';
import { json } from '../../src/adapters/formats/json/json.ts';
import { type Format, runToEnd } from '../../src/adapters/formats/port/format.ts';
import { xml } from '../../src/adapters/formats/xml/xml.ts';
import type { KindRules } from '../../src/domain/access/profile.ts';
import type { MemberNames } from '../../src/domain/find/access.ts';
import { maxUserBytes, type User } from '../../src/domain/kinds/user/user.ts';
import { ReadInput } from '../../src/domain/resource/build.ts';
import type { Stored } from '../../src/domain/resource/stored.ts';
import { isObject } from '../../src/domain/validation/plain-values.ts';
import { outcome } from '../contract/refusals.ts';
import {
  type Content,
  contentOf,
  directory,
  document,
  limitedBy,
  unlimited,
  userKind,
} from '../support/limited-users.ts';
import { runs } from '../support/runs.ts';
import { anyUser, attributeName } from '../support/users.ts';

const formats: readonly Format[] = [json, xml];

/** By dotted path: the values of members that are no objects. */
function leavesOf(value: object, before = ''): ReadonlyMap<string, unknown> {
  const leaves = Object.entries(value).flatMap(([name, member]) =>
    isObject(member) ? [...leavesOf(member, `${before}${name}.`)] : [[`${before}${name}`, member] as const],
  );
  return new Map(leaves);
}

const names = (all: MemberNames, path: string): boolean =>
  all === '*' || all.some((name) => path === name || path.startsWith(`${name}.`));
const isVisible = ({ read, except = [] }: KindRules, path: string): boolean =>
  names(read, path) && !names(except, path);
const isWritable = (rules: KindRules, path: string): boolean =>
  isVisible(rules, path) && names(rules.write ?? [], path);

const nested = [
  ...['name.familyName', 'name.givenName', 'enterprise.department', 'enterprise.manager'],
  ...['enterprise.manager.value', 'attributes.badge', 'attributes.sites', 'attributes.constructor'],
];
const topLevel = Object.keys(userKind.schema.properties).filter((name) => !['id', 'meta'].includes(name));
const someNames = fc.oneof(
  fc.subarray([...topLevel, ...nested]),
  fc.subarray(nested),
  fc.uniqueArray(attributeName.map((name) => `attributes.${name}`)),
);
const allOrSome = fc.oneof(fc.constant('*' as const), someNames);
const anyRules: fc.Arbitrary<KindRules> = fc.record({ read: allOrSome, except: someNames, write: allOrSome });

const validity = fc.record(
  {
    validFrom: fc.constant('2001-02-03T04:05:06.789Z'),
    validUntil: fc.constant('2901-02-03T04:05:06.789Z'),
  },
  { requiredKeys: [] },
);
const typed = fc.record(
  {
    badge: fc.integer({ min: 1, max: 99 }),
    sites: fc.uniqueArray(fc.constantFrom('A', 'B'), { minLength: 1 }),
  },
  { requiredKeys: [] },
);
const aPerson = fc.tuple(anyUser(), typed, validity).map(([user, more, valid]): User => {
  const { attributes: texts, ...rest } = user;
  const attributes = { ...texts, ...more };
  return { ...rest, ...valid, ...(Object.keys(attributes).length > 0 && { attributes }) } as User;
});

/** A part of a document: members, and members of objects. */
const partOf = (value: Content): fc.Arbitrary<Content> =>
  fc.record(
    Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        isObject(member) ? partOf(member) : fc.constant(member),
      ]),
    ),
    { requiredKeys: [] },
  ) as fc.Arbitrary<Content>;

const withoutEmpty = (value: Content): Content =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const kept = isObject(member) ? withoutEmpty(member) : member;
      return isObject(kept) && Object.keys(kept).length === 0 ? [] : [[name, kept]];
    }),
  );

/** Members of both, so that a body often has what is stored. */
const mix = (one: Content, other: Content): fc.Arbitrary<Content> =>
  fc.tuple(partOf(one), partOf(other)).map(([first, second]) => merge(first, second));
const merge = (one: Content, other: Content): Content =>
  Object.fromEntries([
    ...Object.entries(one),
    ...Object.entries(other).map(([name, member]) => {
      const old = one[name];
      return [name, isObject(member) && isObject(old) ? merge(old, member) : member];
    }),
  ]);

/** What is stored, a profile, and a body. Both together are no larger than a user may be. */
const cases = fc
  .record({ user: aPerson, other: aPerson, rules: anyRules })
  .filter(({ user, other }) => Buffer.byteLength(JSON.stringify([user, other])) < maxUserBytes)
  .chain(({ user, other, rules }) =>
    fc.record({
      ...{ user: fc.constant(user), rules: fc.constant(rules), isCareful: fc.boolean() },
      body: mix(contentOf(user), contentOf(other)).map(withoutEmpty),
    }),
  );

const pick = (value: Content, isPicked: (path: string) => boolean, before = ''): Content =>
  withoutEmpty(
    Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        const path = `${before}${name}`;
        if (isObject(member)) return [[name, pick(member, isPicked, `${path}.`)]];
        return isPicked(path) ? [[name, member]] : [];
      }),
    ),
  );

const replaceLeaves = (value: Content, by: (leaf: unknown) => unknown): Content =>
  Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isObject(member) ? replaceLeaves(member, by) : by(member),
    ]),
  );

type Leaves = ReadonlyMap<string, unknown>;
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What a write must be refused with, if it has no other mistake. @param next of visible members, after the write */
function refusal(rules: KindRules, before: Leaves, body: Leaves, next: Leaves) {
  if ([...body.keys()].some((path) => !isVisible(rules, path))) return 'attribute-hidden';
  const paths = [...before.keys(), ...next.keys()].filter((path) => isVisible(rules, path));
  const changed = paths.filter((path) => !isSame(before.get(path), next.get(path)));
  return changed.every((path) => isWritable(rules, path)) ? undefined : 'attribute-read-only';
}

const sorted = (leaves: Leaves): unknown => [...leaves].sort(([one], [other]) => (one < other ? -1 : 1));
const filter = (leaves: Leaves, isKept: (path: string) => boolean): Leaves =>
  new Map([...leaves].filter(([path]) => isKept(path)));

interface Outcome {
  readonly done: Stored<User> | string;
  /** The code of a refusal. */
  readonly expected: string | undefined;
  readonly before: Leaves;
  readonly next: Leaves;
}

/** A body without a userName is as invalid as everybody's. */
function expectOutcome({ done, expected, before, next }: Outcome, after: Content): void {
  const code = expected ?? (next.has('userName') ? undefined : 'invalid-user');
  expect(typeof done === 'string' ? done : undefined).to.equal(code);
  expect(sorted(leavesOf(after))).to.deep.equal(sorted(code === undefined ? next : before));
}

/** What a client reads, prints in a format and sends. */
function sendBack(format: Format, seen: Stored<User>, contract: string | undefined): ReadInput {
  const { schema, naming } = document;
  const { transcoder, print } = format.codec<unknown>(schema, naming);
  const printed = print(JSON.parse(seen.shown));
  expect(transcoder?.print(seen.shown) ?? printed).to.equal(printed);
  const narrowed = userKind.projectionFor({ contract })?.narrow(schema) ?? schema;
  return new ReadInput(runToEnd(format.codec(narrowed, naming).read(Buffer.from(printed))));
}

describe('A caller whose profile limits members', () => {
  it('sees exactly the visible ones, whatever members the user has and the profile names', async () => {
    await fc.assert(
      fc.asyncProperty(aPerson, anyRules, async (user, rules) => {
        const all = directory();
        const { id } = await all.create(unlimited, user);
        const stored = await all.read(unlimited, id);
        const seen = await all.read(limitedBy(rules), id);
        expect({ id: seen.id, meta: seen.meta }).to.deep.equal({ id, meta: stored.meta });
        expect(sorted(leavesOf(contentOf(seen.value)))).to.deep.equal(
          sorted(filter(leavesOf(contentOf(stored.value)), (path) => isVisible(rules, path))),
        );
      }),
      { numRuns: runs(500) },
    );
  });

  it('replaces only the writable ones, and is refused if it names or would change others', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ user, rules, body: any, isCareful }) => {
        const all = directory();
        const { id } = await all.create(unlimited, user);
        const before = leavesOf(await all.stored(id));
        const sent = leavesOf(any);
        const isHarmless = (path: string) =>
          isWritable(rules, path) || (isVisible(rules, path) && isSame(sent.get(path), before.get(path)));
        const body = isCareful ? pick(any, isHarmless) : any;
        const given = leavesOf(body);
        const isKept = (path: string) => !isWritable(rules, path) || path === 'active';
        const next = new Map([...filter(before, isKept), ...given]);
        const expected = refusal(rules, before, given, next);
        const done = await outcome(all.replace(limitedBy(rules), id, body));
        expectOutcome({ done, expected, before, next }, await all.stored(id));
      }),
      { numRuns: runs(1000) },
    );
  });

  it('patches only the writable ones, and is refused if it names or would change or remove others', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.infiniteStream(fc.boolean()), async (one, removes) => {
        const { user, rules, body: any, isCareful } = one;
        const all = directory();
        const { id } = await all.create(unlimited, user);
        const before = leavesOf(await all.stored(id));
        const chosen = isCareful ? pick(any, (path) => isWritable(rules, path)) : any;
        const patch = replaceLeaves(chosen, (value) => (removes.next().value ? null : value));
        const given = leavesOf(patch);
        const merged = new Map([...before, ...given].filter(([path]) => given.get(path) !== null));
        const expected = refusal(rules, before, given, merged);
        const done = await outcome(all.patch(limitedBy(rules), id, patch));
        const active = ['active', merged.get('active') ?? before.get('active')] as const;
        expectOutcome({ done, expected, before, next: new Map([...merged, active]) }, await all.stored(id));
      }),
      { numRuns: runs(1000) },
    );
  });

  it('changes nothing if it sends back what it has read, in each format, also if it is pinned', async () => {
    const version = fc.constantFrom(undefined, '1.12', '1.13');
    await fc.assert(
      fc.asyncProperty(aPerson, anyRules, version, async (user, rules, contract) => {
        const all = directory();
        const caller = limitedBy(rules, contract);
        const { id } = await all.create(unlimited, user);
        const before = await all.stored(id);
        for (const format of formats) {
          const input = sendBack(format, await all.read(caller, id), contract);
          for (const write of [all.replace, all.patch]) await write(caller, id, input);
          await all.change(caller, id, () => input);
          expect(await all.stored(id)).to.deep.equal(before);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('creates a user with any visible members, and none with another', async () => {
    await fc.assert(
      fc.asyncProperty(aPerson, anyRules, async (user, rules) => {
        const all = directory();
        const body = contentOf(user);
        const isAllowed = [...leavesOf(body).keys()].every((path) => isVisible(rules, path));
        const done = await outcome(all.create(limitedBy(rules), body));
        expect(typeof done === 'string' ? done : 'created').to.equal(
          isAllowed ? 'created' : 'attribute-hidden',
        );
      }),
      { numRuns: runs(300) },
    );
  });
});
