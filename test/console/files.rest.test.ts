import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { caseDeadline } from '../support/deadlines.ts';
import { aDataFolder, run } from '../support/process.ts';
import { isWhole } from '../support/runs.ts';
import { downloadOf, textOf } from './downloads.ts';
import { setStage } from './stage.ts';

/** With all rounds, as many as an installation has. */
const count = isWhole ? 20_000 : 3_000;
const columns = 'userName,name.givenName,name.familyName,emails.0.value,department,roles,active';

/** A mistake in each five hundredth row, and a name that the row before has in some. */
function aTable(): string {
  const rows = Array.from({ length: count }, (_, at) => {
    const email = at % 500 === 7 ? 'nobody at example.org' : `user${at}@example.org`;
    const name = at % 1000 === 11 ? `user${at - 1}` : `user${at}`;
    return `${name},Ada ${at},"Lovelace, ${at}",${email},Department ${at % 40},engineer|r${at % 7},${at % 3 > 0}`;
  });
  return [columns, ...rows, ''].join('\r\n');
}
const refused = (3 * count) / 1000;

/** In bytes: the page's JavaScript, at its largest. */
async function watchMemory(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  let most = 0;
  const measure = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    most = Math.max(most, metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0);
  };
  return { measure, most: () => most };
}

/** Runs in the page: resolves with the next progress, or with null at the end. */
const nextProgress = (before: number) => `new Promise((done) => {
  const look = () => {
    const now = document.querySelector('progress')?.value ?? null;
    if (now === ${before}) requestAnimationFrame(look);
    else done(now);
  };
  look();
})`;

describe('A large file of users in the console', () => {
  let folder = '';
  const stage = setStage({}, async (path) => {
    folder = path;
  });

  /** What the command has made of a directory. */
  const exported = async (where: string): Promise<readonly string[]> =>
    (await run(['export', '--format', 'csv', '--columns', columns, '--where', 'sort=userName'], where)).log;

  it('is checked, stopped and imported in little memory, with the result and the rejects of the command', async function () {
    this.timeout(10 * caseDeadline);
    const table = aTable();
    const other = aDataFolder();
    writeFileSync(join(other, 'users.csv'), table);
    const { log } = await run(['import', 'users.csv', '--rejects', 'rejects.csv'], other);
    expect(log).to.deep.equal([`${count - refused} created, 0 changed, 0 unchanged, ${refused} refused`]);

    const page = await stage.open({ query: 'import' });
    const memory = await watchMemory(page);
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const progress = page.locator('progress');
    /** Measures the memory as it goes on. @returns when it is over */
    const watch = async () => {
      await progress.waitFor();
      for (let done: number | null = 0; done !== null; await memory.measure())
        done = await page.evaluate<number | null>(nextProgress(done));
    };
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await press('Check');
    await watch();
    const wanted = (count - refused).toLocaleString('en');
    await page.getByText(`${wanted} would be created, ${refused} would be refused.`).waitFor();

    await press('Import the other rows');
    await page.getByText(/^(?:[1-9]\d\d|[1-9],\d{3}) rows so far/).waitFor();
    await press('Stop');
    await page.getByText('Stopped. What was imported until then stays').waitFor();
    await press('Import the rest');
    await watch();
    await page.getByText(new RegExp(`^[\\d,]+ created, [\\d,]+ unchanged, ${refused} refused\\.$`)).waitFor();
    expect(memory.most()).to.be.within(1, 200 * 1024 * 1024);

    const rejects = await downloadOf(page, () => press('Download the refused rows'));
    expect(await textOf(rejects)).to.equal(readFileSync(join(other, 'rejects.csv'), 'utf8'));
    expect(await exported(folder)).to.deep.equal(await exported(other));
  });
});
