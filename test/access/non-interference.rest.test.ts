/** Two directories that differ only in what a profile hides: its clients can't tell them apart. */
import { expect } from 'chai';
import fc from 'fast-check';
import { markWrites } from '../../src/adapters/stores/mark-writes.ts';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { caseDeadline } from '../support/deadlines.ts';
import { isWhole } from '../support/runs.ts';
import { type Answer, profilesOf, startService, type TestService } from '../support/service.ts';
import { type Content, contentOf, makeEqual } from './both-stores.ts';
import { anyDirectory, anyProfile, groupIds, kinds, userIds } from './directories.ts';
import { base, lookThere, makers, sendThere } from './limited-client.ts';
import {
  type Document,
  hiddenPart,
  isInside,
  type Plural,
  type Profile,
  project,
  type Rules,
} from './profile-model.ts';
import { inOrder, merge, seesMembers } from './shown-directory.ts';
import { anyRead, anyWrite, type Step } from './steps.ts';

const unseen = (rules: Rules | undefined, document: Document): boolean => !isInside(rules, document);

/** The first directory with what is hidden in it from the second. */
function mixed(profile: Profile, one: Content, other: Content): Content {
  const of = (plural: Plural) => {
    const rules = profile[plural];
    return new Map(
      [...one[plural]].map(([id, document]): [string, Document] => {
        const second = other[plural].get(id) as Document;
        if (rules === undefined || unseen(rules, document))
          return [id, unseen(rules, second) ? second : document];
        const next = inOrder(plural, merge(project(rules, document), hiddenPart(rules, second)));
        return [id, isInside(rules, next) ? next : document];
      }),
    );
  };
  const isSeen = (group: string, user: string): boolean =>
    seesMembers(profile) &&
    isInside(profile.groups, one.groups.get(group) as Document) &&
    isInside(profile.users, one.users.get(user) as Document);
  const members = groupIds.map((group): [string, Set<string>] => {
    const isMember = (user: string) => (isSeen(group, user) ? one : other).members.get(group)?.has(user);
    return [group, new Set(userIds.filter(isMember))];
  });
  return { users: of('users'), groups: of('groups'), members: new Map(members) };
}

const aReader = fc.oneof(
  fc.constantFrom(
    '/access',
    '/webhooks',
    '/scim/v2/Schemas',
    '/scim/v2/ResourceTypes',
    '/history',
    '/changes?since=start',
  ),
  fc.constantFrom(...userIds).map((id) => `/users/${id}/history`),
  fc.constantFrom(...groupIds).map((id) => `/groups/${id}/history`),
  fc.constantFrom('red', 'ann', 'sales').map((label) => `/history?label=${label}`),
  fc.constantFrom(...userIds).map((id) => `/changes?since=start&id=${id}`),
  fc
    .constantFrom('user.created', 'user.updated', 'group.members-changed')
    .map((type) => `/history?type=${type}`),
);
const anyLook = aReader.map((path): Step => ({ method: 'GET', path, form: 'json', names: [] }));
const anyRestoration = fc
  .oneof(
    fc.constantFrom(...userIds).map((id) => `/users/${id}/restore`),
    fc.constantFrom(...groupIds).map((id) => `/groups/${id}/restore`),
  )
  .map((path): Step => ({ method: 'POST', path, form: 'json', names: [] }));

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: anyRead },
    { weight: 2, arbitrary: anyLook },
    { weight: 4, arbitrary: anyWrite },
    { weight: 1, arbitrary: anyRestoration },
  ),
  { minLength: 1, maxLength: 100, size: 'max' },
);

/** Without ids of requests, tags, versions and cursors. */
function told({ status, headers, text }: Answer): object {
  const left = ['date', 'etag', 'x-request-id', 'content-length', 'keep-alive'];
  return {
    status,
    headers: [...headers]
      .filter(([name]) => !left.includes(name))
      .map(([name, value]) => [name, value.replace(/(after|before)=[^&>]*/g, '$1=')]),
    text: text
      .replace(/urn:uuid:[0-9a-f-]+|"request":"[0-9a-f-]+"/g, '')
      .replace(/,?"version":"(?:[^"\\]|\\.)*"|<version>[^<]*/g, '')
      .replace(/"(?:cursor|next)":"[^"]*"/g, '')
      .replace(/"at":"[^"]*"|"(?:created|lastModified)":"[^"]*"|<(?:created|lastModified)>[^<]*/g, ''),
  };
}

interface Side {
  readonly service: TestService;
  readonly made: ReturnType<typeof makers>;
}

async function startSide(profile: Profile, content: Content): Promise<Side> {
  const [made, store] = [makers(), memoryStore(kinds)];
  await makeEqual(markWrites(store, kinds, profilesOf(kinds, { limited: profile })), content);
  const service = await startService(
    { basePath: base, profiles: { limited: profile }, made: made.of() },
    store,
    ...([undefined, undefined, undefined, kinds] as const),
  );
  return { service, made };
}

/** Uniqueness is the directory's, and so is its cost. */
const maySay = ({ status, text }: Answer): boolean => status === 409 || /query-too-costly/.test(text);

describe('Two directories that differ only in what a profile hides', () => {
  it('give its clients the same answers, except about names that are taken', async function () {
    this.timeout((isWhole ? 10 : 2) * caseDeadline);
    await fc.assert(
      fc.asyncProperty(anyDirectory, anyDirectory, anyProfile, steps, async (one, other, profile, all) => {
        const first = contentOf(one);
        const sides = [
          await startSide(profile, first),
          await startSide(profile, mixed(profile, first, contentOf(other))),
        ];
        try {
          for (const step of all) {
            const answers: Answer[] = [];
            for (const { service, made } of sides) {
              made.begin();
              const seen = await lookThere({ service, as: 'limited' }, step);
              answers.push(await sendThere({ service, as: 'limited' }, step, seen));
            }
            const [left, right] = answers as [Answer, Answer];
            // What they hold may differ from now on.
            if (maySay(left) || maySay(right)) return;
            const about = `${JSON.stringify(step)}\n${JSON.stringify(profile)}\n${left.text}\n${right.text}`;
            expect(told(left), about).to.deep.equal(told(right));
          }
        } finally {
          for (const { service } of sides) await service.close();
        }
      }),
      { numRuns: isWhole ? 400 : 40, endOnFailure: true },
    );
  });
});
