import { openMongoStore } from '../../../../src/adapters/stores/mongodb/open-store.ts';
import { anyKindCases } from '../../../contract/any-kind.ts';
import { kindsOf } from '../../../support/devices.ts';
import { aDatabase, describeMongo } from '../../../support/mongodb.ts';

const kinds = kindsOf();

describeMongo('Resources of any kind in MongoDB', () => {
  const open = async () => {
    const database = await aDatabase();
    const onProblem = (message: string): never => {
      throw new Error(message);
    };
    const store = await openMongoStore({ uri: database.uri, kinds, onProblem });
    const discard = async (): Promise<void> => {
      await store.close();
      await database.drop();
    };
    return { store, discard };
  };
  for (const kind of kinds.all)
    describe(`beside others: ${kind.plural}`, () =>
      anyKindCases(kind, open, kind.name === 'user' ? { active: true } : {}));
});
