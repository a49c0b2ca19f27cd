import { expect } from 'chai';
import { isObject } from '../../../src/domain/validation/plain-values.ts';
import { clientNames, clients } from '../../support/clients.ts';
import { startService } from '../../support/service.ts';
import { memoryStore } from '../../support/stores.ts';
import type { UserStore } from '../../support/verbs.ts';
import { aFolder, openAt } from '../stores/sqlite/a-file.ts';

/** How often this thread printed a whole user of this test, as opposed to the examples of documents, while `run` ran. */
async function countPrints(run: () => Promise<unknown>): Promise<number> {
  const { stringify } = JSON;
  let prints = 0;
  JSON.stringify = new Proxy(stringify, {
    apply(target, self, given: unknown[]) {
      const [value] = given;
      if (isObject(value) && 'meta' in value && String(value.userName).startsWith('printed-')) prints += 1;
      return Reflect.apply(target, self, given);
    },
  });
  try {
    await run();
  } finally {
    JSON.stringify = stringify;
  }
  return prints;
}

describe('A user that is written', () => {
  const folder = aFolder();
  after(() => folder.remove());
  const stores: Record<string, () => Promise<UserStore>> = {
    memory: async () => memoryStore(),
    SQLite: () => openAt(`${folder.path}/users.db`),
  };
  for (const [name, open] of Object.entries(stores)) {
    for (const client of clientNames) {
      it(`is printed to JSON only once: its size, ${name} and the answer in ${client} share the text`, async () => {
        const service = await startService({}, await open());
        const { write, user } = clients[client];
        const headers = { ...write, prefer: 'return=representation' };
        const send = async (method: string, path: string, title: string, status: number) => {
          const body = user({ userName: `printed-${client}`, title });
          const answer = await service.send(path, { method, headers, body });
          expect(answer.status, answer.text).to.equal(status);
          expect(answer.text).to.include(title);
          return answer;
        };
        try {
          let path = '';
          const post = async () => {
            path = (await send('POST', '/users', 'made', 201)).headers.get('location') ?? '';
          };
          expect(await countPrints(post)).to.equal(1);
          expect(await countPrints(() => send('PUT', path, 'put', 200))).to.equal(1);
          expect(await countPrints(() => send('PATCH', path, 'patched', 200))).to.equal(1);
        } finally {
          await service.close();
        }
      });
    }
  }
});
