import { expect } from 'chai';
import { kindsOf } from '../../../../src/domain/kinds.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { declaredIndexesContract } from '../../../contract/declared-indexes.ts';
import { aUser } from '../../../support/a-user.ts';
import { until } from '../../../support/deadlines.ts';
import { aDatabase, describeMongo, inADatabase } from '../../../support/mongodb.ts';

describeMongo('On MongoDB', () => {
  declaredIndexesContract('MongoDB', async () => {
    const database = await aDatabase();
    return {
      rows: 500,
      open: (declarations, steps) =>
        database.open({
          kinds: kindsOf(declarations),
          buildSteps: steps?.left,
          onProblem: () => {},
        }),
      discard: () => database.drop(),
    };
  });

  it('the log shows that indexes of attributes are built, and when they are whole', () =>
    inADatabase(async (database) => {
      const plain = await database.open();
      await plain.insert(Stored.of(aUser({ attributes: { hired: '2024-01-31' } })));
      await plain.close();
      const lines: string[] = [];
      const attributes = { hired: { type: 'date', sort: true } } as const;
      await database.open({ kinds: kindsOf({ attributes }), onProgress: (line) => lines.push(line) });
      await until('both lines are there', () => lines.length === 2);
      expect(lines[0]).to.match(
        /^MongoDB at .*: users: The index of attributes\.hired is being built: 1 of 1 done\.$/,
      );
      expect(lines[1]).to.match(/^MongoDB at .*: users: All indexes are built\.$/);
    }));
});
