import { request } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { openMetrics } from '../../../src/adapters/observe/metrics.ts';
import { observeStore } from '../../../src/adapters/observe/observed-store.ts';
import type { ChangeLog } from '../../../src/domain/changes/log.ts';
import { matchAll } from '../../../src/domain/find/conditions.ts';
import type { User } from '../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../src/domain/resource/stored.ts';
import { DomainError } from '../../../src/domain/validation/errors.ts';
import { aUser } from '../../support/a-user.ts';
import { until } from '../../support/deadlines.ts';
import { readSamples, type Sample, sumOf } from '../../support/prometheus-text.ts';
import { runs } from '../../support/runs.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';
import { tester } from '../../support/store-verbs.ts';
import { memoryStore, portOf } from '../../support/stores.ts';
import { unavailable } from '../apis/changes/unavailable.ts';

const duration = 'http_server_request_duration_seconds_count';
const json = { 'content-type': 'application/json' };

/** Past those who hold each answer to the contract: it knows no paths of any kind. */
const ask = (url: string, method: string, headers: Readonly<Record<string, string>>): Promise<void> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (answer) => answer.resume().once('close', resolve));
    asked.once('error', reject).end();
  });

describe('The metrics of a process', () => {
  let service: TestService;
  let print: () => Promise<string>;
  let log: ChangeLog;
  const samples = async (): Promise<Sample[]> => readSamples(await print());

  beforeEach(async () => {
    const { observer, print: printed } = openMetrics('memory');
    print = printed;
    const { requests, operations, onDue, onLog } = observer;
    onDue?.(async () => ({ count: 3, late: 1500 }));
    const store = portOf(memoryStore());
    log = store.changes as ChangeLog;
    onLog?.({ measure: () => log.measure() }, { retention: 30, historyRetention: 90, maxBytes: 2 ** 20 });
    const observed = operations === undefined ? store : observeStore(store, operations);
    service = await startService({}, observed, undefined, [], requests === undefined ? [] : [requests]);
  });
  afterEach(() => service.close());

  it('tell how many users are due by validity, and for how long', async () => {
    const all = await samples();
    expect(sumOf(all, 'users_validity_due')).to.equal(3);
    expect(sumOf(all, 'users_validity_late_seconds')).to.equal(1.5);
  });

  it('count each request under its method, its route’s template, its status and its format', async () => {
    const { status, json: body } = await service.send('/users', {
      method: 'POST',
      headers: json,
      body: '{"userName":"ada"}',
    });
    expect(status).to.equal(201);
    const { id } = body();
    for (const accept of ['application/json', 'application/xml', 'application/xml'])
      await service.send(`/users/${id}`, { headers: { accept } });
    await service.send(`/scim/v2/Users/${id}`);
    await service.send('/health/live', { anonymous: true });
    const all = await samples();
    const read = { http_request_method: 'GET', http_route: '/users/:id', http_response_status_code: '200' };
    expect(sumOf(all, duration, { ...read, format: 'json' })).to.equal(1);
    expect(sumOf(all, duration, { ...read, format: 'xml' })).to.equal(2);
    expect(sumOf(all, duration, { http_route: '/scim/v2/Users/:id', format: 'scim' })).to.equal(1);
    expect(sumOf(all, duration, { http_route: '/users', http_response_status_code: '201' })).to.equal(1);
    expect(sumOf(all, duration, { http_route: '/health/live', format: 'none' })).to.equal(1);
    expect(sumOf(all, duration)).to.equal(6);
  });

  it('add up the sizes of bodies as they cross the wire, streams and codings included', async () => {
    const body = '{"userName":"ada"}';
    const created = await service.send('/users', { method: 'POST', headers: json, body });
    for (let at = 0; at < 50; at += 1)
      await service.send('/users', { method: 'POST', headers: json, body: `{"userName":"person-${at}"}` });
    const before = await samples();
    const list = await service.send('/users');
    const all = await samples();
    const sent = { http_request_method: 'POST', http_route: '/users' };
    const read = { http_request_method: 'GET', http_route: '/users' };
    const size = (name: string) => `http_server_${name}_body_size_bytes`;
    expect(sumOf(before, `${size('request')}_count`, sent)).to.equal(51);
    expect(sumOf(before, `${size('request')}_sum`, sent)).to.be.above(51 * body.length - 1);
    expect(sumOf(before, `${size('response')}_sum`, sent)).to.be.above(created.text.length);
    expect(sumOf(all, `${size('response')}_sum`, read)).to.equal(Buffer.byteLength(list.text));
    await service.send('/users', { headers: { 'accept-encoding': 'gzip' } });
    const coded = sumOf(await samples(), `${size('response')}_sum`, read) - Buffer.byteLength(list.text);
    expect(coded).to.be.within(100, list.text.length / 2);
    await service.send('/users', { method: 'HEAD' });
    expect(sumOf(await samples(), `${size('response')}_sum`, { http_request_method: 'HEAD' })).to.equal(0);
  });

  it('give the reason of refusals: the problem’s code, or the fault of the credentials', async () => {
    await service.send('/users', { anonymous: true });
    await service.send('/users', { headers: { authorization: `Bearer ${await aToken([], '-1h')}` } });
    await service.send('/users', { headers: { authorization: 'Bearer a.b.c' } });
    await service.send('/users', { headers: { authorization: 'Basic YTpi' } });
    await service.send('/users', { headers: { authorization: `Bearer ${await aToken([])}` } });
    await service.send('/users?limit=0');
    const all = await samples();
    const reasons = all.filter(({ name }) => name === 'users_refusals_total');
    expect(Object.fromEntries(reasons.map(({ labels, value }) => [labels.reason, value]))).to.deep.equal({
      'credentials-missing': 1,
      'token-expired': 1,
      'credentials-malformed': 1,
      'credentials-not-taken': 1,
      'insufficient-scope': 1,
      'invalid-parameter': 1,
    });
  });

  it('show the size and limits of the change log and the lag of its followers', async () => {
    const lag = 'users_changes_follower_lag_seconds';
    const began = Date.now();
    for (const name of ['ada', 'ben', 'cay'])
      await service.send('/users', { method: 'POST', headers: json, body: `{"userName":"${name}"}` });
    await service.send('/changes?since=start');
    await service.send('/changes?since=now');
    await service.send('/history');
    const all = await samples();
    const size = await log.measure();
    expect(sumOf(all, 'users_changes_entries_total')).to.equal(3);
    expect(sumOf(all, 'users_changes_bytes')).to.equal(size.bytes);
    expect(sumOf(all, 'users_changes_max_bytes')).to.equal(2 ** 20);
    expect(sumOf(all, 'users_changes_oldest_age_seconds') * 1000).to.be.within(0, Date.now() - began);
    expect(sumOf(all, 'users_changes_retention_seconds')).to.equal(90 * 24 * 60 * 60);
    expect(sumOf(all, `${lag}_count`)).to.equal(1);
    expect(sumOf(all, `${lag}_sum`) * 1000).to.be.within(0, Date.now() - began);
    const ofLog = { collection: 'changes', outcome: 'ok' };
    const operations = 'users_store_operation_duration_seconds_count';
    expect(sumOf(all, operations, { ...ofLog, operation: 'history' })).to.equal(1);
  });

  it('omit the size of the change log while it is out of reach, and keep its limits', async () => {
    await samples();
    log = unavailable;
    const names = new Set((await samples()).map(({ name }) => name));
    for (const name of ['entries_total', 'bytes', 'oldest_age_seconds'])
      expect(names, name).not.to.include(`users_changes_${name}`);
    for (const name of ['max_bytes', 'retention_seconds'])
      expect(names, name).to.include(`users_changes_${name}`);
  });

  it('measure the store’s operations by outcome', async () => {
    await service.send('/users', { method: 'POST', headers: json, body: '{"userName":"ada"}' });
    await service.send('/users', { method: 'POST', headers: json, body: '{"userName":"ada"}' });
    await service.send('/users/6f0d9d5e-3c3f-4a52-9a39-0f9f9c1c7d11');
    const all = await samples();
    const count = (operation: string, outcome: string) =>
      sumOf(all, 'users_store_operation_duration_seconds_count', { store: 'memory', operation, outcome });
    expect(count('create', 'ok')).to.equal(1);
    expect(count('create', 'user-name-taken')).to.equal(1);
    expect(count('find', 'ok')).to.equal(1);
  });

  it('have the same few series after thousands of requests of any kind, with no id, name or address in a label', async () => {
    const word = fc.constantFrom(
      'users',
      'scim',
      'v2',
      'Users',
      'health',
      'live',
      'docs',
      '%2e%2e',
      'ada@example.org',
    );
    const path = fc
      .array(fc.oneof(word, fc.uuid(), fc.stringMatching(/^[a-z0-9~.-]{1,12}$/)), { maxLength: 4 })
      .map((parts) => `/${parts.join('/')}`);
    const method = fc.constantFrom(
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'PROPFIND',
      'LOCK',
      'NOSUCH',
    );
    const header = fc.constantFrom(
      'application/json',
      'application/xml',
      'text/html',
      'application/scim+json',
      '',
    );
    const anyRequest = fc.record({ path, method, accept: header, type: header, isKnown: fc.boolean() });
    const asked = fc.sample(anyRequest, { numRuns: runs(20_000), seed: 17 });
    const known = { authorization: `Bearer ${await aToken()}` };
    const parallel = 16;
    await Promise.all(
      Array.from({ length: parallel }, async (_, lane) => {
        for (let at = lane; at < asked.length; at += parallel) {
          const one = asked[at];
          if (one === undefined) break;
          const headers = { accept: one.accept, 'content-type': one.type, 'user-agent': `agent-${at}` };
          await ask(service.url + one.path, one.method, { ...headers, ...(one.isKnown ? known : {}) });
        }
      }),
    );
    const all = (await samples()).filter(({ name }) => /^(?:http|users)_/.test(name));
    const lists: Readonly<Record<string, readonly string[]>> = {
      http_request_method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', '_OTHER'],
      http_route: ['', ...service.routes],
      format: ['json', 'xml', 'scim', 'none'],
      store: ['memory'],
    };
    for (const { labels } of all)
      for (const [name, allowed] of Object.entries(lists))
        if (labels[name] !== undefined) expect(allowed, name).to.include(labels[name]);
    for (const { labels } of all) {
      expect(labels.http_response_status_code ?? '200').to.match(/^[1-5]\d\d$/);
      for (const name of ['reason', 'operation', 'outcome'])
        expect(labels[name] ?? 'none').to.match(/^[a-z]+(?:[A-Z-][a-z]+)*$/);
    }
    // NOSUCH is no method of the parser's, so such a request never is one.
    const refused = sumOf(all, 'users_refusals_total', { reason: 'not-implemented' });
    expect(sumOf(all, duration) + refused).to.be.at.least(asked.length);
    expect(all.length).to.be.below(6000);
  });

  it('count the requests that are being answered', async () => {
    const active = (all: readonly Sample[]) =>
      sumOf(all, 'http_server_active_requests', { http_request_method: 'POST' });
    let end = (): void => {};
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from('{"userName":'));
        end = () => {
          controller.enqueue(Buffer.from('"ada"}'));
          controller.close();
        };
      },
    });
    const headers = { ...json, authorization: `Bearer ${await aToken()}` };
    const sent = { method: 'POST', headers, body, duplex: 'half' };
    const answer = fetch(`${service.url}/users`, sent as RequestInit);
    await until('one request is counted', async () => active(await samples()) === 1);
    end();
    expect((await answer).status).to.equal(201);
    await (await answer).text();
    await until('no request is counted', async () => active(await samples()) === 0);
  });
});

describe('An observed store', () => {
  it('reports every operation with its collection, each outcome of a commit, and returns the same results', async () => {
    const told: string[] = [];
    const observer = {
      begin:
        (operation: string, collection = '-') =>
        (outcomes: readonly string[]) =>
          void told.push(`${operation} ${collection} ${outcomes.join()}`),
    };
    const inner = portOf(memoryStore());
    const store = observeStore(inner, observer);
    const [one, two] = [Stored.of(aUser()), Stored.of(aUser())];
    const create = (next: Stored<User>) => ({ kind: 'user', id: next.id, op: 'create', next }) as const;
    await store.check();
    expect(await store.commit([create(one)], tester)).to.deep.equal(['done']);
    const [again, other] = await store.commit([create(one), create(two)], tester);
    expect([again instanceof DomainError && again.code, other]).to.deep.equal(['id-taken', 'done']);
    const remove = { kind: 'user', id: one.id, op: 'remove', before: two } as const;
    expect(await store.commit([remove], tester)).to.deep.equal(['stale']);
    expect((await store.find('user', one.id))?.text).to.equal(one.text);
    expect(await store.findAll('group', [])).to.have.length(0);
    expect((await store.page('user', { where: matchAll, limit: 1 })).more).to.equal(true);
    expect([...(await store.findMembers(one.id, [two.id]))]).to.deep.equal([]);
    await store.close();
    await store.find('user', one.id).catch(() => {});
    expect(told).to.deep.equal([
      'check - ok',
      'create users ok',
      'batch users id-taken,ok',
      'remove users stale',
      'find users ok',
      'findAll groups ok',
      'page users ok',
      'findMembers - ok',
      'find users unavailable',
    ]);
  });
});
