import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { aFreePort } from '../support/free-port.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../support/mongodb.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts';
import { discardProcesses, type Environment, type Process, startProcess } from '../support/process.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${callerSpan}-01`;

const person = { userName: 'ada.lovelace@example.org', name: { givenName: 'Ada', familyName: 'Lovelace' } };

/** Soon, since tests wait for it. */
const sendSoon = { OTEL_BSP_SCHEDULE_DELAY: '50' };

async function ask(service: Process, path: string, more: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${await service.token()}`, ...more.headers };
  return fetch(`${service.url}${path}`, { ...more, headers });
}

const create = (service: Process, headers: Record<string, string>): Promise<Response> =>
  ask(service, '/users', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(person),
  });

const isServer = ({ kind }: ReceivedSpan): boolean => kind === 2;

function itTraces(name: string, settings: () => Environment): void {
  it(`show the request of a client's trace, and the operations of ${name} for it`, async () => {
    const receiver = await startOtlpReceiver();
    const env = { ...settings(), ...sendSoon, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
    const service = await startProcess({ env });
    const created = await create(service, { traceparent, tracestate: 'vendor=1' });
    expect(created.status).to.equal(201);
    const spans = await receiver.received(isServer);
    const server = spans.find(isServer);
    const store = spans.find(({ kind }) => kind === 3);
    expect(server).to.include({ name: 'POST /users', traceId, parentSpanId: callerSpan, isError: false });
    expect(server?.attributes).to.deep.equal({
      'http.request.method': 'POST',
      'http.route': '/users',
      'http.response.status_code': 201,
      'url.scheme': 'http',
    });
    expect(store).to.include({ name: 'create users', traceId, parentSpanId: server?.spanId, isError: false });
    expect(store?.attributes).to.deep.equal({
      'db.system.name': name,
      'db.operation.name': 'create',
      'db.collection.name': 'users',
      'users.outcome': 'ok',
    });
    expect(server?.resource).to.include({ 'service.name': 'user-management' });
    await service.logged(new RegExp(`"trace":"${traceId}"`));
    await service.stop();
    await receiver.close();
  });
}

describe('Traces', () => {
  afterEach(discardProcesses);

  itTraces('sqlite', () => ({}));

  describeMongo('on MongoDB', () => {
    let database: TestDatabase;
    before(async () => {
      database = await aDatabase();
    });
    after(() => database.drop());

    itTraces('mongodb', () => ({ USERS_STORE: 'mongodb', USERS_MONGODB_URI: database.uri }));
  });

  describe('with a receiver', () => {
    let receiver: OtlpReceiver;
    let service: Process;
    beforeEach(async () => {
      receiver = await startOtlpReceiver();
    });
    afterEach(() => receiver.close());

    const start = async (more: Environment = {}) => {
      service = await startProcess({
        env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...sendSoon, ...more },
      });
    };

    it('begin with each request that belongs to none, and their ids are in the log and the problem', async () => {
      await start();
      const missing = await ask(service, '/users/6f0d9d5e-3c3f-4a52-9a39-0f9f9c1c7d11');
      const { instance } = (await missing.json()) as { instance: string };
      const trace = /^urn:uuid:[0-9a-f-]{36}\?=trace=([0-9a-f]{32})$/.exec(instance)?.[1] ?? '';
      await service.logged(new RegExp(`"problem":"user-not-found".*"trace":"${trace}"`));
      const spans = await receiver.received((span) => isServer(span) && span.traceId === trace);
      expect(spans.find(isServer)).to.include({ name: 'GET /users/:id', parentSpanId: '', isError: false });
      expect(spans.find(isServer)?.attributes).to.include({ 'users.problem': 'user-not-found' });
      await ask(service, '/users');
      const both = await receiver.received(({ name }) => name === 'GET /users');
      expect(new Set(both.map(({ traceId: id }) => id)).size).to.equal(2);
    });

    it('contain no personal data', async () => {
      await start();
      const created = await create(service, { 'user-agent': 'ada-laptop' });
      const { id } = (await created.json()) as { id: string };
      await ask(service, `/users/${id}?search=lovelace`);
      await ask(service, '/users?search=lovelace');
      await ask(
        service,
        `/scim/v2/Users?filter=${encodeURIComponent('userName eq "ada.lovelace@example.org"')}`,
      );
      await receiver.received(({ name }) => name === 'GET /scim/v2/Users');
      const told = JSON.stringify(receiver.spans);
      for (const word of [id, 'lovelace', 'Ada', 'ada-laptop', 'Bearer', '127.0.0.1'])
        expect(told, word).not.to.contain(word);
    });

    it('show every operation of a request, also while it waits for others', async () => {
      await start();
      const created = await create(service, {});
      const { id } = (await created.json()) as { id: string };
      await ask(service, `/users/${id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json', traceparent },
        body: JSON.stringify({ displayName: 'Ada L.' }),
      });
      const spans = await receiver.received((span) => isServer(span) && span.traceId === traceId);
      const server = spans.find((span) => isServer(span) && span.traceId === traceId);
      const below = spans.filter(({ parentSpanId }) => parentSpanId === server?.spanId);
      expect(below.map(({ name }) => name)).to.deep.equal(['find users', 'replace users']);
    });

    it('show no error when the store refuses a group or its members', async () => {
      await start();
      const token = await service.token(['groups:write']);
      const send = (path: string, body: object) =>
        fetch(service.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      const group = (await (await send('/groups', { displayName: 'All' })).json()) as { id: string };
      const refusals = [
        await send('/groups', { displayName: 'ALL' }),
        await send('/groups', { id: group.id, displayName: 'Others' }),
        await send(`/groups/${group.id}/members`, { add: [group.id] }),
      ];
      expect(refusals.map(({ status }) => status)).to.deep.equal([409, 409, 422]);
      const isRefused = ({ attributes }: ReceivedSpan) => attributes['http.response.status_code'] === 422;
      const spans = await receiver.received(isRefused);
      const outcomes = spans.map(({ attributes }) => attributes['users.outcome']);
      for (const outcome of ['display-name-taken', 'id-taken', 'invalid-members'])
        expect(outcomes).to.include(outcome);
      expect(spans.filter(({ isError }) => isError)).to.deep.equal([]);
    });

    it('are sent with the headers and the service name of OpenTelemetry’s variables', async () => {
      await start({ OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=directory', OTEL_SERVICE_NAME: 'people' });
      await ask(service, '/users');
      const spans = await receiver.received(isServer);
      expect(spans[0]?.resource).to.include({ 'service.name': 'people' });
      expect(receiver.requests[0]).to.have.property('path', '/v1/traces');
      expect(receiver.requests[0]?.headers).to.include({
        'x-tenant': 'directory',
        'content-type': 'application/x-protobuf',
      });
    });

    it('continue an unrecorded trace of a client, and its id is in the log', async () => {
      await start();
      await ask(service, '/users', { headers: { traceparent: `00-${traceId}-${callerSpan}-00` } });
      await service.logged(new RegExp(`"trace":"${traceId}"`));
      await ask(service, '/users?limit=1');
      const spans = await receiver.received(isServer);
      expect(spans.map((span) => span.traceId)).not.to.include(traceId);
    });

    it('are all sent when the process ends', async () => {
      await start({ OTEL_BSP_SCHEDULE_DELAY: '60000' });
      for (let count = 0; count < 20; count += 1) await ask(service, '/users');
      expect(receiver.spans).to.have.length(0);
      const { code } = await service.stop();
      expect(code).to.equal(0);
      expect(receiver.spans.filter(isServer)).to.have.length(20);
    });

    for (const [variable, value] of [
      ['OTEL_SDK_DISABLED', 'true'],
      ['OTEL_TRACES_EXPORTER', 'none'],
      ['OTEL_TRACES_SAMPLER', 'always_off'],
    ] as const)
      it(`are not sent with ${variable}=${value}`, async () => {
        await start({ [variable]: value });
        for (let count = 0; count < 5; count += 1) await ask(service, '/users');
        const { code, log } = await service.stop();
        expect(code).to.equal(0);
        expect(receiver.spans).to.deep.equal([]);
        expect(log.join('\n')).not.to.contain('"trace"');
      });

    it('are not sent over an unsupported protocol, which the log says', async () => {
      await start({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
      await service.logged(/OTEL_EXPORTER_OTLP_PROTOCOL must be http\/protobuf/);
      expect((await ask(service, '/users')).status).to.equal(200);
    });
  });

  it('do no harm when no receiver accepts them: the log has one line, and the service ends in time', async () => {
    const url = `http://127.0.0.1:${await aFreePort()}`;
    const service = await startProcess({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: '100', ...sendSoon },
    });
    for (let count = 0; count < 50; count += 1) expect((await ask(service, '/users')).status).to.equal(200);
    await service.logged(/"traces are not sent"/);
    const { code, log } = await service.stop();
    expect(code).to.equal(0);
    expect(log.filter((line) => line.includes('"traces are not sent"'))).to.have.length(1);
  });

  it('do no harm when their receiver never answers', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const service = await startProcess({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...sendSoon } });
    for (let count = 0; count < 50; count += 1) expect((await ask(service, '/users')).status).to.equal(200);
    expect((await service.stop()).code).to.equal(0);
    silent.closeAllConnections();
    silent.close();
  });

  it('do not prevent the start, however wrong their variables are', async () => {
    const service = await startProcess({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'not a URL', OTEL_TRACES_SAMPLER: 'sometimes' },
    });
    await service.logged(/"traces are not sent"/);
    expect((await ask(service, '/users')).status).to.equal(200);
    expect((await service.stop()).code).to.equal(0);
  });
});
