/** What becomes of a document that something else than the service has damaged: the same whichever store it lies in. */
import { once } from 'node:events';
import { expect } from 'chai';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aUser } from '../support/a-user.ts';
import { clients } from '../support/clients.ts';
import { removeAll } from '../support/remove-all.ts';
import { aToken, startService, type TestService } from '../support/service.ts';
import { open as connected } from '../support/sockets.ts';
import type { UserStore } from '../support/verbs.ts';

/** Any document, for somebody who changes it by hand. */
export type Loose = Record<string, unknown>;

interface Bench {
  readonly store: UserStore;
  /** Writes past the store. */
  readonly edit: (id: string, change: (document: Loose) => void) => Promise<void>;
  readonly discard: () => Promise<void>;
}

/** What somebody did by hand, so that users can't be printed any more in formats that need their values. */
const damages: Record<string, (document: Loose) => void> = {
  'a number for emails': (user) => Object.assign(user, { emails: 7 }),
  'a number for roles': (user) => Object.assign(user, { roles: 7, active: 'true' }),
  'no dates': (user) => Object.assign(user, { emails: 7, meta: { version: (user.meta as Loose).version } }),
};

export function damagedUserCases(name: string, open: () => Promise<Bench>): void {
  describe(`Users in ${name} that were edited by hand:`, () => {
    let bench: Bench;
    let service: TestService;
    let user: User;
    let path: string;
    before(async () => {
      bench = await open();
      service = await startService({}, bench.store);
    });
    beforeEach(async () => {
      user = aUser({ userName: 'Damaged', displayName: 'the secret', roles: ['x'], active: false });
      path = `/users/${user.id}`;
      await bench.store.insert(Stored.of(user));
      await bench.store.insert(Stored.of(aUser({ userName: 'sound' })));
    });
    afterEach(() => removeAll(bench.store));
    after(async () => {
      await service?.close();
      await bench?.discard();
    });
    const logged = (): string => service.log.join('');

    for (const [what, change] of Object.entries(damages)) {
      it(`one with ${what} causes a 500 with a reason in XML, alone and in a list, and the log names its id`, async () => {
        await bench.edit(user.id, change);
        for (const at of [path, '/users', '/users?limit=10']) {
          const answer = await service.send(at, { headers: clients.XML.read });
          expect(answer.status, at).to.equal(500);
          expect(answer.text).not.to.include('secret');
        }
        expect(logged()).to.include(`What is stored of ${user.id} can't be read`).and.not.include('secret');
      });
      it(`one with ${what} is replaced by a valid PUT of the whole user, and only by that`, async () => {
        await bench.edit(user.id, change);
        const { write, user: body } = clients.JSON;
        const put = (
          more: Record<string, string>,
          sent = JSON.stringify({ userName: 'Damaged', roles: ['y'] }),
        ) => service.send(path, { method: 'PUT', headers: { ...write, ...more }, body: sent });
        expect((await put({ 'if-match': '"another"' })).status).to.equal(412);
        expect((await put({ 'if-none-match': '*' })).status).to.equal(412);
        expect((await put({}, body({ userName: '' }))).status).to.equal(422);
        expect((await put({ 'if-match': '*' })).status).to.equal(200);
        const { text, status } = await service.send(path, { headers: clients.XML.read });
        expect(status).to.equal(200);
        expect(text)
          .to.include('<active>false</active>')
          .and.match(/<created>2\d{3}-.*<lastModified>2\d{3}-/);
        const found = await service.send('/users?role=y');
        expect(found.json().users.map(({ id }) => id)).to.deep.equal([user.id]);
        expect((await service.send('/users?role=x')).json().users).to.deep.equal([]);
      });
      it(`one with ${what} is removed by a DELETE, and its name is free`, async () => {
        await bench.edit(user.id, change);
        const other = { 'if-match': '"another"' };
        expect((await service.send(path, { method: 'DELETE', headers: other })).status).to.equal(412);
        const tagged = { 'if-match': `"${user.meta.version}.json1"` };
        expect((await service.send(path, { method: 'DELETE', headers: tagged })).status).to.equal(204);
        expect((await service.send(path)).status).to.equal(404);
        expect((await service.send('/users')).json().users).to.have.length(1);
        await bench.store.insert(Stored.of(user));
        expect((await service.send('/users?role=x')).json().users).to.have.length(1);
      });
    }

    it('one with a number for roles causes a 500 in SCIM, too', async () => {
      await bench.edit(user.id, (document) => Object.assign(document, { roles: 7 }));
      for (const at of [path.replace('/users', '/scim/v2/Users'), '/scim/v2/Users']) {
        const answer = await service.send(at, { headers: { accept: 'application/scim+json' } });
        expect(answer.status).to.equal(500);
        expect(answer.text).not.to.include('secret');
      }
      expect(logged()).to.include(`What is stored of ${user.id} can't be read`);
    });

    it('one that is still valid is read in its new form, and found by it after the next write', async () => {
      await bench.edit(user.id, (document) => {
        document.title = 'edited';
        document.roles = ['z'];
      });
      const read = await service.send(path);
      expect(read.json()).to.deep.include({ title: 'edited', roles: ['z'] });
      const headers = { ...clients.JSON.write, 'if-match': read.headers.get('etag') ?? '' };
      const body = JSON.stringify({ displayName: 'again' });
      expect((await service.send(path, { method: 'PATCH', headers, body })).status).to.equal(200);
      expect((await service.send('/users?role=z')).json().users).to.have.length(1);
    });

    it('a long list breaks off before one who cannot be printed, and the log names it', async () => {
      const many = Array.from({ length: 1500 }, () => aUser({ title: 'x'.repeat(400) }));
      await bench.store.writeAll(many.map((one) => ({ user: Stored.of(one) })));
      const last =
        many
          .map(({ id }) => id)
          .sort()
          .at(-1) ?? '';
      await bench.edit(last, (document) => Object.assign(document, { emails: 7 }));
      const authorization = `Authorization: Bearer ${await aToken()}`;
      const head = `GET /users HTTP/1.1\r\nHost: here\r\nAccept: ${clients.XML.type}\r\n${authorization}\r\n\r\n`;
      const { socket, ended } = await connected(service.url, head);
      const reset = once(socket, 'error');
      expect(await ended)
        .to.match(/^HTTP\/1\.1 200 /)
        .and.not.match(/\r\n0\r\n\r\n$/);
      expect(String((await reset)[0])).to.include('ECONNRESET');
      expect(logged()).to.include(`What is stored of ${last} can't be read`);
    });
  });
}
