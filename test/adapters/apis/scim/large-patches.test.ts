import { expect } from 'chai';
import {
  type HostilePatch,
  hostilePatchBulks,
  hostilePatches,
  userWithFullLists,
} from '../../../support/hostile-patches.ts';
import { some } from '../../../support/runs.ts';
import { sendHostile } from '../../../support/send-hostile.ts';
import { startService, type TestService } from '../../../support/service.ts';

/** How long they hold the event loop is measured by `npm run bench -- hostile`. */
describe('A large PATCH', () => {
  let service: TestService;
  let path = '';
  before(async () => {
    service = await startService();
    const { headers } = await sendHostile(service, userWithFullLists);
    path = headers.get('location') ?? '';
  });
  after(() => service.close());

  async function expectStatuses(patches: readonly HostilePatch[], statuses: readonly number[]) {
    for (const { name, request } of patches) {
      const { status, text } = await sendHostile(service, request);
      expect(status, `${name}: ${text.slice(0, 300)}`).to.be.oneOf(statuses);
    }
  }

  it('is applied or refused, at each limit and beyond it', () =>
    expectStatuses(some(hostilePatches(path)), [200, 400]));

  it('is applied or refused in a Bulk of any number of them', () =>
    expectStatuses(some(hostilePatchBulks(path)), [200, 400, 413]));
});
