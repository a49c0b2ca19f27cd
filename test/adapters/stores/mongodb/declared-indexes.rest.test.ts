import { kindsOf } from '../../../../src/domain/kinds.ts';
import { declaredIndexesContract } from '../../../contract/declared-indexes.ts';
import { aDatabase, describeMongo } from '../../../support/mongodb.ts';

describeMongo('On MongoDB', () => {
  declaredIndexesContract('MongoDB', async () => {
    const database = await aDatabase();
    return {
      rows: 500,
      open: (declarations, steps) =>
        database.open({ kinds: kindsOf(declarations), buildSteps: steps?.left, onProblem: () => {} }),
      discard: () => database.drop(),
    };
  });
});
