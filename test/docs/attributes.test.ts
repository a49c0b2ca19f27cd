/** What docs/attributes.md shows, tried. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import JSON5 from 'json5';
import { attributeTypeNames } from '../../src/domain/validation/attribute-types.ts';
import { startDeclared } from '../support/declared.ts';
import { aDataFolder, discardProcesses, run } from '../support/process.ts';
import type { TestService } from '../support/service.ts';

const page = readFileSync('docs/attributes.md', 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\n\`\`\``, 'gs'))].map(([, text = '']) => text);

describe('The page on attributes', () => {
  let service: TestService;
  before(async () => {
    service = await startDeclared(JSON5.parse(blocks('json5')[0] ?? ''));
  });
  after(() => service.close());
  afterEach(discardProcesses);

  it('shows a user in JSON and in XML that are the same user', async () => {
    const [json = '', xml = ''] = [...blocks('json'), ...blocks('xml')];
    const post = (body: string, type: string) =>
      service.send('/users', { method: 'POST', body, headers: { 'Content-Type': `application/${type}` } });
    const first = await post(json, 'json');
    expect(first.json().attributes).to.deep.equal(JSON.parse(json).attributes);
    const path = `/users/${first.json().id}`;
    const shown = await service.send(path, { headers: { Accept: 'application/xml' } });
    for (const [entry] of xml.matchAll(/<attribute .*?<\/attribute>/gs)) expect(shown.text).to.include(entry);
    await service.send(path, { method: 'DELETE' });
    const second = await post(xml, 'xml');
    const read = await service.send(`/users/${/<id>(.*?)</.exec(second.text)?.[1]}`);
    expect(read.json().attributes).to.deep.equal(first.json().attributes);
  });

  it('shows lists that the service answers', async () => {
    const paths = [...page.matchAll(/`GET (\/users\?[^`]+)`/g)].map(([, path = '']) => path);
    expect(paths.length).to.be.at.least(7);
    for (const path of paths) expect((await service.send(path)).status, path).to.equal(200);
  });

  it('shows three files, and check accepts the second and the third after the first', async () => {
    const folder = aDataFolder();
    const others = ['second.json5', 'groups.json5'];
    for (const [at, name] of ['first.json5', ...others].entries())
      writeFileSync(join(folder, name), blocks('json5')[at] ?? '');
    const env = { USERS_ATTRIBUTES_FILE: 'first.json5' };
    for (const name of others) {
      const { code, log } = await run(['check', '--attributes', name], folder, env);
      expect(code, log.join('\n')).to.equal(0);
    }
  });

  it('names every type', () => {
    for (const name of attributeTypeNames) expect(page).to.match(new RegExp(`\`${name}\` ?(?:\\(|,|\\|)`));
  });
});
