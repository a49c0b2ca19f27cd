/** What docs/access.md shows, tried. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import JSON5 from 'json5';
import { startDeclared } from '../support/declared.ts';
import { aDataFolder, discardProcesses, run } from '../support/process.ts';
import type { TestService } from '../support/service.ts';

const page = readFileSync('docs/access.md', 'utf8');
const [file = ''] = /(?<=```json5\n).*?(?=\n```)/s.exec(page) ?? [];

/** The examples: the name of the profile, and the text up to the next one. */
const examples = page
  .split(/^### /m)
  .slice(1)
  .map((text) => ({ profile: /: `([\w-]+)`\n/.exec(text)?.[1] ?? '', text }));

const rowOf =
  /^\| `(GET|POST|PUT|PATCH|DELETE) (\S+)(?: (.*?))?` \| (\d{3})(?: `([\w-]+)`| without `(\w+)`)? \|$/gm;

describe('The page on access profiles', () => {
  let service: TestService;
  const ids: Record<string, string> = {};
  before(async () => {
    const attributes = { system: { type: 'string', filter: true } } as const;
    service = await startDeclared({ attributes }, JSON5.parse<{ profiles: object }>(file));
    const create = async (name: string, path: string, body: object): Promise<void> => {
      const made = await service.send(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      });
      expect(made.status, made.text).to.equal(201);
      ids[name] = made.json().id;
    };
    const sales = { department: 'Sales' };
    await create('ada', '/users', {
      ...{ userName: 'ada', displayName: 'Ada', enterprise: sales, attributes: { system: 'erp' } },
    });
    await create('bob', '/users', { userName: 'bob', enterprise: { department: 'Support' } });
    await create('cleo', '/users', { userName: 'cleo', enterprise: sales, active: false });
    await create('team', '/groups', { displayName: 'Team' });
  });
  after(() => service.close());
  afterEach(discardProcesses);

  it('has four examples', () => {
    expect(examples.map(({ profile }) => profile)).to.deep.equal(
      Object.keys(JSON5.parse<{ profiles: object }>(file).profiles),
    );
  });

  for (const { profile, text } of examples)
    it(`shows what the service answers with the profile ${profile}`, async () => {
      const rows = [...text.matchAll(rowOf)];
      expect(rows.length)
        .to.equal([...text.matchAll(/^\| `/gm)].length)
        .and.be.at.least(4);
      for (const [row, method = '', path = '', body, status, code, missing] of rows) {
        const url = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
        const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
        const answer = await service.send(url, {
          ...{ method, as: profile, ...(body && { body, headers: { 'Content-Type': type } }) },
        });
        expect(answer.status, `${row} ${answer.text}`).to.equal(Number(status));
        if (code !== undefined) expect(answer.json().type, row).to.match(new RegExp(`/${code}$`));
        if (missing !== undefined) expect(answer.json(), row).not.to.have.property(missing);
      }
    });

  it('shows a file that check accepts', async () => {
    const folder = aDataFolder();
    writeFileSync(
      join(folder, 'attributes.json5'),
      "{ attributes: { system: { type: 'string', filter: true } } }",
    );
    writeFileSync(join(folder, 'access.json5'), file);
    const env = { USERS_ATTRIBUTES_FILE: 'attributes.json5', USERS_ACCESS_FILE: 'access.json5' };
    const { code, log } = await run(['check'], folder, env);
    expect(code, log.join('\n')).to.equal(0);
  });
});
