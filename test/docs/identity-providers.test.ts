import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, run, startProcess } from '../support/process.ts';

describe('The pages for identity providers', () => {
  afterEach(discardProcesses);

  for (const page of ['docs/okta.md', 'docs/entra-id.md'])
    it(`show how to create a key that reads and writes but cannot delete users: ${page}`, async () => {
      const text = readFileSync(page, 'utf8');
      const [, file = '', id = '', scope = ''] =
        /^USERS_API_KEYS_FILE=(\S+) npm run --silent api-key -- --id (\S+) --scope "([^"]+)"$/m.exec(text) ??
        [];
      const folder = aDataFolder();
      const env = { USERS_API_KEYS_FILE: join(folder, file) };
      const { code, log } = await run(['api-key', '--id', id, '--scope', scope], folder, env);
      expect(code).to.equal(0);
      const [, secret = ''] = log;
      expect(secret.startsWith(`${id}.`)).to.equal(true);
      const { url } = await startProcess({ folder, env });
      const send = (method: string, path: string, body: string | null = null) =>
        fetch(url + path, {
          method,
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body,
        });
      const made = await send('POST', '/users', '{"userName":"ada"}');
      expect(made.status).to.equal(201);
      const path = String(made.headers.get('location'));
      expect((await send('PATCH', path, '{"active":false}')).status).to.equal(200);
      expect((await send('DELETE', path)).status).to.equal(403);
    });
});
