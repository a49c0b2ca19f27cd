import { join } from 'node:path';
import { expect } from 'chai';
import { matchAll } from '../../../../src/domain/find/conditions.ts';
import { kindsOf } from '../../../../src/domain/kinds.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { declaredIndexesContract } from '../../../contract/declared-indexes.ts';
import { refused } from '../../../contract/refusals.ts';
import { aUser } from '../../../support/a-user.ts';
import { aFolder, giveFile, openAt } from './a-file.ts';

declaredIndexesContract('SQLite', async () => {
  const folder = aFolder();
  const file = join(folder.path, 'users.db');
  return {
    rows: 100,
    open: (declarations, steps) => openAt(file, { kinds: kindsOf(declarations), buildSteps: steps?.left }),
    discard: async () => folder.remove(),
  };
});

describe('A process on a SQLite file that another one serves with more declared attributes', () => {
  let file: string;
  giveFile((path) => {
    file = path;
  });

  it('answers the lists whose indexes are whole, writes nothing and goes on', async () => {
    const hired = { hired: { type: 'date', filter: true } } as const;
    const more = { attributes: { ...hired, level: { type: 'string', filter: true } } } as const;
    const earlier = await openAt(file, { kinds: kindsOf({ attributes: hired }) });
    const user = aUser({ attributes: { hired: '2024-01-31' } });
    await earlier.insert(Stored.of(user));
    const later = await openAt(file, { kinds: kindsOf(more), buildSteps: new Int32Array(1) });
    for (const where of [matchAll, { filter: 'attributes.hired', key: '2024-01-31' }])
      expect(await earlier.list({ where, limit: 9 })).to.have.length(1);
    const { cause } = await refused(earlier.insert(Stored.of(aUser())), 'unavailable');
    expect(String(cause)).to.include('A process with other attributes');
    await later.insert(Stored.of(aUser()));
    expect(await earlier.count({ where: matchAll })).to.equal(2);
    await Promise.all([earlier.close(), later.close()]);
  });
});
