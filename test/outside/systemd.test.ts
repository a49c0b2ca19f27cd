import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, type Environment, run } from '../support/process.ts';
import { needed, outputOf } from './tools.ts';

const unit = 'ops/user-management.service';
const lines = readFileSync(unit, 'utf8').split('\n');

const settingOf = (name: string): string[] =>
  lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));

/** As systemd sets them, with the state in a folder of the test's. */
const environmentIn = (folder: string): Environment =>
  Object.fromEntries(
    settingOf('Environment')
      .flatMap((line) => line.split(' '))
      .map((pair) => pair.replaceAll('%S', folder).split('=') as [string, string]),
  );

describe('The unit for systemd', () => {
  afterEach(discardProcesses);

  it('is verified without a word', async function () {
    const analyze = needed(this, 'systemd-analyze');
    const folder = mkdtempSync(join(tmpdir(), 'users-unit-'));
    try {
      // The program is where the package installs it, which is not here.
      const there = join(folder, 'user-management.service');
      writeFileSync(
        there,
        readFileSync(unit, 'utf8').replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`),
      );
      const { out, err } = await outputOf(analyze, ['verify', there]);
      expect(out + err).to.equal('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is exposed no more than 2.0 of 10, as systemd counts it', async function () {
    const { out } = await outputOf(needed(this, 'systemd-analyze'), ['security', '--offline=yes', unit]);
    expect(Number(/exposure level for .*: ([\d.]+) /.exec(out)?.[1])).to.be.within(0, 2);
  });

  it('waits longer for the end than the service takes for it', () => {
    const shutdown = Number(/shutdown: (\d+)/.exec(readFileSync('config/default.json5', 'utf8'))?.[1]);
    expect(Number(settingOf('TimeoutStopSec')[0]) * 1000).to.be.greaterThan(shutdown + 2000);
  });

  it('fails with the reason in its log without authentication, or with a wrong setting', async () => {
    for (const [more, reason] of [
      [{}, /^The service did not start: authentication is not configured/],
      [{ USERS_WORKERS: 'all' }, /^The service did not start: workers \(USERS_WORKERS\): /],
    ] as const) {
      const folder = aDataFolder();
      const { code, told } = await run(['serve'], folder, { ...environmentIn(folder), ...more });
      expect(code).to.equal(1);
      expect(told.join('\n')).to.match(reason);
    }
  });
});
