import { expect } from 'chai';
import { randomIds } from '../../../src/adapters/system/clock-and-ids.ts';

describe('Ids and versions', () => {
  it('are never given out twice, however many are drawn', () => {
    const count = 2000;
    const versions = new Set(Array.from({ length: count }, () => randomIds.version()));
    const ids = Array.from({ length: count }, () => randomIds.id());
    expect([versions.size, new Set(ids).size]).to.deep.equal([count, count]);
    for (const version of versions) expect(version).to.match(/^[\w-]{22}$/);
    expect(ids.toSorted()).to.deep.equal(ids);
  });
});
