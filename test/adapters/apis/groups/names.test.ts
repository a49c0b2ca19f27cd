import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { aGroup } from '../../../support/a-group.ts';
import { clientNames } from '../../../support/clients.ts';
import { startService, type TestService } from '../../../support/service.ts';

const escaped = (text: string): string =>
  text.replace(/[^\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0)};`);

const bodies = {
  JSON: (displayName: string) => ({ type: 'application/json', body: JSON.stringify({ displayName }) }),
  XML: (displayName: string) => ({
    type: 'application/xml',
    body: `<group xmlns="urn:user-management:1"><displayName>${escaped(displayName)}</displayName></group>`,
  }),
};

describe('The name of a group', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const send = (name: 'JSON' | 'XML', method: string, path: string, displayName: string) => {
    const { type, body } = bodies[name](displayName);
    return service.send(path, {
      method,
      headers: { 'content-type': type, accept: 'application/json' },
      body,
    });
  };

  for (const client of clientNames) {
    it(`cannot have invisible characters in ${client}, or spaces at its ends`, async () => {
      const { id } = (await send(client, 'POST', '/groups', randomUUID())).json();
      for (const name of [
        ' Ops',
        'Ops\u00A0',
        'O\u200Bps',
        '\u202Espo',
        'Ops\uFE0F',
        'O\tps',
        'O\u180Bps',
        'O\u00A0 ps',
      ])
        for (const [method, path] of [
          ['POST', '/groups'],
          ['PUT', `/groups/${id}`],
          ['PATCH', `/groups/${id}`],
        ] as const) {
          const answer = await send(client, method, path, name);
          expect([answer.status, answer.json().type], answer.text).to.deep.equal([
            422,
            '/problems/invalid-group',
          ]);
          const [{ pointer = '', detail = '' } = {}] = answer.json().errors;
          expect([pointer, /invisible|begin or end|beside another space/.test(detail)]).to.deep.equal([
            '/displayName',
            true,
          ]);
        }
    });
    it(`stays valid in ${client} if an earlier release accepted it, until it is changed`, async () => {
      const group = aGroup({ displayName: `Old\u200B\t\u2800\u00A0 ${client} ` });
      await service.store.groups.insert(group);
      const path = `/groups/${group.id}`;
      expect((await service.send(path)).json().displayName).to.equal(group.value.displayName);
      expect((await send(client, 'PUT', path, group.value.displayName)).status).to.equal(200);
      const patched = { method: 'PATCH', headers: { 'content-type': 'application/json' } };
      const described = await service.send(path, { ...patched, body: '{"description":"new"}' });
      expect(described.json().displayName).to.equal(group.value.displayName);
      expect((await send(client, 'PUT', path, `Older\u200B ${client}`)).status).to.equal(422);
    });
    it(`is taken in ${client} however its letters are composed, even beside a character of a later Unicode version`, async () => {
      const later = '\u{1FFFD}';
      expect((await send(client, 'POST', '/groups', `${later} ärzte ${client}`)).status).to.equal(201);
      expect((await send(client, 'POST', '/groups', `${later} A\u0308RZTE ${client}`)).status).to.equal(409);
    });
  }
});
