import { expect } from 'chai';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import type { Authenticator, Principal } from '../../../../src/domain/ports.ts';
import { scopes } from '../../../../src/domain/scopes.ts';
import { unauthenticated } from '../../../../src/domain/validation/errors.ts';
import { until } from '../../../support/deadlines.ts';
import { exchange } from '../../../support/exchanges.ts';
import { type SkippableClock, skippableClock } from '../../../support/scheduler-clock.ts';
import { type Answer, answerOf, aToken, type GivenSettings, startService } from '../../../support/service.ts';
import { changesIn, countLooks, type Directory, openDirectory } from './directory.ts';
import { type EventReader, openStream } from './stream.ts';

describe('A request that waits for changes', () => {
  let directory: Directory;
  let clock: SkippableClock;
  let looks: ReturnType<typeof countLooks>;
  beforeEach(async () => {
    clock = skippableClock();
    looks = countLooks(memoryStore());
    directory = await openDirectory(looks.store);
  });
  afterEach(async () => {
    await directory.close();
    clock.restore();
  });

  /** Resolves when requests wait: the log is looked at for them. */
  const areWaiting = async (): Promise<void> => {
    const { latest } = looks.counts;
    await until('the log is looked at', () => looks.counts.latest > latest + 1);
  };
  const now = async (): Promise<string> => (await directory.read('/changes?since=now')).next;

  it('is answered with the first change, or at once if there already is one', async () => {
    const since = await now();
    const waiting = directory.send(`/changes?since=${since}&wait=50`);
    await areWaiting();
    const [id] = await directory.addUsers(1);
    const { changes, next, more } = changesIn(await waiting);
    expect(changes.map((change) => change.id)).to.deep.equal([id]);
    expect([next, more]).to.deep.equal([changes[0]?.cursor, false]);
    expect(changesIn(await directory.send(`/changes?since=${since}&wait=50`)).changes).to.deep.equal(changes);
  });

  it('is not answered with changes that its filter excludes, but skips them', async () => {
    const waiting = directory.send('/changes?since=now&wait=50&by=billing');
    await areWaiting();
    await directory.addUsers(3);
    const id = await directory.write('POST', '/users', { userName: 'ada' }, 'billing');
    expect(changesIn(await waiting).changes.map((change) => change.id)).to.deep.equal([id]);
    const another = directory.send('/changes?since=now&wait=50&by=nobody');
    await areWaiting();
    await directory.addUsers(1);
    const end = await now();
    await areWaiting();
    clock.skip(50_000);
    expect(changesIn(await another)).to.deep.equal({ changes: [], next: end, more: false });
  });

  it('is answered with an empty page when its time is over', async () => {
    const since = await now();
    const waiting = directory.send(`/changes?since=${since}&wait=7`, { headers: { accept: 'text/xml' } });
    await areWaiting();
    clock.skip(7_000);
    const { status, text } = await waiting;
    expect([status, text.endsWith(`next="${since}" more="false"></changes>`)]).to.deep.equal([200, true]);
  });

  it('waits from 1 to 50 seconds, unless it is a HEAD', async () => {
    for (const wait of ['0', '51', '1.5', 'x', ''])
      expect((await directory.send(`/changes?since=now&wait=${wait}`)).status, wait).to.equal(400);
    const { status } = await directory.send('/changes?since=now&wait=50', { method: 'HEAD' });
    expect(status).to.equal(200);
  });

  it('is answered at once when the service shuts down', async () => {
    const headers = { authorization: `Bearer ${await aToken()}` };
    const url = `${directory.url}/changes?since=now&wait=50`;
    const waiting = [1, 2, 3].map(async () => answerOf(await exchange(url, { headers })));
    await areWaiting();
    const closing = directory.close();
    for (const answer of await Promise.all(waiting)) {
      expect(changesIn(answer).changes).to.deep.equal([]);
      expect(answer.headers.get('connection')).to.equal('close');
    }
    await closing;
    directory = await openDirectory();
  });

  it('is answered with a problem when the log no longer has the changes after its cursor', async () => {
    await directory.addUsers(1);
    const waiting = directory.send('/changes?since=now&wait=50');
    await areWaiting();
    looks.replaceLog();
    expect((await waiting).status).to.equal(410);
  });

  it('waits on a new log, while a request that waits on the previous log is refused', async () => {
    const earlier = directory.send('/changes?since=now&wait=50');
    await areWaiting();
    // Its end has the same number.
    looks.replaceLog();
    const waiting = directory.send('/changes?since=now&wait=50');
    expect((await earlier).status).to.equal(410);
    await areWaiting();
    clock.skip(50_000);
    expect(changesIn(await waiting).changes).to.deep.equal([]);
  });

  it('continues to wait while the store is unreachable', async () => {
    const waiting = directory.send('/changes?since=now&wait=50');
    await areWaiting();
    looks.fail(true);
    const { latest } = looks.counts;
    await until('a look has failed', () => looks.counts.latest > latest);
    looks.fail(false);
    const [id] = await directory.addUsers(1);
    expect(changesIn(await waiting).changes.map((change) => change.id)).to.deep.equal([id]);
  });

  it('shares the reads of the log with all other waiting requests', async () => {
    const waiting = Array.from({ length: 50 }, () => directory.send('/changes?since=now&wait=50'));
    await until('all have begun', () => looks.counts.read >= 50);
    await areWaiting();
    const { read } = looks.counts;
    const [id] = await directory.addUsers(1);
    for (const answer of await Promise.all(waiting))
      expect(changesIn(answer).changes.map((change) => change.id)).to.deep.equal([id]);
    expect(looks.counts.read - read).to.equal(1);
    const { latest } = looks.counts;
    clock.skip(1_000);
    await directory.addUsers(1);
    expect(looks.counts.latest, 'nobody waits').to.be.below(latest + 2);
  });

  it('causes no read of the log if others already wait, and gets the same changes', async () => {
    const since = await now();
    const first = directory.send(`/changes?since=${since}&wait=50`);
    await areWaiting();
    const { read } = looks.counts;
    const second = directory.send(`/changes?since=${since}&wait=50&type=user.created`);
    await areWaiting();
    expect(looks.counts.read).to.equal(read);
    const [id] = await directory.addUsers(1);
    for (const answer of await Promise.all([first, second]))
      expect(changesIn(answer).changes.map((change) => change.id)).to.deep.equal([id]);
    expect(looks.counts.read).to.equal(read + 1);
  });

  it('does not count towards the limit of requests in progress; a separate limit applies to waiting requests', async () => {
    const busy = await openDirectory(looks.store, { overload: { requests: 4, followers: 8 } });
    const waiting: Promise<Answer>[] = [];
    for (let count = 1; count <= 4; count += 1) {
      waiting.push(busy.send('/changes?since=now&wait=50'));
      const { read } = looks.counts;
      await until('it has begun', () => looks.counts.read >= Math.max(read, count));
    }
    await areWaiting();
    for (let count = 0; count < 4; count += 1)
      expect((await busy.send('/users?limit=1')).status).to.equal(200);
    const refused = await busy.send('/changes?since=now&wait=50');
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '5']);
    await busy.addUsers(1);
    for (const { status } of await Promise.all(waiting)) expect(status).to.equal(200);
    expect((await busy.send(`/changes?since=start&wait=50`)).status).to.equal(200);
    await busy.close();
  });

  describe('with credentials that end', () => {
    let principal: Principal;
    let isValid: boolean;
    const ending: Authenticator = {
      scheme: 'Bearer',
      authenticate() {
        if (!isValid) throw unauthenticated('key-wrong', 'The API key is wrong.');
        return principal;
      },
      close: async () => {},
    };
    beforeEach(() => {
      isValid = true;
      principal = { id: 'follower', scopes: new Set(scopes) };
    });

    async function waitUntil(end: () => void, settings: GivenSettings = {}): Promise<Answer> {
      looks = countLooks(memoryStore());
      const service = await startService(settings, looks.store, [ending]);
      const headers = { authorization: 'Bearer x' };
      const waiting = service.send('/changes?since=now&wait=50', { headers });
      await areWaiting();
      end();
      const answer = await waiting;
      await service.close();
      return answer;
    }

    it('is refused within 15 seconds after they are revoked, lose the scope or name a missing profile', async () => {
      const withdrawn = await waitUntil(() => {
        isValid = false;
        clock.skip(15_000);
      });
      expect([withdrawn.status, withdrawn.headers.has('www-authenticate')]).to.deep.equal([401, true]);
      isValid = true;
      const reduced = await waitUntil(() => {
        principal = { id: 'follower', scopes: new Set() };
        clock.skip(15_000);
      });
      expect(reduced.status).to.equal(403);
      principal = { id: 'follower', scopes: new Set(scopes) };
      const limited = await waitUntil(() => {
        principal = { ...principal, profile: 'gone' };
        clock.skip(15_000);
      });
      expect([limited.status, limited.json().type]).to.deep.equal([403, '/problems/profile-refused']);
    });

    it('is refused within 15 seconds after they have another access profile, also if nothing is written meanwhile', async () => {
      const profiles = { one: { users: { read: ['userName'] } }, other: { users: { read: ['title'] } } };
      principal = { ...principal, profile: 'one' };
      const { status, json } = await waitUntil(
        () => {
          principal = { ...principal, profile: 'other' };
          clock.skip(15_000);
        },
        { profiles },
      );
      expect([status, json().type]).to.deep.equal([410, '/problems/cursor-foreign']);
    });

    it('is refused when they expire', async () => {
      principal = { ...principal, expires: Date.now() + 5_000 };
      const { status } = await waitUntil(() => {
        isValid = false;
        clock.skip(5_000);
      });
      expect(status).to.equal(401);
    });
  });

  it('leaves connections to other clients, even if one client opens many', async () => {
    const connections = { max: 16, maxHeaderSize: 16_384, maxHeaderFields: 100, maxStall: 60_000 };
    const narrow = await openDirectory(looks.store, { connections });
    const headers = { authorization: `Bearer ${await aToken()}` };
    const streams: EventReader[] = [];
    while (streams.length < 16) streams.push(await openStream(`${narrow.url}/changes?since=now`, headers));
    expect(streams.map(({ status }) => status)).to.include.members([200, 503]);
    const { status } = await exchange(`${narrow.url}/users?limit=1`, { headers });
    expect(status).to.equal(200);
    for (const stream of streams) stream.close();
    await narrow.close();
  });

  it('is removed when its client disconnects', async () => {
    const small = await openDirectory(looks.store, { overload: { followers: 2 } });
    const headers = { authorization: `Bearer ${await aToken()}` };
    for (let count = 0; count < 5; count += 1) {
      await until('there is room', async () => {
        const stream = await openStream(`${small.url}/changes?since=now`, headers);
        stream.close();
        return stream.status === 200;
      });
    }
    await small.close();
  });
});
