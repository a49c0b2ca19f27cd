import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import { discardProcesses, startProcess } from '../support/process.ts';

describe('A process that serves', () => {
  after(discardProcesses);

  it('deactivates a user when validUntil comes, once, although several workers look', async () => {
    const service = await startProcess({ env: { USERS_WORKERS: '2' } });
    const headers = {
      authorization: `Bearer ${await service.token()}`,
      'content-type': 'application/json',
    };
    const read = async (path: string) => (await fetch(`${service.url}${path}`, { headers })).json();
    const soon = new Date(Date.now() + 1500).toISOString();
    const made = await fetch(`${service.url}/users`, {
      ...{ method: 'POST', headers },
      body: JSON.stringify({ userName: 'ada', validUntil: soon }),
    });
    const { id, active } = (await made.json()) as { id: string; active: boolean };
    expect(active).to.equal(true);
    type Shown = { readonly active: boolean };
    await until('the user is inactive', async () => !((await read(`/users/${id}`)) as Shown).active);
    const { changes } = (await read(`/users/${id}/history`)) as { changes: readonly object[] };
    expect(changes).to.have.length(2);
    expect(changes[0]).to.deep.include({ type: 'user.updated', changed: ['/active'] });
    expect(changes[0]).to.deep.include({ by: { client: 'validity' }, via: 'validity' });
  });
});
