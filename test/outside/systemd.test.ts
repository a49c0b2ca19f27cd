import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, type Environment, run } from '../support/process.ts';
import { needed, outputOf } from './tools.ts';

const unit = 'ops/user-management.service';
const lines = readFileSync(unit, 'utf8').split('\n');
const services = readdirSync('ops').filter((file) => file.endsWith('.service'));
const timers = readdirSync('ops').filter((file) => file.endsWith('.timer'));

const settingOf = (name: string): string[] =>
  lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));

/** As systemd reads the file: quotes around a value are not part of it. */
const settings: Environment = Object.fromEntries(
  [...readFileSync('ops/environment', 'utf8').matchAll(/^(\w+)='(.*)'$/gm)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);

/** With the state in a folder of the test's. */
const settingsIn = (folder: string): Environment => ({
  ...settings,
  USERS_SQLITE_FILE: join(folder, 'users.db'),
});

describe('The unit for systemd', () => {
  afterEach(discardProcesses);

  it('and the unit and timer of the backup pass systemd-analyze verify without a message', async function () {
    const analyze = needed(this, 'systemd-analyze');
    const folder = mkdtempSync(join(tmpdir(), 'users-unit-'));
    try {
      for (const file of [...services, ...timers]) {
        // systemd looks for the program where the package installs it, which is not here.
        const text = readFileSync(join('ops', file), 'utf8');
        writeFileSync(
          join(folder, file),
          text.replace(/^(Exec\w+=)user-management/gm, `$1${process.execPath}`),
        );
      }
      const files = readdirSync(folder).map((file) => join(folder, file));
      expect(files).to.have.length(3);
      const { out, err } = await outputOf(analyze, ['verify', ...files]);
      expect(out + err).to.equal('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  for (const file of services)
    it(`has an exposure of at most 2.0 of 10 by systemd-analyze security: ${file}`, async function () {
      const analyze = needed(this, 'systemd-analyze');
      const { out } = await outputOf(analyze, ['security', '--offline=yes', join('ops', file)]);
      expect(Number(/exposure level for .*: ([\d.]+) /.exec(out)?.[1])).to.be.within(0, 2);
    });

  it('gives the service more time to start than the probe waits', () => {
    // systemd's default for TimeoutStartSec is 90 s.
    expect(settingOf('TimeoutStartSec')).to.deep.equal([]);
    expect(
      Number(/^user-management probe --wait (\d+)$/.exec(settingOf('ExecStartPost')[0] ?? '')?.[1]),
    ).to.be.within(60, 85);
  });

  it('has a file of existing settings, including those that an operator must choose', () => {
    const variables = readFileSync('config/custom-environment-variables.json5', 'utf8');
    const named = [...readFileSync('ops/environment', 'utf8').matchAll(/^#?(USERS_\w+)='/gm)];
    expect(named).to.have.length.above(5);
    for (const [, name = ''] of named) expect(variables).to.include(`'${name}'`);
  });

  it('gives the service more time to stop than it takes', () => {
    const shutdown = Number(/shutdown: (\d+)/.exec(readFileSync('config/default.json5', 'utf8'))?.[1]);
    expect(Number(settingOf('TimeoutStopSec')[0]) * 1000).to.be.greaterThan(shutdown + 2000);
  });

  it('fails without authentication or with a wrong setting, and its log has the reason', async () => {
    for (const [more, reason] of [
      [{}, /^The service did not start: authentication is not configured/],
      [{ USERS_WORKERS: 'all' }, /^The service did not start: workers \(USERS_WORKERS\): /],
    ] as const) {
      const folder = aDataFolder();
      const { code, told } = await run(['serve'], folder, { ...settingsIn(folder), ...more });
      expect(code).to.equal(1);
      expect(told.join('\n')).to.match(reason);
    }
  });
});
