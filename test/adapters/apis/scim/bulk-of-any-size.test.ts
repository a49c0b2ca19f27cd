import { expect } from 'chai';
import { slowestUser } from '../../../support/filled-bodies.ts';
import { hostileBulks } from '../../../support/hostile-bulks.ts';
import { discardProcesses } from '../../../support/process.ts';
import { type HostileRequest, startWatched, type Watched } from '../../../support/watched-service.ts';
import { mediaType } from './scim-client.ts';

/** How often the time that the slowest user there may be takes, as for other bodies (http/bodies-of-any-size.test.ts). */
const bounds = { held: 3, probe: 30 };
/** In bytes: of the whole process, at thirty Bulks of 1 MiB. */
const mostMemory = 700 * 1024 * 1024;

const requestOf = (body: string | Buffer, gzip = false): HostileRequest => ({
  ...{ method: 'POST', path: '/scim/v2/Bulk', type: mediaType },
  ...{ body, gzip },
});

describe('A Bulk of any size', () => {
  let service: Watched;
  /** In ms. */
  let slowest = 0;
  /** The slowest first. */
  const worst: { readonly ms: number; readonly name: string; readonly body: string | Buffer }[] = [];

  before(async function () {
    this.timeout(30_000);
    service = await startWatched({
      USERS_OVERLOAD_EVENT_LOOP_DELAY: '0',
      USERS_CONNECTIONS_MAX_STALL: '600000',
    });
    const request = { method: 'POST', path: '/users', type: 'application/xml', body: slowestUser() } as const;
    const times: number[] = [];
    for (let count = 0; count < 15; count += 1) {
      const start = performance.now();
      const { headers } = await service.send(request);
      times.push(performance.now() - start);
      await service.remove(headers.find(([name]) => name === 'Location')?.[1] ?? '');
    }
    slowest = times.slice(5).sort((one, other) => one - other)[5] ?? 0;
  });
  after(async () => {
    await service.stop();
    await discardProcesses();
  });

  /** The longest that it holds the event loop; what something else held it for, doesn't come again. */
  async function measureHeld(request: HostileRequest): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 5 && least > bounds.held * slowest; attempt += 1) {
      await service.measure();
      await service.send(request);
      least = Math.min(least, (await service.measure()).held);
    }
    return least;
  }

  it('is done or refused as it should be, and holds nobody up, whatever it is full of, plain and gzip', async function () {
    this.timeout(180_000);
    for (const { name, body, status } of hostileBulks)
      for (const gzip of [false, true]) {
        const start = performance.now();
        const answer = await service.send(requestOf(body, gzip));
        worst.push({ ms: performance.now() - start, name, body });
        expect(answer.status, `${name}: ${answer.body.toString().slice(0, 300)}`).to.equal(status);
        const least = await measureHeld(requestOf(body, gzip));
        expect(least / slowest, `${name} held the event loop for ${least} ms`).to.be.at.most(bounds.held);
      }
    worst.sort((one, other) => other.ms - one.ms).splice(6);
  });

  it('lets a probe through, also when thirty of the slowest come at once, and memory has an end', async function () {
    this.timeout(300_000);
    for (const { name, body } of worst) {
      let least = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < 3 && least > bounds.probe * slowest; attempt += 1) {
        const { wait, statuses } = await service.atOnce(30, requestOf(body));
        for (const status of statuses) expect(status, name).to.be.below(500);
        least = Math.min(least, wait);
      }
      expect(least / slowest, `${name} kept a probe waiting for ${least} ms`).to.be.at.most(bounds.probe);
      expect((await service.measure()).rss, name).to.be.below(mostMemory);
    }
  });
});
