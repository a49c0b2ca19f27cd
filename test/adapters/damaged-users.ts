/** What becomes of a document that something else than the service has damaged: the same whichever store it lies in. */
import { once } from 'node:events';
import { expect } from 'chai';
import type { UserStore } from '../../src/domain/ports.ts';
import { StoredUser } from '../../src/domain/user/stored-user.ts';
import type { User } from '../../src/domain/user/user.ts';
import { aUser } from '../support/a-user.ts';
import { clientNames, clients } from '../support/clients.ts';
import { removeAll } from '../support/remove-all.ts';
import { aToken, startService, type TestService } from '../support/service.ts';
import { open as connected } from '../support/sockets.ts';

/** Any document, for somebody who changes it by hand. */
export type Loose = Record<string, unknown>;

export interface Bench {
  readonly store: UserStore;
  /** Writes past the store. */
  readonly edit: (id: string, change: (document: Loose) => void) => Promise<void>;
  readonly discard: () => Promise<void>;
}

/** What somebody did by hand, and what the log says of it. */
const damages: Record<string, [change: (document: Loose) => void, said: string]> = {
  'emails that are null': [(user) => Object.assign(user, { emails: null }), '/emails must be a list'],
  'no meta': [(user) => delete user.meta, '/meta is missing'],
  'meta that is text': [(user) => Object.assign(user, { meta: 'none' }), '/meta must be an object'],
  'a date that is none': [
    (user) => Object.assign(user.meta as Loose, { lastModified: 'yesterday' }),
    '/meta/lastModified must be a date',
  ],
  'a character that XML cannot carry': [
    (user) => Object.assign(user, { name: { givenName: 'A\u0001da' } }),
    '/name/givenName has U+0001',
  ],
  'such a character in the name of an attribute': [
    (user) => Object.assign(user, { attributes: { 'a\u0001': 'x' } }),
    '/attributes has U+0001',
  ],
  'a number for a text': [(user) => Object.assign(user, { title: 7 }), '/title must be a string'],
  'no userName': [(user) => delete user.userName, '/userName is missing'],
  'an empty list': [(user) => Object.assign(user, { roles: [] }), '/roles is empty'],
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
      await bench.store.insert(StoredUser.of(user));
      await bench.store.insert(StoredUser.of(aUser({ userName: 'sound' })));
    });
    afterEach(() => removeAll(bench.store));
    after(async () => {
      await service?.close();
      await bench?.discard();
    });
    const logged = (): string => service.log.join('');

    for (const [what, [change, said]] of Object.entries(damages)) {
      it(`one with ${what} is a clear 500 by itself and in a list, named in the log by id, in JSON and XML`, async () => {
        await bench.edit(user.id, change);
        for (const format of clientNames) {
          for (const at of [path, '/users', '/users?limit=10']) {
            const answer = await service.send(at, { headers: clients[format].read });
            expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([
              500,
              clients[format].problemType,
            ]);
            expect(answer.text)
              .to.include('damaged-user')
              .and.not.match(/secret|yesterday|givenName/);
          }
        }
        expect(logged())
          .to.include(`${user.id} is damaged: ${said}`)
          .and.not.match(/secret|yesterday/);
      });
      it(`one with ${what} is replaced by a PUT of the whole user, and stays as inactive as it was`, async () => {
        await bench.edit(user.id, change);
        const { write, user: body } = clients.JSON;
        const put = (
          more: Record<string, string>,
          sent = JSON.stringify({ userName: 'Damaged', roles: ['y'] }),
        ) => service.send(path, { method: 'PUT', headers: { ...write, ...more }, body: sent });
        expect((await put({ 'if-match': `"${user.meta.version}.json1"` })).status).to.equal(412);
        expect((await put({ 'if-match': '""' })).status).to.equal(412);
        expect((await put({ 'if-none-match': '*' })).status).to.equal(412);
        expect((await put({ 'if-unmodified-since': 'Sun, 01 Feb 2099 00:00:00 GMT' })).status).to.equal(412);
        expect((await put({}, body({ userName: '' }))).status).to.equal(422);
        const patch = { method: 'PATCH', headers: write, body: body({ title: 't' }) };
        expect((await service.send(path, patch)).status).to.equal(500);
        expect((await put({ 'if-match': '*' })).status).to.equal(200);
        const { text, status } = await service.send(path);
        expect([status, JSON.parse(text).active]).to.deep.equal([200, false]);
        const found = await service.send('/users?role=y');
        expect(found.json().users.map(({ id }) => id)).to.deep.equal([user.id]);
        expect((await service.send('/users?role=x')).json().users).to.deep.equal([]);
      });
      it(`one with ${what} is removed by a DELETE, and its name is free`, async () => {
        await bench.edit(user.id, change);
        const tagged = { 'if-match': `"${user.meta.version}.json1"` };
        expect((await service.send(path, { method: 'DELETE', headers: tagged })).status).to.equal(412);
        expect((await service.send(path, { method: 'DELETE' })).status).to.equal(204);
        expect((await service.send(path)).status).to.equal(404);
        expect((await service.send('/users')).json().users).to.have.length(1);
        await bench.store.insert(StoredUser.of(user));
        expect((await service.send('/users?role=x')).json().users).to.have.length(1);
      });
    }

    it('unknown attributes are never sent, and the other users stay readable', async () => {
      await bench.edit(user.id, (document) => {
        document.password = 'hunter2';
        Object.assign(document.meta as Loose, { note: 'hunter2' });
      });
      for (const format of clientNames) {
        for (const at of [path, '/users', '/users?limit=10', '/users?role=x']) {
          const answer = await service.send(at, { headers: clients[format].read });
          expect(answer.status).to.equal(200);
          expect(answer.text)
            .to.include('the secret')
            .and.not.match(/password|hunter2/);
        }
      }
    });

    it('one that is still a user is read as it is now, and found as it is once it is written again', async () => {
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

    it('a long list breaks off before a damaged user, and the log names it', async () => {
      const many = Array.from({ length: 1500 }, () => aUser({ title: 'x'.repeat(400) }));
      await bench.store.writeAll(many.map((one) => ({ user: StoredUser.of(one) })));
      const last =
        many
          .map(({ id }) => id)
          .sort()
          .at(-1) ?? '';
      await bench.edit(last, (document) => Object.assign(document, { emails: null }));
      const authorization = `Authorization: Bearer ${await aToken()}`;
      for (const format of clientNames) {
        const head = `GET /users HTTP/1.1\r\nHost: here\r\nAccept: ${clients[format].type}\r\n${authorization}\r\n\r\n`;
        const { socket, ended } = await connected(service.url, head);
        const reset = once(socket, 'error');
        expect(await ended)
          .to.match(/^HTTP\/1\.1 200 /)
          .and.not.match(/\r\n0\r\n\r\n$/);
        expect(String((await reset)[0])).to.include('ECONNRESET');
      }
      expect(logged()).to.include(`${last} is damaged: /emails must be a list`);
    });
  });
}
