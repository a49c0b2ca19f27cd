import { openMongoStore } from '../../../../src/adapters/stores/mongodb/open-store.ts';
import type { Kinds } from '../../../../src/domain/kinds.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { uniqueKeysCases } from '../../../contract/unique-keys.ts';
import { changedUniquenessCases } from '../../../contract/unique-keys-changed.ts';
import { deadline, until } from '../../../support/deadlines.ts';
import { aDatabase, describeMongo } from '../../../support/mongodb.ts';
import { untilReady } from './behind-a-proxy.ts';

async function aPlace() {
  const database = await aDatabase();
  const opened: Store[] = [];
  async function open(kinds: Kinds, problems: string[] = []): Promise<Store> {
    const onProblem = (line: string): unknown => problems.push(line);
    const store = await openMongoStore({ uri: database.uri, kinds, onProblem, operationTimeout: deadline });
    opened.push(store);
    return store;
  }
  return {
    options: { uri: database.uri },
    async open(kinds: Kinds) {
      const store = await open(kinds);
      await untilReady(store);
      return store;
    },
    async openingFault(kinds: Kinds) {
      const problems: string[] = [];
      const store = await open(kinds, problems);
      const isFault = (line: string) => line.includes('unique');
      await until('the fault is told', () => problems.some(isFault));
      await store.close();
      return problems.find(isFault) ?? '';
    },
    async discard() {
      await Promise.all(opened.map((store) => store.close()));
      await database.drop();
    },
  };
}

describeMongo('Unique keys in MongoDB', () => uniqueKeysCases(aPlace));
describeMongo('The uniqueness of keys in MongoDB', () => changedUniquenessCases(aPlace));
