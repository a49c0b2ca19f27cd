/** Bulks (RFC 7644 §3.7) of one client, beside which those of others must get on. */
import { maxBulkBytes } from '../../src/adapters/apis/scim/bulk/request.ts';

/** PATCHes with a filter of 64 comparisons each. @param id of the user whom all of them change @param most of them; as many as fit a Bulk where it is left out */
export function starvingBulk(id: string, most = Number.POSITIVE_INFINITY): string {
  const filter = Array.from({ length: 64 }, (_, at) => `value eq \\"${at}\\"`).join(' or ');
  const patch = JSON.stringify({
    method: 'PATCH',
    path: `/Users/${id}`,
    data: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'emails[FILTER].type', value: 'home' }],
    },
  }).replace('FILTER', filter);
  const begin = '{"schemas":["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],"Operations":[';
  const count = Math.min(most, Math.floor((maxBulkBytes - begin.length - 2) / (patch.length + 1)));
  return `${begin}${Array(count).fill(patch).join()}]}`;
}
