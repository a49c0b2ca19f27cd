import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, run, startProcess } from '../support/process.ts';

describe('The pages for identity providers', () => {
  afterEach(discardProcesses);

  for (const page of ['docs/okta.md', 'docs/entra-id.md']) {
    const text = readFileSync(page, 'utf8');
    const [, file = '', id = '', scope = ''] =
      /^USERS_API_KEYS_FILE=(\S+) user-management api-key --id (\S+) --scope "([^"]+)"$/m.exec(text) ?? [];

    /** Sends with a key of this scope, made as the page says. */
    async function withKey(scope: string) {
      const folder = aDataFolder();
      const env = { USERS_API_KEYS_FILE: join(folder, file) };
      const { code, log } = await run(['api-key', '--id', id, '--scope', scope], folder, env);
      expect(code).to.equal(0);
      const [, secret = ''] = log;
      expect(secret.startsWith(`${id}.`)).to.equal(true);
      const { url } = await startProcess({ folder, env });
      return (method: string, path: string, body?: object) =>
        fetch(url + path, {
          method,
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        });
    }

    it(`show how to create a key that reads and writes but cannot delete users: ${page}`, async () => {
      const send = await withKey(scope);
      const made = await send('POST', '/users', { userName: 'ada' });
      expect(made.status).to.equal(201);
      const path = String(made.headers.get('location'));
      expect((await send('PATCH', path, { active: false })).status).to.equal(200);
      expect((await send('DELETE', path)).status).to.equal(403);
      expect((await send('GET', '/scim/v2/Groups')).status).to.equal(403);
    });

    it(`name the scopes that also push groups: ${page}`, async () => {
      const [, scopeOfGroups = ''] = /`--scope "([^"]*groups:[^"]*)"`/.exec(text) ?? [];
      const send = await withKey(scopeOfGroups);
      const made = await send('POST', '/users', { userName: 'ada' });
      expect(made.status).to.equal(201);
      const { id: user } = (await made.json()) as { id: string };
      const group = await send('POST', '/scim/v2/Groups', {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        displayName: 'Engineering',
      });
      expect(group.status).to.equal(201);
      const changed = await send('PATCH', String(group.headers.get('location')), {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'Add', path: 'members', value: [{ value: user }] }],
      });
      expect(changed.status).to.equal(204);
      const found = await send('GET', '/groups?displayName=engineering');
      expect(((await found.json()) as { groups: object[] }).groups[0]).to.include({ memberCount: 1 });
    });
  }
});
