import { expect } from 'chai';
import { type Collection, type CommandStartedEvent, MongoClient, MongoServerError } from 'mongodb';
import {
  type ResourceDocument,
  toPlace,
} from '../../../../src/adapters/stores/mongodb/documents/document.ts';
import { Pages } from '../../../../src/adapters/stores/mongodb/query/pages.ts';
import { matching } from '../../../../src/domain/find/conditions.ts';
import type { Term } from '../../../../src/domain/find/search.ts';
import { refused } from '../../../contract/refusals.ts';
import { aDatabase, describeTestCommands, type TestDatabase } from '../../../support/mongodb.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { listsOf, userKind } from './documents.ts';

const termOf = (start: string): Term => [{ start, pattern: `\n\u001f${start}` }];

describeTestCommands('A query that takes MongoDB too long', () => {
  const half = 50;
  const now = '2026-01-02T03:04:05.678Z';
  const meta = { created: now, lastModified: now, version: 'v' };
  /** In ms. */
  const maxTimeMS = 54_321;
  const appName = 'too-costly';
  let database: TestDatabase;
  let client: MongoClient;
  let reads: Pick<UserStore, 'list' | 'count'>;
  /** What the server was given for each find and each count, in ms. */
  let times: number[];

  before(async () => {
    database = await aDatabase();
    await (await database.open()).close();
    const loose = database.client.db().collection<{ _id: string }>('users');
    for (const word of ['left', 'right']) {
      const documents = Array.from({ length: half }, (_, at) => ({
        _id: `${word}${at}`,
        name: `${word}${at}`,
        words: [word],
        search: `\n\u001f${word}`,
        text: JSON.stringify({ id: `${word}${at}`, userName: `${word}${at}`, active: true, meta }),
        version: meta.version,
        sorts: { userName: toPlace({ id: `${word}${at}`, key: `${word}${at}` }) },
      }));
      await loose.insertMany(documents, { ordered: false });
    }
    client = new MongoClient(database.uri, { appName, monitorCommands: true });
    client.on('commandStarted', ({ command }: CommandStartedEvent) => {
      if ('find' in command || 'aggregate' in command) times.push(Number(command.maxTimeMS));
    });
  });
  beforeEach(beginAnew);
  afterEach(() => expire('find', 'off'));
  after(async () => {
    await client?.close();
    await database?.drop();
  });

  /** Reads keep what they have counted for a while. */
  function beginAnew(): void {
    times = [];
    const users: Collection<ResourceDocument> = client.db().collection('users');
    reads = listsOf(new Pages(userKind, users, { maxTimeMS, most: 10 }));
  }

  /** The server says of such commands that their time is over, however quick it is. */
  async function expire(command: string, mode: 'off' | { times: number } | { skip: number }): Promise<void> {
    const data = { failCommands: [command], errorCode: 50, appName };
    await database.client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });
  }

  /** Both are frequent, and nobody has both: to find out takes a look at half of all users. */
  const terms = [termOf('left'), termOf('right')];

  it('is refused as too costly, with advice on what to ask for instead', async () => {
    for (const by of [undefined, 'userName']) {
      beginAnew();
      // The walk along the order, and the sorting.
      await expire('find', { times: 2 });
      const error = await refused(
        reads.list({ where: matching({}, terms), sort: { by }, limit: 10 }),
        'query-too-costly',
      );
      expect(error.message).to.match(/longer term|filter/);
      expect(Math.max(...times)).to.equal(maxTimeMS);
    }
    beginAnew();
    // The counts of either.
    await expire('aggregate', { skip: 2 });
    await refused(reads.count({ where: matching({}, terms) }), 'query-too-costly');
    expect(times.slice(0, 3)).to.deep.equal([maxTimeMS, maxTimeMS, maxTimeMS]);
  });

  it('fails as unavailable when the server is too busy to read even one user', async () => {
    await expire('find', { times: 3 });
    const error = await reads
      .list({ where: matching({}, terms), limit: 10 })
      .catch((cause: unknown) => cause);
    expect(error).to.be.instanceOf(MongoServerError).and.include({ code: 50 });
  });

  it('is answered by the index of its condition when the scan in its order runs out of time', async () => {
    await expire('find', { times: 1 });
    expect(await reads.list({ where: matching({}, terms), limit: 10 })).to.deep.equal([]);
    expect(await reads.count({ where: matching({}, terms) })).to.equal(0);
  });

  it('is not one for users that stand together at the far end of an order: it finds them', async () => {
    await expire('find', { times: 1 });
    const query = { where: matching({}, [termOf('right')]), sort: { by: 'userName' }, limit: 10 };
    const found = await reads.list(query);
    expect(found.map(({ id }) => id)).to.deep.equal(
      Array.from({ length: half }, (_, at) => `right${at}`)
        .sort()
        .slice(0, 10),
    );
    const [walk = 0, sorting] = times.slice(-2);
    expect([walk < maxTimeMS, sorting]).to.deep.equal([true, maxTimeMS]);
  });
});
