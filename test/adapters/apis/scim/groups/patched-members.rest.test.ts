import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../../../support/runs.ts';
import { type Ask, expectError, type Json, nobody, patchOf } from '../scim-client.ts';
import {
  aGroup,
  createGroup,
  createUsers,
  giveGroups,
  groupIn,
  groupUrn,
  membersOf,
  onEachStore,
  type ShownGroup,
  valuesOf,
} from './group-client.ts';

/** A request, and what it makes of the set of members. */
interface Step {
  readonly method: 'PATCH' | 'PUT';
  /** Left out of a PUT: members stay. */
  readonly operations: readonly MembersOperation[];
}

type MembersOperation = readonly [
  spelling: Spelling,
  /** Of users. */
  which: readonly number[],
];

type Spell = (ids: readonly string[]) => Json | readonly Json[];
type Effect = (members: ReadonlySet<string>, ids: readonly string[]) => Iterable<string>;

const add: Effect = (members, ids) => [...members, ...ids];
const remove: Effect = (members, ids) => [...members].filter((id) => !ids.includes(id));
const replace: Effect = (_, ids) => ids;
const none: Effect = () => [];
const keep: Effect = (members) => members;
const quoted = (ids: readonly string[], join: string) => ids.map((id) => `value eq "${id}"`).join(join);

/** Every shape that providers and other clients send, with its meaning. */
const spellings = {
  'a list to add': [(ids) => ({ op: 'add', path: 'members', value: valuesOf(ids) }), add],
  "Entra ID's own": [(ids) => ({ op: 'Add', path: 'members', value: valuesOf(ids) }), add],
  'one object to add': [(ids) => ids.map((value) => ({ op: 'ADD', path: 'members', value: { value } })), add],
  'ids to add': [(ids) => ({ op: 'add', path: 'Members', value: ids }), add],
  'one id to add': [(ids) => ids.map((value) => ({ op: 'add', path: 'members', value })), add],
  'a path with the URN': [(ids) => ({ op: 'add', path: `${groupUrn}:members`, value: valuesOf(ids) }), add],
  'no path to add': [(ids) => ({ op: 'add', value: { members: valuesOf(ids) } }), add],
  'no path, below the URN': [
    (ids) => ({ op: 'add', value: { [groupUrn]: { members: valuesOf(ids) } } }),
    add,
  ],
  'members with all that they have': [
    (ids) => ({
      op: 'add',
      path: 'members',
      value: ids.map((value) => ({ value, type: 'User', display: 'x', $ref: 'y' })),
    }),
    add,
  ],
  'a filter for each': [
    (ids) => ids.map((id) => ({ op: 'Remove', path: `members[value eq "${id}"]` })),
    remove,
  ],
  'a filter for all of them': [
    (ids) => (ids.length === 0 ? [] : { op: 'remove', path: `members[${quoted(ids, ' or ')}]` }),
    remove,
  ],
  'a list to remove': [(ids) => ({ op: 'Remove', path: 'members', value: valuesOf(ids) }), remove],
  'one object to remove': [
    (ids) => ids.map((value) => ({ op: 'remove', path: 'members', value: { value } })),
    remove,
  ],
  'ids in capitals to remove': [
    (ids) => ({ op: 'remove', path: 'members', value: valuesOf(ids.map((id) => id.toUpperCase())) }),
    remove,
  ],
  'nothing to remove': [
    () => ['', null, []].map((value) => ({ op: 'remove', path: 'members', value })),
    keep,
  ],
  'nothing to add': [() => ['', null, []].map((value) => ({ op: 'add', path: 'members', value })), keep],
  'all of them': [() => ({ op: 'remove', path: 'members' }), none],
  'a list to replace': [(ids) => ({ op: 'Replace', path: 'members', value: valuesOf(ids) }), replace],
  'no path to replace': [(ids) => ({ op: 'replace', value: { members: valuesOf(ids) } }), replace],
  "Okta's name and id": [
    () => ({ op: 'replace', value: { id: nobody, displayName: 'Renamed by Okta' } }),
    keep,
  ],
} satisfies Readonly<Record<string, readonly [Spell, Effect]>>;
type Spelling = keyof typeof spellings;

const userCount = 6;
const step: fc.Arbitrary<Step> = fc.record({
  method: fc.constantFrom('PATCH', 'PATCH', 'PATCH', 'PUT'),
  operations: fc.array(
    fc.tuple(
      fc.constantFrom(...(Object.keys(spellings) as Spelling[])),
      fc.array(fc.nat({ max: userCount - 1 }), { maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 5 },
  ),
});

/** A PUT has the members of its first operation, or none in its body if that keeps them. */
function requestOf({ method, operations }: Step, users: readonly string[]): Json | undefined {
  const idsOf = (which: readonly number[]) => which.map((at) => users[at] ?? '');
  if (method === 'PATCH') {
    const sent = operations.flatMap(([spelling, which]) => spellings[spelling][0](idsOf(which)));
    return sent.length === 0 ? undefined : patchOf(...sent);
  }
  const [[spelling, which] = ['all of them', []] as const] = operations;
  const isKept = (spellings[spelling][1] as Effect) === keep;
  return aGroup(isKept ? {} : { members: valuesOf(idsOf(which)) });
}

function expectedOf({ method, operations }: Step, members: ReadonlySet<string>, users: readonly string[]) {
  const idsOf = (which: readonly number[]) => which.map((at) => users[at] ?? '');
  const applied = method === 'PUT' ? operations.slice(0, 1) : operations;
  return applied.reduce<ReadonlySet<string>>((before, [spelling, which]) => {
    const effect: Effect = spellings[spelling][1];
    return new Set((method === 'PUT' && effect !== keep ? replace : effect)(before, idsOf(which)));
  }, members);
}

describe('A PATCH of the members of a group', () => {
  onEachStore((store) => {
    let ask: Ask;
    let users: readonly string[];
    giveGroups(store, (its) => {
      ask = its;
    });
    before(async () => {
      users = [...(await createUsers(ask, userCount))].sort();
    });

    it('has the effect of its operations on a set, one after the other, in every spelling, and so does a PUT', async () => {
      let group: ShownGroup = await createGroup(ask);
      let members: ReadonlySet<string> = new Set();
      let { version } = group.meta;
      const check = async (one: Step) => {
        const body = requestOf(one, users);
        if (body === undefined) return;
        const answer = await ask(`/Groups/${group.id}`, { method: one.method, body });
        expect(answer.status, `${JSON.stringify(body)} ${answer.text}`).to.equal(
          one.method === 'PUT' ? 200 : 204,
        );
        const before = [...members].sort();
        members = expectedOf(one, members, users);
        const after = await ask(`/Groups/${group.id}`);
        group = groupIn(after);
        const shown = group.members?.map(({ value }) => value);
        expect(shown, JSON.stringify(body)).to.deep.equal([...members].sort());
        if (shown?.join() !== before.join()) expect(group.meta.version).not.to.equal(version);
        version = group.meta.version;
      };
      // Each goes on from what the one before has left: as a failure it is told with that.
      for (const one of fc.sample(step, runs(store === 'MongoDB' ? 500 : 5000))) await check(one);
    });

    it('is answered with the resource when attributes are requested', async () => {
      const { id } = await createGroup(ask);
      const body = patchOf({ op: 'add', path: 'members', value: valuesOf(users.slice(0, 1)) });
      const brief = await ask(`/Groups/${id}`, { method: 'PATCH', body });
      expect([brief.status, brief.text]).to.deep.equal([204, '']);
      const answer = await ask(`/Groups/${id}?attributes=members.value`, { method: 'PATCH', body });
      expect(answer.json()).to.deep.equal({ schemas: [groupUrn], id, members: valuesOf(users.slice(0, 1)) });
    });

    it('changes members and attributes together, or nothing', async () => {
      const { id, displayName } = await createGroup(ask, { members: valuesOf(users.slice(0, 1)) });
      const rename = { op: 'replace', path: 'displayName', value: `${displayName} renamed` };
      const addOne = { op: 'add', path: 'members', value: valuesOf(users.slice(1, 2)) };
      const both = await ask(`/Groups/${id}`, { method: 'PATCH', body: patchOf(rename, addOne) });
      expect(both.status).to.equal(204);
      const after = groupIn(await ask(`/Groups/${id}`));
      expect([after.displayName, after.members?.length]).to.deep.equal([rename.value, 2]);
      const unknown = { op: 'add', path: 'members', value: valuesOf([nobody]) };
      const wrong = { op: 'replace', path: 'displayName', value: '' };
      for (const operations of [
        [{ ...rename, value: 'Never' }, unknown],
        [{ op: 'remove', path: 'members' }, wrong],
        [
          { op: 'remove', path: 'members' },
          { op: 'remove', path: 'displayName' },
        ],
      ])
        expect(
          (await ask(`/Groups/${id}`, { method: 'PATCH', body: patchOf(...operations) })).status,
        ).to.equal(400);
      expect(groupIn(await ask(`/Groups/${id}`))).to.deep.equal(after);
    });

    it('keeps the effect of each of fifty simultaneous requests', async () => {
      const { id } = await createGroup(ask);
      const all = await createUsers(ask, 50);
      const answers = await Promise.all(
        all.map((user) => {
          const body = patchOf({ op: 'Add', path: 'members', value: valuesOf([user]) });
          return ask(`/Groups/${id}`, { method: 'PATCH', body });
        }),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal(all.map(() => 204));
      expect(await membersOf(ask, id)).to.deep.equal([...all].sort());
    });
  });

  describe('with an unsupported shape', () => {
    let ask: Ask;
    let users: readonly string[];
    giveGroups('memory', (its) => {
      ask = its;
    });
    before(async () => {
      users = await createUsers(ask, 2);
    });

    const shapes = (user: string): readonly Json[] => [
      { op: 'replace', path: 'members', value: null },
      { op: 'replace', path: 'members', value: '' },
      { op: 'replace', path: 'members', value: {} },
      { op: 'replace', path: 'members' },
      { op: 'replace', value: { members: null } },
      { op: 'replace', value: { members: {} } },
      { op: 'replace', path: 'members', value: [{ display: 'x' }] },
      { op: 'replace', path: `members[value eq "${user}"]`, value: [] },
      { op: 'replace', path: `members[value eq "${user}"].display`, value: 'x' },
      { op: 'replace', path: 'members.value', value: user },
      { op: 'add', path: 'members', value: [null] },
      { op: 'add', path: 'members', value: [''] },
      { op: 'add', path: 'members', value: [[user]] },
      { op: 'add', path: 'members', value: 7 },
      { op: 'add', path: 'members', value: [{ value: 7 }] },
      { op: 'add', path: 'members', value: [{ id: user }] },
      { op: 'add', path: 'members', value: [{ value: user, Value: user }] },
      { op: 'add', path: 'members', value: [{ value: user, type: 'Group' }] },
      { op: 'add', path: 'members', value: 'ada' },
      { op: 'add', path: `members[value eq "${user}"]`, value: {} },
      { op: 'remove', path: 'members', value: {} },
      { op: 'remove', path: 'members', value: [{}] },
      { op: 'remove', path: 'members', value: [null] },
      { op: 'remove', path: 'members', value: 'everyone' },
      { op: 'remove', path: 'members[type eq "User"]' },
      { op: 'remove', path: 'members[value pr]' },
      { op: 'remove', path: 'members[value ne "x"]' },
      { op: 'remove', path: `members[not (value eq "${user}")]` },
      { op: 'remove', path: `members[value eq "${user}" and value eq "${user}"]` },
      { op: 'remove', path: 'members[]' },
      { op: 'remove', path: `members[value eq "${user}"].value` },
      { op: 'remove', path: 'members.value' },
      { op: 'remove', value: { members: valuesOf([user]) } },
      { op: 'remove', path: 'member' },
      { op: 'clear', path: 'members' },
    ];

    it('is answered with 400 and changes nothing, whatever else the request has', async () => {
      const { id } = await createGroup(ask, { members: valuesOf(users) });
      const before = groupIn(await ask(`/Groups/${id}`));
      for (const shape of shapes(users[0] ?? ''))
        for (const operations of [[shape], [{ op: 'remove', path: 'members' }, shape]]) {
          const answer = await ask(`/Groups/${id}`, { method: 'PATCH', body: patchOf(...operations) });
          expect(answer.status, `${JSON.stringify(shape)} ${answer.text}`).to.equal(400);
        }
      expect(groupIn(await ask(`/Groups/${id}`))).to.deep.equal(before);
    });

    it('is answered with the mistake and its place', async () => {
      const { id } = await createGroup(ask);
      const refused = async (shape: Json, keyword: string) =>
        expectError(await ask(`/Groups/${id}`, { method: 'PATCH', body: patchOf(shape) }), 400, keyword);
      expect(
        await refused({ op: 'add', path: 'members', value: [{ value: 'ada' }] }, 'invalidValue'),
      ).to.equal('Operations[0]: members[0].value: "ada" is not an id.');
      expect(await refused({ op: 'remove', path: 'members[value pr]' }, 'invalidPath')).to.include(
        'only by value, with eq',
      );
    });
  });
});
