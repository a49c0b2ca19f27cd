/** Compares two processes on one port with one, on machines with enough cores; wrk runs on the same machine. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { idOf } from '../directory.ts';
import { load } from '../load.ts';
import { divideEach, type Outcome } from '../result.ts';
import { runWarmUp } from '../rounds.ts';
import { childrenOf, type Server } from '../server.ts';
import type { Stage } from '../stage.ts';

const processes = 2;
const setting = 'USERS_WORKERS';
const variables = readFileSync(
  new URL('../../config/custom-environment-variables.json5', import.meta.url),
  'utf8',
);

export async function measureTwoProcesses(stage: Stage): Promise<Outcome> {
  if (availableParallelism() < processes)
    return { skipped: `this machine has fewer than ${processes} cores` };
  if (!variables.includes(setting)) return { skipped: `the service has no setting ${setting}` };
  const { headers } = stage.credentials.rs256;
  const one = await stage.service('keySet');
  const two = await stage.service('keySet', 'read', { [setting]: String(processes) });
  const children = childrenOf(two.pid).length;
  if (children < processes) throw new Error(`${setting}=${processes}, and it has ${children} children`);
  const rates: { one: number[]; two: number[] } = { one: [], two: [] };
  const readLoad = ({ url }: Server) => ({ url: `${url}/users/${idOf(500)}`, headers, connections: 32 });
  await runWarmUp(readLoad(one), 5000);
  await runWarmUp(readLoad(two), processes * 5000);
  for (let round = 0; round < stage.slowRounds; round += 1)
    for (const [server, list] of [
      [one, rates.one],
      [two, rates.two],
    ] as const)
      list.push((await load(readLoad(server), Math.max(stage.seconds, 0.5))).perSecond);
  return {
    figures: [
      { name: 'one process', perSecond: rates.one },
      { name: `${processes} processes`, perSecond: rates.two },
    ],
    ratios: [
      {
        key: 'two-processes',
        what: `${processes} processes, GET one, RS256`,
        against: 'one',
        by: 'throughput',
        rounds: divideEach(rates.two, rates.one),
        atLeast: 1.4,
      },
    ],
  };
}
