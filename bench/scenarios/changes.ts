/** What the change log costs writes, and how quickly it is read. */
import { join } from 'node:path';
import { fill } from '../directory.ts';
import { load } from '../load.ts';
import { median, type Outcome } from '../result.ts';
import { type Contestant, figuresOf, ratiosOf, takeTurns } from '../rounds.ts';
import type { Server } from '../server.ts';
import type { Stage } from '../stage.ts';
import { postLoad, putLoad } from './writes.ts';

/** POST and PUT with the log, against the same without. */
export async function measureLoggedWrites(stage: Stage): Promise<Outcome> {
  const { apiKey } = stage.credentials;
  const logged = await stage.service('secret', 'logged');
  const unlogged = await stage.service('secret', 'unlogged', { USERS_CHANGES_RETENTION: '0' });
  const loads = { POST: postLoad, PUT: putLoad };
  const outcomes: Outcome[] = [];
  for (const [method, loadOf] of Object.entries(loads)) {
    const contestant = (name: string, server: Server): Contestant => ({
      name: `${method} ${name}`,
      ...{ server, load: loadOf(server, apiKey), status: method === 'POST' ? 201 : 200, warmUp: 1500 },
    });
    const rounds = await takeTurns([contestant('unlogged', unlogged), contestant('logged', logged)], stage);
    const names = { ours: `${method} logged`, floor: `${method} unlogged` };
    const key = `${method.toLowerCase()}/unlogged`;
    const what = `${method} with the change log`;
    const ratios = ratiosOf(rounds, { ...names, key, what, against: 'without', atLeast: 0.85 });
    outcomes.push({ figures: figuresOf(rounds), ratios });
  }
  return {
    figures: outcomes.flatMap(({ figures = [] }) => figures),
    ratios: outcomes.flatMap(({ ratios = [] }) => ratios),
  };
}

const [entries, entriesOfPage, entriesPerSecond] = [20_000, 1_000, 100_000];

/** Pages of `/changes`, by one client that waits for each. */
export async function measureFeed(stage: Stage): Promise<Outcome> {
  const { headers } = stage.credentials.apiKey;
  fill(join(stage.folder, `changes-${entries}.db`), 0, entries, true);
  const server = await stage.service('secret', 'changes', {}, entries);
  const figures: { name: string; perSecond: number[]; cpu: number[] }[] = [];
  for (const accept of ['application/json', 'application/xml']) {
    const url = `${server.url}/changes?since=start&limit=${entriesOfPage}`;
    const what = { url, headers: { ...headers, accept }, connections: 1 };
    const [perSecond, cpu]: [number[], number[]] = [[], []];
    for (let round = -1; round < stage.rounds; round += 1) {
      const before = await server.cpu();
      const measured = await load(what, Math.max(stage.seconds, 0.5));
      // The first round compiles what runs often.
      if (round < 0) continue;
      cpu.push(((await server.cpu()) - before) / measured.requests);
      perSecond.push(measured.perSecond);
    }
    figures.push({ name: `page of ${entriesOfPage} changes, ${accept}`, cpu, perSecond });
  }
  return {
    figures,
    findings: figures.map(({ name, cpu }) => {
      const found = (entriesOfPage / median(cpu)) * 1e6;
      return {
        what: name,
        found: `${Math.round(found).toLocaleString('en')} entries in a second of CPU time`,
        target: `at least ${entriesPerSecond.toLocaleString('en')}`,
        met: found >= entriesPerSecond,
      };
    }),
  };
}
