import { entraExchanges } from './entra-exchanges.ts';
import { entraPatches, patchedUserInXml } from './entra-patches.ts';
import { wholeUserInXml } from './entra-whole-user.ts';
import { expectInXml, type OpenedService, onEachStore } from './exchanges-services.ts';

const kinds = ['a token', 'an API key as its bearer secret'];

describe('Microsoft Entra ID', () => {
  onEachStore((open) => {
    for (const kind of kinds) {
      describe(`with ${kind}`, () => {
        let opened: OpenedService;
        before(async () => {
          opened = await open(['users:read', 'users:write', 'users:delete'], kind);
        });
        after(() => opened.close());

        for (const exchange of [...entraExchanges, ...entraPatches])
          it(exchange.title, () => opened.conversation.play(exchange));

        it('has created users that an XML client reads unchanged', () =>
          expectInXml(opened, { dana: wholeUserInXml, erin: patchedUserInXml }));
      });
    }
  });
});
