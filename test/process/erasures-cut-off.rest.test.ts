import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import { aFaultyDisk } from '../support/faulty-disk.ts';
import { discardProcesses, type Environment, type Process, startProcess } from '../support/process.ts';
import { allUsers } from './contents.ts';
import { fileOf } from './disk-faults.ts';

const erasures = 48;

/** Erasures that are committed, and not yet answered: the reader of an earlier state keeps their values in the log. */
async function heldErasures(env: Environment = {}) {
  const service = await startProcess({ env });
  const headers = {
    authorization: `Bearer ${await service.token()}`,
    'content-type': 'application/json',
    connection: 'close',
  };
  const send = async (method: string, path: string, value?: object): Promise<number> => {
    const body = value && JSON.stringify(value);
    const answer = await fetch(`${service.url}${path}`, { method, headers, ...(body && { body }) });
    await answer.arrayBuffer();
    return answer.status;
  };
  const create = (id: string) => send('POST', '/users', { id, userName: id });
  const ids = Array.from({ length: erasures }, () => randomUUID());
  expect(new Set(await Promise.all(ids.map(create)))).to.deep.equal(new Set([201]));
  const reader = new Database(fileOf(service), { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM users').get();
  const looking = new Database(fileOf(service), { readonly: true });
  const left = looking.prepare<[], number>('SELECT count(*) FROM users').pluck();
  const answers = Promise.all(ids.map((id) => send('DELETE', `/users/${id}?erase=true`)));
  await until('all are removed', () => left.get() === 0);
  const close = () => {
    for (const db of [reader, looking]) db.close();
  };
  return { service, ids, answers, close, create: () => create(randomUUID()) };
}

describe('Erasures that are committed, but not yet answered,', () => {
  afterEach(discardProcesses);

  async function expectErased({ folder }: Process, ids: readonly string[]): Promise<void> {
    const again = await startProcess({ folder });
    expect([...(await allUsers(again)).keys()]).not.to.include.oneOf(ids);
  }

  it('have an unknown outcome when the file is moved away', async () => {
    const { service, ids, answers, close } = await heldErasures();
    const file = fileOf(service);
    renameSync(file, `${file}.moved`);
    expect(new Set(await answers)).to.deep.equal(new Set([504]));
    close();
    expect((await service.stop('SIGCONT')).code).to.equal(1);
    renameSync(`${file}.moved`, file);
    await expectErased(service, ids);
  });

  it('have an unknown outcome when the WAL, which alone has them, is removed', async () => {
    const { service, answers, close } = await heldErasures();
    rmSync(`${fileOf(service)}-wal`);
    expect(new Set(await answers)).to.deep.equal(new Set([504]));
    close();
    expect((await service.stop('SIGCONT')).code).to.equal(1);
  });

  it('have an unknown outcome when the disk fails during a later write', async function () {
    const disk = aFaultyDisk(this, { file: 'users.db-wal', calls: 'fsync fdatasync' });
    const { service, ids, answers, close, create } = await heldErasures(disk.env);
    disk.fail();
    const other = create();
    expect(new Set(await answers)).to.deep.equal(new Set([504]));
    expect(await other).to.be.within(503, 504);
    close();
    expect((await service.stop('SIGCONT')).code).to.equal(1);
    disk.mend();
    await expectErased(service, ids);
  });
});
