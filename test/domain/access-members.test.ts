import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { defineUsers } from '../../src/adapters/apis/users/index.ts';
import { json } from '../../src/adapters/formats/json/json.ts';
import { type Format, runToEnd } from '../../src/adapters/formats/port/format.ts';
import { xml } from '../../src/adapters/formats/xml/xml.ts';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import type { Access, MemberNames } from '../../src/domain/access/access.ts';
import { type KindRules, makeAccess } from '../../src/domain/access/profile.ts';
import { projectChange } from '../../src/domain/changes/change.ts';
import { maxUserBytes, type User } from '../../src/domain/kinds/user/user.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import type { Caller } from '../../src/domain/ports.ts';
import { ReadInput } from '../../src/domain/resource/build.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { users } from '../../src/domain/users.ts';
import type { DomainError } from '../../src/domain/validation/errors.ts';
import { isObject } from '../../src/domain/validation/plain-values.ts';
import { outcome, refused } from '../contract/refusals.ts';
import { aUser } from '../support/a-user.ts';
import { declarations } from '../support/declared.ts';
import { runs } from '../support/runs.ts';
import { anyUser, attributeName } from '../support/users.ts';

const kinds = kindsOf(declarations);
const userKind = kinds.of('user');
const { document } = defineUsers(kinds);
const formats: readonly Format[] = [json, xml];

const author = { client: 'a', via: 'test' };
const unlimited: Caller = { id: 'a', via: 'test', scopes: new Set(['users:read', 'users:write']) };
const limitedBy = (rules: KindRules, contract?: string): Caller => {
  const access: Access = makeAccess(kinds, 'p', new Map([['user', rules]]), () => 'mark');
  return { ...unlimited, access, contract };
};

function directory() {
  const store = memoryStore(kinds);
  const clock = { now: () => new Date() };
  const all = users(store, clock, { id: randomUUID, version: randomUUID }, kinds);
  const stored = async (id: string): Promise<Content> => contentOf((await all.read(unlimited, id)).value);
  return { ...all, store, stored };
}

type Content = Readonly<Record<string, unknown>>;
function contentOf(user: object): Content {
  const { id: _id, meta: _meta, ...content } = user as User;
  return content;
}

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
  it('sees exactly the visible ones, whatever the user has and the profile names', async () => {
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

  it('replaces the writable ones alone, and is refused if it names or would change others', async () => {
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

  it('patches the writable ones alone, and is refused if it names or would change or remove others', async () => {
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

const hidingSome: KindRules = {
  read: ['userName', 'name', 'active', 'title', 'attributes.badge', 'validUntil'],
  except: ['name.familyName'],
  write: ['name', 'title', 'attributes', 'validUntil'],
};
const ada = {
  ...{ userName: 'ada', name: { familyName: 'Lovelace', givenName: 'Ada' }, title: 'Countess' },
  ...{ emails: [{ value: 'ada@example.com' }], attributes: { badge: 7, level: 'senior', locker: 'B4' } },
};
const pointersOf = ({ violations }: DomainError): readonly string[] =>
  violations.map(({ pointer }) => pointer);

describe('A member that a profile hides', () => {
  const hiding = limitedBy(hidingSome);
  const named = {
    emails: null,
    name: { givenName: 'Eve', familyName: '' },
    attributes: { badge: 'none', locker: null, other: 'x' },
    titel: 'x',
  };

  it('is refused by its name, whatever its value and whatever else is wrong, in each format', async () => {
    const all = directory();
    const { id } = await all.create(unlimited, ada);
    const pointers = ['/emails', '/name/familyName', '/attributes/locker', '/attributes/other'];
    const { naming, schema } = document;
    const inXml =
      '<user><emails/><name><givenName>Eve</givenName><familyName/></name><attributes><attribute name="badge">none</attribute>' +
      '<attribute name="locker"/><attribute name="other">x</attribute></attributes><titel/></user>';
    const read = new ReadInput(runToEnd(xml.codec(schema, naming).read(Buffer.from(inXml))));
    for (const input of [named, read])
      for (const write of [
        all.create(hiding, input),
        all.replace(hiding, id, input),
        all.patch(hiding, id, input),
        all.change(hiding, id, () => input),
      ]) {
        const error = await refused(write, 'attribute-hidden');
        expect(pointersOf(error)).to.deep.equal(pointers);
        expect(JSON.stringify([error.message, error.violations])).not.to.match(/Eve|none|Lovelace|B4/);
      }
    expect(await all.stored(id)).to.deep.include(ada);
  });

  it('is refused in XML, too, if it is repeated or in another namespace', async () => {
    const all = directory();
    for (const inXml of ['<user><emails/><emails/></user>', '<user><emails xmlns="urn:x"/></user>']) {
      const read = runToEnd(xml.codec(document.schema, document.naming).read(Buffer.from(inXml)));
      const error = await refused(all.create(hiding, new ReadInput(read)), 'attribute-hidden');
      expect(pointersOf(error)).to.deep.equal(['/emails']);
    }
  });

  it('stays with the object that it is in, whose visible members are removed', async () => {
    const all = directory();
    const { id } = await all.create(unlimited, ada);
    await all.patch(hiding, id, { name: null, attributes: null });
    const { badge: _, ...others } = ada.attributes;
    const kept = { ...ada, name: { familyName: 'Lovelace' }, attributes: others, active: true };
    expect(await all.stored(id)).to.deep.equal(kept);
    await all.replace(hiding, id, { userName: 'ada', title: 'Countess' });
    expect(await all.stored(id)).to.deep.equal(kept);
  });

  it('is not suggested, nor required, nor told by its size or by a date that another member must keep to', async () => {
    const all = directory();
    const { id } = await all.create(unlimited, { ...ada, active: false, validFrom: '2900-01-01T00:00:00Z' });
    const caller = limitedBy({ read: ['active', 'title', 'attributes.a'], write: '*' });
    const textOf = async (patch: object): Promise<string> => {
      const { message, violations } = await refused(all.patch(caller, id, patch), 'invalid-user');
      return JSON.stringify([message, violations]);
    };
    expect(await textOf({ displayname: 'x' })).to.include('is not known here"');
    expect(await textOf({ active: true })).to.include('must not be true now');
    const full = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`b${at}`, 'x'.repeat(1024)]));
    await all.patch(unlimited, id, { attributes: full });
    expect(await textOf({ attributes: { a: 'x'.repeat(1024) } })).to.include('is too large');
    await all.replace(caller, id, { title: 'x' });
    expect((await all.stored(id)).userName).to.equal('ada');
  });

  it('counts among the entries of a map, of which there may be no more than for other callers', async () => {
    const all = directory();
    const entries = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`a${at}`, 'x']));
    const { id } = await all.create(unlimited, { userName: 'ada', attributes: entries });
    const caller = limitedBy({ read: ['userName', 'attributes.b'], write: '*' });
    const error = await refused(all.patch(caller, id, { attributes: { b: 'x' } }), 'invalid-user');
    expect(error.violations).to.deep.equal([
      { pointer: '/attributes', detail: 'must have at most 64 entries' },
    ]);
    expect((await all.stored(id)).attributes).to.deep.equal(entries);
  });

  it('keeps a limited caller from replacing a user that cannot be read, so that it is not lost', async () => {
    const all = directory();
    const { id, text } = await all.create(unlimited, ada);
    all.store.commit = () => Promise.reject(new Error('nothing is to be written'));
    for (const damaged of [text.slice(0, -1), text.replace(/"name":\{[^}]*\}/, '"name":"x"')]) {
      const stored = new Stored<User>(damaged);
      all.store.find = () => Promise.resolve(stored);
      await refused(all.replace(hiding, id, { userName: 'ada' }), 'damaged');
    }
  });

  it('is not told by changes: neither its pointer and values, nor the name of a user', () => {
    const caller = limitedBy({ read: ['title', 'attributes.badge'] });
    const projection = userKind.projectionFor(caller);
    const change = {
      changed: ['/userName', '/title', '/attributes/badge', '/attributes/locker', '/name/familyName'],
      values: { label: 'ada', before: { userName: 'eve', title: 'x' }, after: ada },
    };
    expect(projection && projectChange(userKind, projection, change)).to.deep.equal({
      changed: ['/title', '/attributes/badge'],
      values: { before: { title: 'x' }, after: { title: 'Countess', attributes: { badge: 7 } } },
    });
  });

  it('is refused to a pinned client as unknown if only its version of the contract lacks it', async () => {
    const all = directory();
    const instant = { validUntil: '2900-01-01T00:00:00.000Z' };
    const { id } = await all.create(unlimited, { ...ada, ...instant });
    const pinned = limitedBy(hidingSome, '1.12');
    await refused(all.patch(pinned, id, instant), 'invalid-user');
    await refused(all.patch(pinned, id, { validFrom: null }), 'attribute-hidden');
    await all.replace(pinned, id, { userName: 'ada', attributes: { badge: '8' } });
    const attributes = { ...ada.attributes, badge: 8 };
    const { title: _, ...others } = ada;
    const kept = { ...others, ...instant, attributes, name: { familyName: 'Lovelace' }, active: true };
    expect(await all.stored(id)).to.deep.equal(kept);
  });
});

describe('A member that a profile shows and does not let a caller change', () => {
  const showing = limitedBy({
    read: '*',
    write: ['title', 'name.givenName', 'attributes.level', 'validUntil'],
  });
  let all: ReturnType<typeof directory>;
  let id: string;

  beforeEach(async () => {
    all = directory();
    id = (await all.create(unlimited, ada)).id;
  });

  it('is named with its pointer when a write would change or remove it, before other violations', async () => {
    const body = {
      ...{ userName: 'eve', emails: 'none', name: { givenName: 'Eve', familyName: 'x' }, active: false },
      ...{ attributes: { badge: 'x', level: 'unknown', locker: 'B4', other: 'y' } },
    };
    const pointers = ['/userName', '/name/familyName', '/active', '/emails', '/attributes/badge'];
    for (const write of [all.replace, all.patch]) {
      const error = await refused(write(showing, id, body), 'attribute-read-only');
      expect(pointersOf(error)).to.have.members([...pointers, '/attributes/other']);
      expect(JSON.stringify(error.violations)).not.to.include('Lovelace');
    }
    for (const [patch, pointer] of [
      [{ emails: null }, '/emails'],
      [{ name: null }, '/name/familyName'],
      [{ attributes: { locker: '' } }, '/attributes/locker'],
    ] as const)
      expect(pointersOf(await refused(all.patch(showing, id, patch), 'attribute-read-only'))).to.deep.equal([
        pointer,
      ]);
    expect(await all.stored(id)).to.deep.equal({ ...ada, active: true });
  });

  it('stays when a replacement leaves it out, or an edit that says that it is one', async () => {
    const body = { name: { givenName: 'A.' }, attributes: { badge: '7' }, emails: [] };
    const { level: _, ...attributes } = ada.attributes;
    const { title: __, ...others } = ada;
    const kept = { ...others, name: { familyName: 'Lovelace', givenName: 'A.' }, attributes, active: true };
    await all.replace(showing, id, body);
    expect(await all.stored(id)).to.deep.equal(kept);
    const edit = () => new ReadInput({ value: body, violations: [], isReplacement: true });
    await all.change(showing, id, edit);
    expect(await all.stored(id)).to.deep.equal(kept);
    await refused(
      all.change(showing, id, () => body),
      'attribute-read-only',
    );
  });

  it('need not pass the rules of today, beside a member of the same object that changes', async () => {
    const user = aUser({
      userName: 'eve',
      name: { familyName: 'x'.repeat(1000) },
      profileUrl: 'javascript:x',
    });
    await all.store.commit([{ kind: 'user', id: user.id, op: 'create', next: Stored.of(user) }], author);
    await all.patch(showing, user.id, { name: { givenName: 'Eve' } });
    expect((await all.stored(user.id)).name).to.deep.equal({ ...user.name, givenName: 'Eve' });
  });

  it('follows from another: a user ends with validUntil, whoever may not deactivate users', async () => {
    await all.patch(showing, id, { validUntil: '2001-01-01T00:00:00Z' });
    expect((await all.stored(id)).active).to.equal(false);
  });

  it('may be set in a new user', async () => {
    const eve = { ...ada, userName: 'eve', active: false, attributes: { badge: 8 } };
    expect(contentOf((await all.create(showing, eve)).value)).to.deep.equal(eve);
  });
});
