/** Files that the console lets a person save. */
import type { Download, Page } from 'playwright-core';

/** Runs in the page before its own scripts: Chromium would ask a person where to save a file. */
export const withoutPicker = 'delete globalThis.showSaveFilePicker';

export async function textOf(download: Download): Promise<string> {
  let text = '';
  for await (const piece of await download.createReadStream()) text += piece;
  return text;
}

export async function downloadOf(page: Page, click: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return download;
}
