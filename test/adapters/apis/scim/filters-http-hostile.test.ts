import { expect } from 'chai';
import type { Exchange } from '../../../support/exchanges.ts';
import { slowestUser } from '../../../support/filled-bodies.ts';
import { discardProcesses } from '../../../support/process.ts';
import { type HostileRequest, startWatched, type Watched } from '../../../support/watched-service.ts';
import { costlyFilters, hostileParameters, refusedFilters, wordyUser } from './hostile-filters.ts';
import { pathOf } from './lists.ts';

const type = 'application/scim+json';
const users = 250;

/** How often the time that the slowest user there may be takes to be created, as for hostile bodies. */
const bounds = { held: 3, probe: 30 };

/** In an address there is no room for more, and in its percent-encoding less. */
const maxAddress = 15_000;

const searchOf = (members: Readonly<Record<string, unknown>>): HostileRequest => ({
  ...{ method: 'POST', path: '/scim/v2/Users/.search', type },
  body: JSON.stringify({ schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], ...members }),
});

describe('A hostile query of SCIM', function () {
  this.timeout(120_000);
  let service: Watched;
  /** In ms. */
  let slowest = 0;
  const worst: { readonly held: number; readonly request: HostileRequest; readonly what: string }[] = [];

  async function timeOfSlowest(): Promise<number> {
    const start = performance.now();
    const made = await service.send({
      method: 'POST',
      path: '/users',
      type: 'application/xml',
      body: slowestUser(),
    });
    const ms = performance.now() - start;
    await service.remove(made.headers.find(([name]) => name === 'Location')?.[1] ?? '');
    return ms;
  }

  before(async () => {
    service = await startWatched({ USERS_STORE: 'sqlite', USERS_OVERLOAD_EVENT_LOOP_DELAY: '0' });
    for (let first = 0; first < users; first += 50) {
      const Operations = Array.from({ length: 50 }, (_, at) => ({
        method: 'POST',
        path: '/Users',
        data: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], ...wordyUser(first + at) },
      }));
      const body = JSON.stringify({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
        Operations,
      });
      const made = await service.send({ method: 'POST', path: '/scim/v2/Bulk', type, body });
      expect(made.body.toString().split('"201"'), made.body.toString().slice(0, 500)).to.have.length(51);
    }
    const times: number[] = [];
    for (let count = 0; count < 15; count += 1) times.push(await timeOfSlowest());
    slowest = times.slice(5).sort((one, other) => one - other)[5] ?? 0;
  });
  after(async () => {
    await service.stop();
    await discardProcesses();
  });

  /** What something else held it for, doesn't come again. */
  async function measureHeld(ask: () => Promise<Exchange>, what: string): Promise<Exchange> {
    let least = Number.POSITIVE_INFINITY;
    let answer: Exchange | undefined;
    for (let attempt = 0; attempt < 5 && least > bounds.held * slowest; attempt += 1) {
      await service.measure();
      answer = await ask();
      least = Math.min(least, (await service.measure()).held);
    }
    expect(least / slowest, `${what} held the event loop for ${least} ms`).to.be.at.most(bounds.held);
    return answer ?? expect.fail('not asked');
  }

  async function check(
    members: Readonly<Record<string, string>>,
    status: number,
    what: string,
  ): Promise<Exchange> {
    const request = searchOf(members);
    const start = performance.now();
    const searched = await measureHeld(() => service.send(request), what);
    worst.push({ held: performance.now() - start, request, what });
    worst.sort((one, other) => other.held - one.held).splice(6);
    expect(searched.status, `${what}: ${searched.body.toString().slice(0, 300)}`).to.equal(status);
    const path = pathOf(members);
    if (path.length > maxAddress) return searched;
    const got = await measureHeld(() => service.get(path), what);
    expect(got.status, what).to.equal(status);
    expect(got.body.toString()).to.equal(searched.body.toString());
    return searched;
  }

  it('is refused with its place, and holds nobody up', async () => {
    for (const [what, filter] of Object.entries(refusedFilters)) {
      const { scimType, detail } = JSON.parse(
        (await check({ filter }, 400, `A filter ${what}`)).body.toString(),
      );
      expect(scimType, what).to.equal('invalidFilter');
      expect(detail, what).to.match(/^filter: At character \d+: /);
      expect(detail.length, what).to.be.below(200);
    }
  });

  it('that is a costly filter is answered, and holds nobody up', async () => {
    for (const [what, filter] of Object.entries(costlyFilters)) {
      const { totalResults } = JSON.parse((await check({ filter }, 200, `A filter ${what}`)).body.toString());
      expect(totalResults, what).to.be.oneOf([0, users]);
    }
  });

  it('that has other parameters too large holds nobody up', async () => {
    for (const [what, [members, status]] of Object.entries(hostileParameters))
      await check(members, status, what);
  });

  it('lets a probe through, also when thirty of the slowest come at once', async () => {
    for (const { request, what } of worst) {
      let least = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < 6 && least > bounds.probe * slowest; attempt += 1) {
        const { wait, statuses } = await service.atOnce(30, request);
        for (const status of statuses) expect(status, what).to.be.below(500);
        least = Math.min(least, wait);
      }
      expect(least / slowest, `${what} kept a probe waiting for ${least} ms`).to.be.at.most(bounds.probe);
    }
  });
});
