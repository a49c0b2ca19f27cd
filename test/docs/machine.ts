/** A machine of an operator: the package is installed as npm does it, with `systemctl`. All that the pages name lies below `root`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';

/** What needs a registry, systemd's journal, a database elsewhere, or another account. */
const elsewhere = /^(?:sudo|npm install|journalctl|mongosh|uptime|free|df)\b/;

export class Machine {
  readonly root = mkdtempSync(join(tmpdir(), 'users-operate-'));
  readonly #prefix = join(this.root, 'usr/local');
  readonly #port: number;

  /** @param port in the place of the one on the pages */
  constructor(port: number) {
    this.#port = port;
    const installed = join(this.#prefix, 'lib/node_modules/user-management');
    cpSync('build/bundle', join(installed, 'dist'), { recursive: true });
    chmodSync(join(installed, 'dist/main.js'), 0o755);
    for (const folder of ['config', 'contracts'])
      cpSync(folder, join(installed, folder), { recursive: true });
    cpSync('package.json', join(installed, 'package.json'));
    symlinkSync(resolve('node_modules'), join(installed, 'node_modules'));
    for (const folder of [
      'usr/local/bin',
      'work',
      'backups',
      installed.slice(this.root.length).concat('/ops'),
    ])
      mkdirSync(join(this.root, folder), { recursive: true });
    symlinkSync(join(installed, 'dist/main.js'), join(this.#prefix, 'bin/user-management'));
    for (const file of readdirSync('ops').filter((name) => /environment|service|timer/.test(name)))
      writeFileSync(join(installed, 'ops', file), this.#toHere(readFileSync(join('ops', file), 'utf8')));
    const systemctl = join(this.#prefix, 'bin/systemctl');
    writeFileSync(systemctl, `#!/bin/sh\nexec node ${resolve('test/docs/systemctl.ts')} "$@"\n`);
    chmodSync(systemctl, 0o755);
  }

  /** The same text with the places and the port of this machine. */
  #toHere(text: string): string {
    return text
      .replace(/(?<![\w.)])\/(?=(?:etc|var|backups)\/)|(?<=find )\/(?=backups)/g, `${this.root}/`)
      .replace('3000', String(this.#port));
  }

  /**
   * Runs the commands in a shell, as an operator would.
   * @param withSettings whether the shell has those of the service, as the pages tell
   * @returns what they printed @throws Error that names the commands that failed
   */
  async run(commands: string, { withSettings = true } = {}): Promise<string> {
    const settings = `set -a; . ${this.root}/etc/user-management/environment; set +a`;
    const lines = this.#toHere(commands)
      .split('\n')
      .filter((line) => !elsewhere.test(line));
    const script = [
      `trap 'echo "$? $BASH_COMMAND" >&3' ERR`,
      `cd ${this.root}/work`,
      ...(withSettings ? [settings] : []),
      ...lines,
    ].join('\n');
    const shell = spawn('bash', ['-c', script], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: {
        PATH: [join(this.#prefix, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
        HOME: this.root,
        ROOT: this.root,
        npm_config_prefix: this.#prefix,
        NODE_COMPILE_CACHE: resolve('build/compile-cache'),
      },
    });
    const [, ...streams] = shell.stdio as unknown as readonly Readable[];
    const [[out = '', err = '', failed = '']] = await Promise.all([
      Promise.all(streams.map((stream) => text(stream))),
      once(shell, 'exit'),
    ]);
    // An import that rejects rows ends with 2, as its page says.
    const failures = failed
      .split('\n')
      .filter((line) => line !== '' && !/^2 user-management import/.test(line));
    expect(failures, `${out}\n${err}`).to.deep.equal([]);
    return out;
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.root, file), text);
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), 'utf8');
  }

  discard(): void {
    const service = join(this.root, 'run/user-management.pid');
    if (existsSync(service)) process.kill(Number(readFileSync(service, 'utf8')), 'SIGKILL');
    rmSync(this.root, { recursive: true, force: true });
  }
}
