/** What declared attributes cost: users with ten of them, typed and half of them filters, against users with ten texts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Declarations } from '../../src/domain/kinds/attributes/declaration.ts';
import { inputOf } from '../directory.ts';
import type { Load } from '../load.ts';
import type { Outcome } from '../result.ts';
import { type Contestant, figuresOf, ratiosOf, takeTurns } from '../rounds.ts';
import type { Server } from '../server.ts';
import type { Stage } from '../stage.ts';

const declarations = {
  undeclared: 'refuse',
  attributes: {
    badge: { type: 'integer', filter: true },
    hired: { type: 'date', filter: true, sort: true },
    costCentre: { type: 'string', maxLength: 10, pattern: '^[A-Z]{2}[0-9]+$', filter: true },
    level: { type: 'string', values: ['junior', 'senior'], filter: true },
    remote: { type: 'boolean', filter: true },
    sites: { type: 'string', list: true },
    rate: { type: 'decimal' },
    seen: { type: 'dateTime' },
    floor: { type: 'integer' },
    note: { type: 'string' },
  },
} as const satisfies Declarations;

const typed = {
  ...{ badge: 42, hired: '2024-02-29', costCentre: 'NL12', level: 'senior', remote: true },
  ...{ sites: ['Oslo', 'Bergen'], rate: 1.5, seen: '2026-01-02T03:04:05.000Z', floor: 2, note: 'x' },
};
const texts = Object.fromEntries(
  Object.entries(typed).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join('\n') : String(value),
  ]),
);

const one = '019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10';

export async function measureDeclared(stage: Stage): Promise<Outcome> {
  const { headers } = stage.credentials.apiKey;
  const file = join(stage.folder, 'attributes.json5');
  writeFileSync(file, JSON.stringify(declarations));
  const json = { ...headers, 'content-type': 'application/json' };
  const start = async (use: string, attributes: object, more = {}) => {
    const server = await stage.service('secret', use, more);
    const body = JSON.stringify({ ...inputOf('one'), id: one, attributes });
    await fetch(`${server.url}/users`, { method: 'POST', headers: json, body });
    return server;
  };
  const [plain, declared] = [
    await start('texts', texts),
    await start('declared', typed, { USERS_ATTRIBUTES_FILE: file }),
  ];
  const post = ({ url }: Server, attributes: object): Load => ({
    ...{ url: `${url}/users`, headers: json, connections: 32 },
    vary: { method: 'POST', body: JSON.stringify({ ...inputOf('{new}'), attributes }) },
  });
  const get = ({ url }: Server, type: string): Load => ({
    ...{ url: `${url}/users/${one}`, headers: { ...headers, accept: type } },
  });
  const contestants: Contestant[] = [
    { name: 'POST, ten texts', server: plain, load: post(plain, texts), status: 201 },
    { name: 'POST, ten declared', server: declared, load: post(declared, typed), status: 201 },
    ...(['json', 'xml'] as const).flatMap((format) => [
      {
        name: `GET ${format}, ten texts`,
        server: plain,
        load: get(plain, `application/${format}`),
        status: 200,
      },
      {
        name: `GET ${format}, ten declared`,
        server: declared,
        load: get(declared, `application/${format}`),
        status: 200,
      },
    ]),
  ];
  const rounds = await takeTurns(
    contestants.map((each) => ({ ...each, warmUp: 1500 })),
    stage,
  );
  const ratio = (what: string, atLeast: number) =>
    ratiosOf(rounds, {
      ...{ key: `declared-${what.replaceAll(' ', '-').toLowerCase()}/texts`, what: `${what}, ten declared` },
      ...{ against: 'ten texts', ours: `${what}, ten declared`, floor: `${what}, ten texts`, atLeast },
    });
  return {
    figures: figuresOf(rounds),
    ratios: [...ratio('POST', 0.85), ...ratio('GET json', 0.9), ...ratio('GET xml', 0.9)],
  };
}
