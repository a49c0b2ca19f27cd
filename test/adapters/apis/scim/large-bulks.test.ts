import { expect } from 'chai';
import { memoryStore as memoryPort } from '../../../../src/adapters/stores/memory/store.ts';
import { DomainError } from '../../../../src/domain/validation/errors.ts';
import { hostileBulks } from '../../../support/hostile-bulks.ts';
import { some } from '../../../support/runs.ts';
import { sendHostile } from '../../../support/send-hostile.ts';
import { startService } from '../../../support/service.ts';
import { overridden } from '../../../support/stores.ts';
import { aUser, bulk, client, mediaType } from './scim-client.ts';

/** `npm run bench -- hostile` measures how long they hold the event loop. */
describe('A full Bulk', () => {
  it('is executed or refused, whatever its operations are', async () => {
    const service = await startService();
    for (const { name, body, status } of some(hostileBulks)) {
      const request = { method: 'POST', path: '/scim/v2/Bulk', type: mediaType, body } as const;
      const answer = await sendHostile(service, request);
      expect(answer.status, `${name}: ${answer.text.slice(0, 300)}`).to.equal(status);
    }
    await service.close();
  });

  it('tries no further batch when the store is unreachable, and tries again in the next Bulk', async () => {
    const port = memoryPort();
    let isAway = true;
    let tried = 0;
    const store = overridden(port, {
      commit: async (writes, by) => {
        tried += writes.length;
        if (isAway) throw new DomainError('unavailable', 'The store is away.');
        return port.commit(writes, by);
      },
    });
    const service = await startService({}, store);
    const ask = client(service);
    const operations = Array.from({ length: 100 }, () => ({ method: 'POST', path: '/Users', data: aUser() }));
    const statuses = async () => new Set((await bulk(ask, operations)).map(({ status }) => status));
    expect([...(await statuses())]).to.deep.equal(['503']);
    expect(tried).to.be.within(1, 32);
    isAway = false;
    expect([...(await statuses())]).to.deep.equal(['201']);
    await service.close();
  });
});
