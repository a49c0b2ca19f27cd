import { expect } from 'chai';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aDataFolder, type Environment, type Process, startProcess } from '../support/process.ts';

const racers = 32;
const json = { 'content-type': 'application/json' };
export const bearers: Environment = {
  USERS_JWT_SECRET: 'a secret of at least thirty-two bytes',
  USERS_JWT_ISSUER: 'https://issuer.example',
  USERS_JWT_AUDIENCE: 'users',
};

const count = (statuses: readonly number[], status: number): number =>
  statuses.filter((each) => each === status).length;

/** Half of the racers go to each process, all at once. */
async function race(
  processes: readonly Process[],
  send: (url: string) => Promise<Response>,
): Promise<number[]> {
  return Promise.all(
    Array.from({ length: racers }, async (_, at) => {
      const answer = await send(processes[at % processes.length]?.url ?? '');
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
}

/** @param rounds how many races of creations and of changes there are */
export async function oneWinnerEach(rounds: number, env: Environment): Promise<void> {
  const folder = aDataFolder();
  const all = { folder, env: { ...bearers, ...env } };
  const processes = await Promise.all([startProcess(all), startProcess(all)]);
  const [first, second] = processes;
  const authorization = `Bearer ${await first.token()}`;
  for (let round = 0; round < rounds; round += 1) {
    const created = await race(processes, (url) =>
      fetch(`${url}/users`, {
        method: 'POST',
        headers: { ...json, authorization },
        body: JSON.stringify({ userName: `racer${round}` }),
      }),
    );
    expect([count(created, 201), count(created, 409)]).to.deep.equal([1, racers - 1]);

    const found = await fetch(`${second.url}/users?userName=RACER${round}`, { headers: { authorization } });
    const { users } = (await found.json()) as { users: User[] };
    const version = users[0]?.meta.version;
    const headers = { ...json, authorization, 'if-match': `"${version}"` };
    const body = JSON.stringify({ userName: `racer${round}`, title: 'changed' });
    const replaced = await race(processes, (url) =>
      fetch(`${url}/users/${users[0]?.id}`, { method: 'PUT', headers, body }),
    );
    expect([count(replaced, 200), count(replaced, 412)]).to.deep.equal([1, racers - 1]);
  }
}
