import { expect } from 'chai';
import { openApi } from '../../../src/adapters/contracts/openapi.ts';
import { problemPrinter } from '../../../src/adapters/http/problems/problems.ts';
import { validator } from '../../support/contract.ts';
import { aToken, ofSharedSecret, startService, type TestService } from '../../support/service.ts';
import { memoryStore } from '../../support/stores.ts';
import { describedInventory, inventoryApi, inventoryType } from './inventory-api.ts';

const write = { 'content-type': inventoryType };
const errorType = 'application/vnd.inventory.error+json';

describe('An API unknown to the kernel', () => {
  let service: TestService;
  let release = () => {};
  let arrived = Promise.resolve();
  before(async () => {
    let waiting = Promise.resolve();
    let tell = () => {};
    const api = inventoryApi(() => {
      tell();
      return waiting;
    });
    const settings = {
      overload: { requests: 1, streams: 0, answerBytes: 0, eventLoopDelay: 0 },
      basePath: '/base',
    };
    service = await startService(settings, memoryStore(), [ofSharedSecret()], [api]);
    hold = () => {
      waiting = new Promise((resolve) => {
        release = resolve;
      });
      arrived = new Promise((resolve) => {
        tell = resolve;
      });
    };
  });
  let hold = () => {};
  after(() => service.close());
  const send = (path: string, request: Parameters<TestService['send']>[1] = {}) =>
    service.send(`/base/stock/v1${path}`, request);
  const add = (label: string) =>
    send('/items', { method: 'POST', headers: write, body: JSON.stringify({ label }) });

  it('is answered with its own documents and its own pages', async () => {
    for (const label of ['lamp', 'rope', 'wire']) expect((await add(label)).status).to.equal(201);
    const first = await send('/items');
    expect([first.headers.get('content-type'), JSON.parse(first.text).items.length]).to.deep.equal([
      inventoryType,
      2,
    ]);
    expect(JSON.parse((await send('/items?startAt=2')).text)).to.deep.equal({
      items: [{ id: '3', label: 'wire' }],
    });
    expect(JSON.parse((await send('/items/2')).text).label).to.equal('rope');
  });

  it('requires credentials except on its open route, and scopes', async () => {
    expect((await send('/about', { anonymous: true })).status).to.equal(200);
    expect((await send('/about', { anonymous: true, method: 'PUT' })).status).to.equal(405);
    for (const path of ['/items', '/items/1', '/nowhere'])
      expect((await send(path, { anonymous: true })).status, path).to.equal(401);
    const reader = { ...write, authorization: `Bearer ${await aToken(['users:read'])}` };
    const refused = await send('/items', { method: 'POST', headers: reader, body: '{}' });
    expect(refused.status).to.equal(403);
    expect(refused.headers.get('www-authenticate')).to.include('scope="users:write"');
  });

  it('prints every failure in its own form, with the kernel’s order of checks', async () => {
    const statuses = async (request: Parameters<TestService['send']>[1], path = '/items') => {
      const answer = await send(path, request);
      const { oops, http, ref } = JSON.parse(answer.text);
      expect([answer.headers.get('content-type'), http, ref]).to.deep.equal([
        errorType,
        answer.status,
        answer.headers.get('x-request-id'),
      ]);
      return [answer.status, oops];
    };
    expect(await statuses({ anonymous: true })).to.deep.equal([401, 'unauthenticated']);
    expect(await statuses({}, '/nowhere')).to.deep.equal([404, 'no-such-resource']);
    expect(await statuses({ method: 'DELETE' })).to.deep.equal([405, 'method-not-allowed']);
    expect(await statuses({ headers: { accept: 'application/xml' } })).to.deep.equal([406, 'not-acceptable']);
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect(await statuses(post)).to.deep.equal([415, 'unsupported-media-type']);
    expect(await statuses({ ...post, headers: write, body: 'x'.repeat(101) })).to.deep.equal([
      413,
      'body-too-large',
    ]);
    expect(await statuses({ ...post, headers: write, body: '{' })).to.deep.equal([400, 'unreadable-body']);
  });

  it('does not affect the other APIs', async () => {
    const users = await service.send('/base/users', { headers: { accept: 'application/xml' } });
    expect([users.status, users.headers.get('content-type')]).to.deep.equal([
      200,
      'application/xml; charset=utf-8',
    ]);
    const nowhere = await service.send('/base/nowhere');
    expect([nowhere.status, nowhere.headers.get('content-type')]).to.deep.equal([
      404,
      'application/problem+json',
    ]);
  });

  it('is shed under load like any other, and logged by its templates', async () => {
    hold();
    const slow = add('slow');
    await arrived;
    const shed = await send('/items');
    expect([shed.status, JSON.parse(shed.text).oops, shed.headers.get('retry-after')]).to.deep.equal([
      503,
      'overloaded',
      '5',
    ]);
    release();
    expect((await slow).status).to.equal(201);
    await service.logged('"route":"/stock/v1/items/:id"');
    await service.logged('"problem":"unsupported-media-type"');
  });

  it('is described by a separate OpenAPI document', () => {
    const url = (path: string) => path;
    const info = { title: 'Inventory', description: 'Lamps.', version: '1.0.0' };
    const document = openApi({ info, apis: [describedInventory()], url, printProblem: problemPrinter(url) });
    const { paths, components, tags } = JSON.parse(JSON.stringify(document));
    expect(tags).to.deep.equal([{ name: 'inventory', description: 'What lies in the store room.' }]);
    expect(Object.keys(paths)).to.deep.equal(['/stock/v1/about', '/stock/v1/items', '/stock/v1/items/{id}']);
    const { get, post } = paths['/stock/v1/items'];
    expect(get.security).to.deep.equal([{ bearer: ['users:read'] }, { basic: ['users:read'] }]);
    expect(paths['/stock/v1/about'].get.security).to.deep.equal([]);
    expect(post.requestBody.description).to.equal('At most 100 bytes after decoding.');
    expect(Object.keys(post.requestBody.content)).to.deep.equal([inventoryType]);
    expect(components.parameters.startAtParameter.in).to.equal('query');
    expect(JSON.stringify(components)).not.to.match(/xml/);
    const { schema, examples } = components.responses.BodyTooLarge.content[errorType];
    expect(schema).to.deep.equal({ $ref: '#/components/schemas/Problem' });
    const ajv = validator();
    ajv.addSchema({ $id: 'https://contract.example/openapi', components });
    const valid = ajv.compile({ $ref: 'https://contract.example/openapi#/components/schemas/Item' });
    const isProblem = ajv.compile({ $ref: 'https://contract.example/openapi#/components/schemas/Problem' });
    expect(isProblem(examples['body-too-large'].value)).to.equal(true);
    expect([valid({ id: '1', label: 'lamp' }), valid({ id: 1 })]).to.deep.equal([true, false]);
  });

  it('is described with examples alone in a format without a schema language', () => {
    const url = (path: string) => path;
    const info = { title: 'Inventory', description: 'Lamps.', version: '1.0.0' };
    const api = describedInventory();
    const [format] = api.formats;
    const table = { ...format, inContracts: { body: 'nothing', exampleOf: (text: string) => text } } as const;
    const apis = [{ ...api, formats: [table] as const }];
    const document = openApi({ info, apis, url, printProblem: problemPrinter(url) });
    const { paths, components } = JSON.parse(JSON.stringify(document));
    const { get, post } = paths['/stock/v1/items'];
    const contents = [
      get.responses[200],
      post.requestBody,
      post.responses[201],
      components.responses.BodyTooLarge,
    ];
    for (const { content } of contents) {
      const [{ schema, examples }] = Object.values(content) as [{ schema: object; examples: object }];
      expect(schema).to.deep.equal({});
      expect(Object.values(examples)).to.have.length(1);
    }
  });
});
