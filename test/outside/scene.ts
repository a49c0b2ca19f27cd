/** The service, a proxy in front of it, and a client that asks through that. */
import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { expect } from 'chai';
import { DomainError } from '../../src/domain/validation/errors.ts';
import { type RunningProxy, startProxy } from '../support/caches.ts';
import { aToken, startService, type TestService } from '../support/service.ts';
import { memoryStore } from '../support/stores.ts';
import type { UserStore } from '../support/verbs.ts';
import { setups } from './setups.ts';

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

/** Sends only the given fields: fetch would add `Cache-Control` and `Accept-Encoding`. */
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
    groups: good.groups,
    ...{ insert: (user) => good.insert(user), replace: (user, version) => good.replace(user, version) },
    ...{ remove: (id, version) => good.remove(id, version), check: attend, close: () => good.close() },
    find: (id) => attend().then(() => good.find(id)),
    findAll: (ids) => attend().then(() => good.findAll(ids)),
    findAllBy: (filter, keys, limit) => attend().then(() => good.findAllBy(filter, keys, limit)),
    writeAll: (writes) => good.writeAll(writes),
    related: (ids, limit) => attend().then(() => good.related(ids, limit)),
    list: (query) => attend().then(() => good.list(query)),
    count: (conditions) => attend().then(() => good.count(conditions)),
  };
  return { store, state };
}

const json = { 'content-type': 'application/json' };

/** Opened again if the state that a test leaves would affect another test. */
export class Scene {
  readonly service: TestService;
  readonly proxy: RunningProxy;
  readonly state: ReturnType<typeof aFickleStore>['state'];
  readonly #good: string;

  private constructor(service: TestService, proxy: RunningProxy, state: Scene['state'], good: string) {
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

  async aUser(userName = `kept-user-${randomUUID()}`): Promise<string> {
    const made = await this.service.send('/users', {
      ...{ method: 'POST', headers: json, body: JSON.stringify({ userName, title: 'first' }) },
    });
    expect(made.status, made.text).to.equal(201);
    return made.headers.get('location') ?? '';
  }

  /** The statuses of the reads that the service was asked for since the last call. */
  askedHere(): number[] {
    const lines = this.service.log.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);
    return lines
      .filter(({ method }) => method === 'GET' || method === 'HEAD')
      .map((line) => Number(line.status));
  }

  async close(): Promise<void> {
    await this.proxy.stop();
    await this.service.close();
  }
}
