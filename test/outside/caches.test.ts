import { type IncomingHttpHeaders, request } from 'node:http';
import { expect } from 'chai';
import { memoryStore } from '../../src/adapters/memory/store.ts';
import { DomainError } from '../../src/domain/errors.ts';
import type { UserStore } from '../../src/domain/ports.ts';
import { type Proxy, setups, startProxy } from '../support/caches.ts';
import { aToken, startService, type TestService } from '../support/service.ts';
import { needed } from './tools.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends what it is told and no field more: fetch would add `Cache-Control` and `Accept-Encoding`. */
function ask(url: string, { method = 'GET', headers = {}, body = '' }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    request(url, { method, headers: { ...headers, ...length }, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    })
      .on('error', reject)
      .end(body);
  });
}

/** A store that can be made to fail, or to keep a reader waiting. */
function aFickleStore() {
  const good = memoryStore();
  const state = { down: false, hold: undefined as Promise<void> | undefined, held: () => {} };
  const attend = async () => {
    if (state.down) throw new DomainError('unavailable', 'the store is down');
    state.held();
    await state.hold;
  };
  const store: UserStore = {
    ...{ insert: (user) => good.insert(user), replace: (user, version) => good.replace(user, version) },
    ...{ remove: (id, version) => good.remove(id, version), check: attend, close: () => good.close() },
    find: (id) => attend().then(() => good.find(id)),
    list: (query) => attend().then(() => good.list(query)),
  };
  return { store, state };
}

const types = { JSON: 'application/json', XML: 'application/xml' } as const;
const json = { 'content-type': 'application/json' };
const refused = {
  'no token': [undefined, 401],
  'a bad token': [async () => `${(await aToken()).slice(0, -4)}AAAA`, 401],
  'an expired token': [() => aToken(undefined, '-1h'), 401],
  'a token for deleting alone': [() => aToken(['users:delete']), 403],
} as const;

/** Each test has a service and a proxy of its own, so that nothing is kept from another. */
class Scene {
  readonly service: TestService;
  readonly proxy: Proxy;
  readonly state: ReturnType<typeof aFickleStore>['state'];
  readonly #good: string;

  private constructor(service: TestService, proxy: Proxy, state: Scene['state'], good: string) {
    this.service = service;
    this.proxy = proxy;
    this.state = state;
    this.#good = good;
  }

  static async open(name: keyof typeof setups, file: string, sharedCaching = true): Promise<Scene> {
    const { store, state } = aFickleStore();
    const service = await startService({ sharedCaching }, store);
    return new Scene(service, await startProxy(setups[name], file, service.url), state, await aToken());
  }

  /** Through the proxy, with a token for everything unless it brings its own; null: none. */
  ask(path: string, { token, ...asked }: Asked & { token?: string | null } = {}): Promise<Answer> {
    const credentials: Record<string, string> =
      token === null ? {} : { authorization: `Bearer ${token ?? this.#good}` };
    return ask(this.proxy.url + path, { ...asked, headers: { ...credentials, ...asked.headers } });
  }

  read = (path: string, type: string, token?: string | null) =>
    this.ask(path, { headers: { accept: type }, ...(token === undefined ? {} : { token }) });

  async aUser(userName = 'kept-user'): Promise<string> {
    const made = await this.service.send('/users', {
      ...{ method: 'POST', headers: json, body: JSON.stringify({ userName, title: 'first' }) },
    });
    expect(made.status, made.text).to.equal(201);
    return made.headers.get('location') ?? '';
  }

  /** The statuses of the reads that the service was asked for since the last call. */
  askedHere(): number[] {
    const lines = this.service.log.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);
    return lines.filter(({ method }) => method === 'GET' || method === 'HEAD').map((line) => Number(line.status));
  }

  async close(): Promise<void> {
    await this.proxy.stop();
    await this.service.close();
  }
}

for (const name of ['Squid', 'nginx', 'Varnish'] as const) {
  describe(`Behind ${name}, where shared caching is on`, () => {
    let file: string;
    let scene: Scene;
    before(function () {
      file = needed(this, setups[name].program);
    });
    beforeEach(async () => {
      scene = await Scene.open(name, file);
    });
    afterEach(() => scene?.close());

    for (const [format, type] of Object.entries(types)) {
      const other = format === 'JSON' ? types.XML : types.JSON;

      it(`a user in ${format} is kept, and every read of it is asked here`, async () => {
        const path = await scene.aUser();
        const first = await scene.read(path, type);
        const again = await scene.read(path, type);
        expect([first.status, again.status]).to.deep.equal([200, 200]);
        expect(again.text).to.equal(first.text).and.include('kept-user');
        expect(again.headers.etag).to.equal(first.headers.etag).and.match(/^"/);
        expect(again.headers['content-type']).to.equal(first.headers['content-type']).and.include(type);
        expect(scene.askedHere()).to.deep.equal([200, 304]);
      });

      it(`a user in ${format} is kept apart from the other format`, async () => {
        const path = await scene.aUser();
        for (let round = 0; round < 3; round += 1) {
          expect((await scene.read(path, type)).headers['content-type']).to.include(type);
          expect((await scene.read(path, other)).headers['content-type']).to.include(other);
        }
        expect(scene.askedHere()).to.deep.equal([200, 200, 304, 304, 304, 304]);
      });

      for (const [what, [make, status]] of Object.entries(refused)) {
        it(`${what} never gets a kept user or list in ${format}`, async () => {
          const token = (await make?.()) ?? null;
          const path = await scene.aUser();
          for (const at of [path, '/users', path]) {
            expect((await scene.read(at, type)).status).to.equal(200);
            const answer = await scene.read(at, type, token);
            expect(answer.status).to.equal(status);
            expect(answer.headers['content-type']).to.include('problem+');
            expect(answer.headers['www-authenticate']).to.include('Bearer');
            expect(answer.text).not.to.include('kept-user');
            expect((await scene.ask(at, { method: 'HEAD', headers: { accept: type }, token })).status).to.equal(
              status,
            );
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
            expect((await scene.read('/users', type)).text).not.to.include('kept-user');
            continue;
          }
          const body = JSON.stringify({ userName: 'kept-user', title: change });
          const written = await (change === 'through the proxy'
            ? scene.ask(path, { method: 'PUT', headers: json, body })
            : scene.service.send(path, { method: 'PUT', headers: json, body }));
          expect(written.status).to.equal(200);
          for (const at of [path, '/users']) expect((await scene.read(at, type)).text).to.include(change);
        }
      });

      it(`HEAD and 304 are right in ${format}, kept or not`, async () => {
        const path = await scene.aUser();
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
              expect([unchanged.status, unchanged.text], `${method} ${at}, kept: ${kept}`).to.deep.equal([304, '']);
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

      it(`nobody gets a kept body in ${format} while the service answers 503 or is gone`, async () => {
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
        await scene.service.close();
        await nobodyGets([502, 503, 504]);
      });

      it(`a request that waits for the service lets no other take its body in ${format}`, async () => {
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
  });
}

describe('Behind a cache that was told nothing', () => {
  afterEach(() => scene?.close());
  let scene: Scene | undefined;

  for (const name of ['Squid', 'nginx', 'Varnish', 'nginx with proxy_cache alone'] as const) {
    it(`${name} keeps nothing while shared caching is off`, async function () {
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
