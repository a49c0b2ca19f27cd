/** Debian booted by systemd, in a container with a separate network (systemd-nspawn). */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/deadlines.ts';
import { call, npmMounts, packInto } from './packed.ts';

// Nothing runs that these could ask: neither systemd-machined nor a systemd on this machine.
const alone = ['--register=no', '--keep-unit'];

/** A root shell's. */
const env = { HOME: '/root', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };

export class BootedMachine {
  readonly #folder = mkdtempSync(join(tmpdir(), 'users-systemd-'));
  readonly #root = join(this.#folder, 'root');
  #container: ChildProcess | undefined;
  /** The id of its first process, here. */
  #first = '';

  /** Has the program packed and, by the commands, installed. Boots then. */
  async start(debian: string, install: string): Promise<void> {
    await call('cp', ['-a', debian, this.#root]);
    await packInto(join(this.#root, 'root'));
    const mounts = [...(await npmMounts(this.#folder))].map(([to, from]) => `--bind=${from}:${to}`);
    const shell = ['sh', '-euc', `cd\n${install}`];
    await call('systemd-nspawn', [...alone, '--quiet', ...mounts, '-D', this.#root, ...shell]);
    const boot = ['--boot', '--private-network', '-D', this.#root];
    const container = spawn('systemd-nspawn', [...alone, ...boot], { stdio: 'ignore' });
    this.#container = container;
    await until('systemd has booted', async () => {
      this.#first = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').trim();
      return this.run('systemctl is-active multi-user.target').then(
        () => true,
        () => false,
      );
    });
  }

  /** In a root shell on the machine. @returns what it printed. @throws Error with that and more, unless it ends with 0 */
  async run(script: string): Promise<string> {
    const shell = ['sh', '-euc', `cd\n${script}`];
    const { stdout } = await call('nsenter', ['--target', this.#first, '--all', ...shell], { env });
    return stdout.trim();
  }

  async discard(): Promise<void> {
    if (this.#container?.exitCode === null) {
      this.#container.kill('SIGTERM');
      await once(this.#container, 'close');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
