import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { matchAll } from '../../src/domain/find/conditions.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aUser, changed } from '../support/a-user.ts';
import { refused } from './refusals.ts';
import type { Bench } from './user-store.ts';

/** Every member there is, with what stores are known to trip over. */
const full = (): User =>
  aUser({
    externalId: '007',
    name: { familyName: "O'Brien", givenName: ' spaced ', formatted: 'a\r\n\tb' },
    displayName: '$set',
    nickName: '"quoted" \\ 100% _',
    profileUrl: 'https://example.org/ada?$set=%22#a.b',
    title: '𝒟r 👩‍🚀',
    userType: 'null',
    preferredLanguage: 'en-GB',
    locale: 'nl',
    timezone: 'Europe/Amsterdam',
    emails: [{ value: 'a@example.org', type: 'work', primary: true }, { value: 'b@example.org' }],
    phoneNumbers: [{ value: '+31 20 000 00 00' }],
    ims: [{ value: '1e3', display: 'null', type: 'xmpp' }],
    photos: [{ value: 'urn:a', primary: false }],
    addresses: [{ country: 'NL', formatted: 'line 1\nline 2' }],
    entitlements: [{ value: '$or', display: ' ' }],
    roles: ['admin'],
    x509Certificates: [{ value: 'AA==' }],
    enterprise: { employeeNumber: '0042', manager: { value: '$ref', displayName: 'a.b' } },
    attributes: { costCenter: '42', constructor: 'x', toString: '1e3' },
  });

function basicCases({ ui, store, asItIs }: Bench): void {
  ui.it('gives back a user exactly as it was stored, members in their order', async () => {
    const user = full();
    await store().insert(user);
    const found = await store().find(user.id);
    expect(found).to.deep.equal(user);
    expect(JSON.stringify(found)).to.equal(JSON.stringify(user));
  });
  ui.it('hands out text and meta that say the same as the user', async () => {
    const user = full();
    await store().insert(user);
    for (const stored of [
      await asItIs().find(user.id),
      ...(await asItIs().list({ where: matchAll, limit: 1 })),
    ]) {
      expect(stored?.meta).to.deep.equal(user.meta);
      expect(stored?.text).to.equal(JSON.stringify(user));
    }
  });
  ui.it('finds no user by an id that was never assigned', async () => {
    expect(await store().find(randomUUID())).to.equal(undefined);
  });
  ui.it('replaces a user as a whole', async () => {
    const user = full();
    await store().insert(user);
    const { externalId: _, ...rest } = changed(user, { displayName: 'new' });
    expect(await store().replace(rest, user.meta.version)).to.equal(true);
    expect(await store().find(user.id)).to.deep.equal(rest);
  });
  ui.it('removes a user, after which its id and its name are free', async () => {
    const user = aUser();
    await store().insert(user);
    expect(await store().remove(user.id, user.meta.version)).to.equal(true);
    expect(await store().find(user.id)).to.equal(undefined);
    expect(await store().list({ where: matchAll, limit: 10 })).to.deep.equal([]);
    await store().insert(changed(user));
  });
  ui.it('keeps its own copy: what was passed in may change afterwards', async () => {
    const user = full();
    const passed = Stored.of(user);
    const inserting = asItIs().insert(passed);
    passed.value.displayName = 'changed before the answer';
    passed.value.roles?.push('added before it');
    await inserting;
    passed.value.roles?.push('added after it');
    expect(await store().find(user.id)).to.deep.equal(user);

    const next = changed(user);
    const passedNext = Stored.of(next);
    const replacing = asItIs().replace(passedNext, user.meta.version);
    passedNext.value.attributes = {};
    passedNext.value.roles?.push('added before the answer');
    await replacing;
    expect(await store().find(user.id)).to.deep.equal(next);
  });
  ui.it('gives out copies: what was returned may be changed', async () => {
    const user = full();
    await store().insert(user);
    const found = await store().find(user.id);
    found?.roles?.push('added');
    const [listed] = await store().list({ where: matchAll, limit: 1 });
    listed?.emails?.pop();
    expect(await store().find(user.id)).to.deep.equal(user);
    expect(await store().list({ where: matchAll, limit: 1 })).to.deep.equal([user]);
  });
}

function versionCases({ ui, store }: Bench): void {
  ui.it('replaces nothing when the version has moved on', async () => {
    const first = aUser();
    await store().insert(first);
    const second = changed(first);
    await store().replace(second, first.meta.version);
    expect(await store().replace(changed(first), first.meta.version)).to.equal(false);
    expect(await store().find(first.id)).to.deep.equal(second);
  });
  ui.it('removes nothing when the version has moved on', async () => {
    const user = aUser();
    await store().insert(user);
    expect(await store().remove(user.id, randomUUID())).to.equal(false);
    expect(await store().find(user.id)).to.deep.equal(user);
  });
  ui.it('neither replaces nor removes a user that is not there', async () => {
    const user = aUser();
    expect(await store().replace(changed(user), user.meta.version)).to.equal(false);
    expect(await store().remove(user.id, user.meta.version)).to.equal(false);
    expect(await store().list({ where: matchAll, limit: 10 })).to.deep.equal([]);
  });
  ui.it('reports the version first when the new name is taken as well', async () => {
    const [user, other] = [aUser(), aUser()];
    await store().insert(user);
    await store().insert(other);
    const renamed = changed(user, { userName: other.userName });
    expect(await store().replace(renamed, randomUUID())).to.equal(false);
  });
}

/** Pairs that differ as typed and are one name as mapped: case, width, composition, final sigma. */
const sameNames = [
  ['Alice', 'aLICE'],
  ['ａlice', 'alice'],
  ['JOSE\u0301', 'jos\u00e9'],
  ['ΝΊΚΟΣ', 'νίκος'],
] as const;

function uniquenessCases({ ui, store }: Bench): void {
  for (const [one, other] of sameNames) {
    ui.it(`takes ${one} and ${other} for one name`, async () => {
      const user = aUser({ userName: one });
      await store().insert(user);
      const { violations } = await refused(store().insert(aUser({ userName: other })), 'user-name-taken');
      expect(violations.map(({ pointer }) => pointer)).to.deep.equal(['/userName']);
      expect(await store().list({ where: matchAll, limit: 10 })).to.deep.equal([user]);
    });
  }
  ui.it('distinguishes names that only look or sort alike', async () => {
    for (const userName of ['e', 'é', 'ss', 'ß', 'a', 'а', 'a.b', 'axb', 'a%', 'a_']) {
      await store().insert(aUser({ userName }));
    }
    expect(await store().list({ where: matchAll, limit: 100 })).to.have.length(10);
  });
  ui.it('refuses a second user with the same id, whatever its name', async () => {
    const user = aUser();
    await store().insert(user);
    await refused(store().insert(aUser({ id: user.id, userName: 'somebody' })), 'id-taken');
    expect(await store().find(user.id)).to.deep.equal(user);
    await store().insert(aUser({ userName: 'somebody' }));
  });
  ui.it('reports that the id is taken when the same creation is repeated', async () => {
    const user = aUser();
    await store().insert(user);
    await refused(store().insert(user), 'id-taken');
  });
  ui.it("refuses to rename a user to another's name, and leaves both as they were", async () => {
    const [user, other] = [aUser(), aUser({ userName: 'Other' })];
    await store().insert(user);
    await store().insert(other);
    await refused(
      store().replace(changed(user, { userName: 'oTHER' }), user.meta.version),
      'user-name-taken',
    );
    expect(await store().find(user.id)).to.deep.equal(user);
    expect(await store().find(other.id)).to.deep.equal(other);
  });
  ui.it('lets a user change the spelling of its own name', async () => {
    const user = aUser({ userName: 'Alice' });
    await store().insert(user);
    const respelt = changed(user, { userName: 'ALICE' });
    expect(await store().replace(respelt, user.meta.version)).to.equal(true);
    expect(await store().find(user.id)).to.deep.equal(respelt);
    await refused(store().insert(aUser({ userName: 'alice' })), 'user-name-taken');
  });
  ui.it('frees the old name of a user that was renamed', async () => {
    const user = aUser({ userName: 'before' });
    await store().insert(user);
    await store().replace(changed(user, { userName: 'after' }), user.meta.version);
    await refused(store().insert(aUser({ userName: 'After' })), 'user-name-taken');
    await store().insert(aUser({ userName: 'before' }));
  });
}

export function writeCases(bench: Bench): void {
  bench.ui.describe('when one writes', () => {
    basicCases(bench);
    versionCases(bench);
    uniquenessCases(bench);
  });
}
