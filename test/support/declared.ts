/** The attributes that the specification declares, and a service with them. */

import { expect } from 'chai';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import type { Declarations } from '../../src/domain/kinds/attributes/declaration.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import type { Store } from '../../src/domain/store.ts';
import type { Json } from './contract.ts';
import { type Exchange, onExchange } from './exchanges.ts';
import type { PublishedSchema } from './scim-schemas.ts';
import { type GivenSettings, startService, type TestService } from './service.ts';
import type { UserStore } from './verbs.ts';

export const declarations = {
  attributes: {
    badge: { type: 'integer', minimum: 1, unique: true, label: { en: 'Badge', de: 'Ausweis' } },
    hired: { type: 'date', filter: true, sort: true },
    costCentre: { type: 'string', maxLength: 10, pattern: '^[A-Z]{2}[0-9]+$', filter: true, search: true },
    level: { type: 'string', values: ['junior', 'senior', 'principal'], filter: true },
    remote: { type: 'boolean', filter: true },
    sites: { type: 'string', list: true, maxItems: 20, filter: true },
    mentor: { type: 'user' },
    rate: { type: 'decimal', minimum: 0, sort: true },
    seen: { type: 'dateTime', filter: true },
    scores: { type: 'integer', list: true },
  },
} as const satisfies Declarations;

const base = '/declared';

/** Each answer, by what the service that gave it publishes: no other contract knows its attributes. */
async function expectContract(service: TestService, exchanges: readonly Exchange[]): Promise<void> {
  const { contractChecks } = await import('./contract-check.ts');
  const read = async (path: string): Promise<Json> =>
    JSON.parse((await service.send(path)).text.replaceAll(`"${base}/`, '"/'));
  const { check } = contractChecks({
    main: await read('/openapi.json'),
    schemas: (await read('/scim/v2/Schemas')).Resources as unknown as readonly PublishedSchema[],
  });
  const mistakes = exchanges.flatMap((exchange) => {
    const target = exchange.target.slice(base.length);
    return check({ ...exchange, target }).mistakes.map((mistake) => `${target}: ${mistake}`);
  });
  expect(mistakes).to.deep.equal([]);
}

/**
 * Its answers are held to its own contract when it is closed, unless its clients are pinned to another one, or
 * lack members that it requires.
 * @param store left out: a new one in memory
 */
export async function startDeclared(
  declared: Declarations = declarations,
  settings: GivenSettings = {},
  store?: UserStore | Store,
): Promise<TestService> {
  const kinds = kindsOf(declared);
  const exchanges: Exchange[] = [];
  const service = await startService(
    { ...settings, basePath: base },
    store ?? memoryStore(kinds),
    undefined,
    undefined,
    [],
    kinds,
  );
  onExchange((exchange) => {
    const { host } = new URL(service.url);
    if (exchange.requestHeaders.some(([name, value]) => name === 'Host' && value === host))
      exchanges.push(exchange);
  });
  return {
    ...service,
    send: (path, request) => service.send(path.startsWith(base) ? path : base + path, request),
    async close() {
      const seen = exchanges.splice(0);
      if (settings.contract === undefined && settings.profiles === undefined)
        await expectContract({ ...service, send: (path) => service.send(base + path) }, seen);
      await service.close();
    },
  };
}
