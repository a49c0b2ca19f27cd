/** What people do to sign in and out. */
import type { Page } from 'playwright-core';
import { run } from '../support/process.ts';

export async function signInWithToken(page: Page, token: string): Promise<void> {
  await page.getByText('Token', { exact: true }).click();
  await page.getByLabel('Token', { exact: true }).last().fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export const signOut = async (page: Page): Promise<void> => {
  await page.locator('.account summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
};

/** @returns the key as it is printed */
export async function makeKey(folder: string, id: string, scope: string): Promise<string> {
  const given = { USERS_API_KEYS_FILE: 'keys.json' };
  const { log } = await run(['api-key', '--id', id, '--scope', scope], folder, given);
  return log[0] ?? '';
}
