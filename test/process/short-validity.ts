/** Users whose validity ends within seconds. */
import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import type { Process } from '../support/process.ts';

export const env = { USERS_WORKERS: '2' };

async function ask<T>(service: Process, path: string, body?: object): Promise<T> {
  const headers = {
    authorization: `Bearer ${await service.token()}`,
    'content-type': 'application/json',
  };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return (await (await fetch(`${service.url}${path}`, { headers, ...sent })).json()) as T;
}

/** @returns the id of a new user that is active until the instant, in ms since 1970 */
export async function createUntil(service: Process, instant: number): Promise<string> {
  const validUntil = new Date(instant).toISOString();
  const made = await ask<{ id: string; active: boolean }>(service, '/users', { userName: 'ada', validUntil });
  expect(made.active).to.equal(true);
  return made.id;
}

export async function expectEndedOnce(service: Process, id: string): Promise<void> {
  await until('the user is inactive', async () => {
    const { active } = await ask<{ active: boolean }>(service, `/users/${id}`);
    return !active;
  });
  const { changes } = await ask<{ changes: readonly object[] }>(service, `/users/${id}/history`);
  expect(changes).to.have.length(2);
  expect(changes[0]).to.deep.include({ type: 'user.updated', changed: ['/active'] });
  expect(changes[0]).to.deep.include({ by: { client: 'validity' }, via: 'validity' });
}
