import { expect } from 'chai';
import { credentialKinds, type OpenedService, onEachStore } from './exchanges-services.ts';
import { oktaExchanges, oktaUsersInXml } from './okta-exchanges.ts';

describe('Okta', () => {
  onEachStore((open) => {
    for (const kind of Object.keys(credentialKinds)) {
      describe(`with ${kind}`, () => {
        let opened: OpenedService;
        before(async () => {
          opened = await open(['users:read', 'users:write'], kind);
        });
        after(() => opened.close());

        for (const exchange of oktaExchanges) it(exchange.title, () => opened.conversation.play(exchange));

        it('has made users that the XML client reads to the character', async () => {
          const { service, conversation, authorization: Authorization } = opened;
          for (const [who, wanted] of Object.entries(oktaUsersInXml)) {
            const path = `/users/${conversation.placeholders.value(`id ${who}`)}`;
            const headers = { Accept: 'application/xml', Authorization };
            const { text } = await service.send(path, { headers });
            expect(text).to.equal(conversation.placeholders.learn(wanted, text));
          }
        });
      });
    }
  });
});
