import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { DomainError } from '../../../src/domain/validation/errors.ts';
import { startService, type TestService } from '../../support/service.ts';
import { memoryStore } from '../../support/stores.ts';

const probe = '/health/ready';
/** Node tells there of every request that a server begins with. */
const begun = 'http.server.request.start';

/** Until the service has begun with so many. */
function awaitProbes(count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    const note = (message: unknown) => {
      if ((message as { readonly request: IncomingMessage }).request.url !== probe) return;
      left -= 1;
      if (left > 0) return;
      unsubscribe(begun, note);
      resolve();
    };
    subscribe(begun, note);
  });
}

describe('The probe for readiness', () => {
  let service: TestService;
  let looks: number;
  /** In the place of the store's own check. */
  let look: () => Promise<void>;
  beforeEach(async () => {
    looks = 0;
    look = async () => undefined;
    const store = memoryStore();
    store.check = () => {
      looks += 1;
      return look();
    };
    service = await startService({}, store);
  });
  afterEach(() => service.close());

  const ask = async () => (await service.send(probe, { anonymous: true })).status;

  /** The answers to probes that have all come before the look at the store is over. */
  async function askedTogether(count: number, outcome: () => Promise<void>): Promise<number[]> {
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    look = () => held.then(outcome);
    const all = awaitProbes(count);
    const answers = Array.from({ length: count }, ask);
    await all;
    await turn();
    end();
    return Promise.all(answers);
  }

  it('asks the store once for all requests that arrive during the check', async () => {
    expect(await askedTogether(5, async () => undefined)).to.deep.equal(Array(5).fill(204));
    expect(looks).to.equal(1);
  });

  it('fails for all these requests when the store is not ready', async () => {
    const unready = async () => {
      throw new DomainError('unavailable', 'gone');
    };
    expect(await askedTogether(5, unready)).to.deep.equal(Array(5).fill(503));
    expect(looks).to.equal(1);
  });

  it('asks the store again for later requests, whatever the last result was', async () => {
    const outcomes = [204, 503, 204, 204];
    for (const outcome of outcomes) {
      look = async () => {
        if (outcome === 503) throw new DomainError('unavailable', 'gone');
      };
      expect(await ask()).to.equal(outcome);
    }
    expect(looks).to.equal(outcomes.length);
  });
});
