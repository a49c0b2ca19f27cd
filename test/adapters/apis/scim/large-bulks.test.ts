import { expect } from 'chai';
import { hostileBulks } from '../../../support/hostile-bulks.ts';
import { some } from '../../../support/runs.ts';
import { sendHostile } from '../../../support/send-hostile.ts';
import { startService } from '../../../support/service.ts';
import { mediaType } from './scim-client.ts';

/** `npm run bench:hostile` measures how long they hold the event loop. */
describe('A Bulk that is full', () => {
  it('is done or refused, whatever it is full of', async () => {
    const service = await startService();
    for (const { name, body, status } of some(hostileBulks)) {
      const request = { method: 'POST', path: '/scim/v2/Bulk', type: mediaType, body } as const;
      const answer = await sendHostile(service, request);
      expect(answer.status, `${name}: ${answer.text.slice(0, 300)}`).to.equal(status);
    }
    await service.close();
  });
});
