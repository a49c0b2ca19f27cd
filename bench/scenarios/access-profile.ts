/** What an access profile costs its clients: against an unlimited client of the same server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addKey } from '../../src/adapters/credentials/api-keys/change-keys.ts';
import { scopes } from '../../src/domain/scopes.ts';
import { idOf } from '../directory.ts';
import type { Outcome } from '../result.ts';
import { type Contestant, figuresOf, ratiosOf, takeTurns } from '../rounds.ts';
import type { Stage } from '../stage.ts';

/** Its filter matches all users, so that both read as many. A searched member and others, in all places of a user, are hidden. */
const profiles = {
  limited: {
    users: {
      where: { active: true, role: 'analyst' },
      ...{ read: '*', except: ['externalId', 'name.familyName', 'emails', 'attributes'] },
    },
  },
};

const loads = [
  { what: 'GET one', path: `/users/${idOf(500)}`, atLeast: 0.8 },
  { what: 'page of 100', path: '/users?limit=100', atLeast: 0.4 },
  { what: 'page of 20, filter and total', path: '/users?city=London&limit=20&total=true' },
  { what: 'page of 20, search and total', path: '/users?search=hopper&limit=20&total=true' },
];

export async function measureAccessProfile(stage: Stage): Promise<Outcome> {
  const [file, keys] = ['access.json5', 'profile-keys.json'].map((name) => join(stage.folder, name));
  if (file === undefined || keys === undefined) throw new Error('there is no folder');
  writeFileSync(file, JSON.stringify({ profiles }));
  const unlimited = `unlimited.${addKey(keys, { id: 'unlimited', scopes })}`;
  const limited = `limited.${addKey(keys, { id: 'limited', scopes, profile: 'limited' })}`;
  const settings = { USERS_ACCESS_FILE: file, USERS_API_KEYS_FILE: keys };
  const server = await stage.service('secret', 'access-profile', settings);
  const contestant = (what: string, path: string, key: string): Contestant => ({
    ...{ name: what, server, status: 200, warmUp: 300 },
    load: { url: server.url + path, headers: { authorization: `Bearer ${key}` } },
  });
  const outcomes: Outcome[] = [];
  for (const { what, path, atLeast } of loads) {
    const [floor, ours] = [`${what}, unlimited`, `${what}, with a profile`];
    const pair = [contestant(floor, path, unlimited), contestant(ours, path, limited)];
    const rounds = await takeTurns(pair, stage);
    const ratios = ratiosOf(rounds, {
      ...{ key: `profile-${what.replaceAll(/\W+/g, '-').toLowerCase()}/unlimited`, what: ours },
      ...{ against: 'an unlimited client', ours, floor, atLeast },
    });
    outcomes.push({ figures: figuresOf(rounds), ratios });
  }
  return {
    figures: outcomes.flatMap(({ figures = [] }) => figures),
    ratios: outcomes.flatMap(({ ratios = [] }) => ratios),
  };
}
