import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aGroup } from '../../../support/a-group.ts';
import { aUser } from '../../../support/a-user.ts';
import { clientNames } from '../../../support/clients.ts';
import { startService, type TestService } from '../../../support/service.ts';

interface Change {
  readonly add?: readonly (string | null)[];
  readonly remove?: readonly (string | null)[];
}

const xmlList = (name: string, ids: readonly (string | null)[] = []): string =>
  `<${name}>${ids
    .map((id) =>
      id === null
        ? '<id xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>'
        : `<id>${id}</id>`,
    )
    .join('\n')}</${name}>`;

const bodies = {
  JSON: (change: Change) => ({ type: 'application/json', body: JSON.stringify(change) }),
  XML: ({ add, remove }: Change) => ({
    type: 'application/xml',
    body: `<members xmlns="urn:user-management:1">${xmlList('add', add)}${xmlList('remove', remove)}</members>`,
  }),
};

describe('The pointers of a refused change of members', () => {
  let service: TestService;
  const group = aGroup();
  const [a, b, unknown, other] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  before(async () => {
    service = await startService();
    for (const id of [a, b]) await service.store.insert(Stored.of(aUser({ id })));
    await service.store.groups.insert(group);
  });
  after(() => service.close());

  const changes: Readonly<Record<string, readonly [Change, ...string[]]>> = {
    'behind a repeated id': [{ add: [a, a, unknown] }, '/add/2'],
    'behind an id in other letters': [{ add: [a, a.toUpperCase(), b, unknown] }, '/add/3'],
    'behind empty ids': [{ add: ['', a, null, unknown, b, '', other] }, '/add/3', '/add/6'],
    'at the first of the same ids': [{ add: [a, unknown, b, unknown] }, '/add/1'],
    'of those to be removed': [{ remove: ['', a, a, unknown] }, '/remove/3'],
    'of what is no id at all': [{ add: ['', a, a, 'no id', unknown] }, '/add/3', '/add/4'],
    'in both lists': [{ add: [a, b], remove: ['', unknown, unknown, b.toUpperCase()] }, '/remove/3'],
  };

  for (const name of clientNames)
    for (const [what, [change, ...pointers]] of Object.entries(changes))
      it(`name the positions that the client sent in ${name}, ${what}`, async () => {
        const { type, body } = bodies[name](change);
        const headers = { 'content-type': type, accept: 'application/json' };
        const answer = await service.send(`/groups/${group.id}/members`, { method: 'POST', headers, body });
        expect([answer.status, answer.json().type]).to.deep.equal([422, '/problems/invalid-members']);
        expect(answer.json().errors.map(({ pointer }) => pointer)).to.deep.equal(pointers);
        expect((await service.store.groups.find(group.id))?.membership?.memberCount).to.equal(0);
      });

  it('name a wrong root element once', async () => {
    const headers = { 'content-type': 'application/xml', accept: 'application/json' };
    const body = `<group><add><id>${a}</id></add></group>`;
    const answer = await service.send(`/groups/${group.id}/members`, { method: 'POST', headers, body });
    expect(answer.json().errors.map(({ pointer, detail }) => [pointer, detail])).to.deep.equal([
      ['', 'must be <members>, in the namespace urn:user-management:1 or in none'],
    ]);
  });
});
