import { expect } from 'chai';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aUser } from '../support/a-user.ts';
import { aToken } from '../support/service.ts';
import { Scene } from './scene.ts';
import { setups } from './setups.ts';
import { needed } from './tools.ts';

const types = { JSON: 'application/json', XML: 'application/xml' } as const;
const json = { 'content-type': 'application/json' };
const refused = {
  'no token': [undefined, 401],
  'a bad token': [async () => `${(await aToken()).slice(0, -4)}AAAA`, 401],
  'an expired token': [() => aToken(undefined, '-1h'), 401],
  'a token for deleting alone': [() => aToken(['users:delete']), 403],
} as const;

for (const name of ['Squid', 'nginx', 'Varnish'] as const) {
  describe(`Behind ${name}, with shared caching on,`, () => {
    let scene: Scene;
    before(async function () {
      scene = await Scene.open(name, needed(this, setups[name].program));
    });
    beforeEach(() => {
      scene.askedHere();
    });
    after(() => scene?.close());

    for (const [format, type] of Object.entries(types)) {
      const other = format === 'JSON' ? types.XML : types.JSON;

      it(`a user in ${format} is cached, and the service revalidates every read`, async () => {
        const path = await scene.aUser();
        const first = await scene.read(path, type);
        const again = await scene.read(path, type);
        expect([first.status, again.status]).to.deep.equal([200, 200]);
        expect(again.text).to.equal(first.text).and.include('kept-user');
        expect(again.headers.etag).to.equal(first.headers.etag).and.match(/^"/);
        expect(again.headers['content-type']).to.equal(first.headers['content-type']).and.include(type);
        expect(scene.askedHere()).to.deep.equal([200, 304]);
      });

      it(`a user in ${format} is stored separately from the other format`, async () => {
        const path = await scene.aUser();
        for (let round = 0; round < 3; round += 1) {
          expect((await scene.read(path, type)).headers['content-type']).to.include(type);
          expect((await scene.read(path, other)).headers['content-type']).to.include(other);
        }
        expect(scene.askedHere()).to.deep.equal([200, 200, 304, 304, 304, 304]);
      });

      for (const [what, [make, status]] of Object.entries(refused)) {
        it(`${what} never gets a stored user or list in ${format}`, async () => {
          const token = (await make?.()) ?? null;
          const path = await scene.aUser();
          for (const at of [path, '/users', path]) {
            expect((await scene.read(at, type)).status).to.equal(200);
            const answer = await scene.read(at, type, token);
            expect(answer.status).to.equal(status);
            expect(answer.headers['content-type']).to.include('problem+');
            expect(answer.headers['www-authenticate']).to.include('Bearer');
            expect(answer.text).not.to.include('kept-user');
            expect(
              (await scene.ask(at, { method: 'HEAD', headers: { accept: type }, token })).status,
            ).to.equal(status);
            expect((await scene.read(at, type)).text).to.include('kept-user');
          }
        });
      }

      it(`a change is seen by the next read in ${format}, of the user and of the list`, async () => {
        const path = await scene.aUser();
        for (const change of ['through the proxy', 'past the proxy', 'removal']) {
          for (const at of [path, '/users']) await scene.read(at, type);
          if (change === 'removal') {
            expect((await scene.ask(path, { method: 'DELETE' })).status).to.equal(204);
            expect((await scene.read(path, type)).status).to.equal(404);
            expect((await scene.read('/users', type)).text).not.to.include(path.slice(-36));
            continue;
          }
          const body = JSON.stringify({ userName: `kept-user-${path.slice(-12)}`, title: change });
          const written = await (change === 'through the proxy'
            ? scene.ask(path, { method: 'PUT', headers: json, body })
            : scene.service.send(path, { method: 'PUT', headers: json, body }));
          expect(written.status).to.equal(200);
          for (const at of [path, '/users']) expect((await scene.read(at, type)).text).to.include(change);
        }
      });

      it(`HEAD and 304 are right in ${format}, stored or not`, async () => {
        // Stored long ago: the date of a new one moves on until its second is over.
        const old = aUser({ userName: `kept-user-${format}` });
        await scene.service.store.insert(Stored.of(old));
        const path = `/users/${old.id}`;
        for (const at of [path, '/users']) {
          for (const kept of [false, true]) {
            const headers = { accept: type };
            const head = await scene.ask(at, { method: 'HEAD', headers });
            const { text, headers: got } = await scene.read(at, type);
            for (const field of ['etag', 'content-type', 'vary', 'cache-control', 'last-modified'])
              expect(head.headers[field], `${field} of ${at}, kept: ${kept}`).to.equal(got[field]);
            expect([head.status, head.text]).to.deep.equal([200, '']);
            const tag = got.etag ?? '';
            for (const method of ['GET', 'HEAD']) {
              const asked = { method, headers: { accept: type, 'if-none-match': tag } };
              const unchanged = await scene.ask(at, asked);
              expect([unchanged.status, unchanged.text], `${method} ${at}, kept: ${kept}`).to.deep.equal([
                304,
                '',
              ]);
              expect(unchanged.headers.etag).to.equal(tag);
            }
            expect(text).to.include('kept-user');
            const stale = { accept: type, 'if-none-match': '"another"' };
            expect((await scene.ask(at, { headers: stale })).text).to.equal(text);
          }
        }
        const reads = scene.askedHere();
        expect(reads).to.have.length(20);
      });

      it(`a reader with the newest tag in ${format} causes no older body for others`, async () => {
        const path = await scene.aUser();
        await scene.read(path, type);
        const body = JSON.stringify({ userName: `kept-user-${path.slice(-12)}`, title: 'newest' });
        const written = await scene.service.send(path, {
          ...{ method: 'PUT', headers: { ...json, accept: type }, body },
        });
        const tag = written.headers.get('etag') ?? '';
        const unchanged = await scene.ask(path, { headers: { accept: type, 'if-none-match': tag } });
        expect([unchanged.status, unchanged.text]).to.deep.equal([304, '']);
        const { headers, text } = await scene.read(path, type);
        expect(headers.etag).to.equal(tag);
        expect(text).to.equal(written.text).and.include('newest');
      });

      it(`no cached body in ${format} is served while the service answers 503`, async () => {
        const path = await scene.aUser();
        const expired = await aToken(undefined, '-1h');
        const nobodyGets = async (statuses: readonly number[]) => {
          for (const at of [path, '/users']) {
            for (const token of [undefined, null, expired]) {
              const answer = await scene.read(at, type, token);
              expect(answer.status).to.be.oneOf([...statuses]);
              expect(answer.text).not.to.include('kept-user');
            }
          }
        };
        for (const at of [path, '/users']) expect((await scene.read(at, type)).status).to.equal(200);
        scene.state.down = true;
        await nobodyGets([503, 401]);
        scene.state.down = false;
        for (const at of [path, '/users']) expect((await scene.read(at, type)).status).to.equal(200);
      });

      it(`no request gets the body of another one that waits in ${format}`, async () => {
        const path = await scene.aUser();
        const expired = await aToken(undefined, '-1h');
        for (const kept of [false, true]) {
          let release = () => {};
          scene.state.hold = new Promise((resolve) => {
            release = resolve;
          });
          const held = new Promise<void>((resolve) => {
            scene.state.held = resolve;
          });
          const slow = scene.read(path, type);
          await held;
          const others = Array.from({ length: 8 }, () => scene.read(path, type, expired));
          const meanwhile = scene.read(path, type);
          release();
          expect([(await slow).status, (await meanwhile).status], `kept: ${kept}`).to.deep.equal([200, 200]);
          for (const other of await Promise.all(others)) expect(other.status).to.equal(401);
        }
      });
    }

    it('no cached body is served when the service has ended', async () => {
      const path = await scene.aUser();
      for (const type of Object.values(types)) await scene.read(path, type);
      await scene.service.close();
      for (const type of Object.values(types)) {
        for (const token of [undefined, null]) {
          const answer = await scene.read(path, type, token);
          expect(answer.status).to.be.oneOf([502, 503, 504]);
          expect(answer.text).not.to.include('kept-user');
        }
      }
    });
  });
}

describe('Behind a cache without configuration', () => {
  afterEach(() => scene?.close());
  let scene: Scene | undefined;

  for (const name of ['Squid', 'nginx', 'Varnish', 'nginx with proxy_cache alone'] as const) {
    it(`${name} stores nothing while shared caching is off`, async function () {
      scene = await Scene.open(name, needed(this, setups[name].program), false);
      const path = await scene.aUser();
      for (let round = 0; round < 3; round += 1) {
        expect((await scene.read(path, types.JSON)).text).to.include('kept-user');
        expect((await scene.read(path, types.JSON, null)).status).to.equal(401);
      }
      expect(scene.askedHere()).to.deep.equal([200, 401, 200, 401, 200, 401]);
    });
  }
});
