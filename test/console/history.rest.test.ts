import { expect } from 'chai';
import { setStage } from './stage.ts';

/** Changes that one request examines, and more. */
const [bulks, perBulk] = [11, 1_000];

describe('The activity in the console, among many changes', () => {
  const stage = setStage();

  it('finds the only match behind pages without one', async () => {
    await stage.createGroup({ displayName: 'Needle' });
    for (let bulk = 0; bulk < bulks; bulk++) {
      const Operations = Array.from({ length: perBulk }, (_, index) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `${index}`,
        data: {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
          userName: `straw${bulk}.${index}`,
        },
      }));
      const response = await stage.ask('/scim/v2/Bulk', {
        method: 'POST',
        headers: { 'content-type': 'application/scim+json' },
        body: JSON.stringify({
          schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
          Operations,
        }),
      });
      expect(response.status).to.equal(200);
      await response.text();
    }
    const page = await stage.open({ query: 'activity?type=group.created' });
    await page.locator('.changes .change-line', { hasText: 'Needle' }).getByText('Group created').waitFor();
    await page.goto(`${stage.address}activity?type=group.deleted`);
    await page.getByText('No recorded change matches.').waitFor();
  });
});
