import { execFileSync, spawnSync } from 'node:child_process';
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
import { expect } from 'chai';
import { aFreePort } from '../support/free-port.ts';
import { blocksIn, callsIn, codeIn, optionsByCommand, pages } from './printed-commands.ts';

/** What needs a registry, systemd's journal, a database elsewhere, or another account. */
const elsewhere = /^(?:sudo|npm install|journalctl|mongosh|uptime|free|df)\b/;

/** A machine on which the package is installed as npm does it: all that the pages name lies below `root`. */
class Machine {
  readonly root = mkdtempSync(join(tmpdir(), 'users-operate-'));
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
    const prefix = join(this.root, 'usr/local');
    const installed = join(prefix, 'lib/node_modules/user-management');
    cpSync('build/bundle', join(installed, 'dist'), { recursive: true });
    for (const folder of ['config', 'ops']) cpSync(folder, join(installed, folder), { recursive: true });
    cpSync('package.json', join(installed, 'package.json'));
    symlinkSync(resolve('node_modules'), join(installed, 'node_modules'));
    mkdirSync(join(prefix, 'bin'), { recursive: true });
    symlinkSync('../lib/node_modules/user-management/dist/main.js', join(prefix, 'bin/user-management'));
    chmodSync(join(installed, 'dist/main.js'), 0o755);
    for (const file of readdirSync('ops').filter((name) => /environment|service|timer/.test(name)))
      writeFileSync(join(installed, 'ops', file), this.#toHere(readFileSync(join('ops', file), 'utf8')));
    const systemctl = join(prefix, 'bin/systemctl');
    writeFileSync(systemctl, `#!/bin/sh\nexec node ${resolve('build/test/docs/systemctl.js')} "$@"\n`);
    chmodSync(systemctl, 0o755);
    for (const folder of ['work', 'backups']) mkdirSync(join(this.root, folder));
  }

  /** The same text with the places and the port of this machine. */
  #toHere(text: string): string {
    return text
      .replace(/(?<![\w.)])\/(?=(?:etc|var|backups)\/)/g, `${this.root}/`)
      .replace(/(?<=find )\/(?=backups)/g, `${this.root}/`)
      .replace('3000', String(this.#port));
  }

  /** Runs the commands in a shell, as an operator would; those that failed are named. @param withSettings as the pages tell it */
  run(commands: string, { withSettings = true } = {}): string {
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
    const prefix = join(this.root, 'usr/local');
    const { output } = spawnSync('bash', ['-c', script], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: {
        PATH: [join(prefix, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
        HOME: this.root,
        ROOT: this.root,
        npm_config_prefix: prefix,
      },
    });
    const [, out = '', err = '', failed = ''] = output.map((text) => text ?? '');
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

  stop(): void {
    const service = join(this.root, 'run/user-management.pid');
    if (existsSync(service)) process.kill(Number(readFileSync(service, 'utf8')), 'SIGKILL');
    rmSync(this.root, { recursive: true, force: true });
  }
}

describe('The handbook for operators', () => {
  let machine: Machine;
  const backup = '/var/lib/user-management-backups/users-2030-01-01T020000Z.db';
  const names = () => machine.run('user-management export --format jsonl -').match(/(?<="userName":")\w+/g);
  const importUsers = (...users: readonly string[]) =>
    machine.run(
      `printf '%s\\n' ${users.map((name) => `'{"userName":"${name}","active":true}'`).join(' ')} | user-management import --format jsonl -`,
    );
  const commandsOf = (page: string) => blocksIn(`docs/operate/${page}.md`, 'sh').join('');

  before(async () => {
    machine = new Machine(await aFreePort());
    const [, files = '', start = ''] = blocksIn('docs/operate/install.md', 'sh');
    machine.run(files, { withSettings: false });
    // What the operator sets: API keys, and here a base path.
    const settings = 'etc/user-management/environment';
    const edited = machine.read(settings).replace(/^#(?=USERS_API_KEYS_FILE)/m, '');
    machine.write(settings, `${edited}USERS_BASE_PATH='/people'\n`);
    machine.run('user-management api-key --id first --scope "users:read"');
    machine.run(start, { withSettings: false });
    importUsers('ada', 'grace');
  });
  after(() => machine?.stop());

  it('installs a service that is ready at the port and base path of its settings', () => {
    expect(machine.run('user-management probe')).to.match(/:\d+\/people\/health\/ready: ready\n$/);
  });

  it('makes backups by the unit, and restores them', () => {
    machine.run(`systemctl start user-management-backup\nmv /var/lib/user-management-backups/* ${backup}`);
    machine.run(commandsOf('back-up'));
    expect(names()).to.have.members(['ada', 'grace']);
  });

  it('helps at three in the morning: each command runs, and yesterday’s users are back', () => {
    importUsers('late');
    machine.write('work/users.csv', 'userName,displayName\nada,Ada\nlinus,Linus\n');
    const fingerprint = '"$(user-management api-key list | sed -n \'s/\\tlegacy-erp\\t.*//p\')"';
    machine.run(commandsOf('at-three-in-the-morning').replace('00000000', fingerprint));
    expect(names()).to.have.members(['ada', 'grace', 'linus']);
    expect(machine.run('user-management api-key list')).not.to.contain('legacy-erp');
  });

  for (const page of ['configure', 'upgrade'])
    it(`prints commands that run: ${page}`, () => {
      machine.run(commandsOf(page));
    });

  it('prints lines for cron that cron can run', () => {
    const lines = blocksIn('docs/operate/back-up.md', 'crontab').flatMap((block) => block.trim().split('\n'));
    expect(lines).not.to.deep.equal([]);
    for (const line of lines) {
      const [, command = ''] = /^(?:[\d*/,-]+ ){5}(.*)$/.exec(line) ?? [];
      // cron ends a command at a bare %, and takes the rest for its input (crontab(5)).
      machine.run((/^(?:\\%|[^%])*/.exec(command)?.[0] ?? '').replaceAll('\\%', '%'));
    }
    expect(readdirSync(join(machine.root, 'backups'))).to.have.length(lines.length);
  });
});

describe('A printed command', () => {
  const options = optionsByCommand();
  for (const page of pages)
    it(`is one of the program’s, with options that it has: ${page}`, () => {
      for (const code of codeIn(page))
        for (const { text, command, options: given } of callsIn(code, options)) {
          expect([...options.keys()], text).to.include(command);
          for (const option of given) expect(options.get(command), text).to.include(option);
        }
    });

  it('is looked up in what the program prints as its help', () => {
    const { stdout } = spawnSync(process.execPath, ['build/bundle/main.js', 'restore', '--help'], {
      encoding: 'utf8',
    });
    for (const option of options.get('restore') ?? []) expect(stdout).to.contain(option);
    expect(execFileSync('bash', ['-n', '-c', blocksIn('README.md', 'sh').join('')]).length).to.equal(0);
  });
});
