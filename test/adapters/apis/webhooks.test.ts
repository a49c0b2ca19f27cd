import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DeliveryStore } from '../../../src/adapters/stores/port/delivery-store.ts';
import { sqliteDeliveries } from '../../../src/adapters/stores/sqlite/deliveries.ts';
import { Partitions } from '../../../src/adapters/webhooks/partitions.ts';
import {
  type Failure,
  failureKey,
  type Progress,
  ReceiverStates,
} from '../../../src/adapters/webhooks/progress.ts';
import type { Receiver } from '../../../src/adapters/webhooks/receivers.ts';
import { needed } from '../../outside/tools.ts';
import { publishedText } from '../../support/contract.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';
import { memoryStore } from '../../support/stores.ts';
import { faultsBySchema } from '../../support/xml-schema.ts';
import { aReceiver } from '../webhooks/some.ts';

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const time = '2026-01-02T03:04:05.678Z';
const line = 'mDk3Zs0Q';

describe('GET /webhooks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
  const file = join(folder, 'users.db');
  let receivers: readonly Receiver[] | undefined;
  let isOutOfReach: boolean;
  let rows: DeliveryStore;
  let states: ReceiverStates;
  let service: TestService;
  const open = async (): Promise<DeliveryStore> => {
    if (isOutOfReach) throw new Error('the disk is gone');
    return sqliteDeliveries(file);
  };
  before(async () => {
    rows = sqliteDeliveries(file);
    const profiles = { sales: { users: { where: { department: 'Sales' }, read: '*' } } };
    service = await startService(
      {
        profiles,
        receivers: (changes) => {
          states = new ReceiverStates({ receivers: { current: () => receivers }, open, changes });
          return states;
        },
      },
      memoryStore(),
    );
    for (const userName of ['ada', 'bob', 'cleo']) {
      const body = JSON.stringify({ userName });
      await service.send('/users', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    }
    const reached = { number: 1, mark: 'Vw8tq1Cz' };
    const progress: Progress = {
      ...{ line, partitions: Partitions.at(reached), disabled: 'a file', last: { at, outcome: '410' } },
      gap: { reason: 'expired', from: { ...reached, line }, at, tries: 0, due: 0 },
    };
    const failures = Array.from({ length: 21 }, (_, index): Failure => {
      const place = { number: index + 1, mark: 'Vw8tq1Cz' };
      return { ...place, line, type: 'user.updated', id: `user-${index}`, at, outcome: 'timeout' };
    });
    await rows.write([
      { of: 'progress', receiver: 'payroll', key: '', value: progress },
      ...failures.map((value) => ({
        ...({ of: 'failure', receiver: 'payroll', key: failureKey(value), value } as const),
      })),
    ]);
  });
  beforeEach(() => {
    receivers = [
      aReceiver({ url: 'https://payroll.example/hooks', headers: { 'X-Gateway': 'word' } }),
      aReceiver({ id: 'new' }),
    ];
    isOutOfReach = false;
  });
  after(async () => {
    await service.close();
    await states.close();
    await rows.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const read = async (headers: Readonly<Record<string, string>> = {}) => {
    const { status, text, headers: fields } = await service.send('/webhooks', { headers });
    expect(status, text).to.equal(200);
    expect(fields.get('cache-control')).to.equal('no-store');
    return text;
  };

  it('shows how far each receiver is, and the newest changes that were set aside, but no address or header', async () => {
    const text = await read();
    expect(text).to.not.match(/example|word|X-Gateway|AQEB/);
    const [payroll, fresh] = JSON.parse(text).receivers;
    const { failures, ...state } = payroll;
    expect(state).to.deep.equal({
      ...{ id: 'payroll', behind: 2, lastAttempt: { at: time, outcome: '410' } },
      ...{ disabled: true, gapPending: true, setAside: 21 },
    });
    expect(failures).to.have.lengthOf(20);
    expect(failures[0]).to.deep.equal({
      ...{ cursor: `${line}.21.Vw8tq1Cz`, type: 'user.updated', id: 'user-20', at: time, outcome: 'timeout' },
    });
    expect(fresh).to.deep.equal({
      ...{ id: 'new', disabled: false, gapPending: false, setAside: 0, failures: [] },
    });
  });

  it('shows that a receiver is enabled again once its file has changed', async () => {
    receivers = [aReceiver({ mark: 'another file' })];
    expect(JSON.parse(await read()).receivers[0]).to.include({ id: 'payroll', disabled: false });
  });

  it('shows no numbers or dates of changes to credentials with an access profile', async () => {
    expect((await service.send('/webhooks', { as: 'sales' })).json()).to.deep.equal({
      receivers: [
        { id: 'payroll', disabled: true, gapPending: true },
        { id: 'new', disabled: false, gapPending: false },
      ],
    });
  });

  it('answers in XML, as the published schema describes it', async function () {
    needed(this, 'xmllint');
    const full = await read({ accept: 'application/xml' });
    expect(full).to.include('<receiver><id>payroll</id><behind>2</behind>');
    const limited = await service.send('/webhooks', { as: 'sales', headers: { accept: 'text/xml' } });
    receivers = [];
    const texts = [full, limited.text, await read({ accept: 'application/xml' })];
    expect(faultsBySchema(await publishedText('/schemas/webhooks.xsd'), texts)).to.deep.equal(
      texts.map(() => undefined),
    );
  });

  it('is empty without receivers, and 503 while their file or their positions are out of reach', async () => {
    receivers = [];
    expect(await read()).to.equal('{"receivers":[]}');
    receivers = undefined;
    expect((await service.send('/webhooks')).status).to.equal(503);
    receivers = [aReceiver()];
    await states.close();
    isOutOfReach = true;
    const refused = await service.send('/webhooks');
    expect([refused.status, refused.text]).to.satisfy(
      ([status, text]: [number, string]) => status === 503 && !text.includes('disk'),
    );
    isOutOfReach = false;
    expect(JSON.parse(await read()).receivers).to.have.lengthOf(1);
  });

  it('never takes the lease of the process that sends', async () => {
    await read();
    expect(await rows.hold()).to.be.a('number');
  });

  it('requires the scope changes:read, and supports GET, HEAD and OPTIONS in the formats of the service', async () => {
    const authorization = `Bearer ${await aToken(['users:read', 'groups:read', 'history:read'])}`;
    const refused = await service.send('/webhooks', { headers: { authorization } });
    expect([refused.status, refused.json()]).to.deep.include(403);
    expect((await service.send('/webhooks', { headers: { accept: 'text/csv' } })).status).to.equal(406);
    expect((await service.send('/webhooks', { method: 'HEAD' })).text).to.equal('');
    for (const [method, status] of Object.entries({ OPTIONS: 204, POST: 405, DELETE: 405 })) {
      const answer = await service.send('/webhooks', { method });
      expect([answer.status, answer.headers.get('allow')]).to.deep.equal([status, 'GET, HEAD, OPTIONS']);
    }
  });
});
