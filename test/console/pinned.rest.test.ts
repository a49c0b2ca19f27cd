import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { declarations } from '../support/declared.ts';
import { signInWithToken } from './sign-in.ts';
import { setStage, unfold } from './stage.ts';

const file = 'attributes.json5';

const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
};

describe('The console where the installation pins all clients to an earlier contract', () => {
  const stage = setStage({ USERS_ATTRIBUTES_FILE: file, USERS_CONTRACT: '1.12' }, async (folder) =>
    writeFileSync(
      join(folder, file),
      JSON.stringify({ ...declarations, groups: { owner: { type: 'user' } } }),
    ),
  );
  const open = async (query: string): Promise<Page> => {
    const page = await stage.open({ query, anonymous: true });
    await signInWithToken(page, await stage.service.token());
    await unfold(page);
    return page;
  };

  it('changes users without the fields that came later, and declared attributes by their types', async () => {
    const { id } = await stage.create({ userName: 'grace', attributes: { sites: 'Oslo\nBergen' } });
    const page = await open(`?user=${id}&tab=edit`);
    expect(await page.getByLabel('Valid until').count()).to.equal(0);
    expect(await page.getByLabel('Site 2', { exact: true }).inputValue()).to.equal('Bergen');
    await page.getByLabel('Badge').fill('42');
    await page.getByLabel('Department').fill('Compilers');
    await save(page);
    const { attributes, enterprise } = await stage.read(id);
    expect([attributes, enterprise]).to.deep.equal([
      { badge: '42', sites: 'Oslo\nBergen' },
      { department: 'Compilers' },
    ]);
  });

  it('changes groups without their attributes, which came later', async () => {
    const { id } = await stage.createGroup({ displayName: 'Compilers' });
    const page = await open(`groups?group=${id}&tab=edit`);
    expect(await page.getByLabel('Owner').count()).to.equal(0);
    await page.getByLabel('Description').fill('They read and write');
    await save(page);
    expect(await (await stage.ask(`/groups/${id}`)).json()).to.include({
      description: 'They read and write',
    });
  });
});
