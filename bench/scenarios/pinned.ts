/** What it costs to be pinned: GET one and a page, of users that have later members, against a client that sees them. */
import { aToken } from '../../test/support/service.ts';
import { idOf } from '../directory.ts';
import type { Outcome } from '../result.ts';
import { type Contestant, figuresOf, ratiosOf, takeTurns } from '../rounds.ts';
import type { Stage } from '../stage.ts';

const loads = { 'GET one': `/users/${idOf(500)}`, 'page of 100': '/users?limit=100' };

export async function measurePinned(stage: Stage): Promise<Outcome> {
  const server = await stage.grownUsers();
  const contestant = async (what: string, path: string, client: string): Promise<Contestant> => ({
    ...{ name: `${what}, ${client}`, server, status: 200, warmUp: 2000 },
    load: {
      url: `${server.url}/grown${path}`,
      headers: { authorization: `Bearer ${await aToken(undefined, '1h', client)}` },
    },
  });
  const outcomes: Outcome[] = [];
  for (const [what, path] of Object.entries(loads)) {
    const pair = [await contestant(what, path, 'new'), await contestant(what, path, 'old')];
    const rounds = await takeTurns(pair, stage);
    const ratios = ratiosOf(rounds, {
      ...{ key: `pinned-${what.replaceAll(' ', '-').toLowerCase()}/unpinned`, what: `${what}, pinned` },
      ...{ against: 'unpinned', ours: `${what}, old`, floor: `${what}, new`, atLeast: 0.6 },
    });
    outcomes.push({ figures: figuresOf(rounds), ratios });
  }
  return {
    figures: outcomes.flatMap(({ figures = [] }) => figures),
    ratios: outcomes.flatMap(({ ratios = [] }) => ratios),
  };
}
