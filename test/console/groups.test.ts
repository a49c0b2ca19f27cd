import { expect } from 'chai';
import { setGroupsStage, total } from './groups-stage.ts';
import { keepPicture, settledList, userNamesOf } from './stage.ts';

describe('Groups in the console', () => {
  const { open, membersOf } = setGroupsStage();

  it('can be created and renamed; members can be found, added, searched and removed', async () => {
    const page = await open('groups');
    await page.getByRole('heading', { name: 'There are no groups yet' }).waitFor();
    await page.getByRole('link', { name: 'New group' }).click();
    await page.getByLabel('Group name').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Builders');
    await page.getByLabel('Description').fill('Builds things');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Builders' }).waitFor();
    await page.getByRole('link', { name: 'Details' }).click();
    await page.getByRole('definition').getByText('Builds things').waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    const name = page.locator('.form-field', { hasText: 'Group name' });
    await name.locator('.hint').waitFor();
    const hint = await name.locator('.hint').boundingBox();
    const input = await page.getByLabel('Group name').boundingBox();
    expect((hint?.y ?? 0) + (hint?.height ?? 0)).to.be.below(input?.y ?? 0);
    await page.getByLabel('Group name').fill('Engineering');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Engineering' }).waitFor();
    await page.getByRole('link', { name: 'Members (0)' }).click();
    await page.getByText('This group has no members').waitFor();

    await page.getByRole('button', { name: 'Add members…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add members to Engineering' });
    const box = dialog.getByRole('combobox', { name: 'Find users' });
    await box.pressSequentially('person0');
    await dialog.getByRole('option', { name: 'person03' }).click();
    await box.pressSequentially('person11');
    await dialog
      .locator('.inline[aria-busy=false] [role=option]:only-child', { hasText: 'person11' })
      .waitFor();
    await box.press('Enter');
    await box.pressSequentially('person01');
    // Before it is found.
    await box.press('Enter');
    await keepPicture(page, 'group-add-members');
    await dialog.getByRole('button', { name: 'Leave person11 out' }).click();
    await dialog.getByRole('button', { name: 'Add 2 users' }).click();
    await page.getByText(/^2 users added to /).waitFor();
    await total(page, '2 members');
    const id = new URL(page.url()).searchParams.get('group') ?? '';
    expect(await membersOf(id)).to.deep.equal(['person01', 'person03']);
    await page.getByRole('link', { name: 'Details' }).click();
    await page.getByText('For developers: JSON, XML and curl').click();
    await page.locator('.representation').getByText('"memberCount":2').waitFor();

    await page.getByRole('link', { name: 'Members (2)' }).click();
    await page.getByRole('searchbox', { name: 'Search members' }).fill('person03');
    await total(page, '1 member');
    await settledList(page);
    expect(await userNamesOf(page)).to.deep.equal(['person03']);
    await page.getByLabel('Select person03').check();
    await page.getByRole('button', { name: 'Remove from group…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText(/^1 user removed from /).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'No user matches' }).waitFor();
    expect(await membersOf(id)).to.deep.equal(['person01']);
  });
});
