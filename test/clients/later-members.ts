/** A client whose classes are those of contract 1.12 changes a user that has later members. */
import { join } from 'node:path';
import { expect } from 'chai';
import { apiKeys } from '../../src/adapters/credentials/api-keys/authenticator.ts';
import { addKey } from '../../src/adapters/credentials/api-keys/change-keys.ts';
import { later, startGrown } from '../support/grown-users.ts';
import { aDataFolder } from '../support/process.ts';
import { ofSharedSecret } from '../support/service.ts';

/** The members of 1.12. */
export const known = {
  userName: 'ada',
  name: { familyName: 'Lovelace', givenName: 'Ada' },
  title: 'Analyst',
  active: false,
  emails: [{ value: 'ada@example.org', primary: true }, { value: 'ada@example.com' }],
  roles: ['engineer', '<&> ü 𝔘'],
  enterprise: { department: 'Engines', manager: { displayName: 'Mary Somerville' } },
  attributes: { badge: 'blue' },
};
export const grown = { ...known, ...later, name: { ...known.name, ...later.name } };

/**
 * The user as an unpinned client reads it after the change.
 * @param contract the version to which the API key of the client is pinned
 * @param change gets the URL of the user, and the key as `id:secret`
 */
export async function changedUnder(
  contract: '1.12' | undefined,
  change: (user: string, key: string) => Promise<unknown>,
): Promise<object> {
  const file = join(aDataFolder(), 'keys.json');
  const secret = addKey(file, { id: 'erp', scopes: ['users:write'], contract });
  const clock = { now: () => new Date() };
  const keys = apiKeys({ file, maxStaleSeconds: 60, onProblem: expect.fail }, clock);
  const service = await startGrown({}, undefined, [keys.basic, ofSharedSecret()]);
  try {
    const headers = { 'content-type': 'application/json' };
    const created = { method: 'POST', headers, body: JSON.stringify(grown) };
    const path = String((await service.send('/grown/users', created)).headers.get('location'));
    const read = async () => {
      const { id: _id, meta: _meta, ...members } = (await service.send(path)).json();
      return members;
    };
    expect(await read()).to.deep.equal(grown);
    await change(service.url + path, `erp:${secret}`);
    return await read();
  } finally {
    await service.close();
    await keys.basic.close();
  }
}
