/** What tests of the form press, and wait for. */
import type { Page } from 'playwright-core';

export const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
export const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
export const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
export const savebar = (page: Page) => page.getByText('Unsaved changes, kept in this tab');
