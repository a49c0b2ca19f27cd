import { expect } from 'chai';
import { type Ask, aUser, create, giveScim } from './scim-client.ts';

const own = 'urn:user-management:1:User';
const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const kept = { [own]: { attributes: [{ name: 'floor', value: '2' }] } };

describe('What an installation adds to a user, in a PUT of an identity provider,', () => {
  let ask: Ask;
  giveScim((its) => {
    ask = its;
  });

  for (const [what, more, isKept] of [
    ['stays where the body says nothing of it', {}, true],
    ['goes where the body has it empty', { [own]: {} }, false],
    ['goes where the body has it empty, however its URN is spelled', { [own.toUpperCase()]: {} }, false],
    ['goes where the body has an empty list of it', { [`${own}:attributes`]: [] }, false],
    ['goes where only schemas names it', { schemas: [core, own] }, false],
  ] as const)
    it(what, async () => {
      const { id } = await create(ask, aUser(kept));
      const body = aUser(more);
      const answer = await ask(`/Users/${id}`, { method: 'PUT', body });
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.json()[own]).to.deep.equal(isKept ? kept[own] : undefined);
    });
});
