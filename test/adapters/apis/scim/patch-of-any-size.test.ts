import { expect } from 'chai';
import { slowestUser } from '../../../support/filled-bodies.ts';
import {
  type HostilePatch,
  hostilePatchBulks,
  hostilePatches,
  makeFullLists,
} from '../../../support/hostile-patches.ts';
import { discardProcesses } from '../../../support/process.ts';
import { startWatched, type Watched } from '../../../support/watched-service.ts';

/** How often the time that the slowest user there may be takes, as for other bodies (http/bodies-of-any-size.test.ts). */
const mostHeld = 6;

describe('A PATCH of any size', () => {
  let service: Watched;
  let path = '';
  /** In ms. */
  let slowest = 0;

  before(async function () {
    this.timeout(60_000);
    service = await startWatched({
      USERS_OVERLOAD_EVENT_LOOP_DELAY: '0',
      USERS_CONNECTIONS_MAX_STALL: '600000',
    });
    const times: number[] = [];
    for (let count = 0; count < 15; count += 1) {
      const start = performance.now();
      const request = {
        method: 'POST',
        path: '/users',
        type: 'application/xml',
        body: slowestUser(),
      } as const;
      const { headers } = await service.send(request);
      times.push(performance.now() - start);
      await service.remove(headers.find(([name]) => name === 'Location')?.[1] ?? '');
    }
    slowest = times.slice(5).sort((one, other) => one - other)[5] ?? 0;
    path = await makeFullLists(service);
  });
  after(async () => {
    await service.stop();
    await discardProcesses();
  });

  /** What something else held the event loop for, doesn't come again. */
  async function expectHeld({ name, request }: HostilePatch, statuses: readonly number[]): Promise<void> {
    let least = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 5 && least > mostHeld * slowest; attempt += 1) {
      await service.measure();
      const { status, body } = await service.send(request);
      expect(status, `${name}: ${body.toString().slice(0, 300)}`).to.be.oneOf(statuses);
      least = Math.min(least, (await service.measure()).held);
    }
    expect(least / slowest, `${name} held the event loop for ${least} ms`).to.be.at.most(mostHeld);
  }

  it('is done or refused, and holds nobody up, at each limit and beyond it', async function () {
    this.timeout(180_000);
    for (const patch of hostilePatches(path)) await expectHeld(patch, [200, 400]);
  });

  it('holds nobody up in a Bulk, however many there are', async function () {
    this.timeout(300_000);
    for (const bulk of hostilePatchBulks(path)) await expectHeld(bulk, [200, 400, 413]);
  });
});
