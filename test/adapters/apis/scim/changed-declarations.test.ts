import { expect } from 'chai';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { kindsOf } from '../../../../src/domain/kinds.ts';
import { type Store, withMethods } from '../../../../src/domain/store.ts';
import { declarations, startDeclared } from '../../../support/declared.ts';
import { client, create, expectError, patchOf } from './scim-client.ts';

const own = 'urn:user-management:1:User';
const acme = 'urn:acme:scim:1:Person';

/** For services with different declarations, one after the other. */
const aStore = (): Store => withMethods(memoryStore(kindsOf()), { close: async () => undefined });

describe('A changed declaration', () => {
  it('changes the tag of a user whose text SCIM shows at another place from then on; the earlier tag still locks', async () => {
    const store = aStore();
    const plain = await startDeclared({}, {}, store);
    const room = { [own]: { attributes: [{ name: 'room', value: 'B2' }] } };
    const { id, etag } = await create(client(plain), room);
    await plain.close();
    let held = etag;
    for (const name of ['room', 'office']) {
      const scim = `${acme}:${name}`;
      const service = await startDeclared({ attributes: { room: { type: 'string', scim } } }, {}, store);
      const ask = client(service);
      const shown = await ask(`/Users/${id}`, { headers: { 'if-none-match': held } });
      expect(shown.status).to.equal(200);
      expect(shown.json()[acme]).to.deep.equal({ [name]: 'B2' });
      held = shown.headers.get('etag') ?? '';
      expect((await ask(`/Users/${id}`, { headers: { 'if-none-match': held } })).status).to.equal(304);
      const body = patchOf({ op: 'add', path: name, value: 'B2' });
      const locked = await ask(`/Users/${id}`, { method: 'PATCH', body, headers: { 'if-match': etag } });
      expect(locked.status, locked.text).to.equal(200);
      await service.close();
    }
  });

  it('shows its values as texts in a process that does not have it yet', async () => {
    const store = aStore();
    const newer = await startDeclared(declarations, {}, store);
    const { id } = await create(client(newer), { [own]: { badge: 42, sites: ['Oslo', 'Rome'] } });
    await newer.close();
    const older = await startDeclared({}, {}, store);
    expect((await client(older)(`/Users/${id}`)).json()[own]).to.deep.equal({
      attributes: [
        { name: 'badge', value: '42' },
        { name: 'sites', value: 'Oslo\nRome' },
      ],
    });
    await older.close();
  });

  it('that is stricter than a stored list does not refuse a PUT or a PATCH that leaves the list as it is', async () => {
    const store = aStore();
    const start = (maxItems: number) =>
      startDeclared({ attributes: { sites: { type: 'string', list: true, maxItems } } }, {}, store);
    const before = await start(3);
    const { id } = await create(client(before), { [own]: { sites: ['Oslo', 'Rome', 'Bergen'] } });
    await before.close();
    const service = await start(2);
    const ask = client(service);
    const { meta, ...user } = (await ask(`/Users/${id}`)).json();
    const put = await ask(`/Users/${id}`, { method: 'PUT', body: { ...user, title: 'Head' } });
    expect(put.status, put.text).to.equal(200);
    const add = (site: string) =>
      ask(`/Users/${id}`, { method: 'PATCH', body: patchOf({ op: 'add', path: 'sites', value: [site] }) });
    expect((await add('Rome')).json()).to.deep.include({ title: 'Head', [own]: user[own] });
    const refused = expectError(await add('Paris'), 400, 'invalidValue');
    expect(refused).to.equal(`${own}:sites must have at most 2 items.`);
    await service.close();
  });
});
