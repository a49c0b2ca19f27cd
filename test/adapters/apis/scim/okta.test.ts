import { credentialKinds, expectInXml, type OpenedService, onEachStore } from './exchanges-services.ts';
import { oktaExchanges } from './okta-exchanges.ts';
import { oktaUsersInXml } from './okta-lifecycle.ts';

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

        it('has created users that an XML client reads unchanged', () => expectInXml(opened, oktaUsersInXml));
      });
    }
  });
});
