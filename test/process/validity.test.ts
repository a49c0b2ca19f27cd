import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import { aDataFolder, discardProcesses, type Process, startProcess } from '../support/process.ts';

const env = { USERS_WORKERS: '2' };

async function ask<T>(service: Process, path: string, body?: object): Promise<T> {
  const headers = {
    authorization: `Bearer ${await service.token()}`,
    'content-type': 'application/json',
  };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return (await (await fetch(`${service.url}${path}`, { headers, ...sent })).json()) as T;
}

/** @returns the id of a new user that is active until the instant, in ms since 1970 */
async function createUntil(service: Process, instant: number): Promise<string> {
  const validUntil = new Date(instant).toISOString();
  const made = await ask<{ id: string; active: boolean }>(service, '/users', { userName: 'ada', validUntil });
  expect(made.active).to.equal(true);
  return made.id;
}

async function expectEndedOnce(service: Process, id: string): Promise<void> {
  await until('the user is inactive', async () => {
    const { active } = await ask<{ active: boolean }>(service, `/users/${id}`);
    return !active;
  });
  const { changes } = await ask<{ changes: readonly object[] }>(service, `/users/${id}/history`);
  expect(changes).to.have.length(2);
  expect(changes[0]).to.deep.include({ type: 'user.updated', changed: ['/active'] });
  expect(changes[0]).to.deep.include({ by: { client: 'validity' }, via: 'validity' });
}

describe('A process that serves', () => {
  after(discardProcesses);

  it('deactivates a user once when validUntil passes, although several workers check', async () => {
    const service = await startProcess({ env });
    await expectEndedOnce(service, await createUntil(service, Date.now() + 1500));
  });

  it('deactivates a user once if validUntil passed while no process ran', async () => {
    const folder = aDataFolder();
    const before = await startProcess({ env, folder });
    const instant = Date.now() + 2000;
    const id = await createUntil(before, instant);
    await before.stop();
    await until('the instant has come', () => Date.now() > instant);
    await expectEndedOnce(await startProcess({ env, folder }), id);
  });
});
