import { expect } from 'chai';
import { onAllStores } from '../../../support/runs.ts';
import { core, type Members, own, patchOp } from './exchanges.ts';
import { type OpenedService, onEachStore } from './exchanges-services.ts';
import { LeaverDirectory } from './leaver-directory.ts';
import { everyWay, usualWays, type Way } from './leaver-ways.ts';

/** As clients write it. */
const spellings = (active: boolean): readonly unknown[] =>
  active ? [true, 'True', 'true', 'TRUE', 'tRuE'] : [false, 'False', 'false', 'FALSE', 'fAlSe'];

/** What might be taken for one of them, and may not. */
const neither: readonly unknown[] = [
  ...['no', 'yes', '0', '1', 'F', 'off', 'inactive', 'disabled', 'null', 'undefined'],
  // White space, a letter of another alphabet, and one that is long only in Turkish.
  ...['', ' ', ' False', 'False ', 'False\n', 'F\u0430lse', 'FAL\u017FE', '"false"'],
  ...[0, 1, -1, 0.5, [], {}, [[]], ['no'], { active: false }, { value: 'no' }],
];

/** By each way of asking that `isActive` knows. */
const everywhere = (active: boolean): readonly boolean[] => [active, active, active, active, active];

type Said = Pick<Way, 'method' | 'body'>;

const user = (userName: string, more: Members): Members => ({ schemas: [core], userName, ...more });
const patch = (...Operations: readonly Members[]): Members => ({ schemas: [patchOp], Operations });

/** What says nothing of who is active, and so may bring nobody back. */
const silences: Readonly<Record<string, Said>> = {
  'a PUT without active': { method: 'PUT', body: (userName) => user(userName, { title: 'Gone' }) },
  'a PUT with null': { method: 'PUT', body: (userName) => user(userName, { active: null }) },
  'a PUT with what an installation adds, without active': {
    method: 'PUT',
    body: (userName) => user(userName, { [own]: { attributes: [{ name: 'badge', value: '7' }] } }),
  },
  'a PATCH of something else': {
    method: 'PATCH',
    body: () => patch({ op: 'Replace', value: { title: 'Gone', id: 'x', meta: { active: true } } }),
  },
};

/** What says both, or something that there is not. */
const contradictions: Readonly<Record<string, Said & { readonly scimType: string }>> = {
  'a PUT that says both': {
    ...{ method: 'PUT', scimType: 'invalidSyntax' },
    body: (userName) => user(userName, { active: false, Active: 'True' }),
  },
  'a PATCH without a path that says both': {
    ...{ method: 'PATCH', scimType: 'invalidSyntax' },
    body: () => patch({ op: 'Replace', value: { active: 'False', [`${core}:active`]: true } }),
  },
  'a PATCH with an operation that cannot be done': {
    ...{ method: 'PATCH', scimType: 'invalidPath' },
    body: () => patch({ op: 'Replace', path: 'active', value: 'True' }, { op: 'Remove', path: 'actve' }),
  },
  'a PATCH that takes active away': {
    ...{ method: 'PATCH', scimType: 'mutability' },
    body: () => patch({ op: 'Remove', path: 'active' }),
  },
  'a PATCH that says null': {
    ...{ method: 'PATCH', scimType: 'invalidValue' },
    body: () => patch({ op: 'Replace', path: 'active', value: null }),
  },
};

interface Person {
  readonly userName: string;
  /** Undefined for who is to be made. */
  readonly id: string | undefined;
}

describe('A leaver', () => {
  onEachStore((open, store) => {
    let opened: OpenedService;
    let directory: LeaverDirectory;
    const leavers: string[] = [];
    before(async () => {
      opened = await open(['users:read', 'users:write']);
      directory = new LeaverDirectory(opened.service);
    });
    after(() => opened.close());

    async function person(method: Way['method'], active: boolean): Promise<Person> {
      const userName = directory.newName();
      const id = method === 'POST' ? undefined : await directory.create(userName, active);
      return { userName, id };
    }

    /** Sends each spelling, for somebody of whom the opposite holds, or who isn't there. */
    const sendEach = (way: Way, active: boolean) =>
      Promise.all(
        spellings(active).map(async (spelling) => {
          const { userName, id } = await person(way.method, !active);
          const { status } = await directory.send(way, { userName, id }, spelling);
          expect(status, String(spelling)).to.equal(id === undefined ? 201 : 200);
          expect(await directory.isActive(userName), String(spelling)).to.deep.equal(everywhere(active));
          if (!active) leavers.push(userName);
        }),
      );

    for (const way of store === 'SQLite' && onAllStores ? everyWay : usualWays) {
      it(`is inactive after ${way.name}, in every spelling of false`, () => sendEach(way, false));

      it(`is active again after ${way.name}, in every spelling of true`, () => sendEach(way, true));

      it(`keeps the state after ${way.name} without one`, async () => {
        const { userName, id } = await person(way.method, false);
        const before = id === undefined ? undefined : await directory.show(id);
        await Promise.all(
          neither.map(async (active) => {
            const outcome = await directory.send(way, { userName, id }, active);
            expect(outcome, JSON.stringify(active)).to.include({ status: 400, scimType: 'invalidValue' });
          }),
        );
        if (id !== undefined) expect(await directory.show(id)).to.equal(before);
        if (id === undefined) expect(await directory.isActive(userName)).to.equal(undefined);
        else leavers.push(userName);
      });
    }

    for (const [what, { method, body }] of Object.entries(silences)) {
      it(`stays inactive after ${what}`, async () => {
        const { userName, id } = await person(method, false);
        const { status } = await directory.send({ method, isBulk: false, body }, { userName, id }, null);
        expect(status).to.equal(200);
        expect(await directory.isActive(userName)).to.deep.equal(everywhere(false));
        leavers.push(userName);
      });
    }

    for (const [what, { method, body, scimType }] of Object.entries(contradictions)) {
      it(`stays inactive after ${what}, which is refused`, async () => {
        const { userName, id } = await person(method, false);
        const before = await directory.show(String(id));
        const outcome = await directory.send({ method, isBulk: false, body }, { userName, id }, true);
        expect(outcome).to.include({ status: 400, scimType });
        expect(await directory.show(String(id))).to.equal(before);
        leavers.push(userName);
      });
    }

    it('is found by a filter for inactive users, which finds no active ones', async () => {
      const wanted = [...leavers].sort();
      expect(await directory.namesOfInactive()).to.deep.equal({ byUsers: wanted, byScim: wanted });
    });
  });
});
