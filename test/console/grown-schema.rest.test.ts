import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { aDataFolder } from '../support/process.ts';
import { setStage, settledList, unfold } from './stage.ts';

const anchor = '  profileUrl: Type.Optional(';

/** Three lines more in the schema, and no other change. */
const added = `
  badge: Type.Optional(text(32, 'The number on the badge.')),
  languages: list('language', 5, text(32)),
  isRemote: Type.Optional(Type.Boolean({ description: 'Works from elsewhere.' })),
${anchor}`;

/** Builds the program anew, as somebody would who has added fields. */
function buildGrown(): string {
  const folder = aDataFolder();
  for (const name of ['src', 'console', 'scripts', 'config', 'contracts', 'package.json', 'tsconfig.json'])
    cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'src/domain/kinds/user/user.ts');
  const source = readFileSync(file, 'utf8');
  if (!source.includes(anchor)) throw new Error('the schema has no such line any more');
  writeFileSync(file, source.replace(anchor, added));
  execFileSync(process.execPath, ['scripts/bundle.js'], { cwd: folder });
  return join(folder, 'dist/main.js');
}

describe('A field that was added to the schema', () => {
  const stage = setStage({}, undefined, buildGrown);

  it("appears in the console's form, columns and documents without another change", async () => {
    const { id } = await stage.create({ userName: 'ada' });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await unfold(page);
    await page.getByLabel('Badge').fill('B-17');
    await page.getByText('The number on the badge.').waitFor();
    await page.getByRole('button', { name: 'Add language' }).click();
    await page.locator(':is(input, select, textarea):focus').waitFor();
    await page.getByLabel('Language 1', { exact: true }).fill('Dutch');
    await page.getByLabel('Is remote').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    const user = { ...(await stage.read(id)) };
    expect(user).to.deep.include({ badge: 'B-17', languages: ['Dutch'], isRemote: true });
    await page.locator('.representation').getByText('"badge":"B-17"').waitFor();
    await page.getByText('XML', { exact: true }).click();
    await page.locator('.representation').getByText('<language>Dutch</language>').waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await settledList(page);
    await page.getByText('Columns', { exact: true }).first().click();
    await page.getByLabel('Badge').check();
    await page.getByRole('cell', { name: 'B-17' }).waitFor();
  });
});
