import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { Transactions } from '../../../../src/adapters/stores/mongodb/write/transactions.ts';
import { aFreePort } from '../../../support/free-port.ts';

describe('Changes of members of one group, when no MongoDB server can be reached,', () => {
  it('fail together after the first has waited for one, instead of waiting in turn', async () => {
    const client = new MongoClient(`mongodb://127.0.0.1:${await aFreePort()}/`, {
      serverSelectionTimeoutMS: 300,
    });
    const transactions = new Transactions(client, 100, () => {});
    let begun = 0;
    const change = () =>
      transactions.run('group', async (session) => {
        begun += 1;
        await client.db('users').collection('groups').findOne({}, { session });
        return true;
      });
    const [first, ...others] = await Promise.allSettled(Array.from({ length: 20 }, change));
    expect(first).to.have.nested.property('reason.name', 'MongoServerSelectionError');
    for (const other of others) expect(other).to.have.nested.property('reason.code', 'unavailable');
    expect(begun).to.equal(1);
    await client.close();
  });
});
