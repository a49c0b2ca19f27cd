import { expect } from 'chai';
import {
  costlyFilters,
  hostileParameters,
  refusedFilters,
  searchOf,
  wordyUsers,
} from '../../../support/hostile-queries.ts';
import { sendHostile } from '../../../support/send-hostile.ts';
import { type Answer, startService, type TestService } from '../../../support/service.ts';
import { inSqlite, type OpenStore, pathOf } from './lists.ts';

/** In an address there is no room for more, and in its percent-encoding less. */
const maxAddress = 15_000;

/** How long they hold the event loop is measured by `npm run bench -- hostile`. */
describe('A hostile query of SCIM', () => {
  const users = 50;
  let opened: OpenStore;
  let service: TestService;
  before(async () => {
    opened = await inSqlite();
    service = await startService({}, opened.store);
    const { text } = await sendHostile(service, wordyUsers(users));
    expect(text.split('"201"'), text.slice(0, 500)).to.have.length(users + 1);
  });
  after(async () => {
    await service.close();
    await opened.discard();
  });

  async function check(
    members: Readonly<Record<string, string>>,
    status: number,
    what: string,
  ): Promise<Answer> {
    const searched = await sendHostile(service, searchOf(members));
    expect(searched.status, `${what}: ${searched.text.slice(0, 300)}`).to.equal(status);
    const path = pathOf(members);
    if (path.length > maxAddress) return searched;
    const got = await service.send(path);
    expect(got.status, what).to.equal(status);
    expect(got.text).to.equal(searched.text);
    return searched;
  }

  it('is refused with its position', async () => {
    for (const [what, filter] of Object.entries(refusedFilters)) {
      const { scimType, detail } = JSON.parse((await check({ filter }, 400, `A filter ${what}`)).text);
      expect(scimType, what).to.equal('invalidFilter');
      expect(detail, what).to.match(/^filter: At character \d+: /);
      expect(detail.length, what).to.be.below(200);
    }
  });

  it('is answered if it is a costly filter', async () => {
    for (const [what, filter] of Object.entries(costlyFilters)) {
      const { totalResults } = JSON.parse((await check({ filter }, 200, `A filter ${what}`)).text);
      expect(totalResults, what).to.be.oneOf([0, users]);
    }
  });

  it('is answered or refused if other parameters are too large', async () => {
    for (const [what, [members, status]] of Object.entries(hostileParameters))
      await check(members, status, what);
  });
});
