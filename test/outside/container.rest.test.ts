import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { blocksIn } from '../docs/printed-commands.ts';
import { caseDeadline, until } from '../support/deadlines.ts';
import { aFreePort } from '../support/free-port.ts';
import { call, neededDebian, npmMounts, packInto } from './packed.ts';
import { needed } from './tools.ts';

const file = readFileSync('ops/Containerfile', 'utf8');
const nodeVersion = JSON.parse(readFileSync('scripts/node/package.json', 'utf8')).version;

/** The options of `podman run` that the file prints, as far as they are the same everywhere. */
const printedOptions = (/^# Run: +podman run (.*?) --publish/m.exec(file)?.[1] ?? '').split(' ');

/** podman with separate images, containers and volumes. */
class Podman {
  readonly folder = mkdtempSync(join(tmpdir(), 'users-image-'));
  readonly #program: string;

  constructor(program: string) {
    this.#program = program;
  }

  /** @returns what it printed. @throws Error with that and more, unless it ends with 0 */
  async run(...args: readonly string[]): Promise<string> {
    const places = Object.entries({
      root: 'storage',
      runroot: 'run',
      tmpdir: 'tmp',
      'network-config-dir': 'networks',
    });
    const folders = places.flatMap(([option, name]) => [`--${option}`, join(this.folder, name)]);
    // Neither systemd nor cgroups of version 2 alone are needed.
    const ways = ['--cgroup-manager', 'cgroupfs', '--events-backend', 'file', '--runtime', 'runc'];
    const env = { ...process.env, DISABLE_HC_SYSTEMD: 'true' };
    const { stdout } = await call(this.#program, [...folders, ...ways, ...args], { env });
    return stdout.trim();
  }

  /** Builds the image as the file says, on Debian in place of the image that it names. */
  async build(debian: string): Promise<void> {
    const base = join(this.folder, 'base.tar');
    await call('tar', ['-C', debian, '-cf', base, '.']);
    await this.run('import', base, 'localhost/node');
    const context = join(this.folder, 'context');
    await call('mkdir', [context]);
    const mounts = [...(await npmMounts(this.folder))].flatMap(([to, from]) => ['--volume', `${from}:${to}`]);
    const args = ['NODE=localhost/node', `PACKAGE=${await packInto(context)}`];
    await this.run(
      ...[
        'build',
        '--format',
        'docker',
        '--isolation',
        'chroot',
        '--network',
        'host',
        '--file',
        'ops/Containerfile',
      ],
      ...args.flatMap((arg) => ['--build-arg', arg]),
      ...[...mounts, '--tag', 'user-management', context],
    );
  }

  /** Runs lines of a shell that call podman. @returns what they printed */
  async runLines(lines: string): Promise<string> {
    const script = lines.split('\n').filter((line) => /^podman (?!build)/.test(line));
    let printed = '';
    for (const line of script) {
      const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
      printed += `${await this.run(...this.#toHere(words.slice(1)))}\n`;
    }
    return printed;
  }

  /** Ports are published, limits set and files found as this machine can. */
  #toHere(words: readonly string[]): string[] {
    const [command = '', ...rest] = words.map((word) =>
      word.replace(/^users\.env$|^\.$/, (place) => join(this.folder, place)),
    );
    if (command !== 'run') return [command, ...rest];
    const known = rest
      .join('\n')
      .replace(/^--(?:memory|ulimit|publish)\n.*\n/gm, '')
      .split('\n');
    return [
      command,
      '--network',
      'host',
      '--ulimit',
      'nofile=4096:4096',
      '--ulimit',
      'nproc=4096:4096',
      ...known,
    ];
  }

  async discard(): Promise<void> {
    await this.run('system', 'reset', '--force');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

describe('The image of ops/Containerfile', function () {
  this.timeout(3 * caseDeadline);
  let podman: Podman;
  let key: string;

  const options = [
    ...printedOptions,
    // Publishing ports is podman's affair, and takes rules of a firewall.
    ...['--network', 'host'],
    // A machine without CAP_SYS_RESOURCE can't set the higher ones of podman.
    ...['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'],
    ...['--volume', 'users:/data', '--env', 'USERS_API_KEYS_FILE=/data/api-keys.json'],
  ];

  /** @returns the URL of the service in a container of that name */
  async function start(name: string): Promise<string> {
    const port = await aFreePort();
    const address = ['--env', 'USERS_HOST=127.0.0.1', '--env', `USERS_PORT=${port}`];
    await podman.run('run', '--detach', '--name', name, ...options, ...address, 'user-management');
    await until('the container is healthy', () => isHealthy(name));
    return `http://127.0.0.1:${port}`;
  }

  const isHealthy = (name: string): Promise<boolean> =>
    podman.run('healthcheck', 'run', name).then(
      () => true,
      () => false,
    );

  async function namesAt(url: string): Promise<string[]> {
    const response = await fetch(`${url}/users`, { headers: { authorization: `Basic ${btoa(key)}` } });
    return ((await response.json()) as { users: { userName: string }[] }).users.map(
      ({ userName }) => userName,
    );
  }

  before(async function () {
    const debian = neededDebian(this);
    podman = new Podman(needed(this, 'podman'));
    await podman.build(debian);
    const made = ['api-key', '--id', 'legacy-erp', '--scope', 'users:read users:write'];
    [key = ''] = (await podman.run('run', '--rm', ...options, 'user-management', ...made)).split('\n');
  });
  after(() => podman?.discard());

  it('has the Node of the npm scripts', async () => {
    expect(/^ARG NODE=.*:(.*)-bookworm-slim$/m.exec(file)?.[1]).to.equal(nodeVersion);
    const version = await podman.run(
      'run',
      '--rm',
      '--entrypoint',
      'node',
      ...options,
      'user-management',
      '--version',
    );
    expect(version).to.equal(`v${nodeVersion}`);
  });

  it('serves without root and without capabilities, and writes only to its volume', async () => {
    await start('unprivileged');
    const status = await podman.run('exec', 'unprivileged', 'cat', '/proc/1/status');
    expect(status).to.match(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(status)
      .to.match(/^CapEff:\t0+$/m)
      .and.match(/^CapBnd:\t0+$/m)
      .and.match(/^NoNewPrivs:\t1$/m);
    await podman.run('exec', 'unprivileged', 'touch', '/data/file');
    for (const folder of ['/app', '/etc', '/home/node', '/usr/local/bin'])
      await podman.run('exec', '--user', 'root', 'unprivileged', 'touch', `${folder}/file`).then(
        () => expect.fail(`it has written to ${folder}`),
        ({ stderr }) => expect(stderr).to.contain('Read-only file system'),
      );
    await podman.run('rm', '--force', 'unprivileged');
  });

  it('is healthy while the service responds, and unhealthy when it hangs', async () => {
    await start('hanging');
    await podman.run('kill', '--signal', 'STOP', 'hanging');
    expect(await isHealthy('hanging')).to.equal(false);
    await podman.run('kill', '--signal', 'CONT', 'hanging');
    await until('the container is healthy again', () => isHealthy('hanging'));
    await podman.run('rm', '--force', 'hanging');
  });

  it('does what the commands of docs/operate/container.md say', async () => {
    for (const version of ['1.0.0', '1.1.0'])
      await podman.run('tag', 'user-management', `user-management:${version}`);
    const port = await aFreePort();
    writeFileSync(
      join(podman.folder, 'users.env'),
      `USERS_API_KEYS_FILE=/data/api-keys.json\nUSERS_HOST=127.0.0.1\nUSERS_PORT=${port}\n`,
    );
    const [build = '', first = '', start = '', backUp = '', upgrade = ''] = blocksIn(
      'docs/operate/container.md',
      'sh',
    );
    expect(build).to.contain('npm install\nnpm run pack\npodman build');
    expect(await podman.runLines(first))
      .to.match(/^first[:.].+/m)
      .and.match(/^ok /m);
    const [begin = '', ...rest] = start.split('\n');
    await podman.runLines([begin, rest[0]].join('\n'));
    await podman.runLines(backUp);
    await podman.runLines(rest.slice(1).join('\n'));
    expect(readFileSync(join(podman.folder, 'backup.db'), 'latin1')).to.match(/^SQLite format 3/);
    expect(await podman.runLines(upgrade)).to.match(/^ok /m);
  });

  it('exits with 0 on SIGTERM, and keeps its users for the next container', async () => {
    const url = await start('first');
    const response = await fetch(`${url}/users`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(key)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ userName: 'ada' }),
    });
    expect(response.status).to.equal(201);
    await podman.run('stop', 'first');
    const state = '{{.State.Status}} {{.State.ExitCode}}';
    expect(await podman.run('inspect', '--format', state, 'first')).to.equal('exited 0');
    expect(await namesAt(await start('second'))).to.deep.equal(['ada']);
  });
});
