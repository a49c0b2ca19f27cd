import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { needed, outputOf } from '../outside/tools.ts';
import { caseDeadline, until } from '../support/deadlines.ts';
import { exchange } from '../support/exchanges.ts';
import { aFreePort } from '../support/free-port.ts';
import { aDataFolder, discardProcesses, type Process, run, startProcess } from '../support/process.ts';
import { blocksIn } from './printed-commands.ts';

interface Listed {
  readonly id: string;
  readonly meta: { readonly version: string };
}

const scopes = ['users:read', 'users:write', 'users:delete', 'changes:read'];

/** Asks a program of the page for its state: one line of output for one line of input. */
const probes = {
  ts: "process.stdin.on('data', () => console.log(JSON.stringify([...directory.values()])));\n",
  python: [
    'import json, sys, threading',
    'def answer():',
    // It may be asked before the program has made its directory.
    '    for _ in sys.stdin: print(json.dumps(list(globals().get("directory", {}).values())), flush=True)',
    'threading.Thread(target=answer, daemon=True).start()\n',
  ].join('\n'),
};

const programIn = (language: keyof typeof probes): string => {
  const [text = ''] = blocksIn('docs/changes.md', language);
  return text;
};

/** The token of the environment, and what reads one from a file in its place. */
const tokens = {
  ts: ['process.env.USERS_TOKEN', "process.getBuiltinModule('node:fs').readFileSync('token', 'utf8')"],
  python: ['os.environ["USERS_TOKEN"]', 'open("token").read()'],
} as const;

const runners = {
  ts: (file: string) =>
    [process.execPath, '--experimental-strip-types', '--no-warnings', `${file}.mts`] as const,
  python: (file: string) => ['python3', `${file}.py`] as const,
};

describe('The followers of docs/changes.md', function () {
  this.timeout(3 * caseDeadline);
  const followers: ChildProcess[] = [];
  afterEach(async () => {
    for (const follower of followers.splice(0)) {
      follower.kill('SIGKILL');
      if (follower.exitCode === null && follower.signalCode === null) await once(follower, 'exit');
    }
    await discardProcesses();
  });

  function follow(language: keyof typeof probes, folder: string, env: Record<string, string>) {
    const [program, ...args] = runners[language](join(folder, 'follower'));
    const [ofEnvironment, ofFile] = tokens[language];
    const text = programIn(language);
    expect(text).to.include(ofEnvironment);
    const own = env.USERS_TOKEN === undefined ? text.replace(ofEnvironment, ofFile) : text;
    writeFileSync(args.at(-1) ?? '', probes[language] + own);
    const follower = spawn(program, args, {
      ...{ cwd: folder, env: { ...process.env, ...env } },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    followers.push(follower);
    let told = '';
    follower.stderr.on('data', (part) => {
      told += part;
    });
    const lines = createInterface({ input: follower.stdout })[Symbol.asyncIterator]();
    return {
      /** What it has, by id. */
      async ask(): Promise<ReadonlyMap<string, string>> {
        expect(follower.exitCode, told).to.equal(null);
        follower.stdin.write('\n');
        const { value } = await lines.next();
        return new Map(JSON.parse(value).map(({ id, meta }: Listed) => [id, meta.version]));
      },
      /** Its exit status and its last output. */
      async ended(): Promise<readonly [number | null, string]> {
        if (follower.exitCode === null) await once(follower, 'close');
        return [follower.exitCode, told];
      },
    };
  }

  async function send(service: Process, token: string, method: string, path: string, body?: object) {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    };
    const { status, body: text } = await exchange(`${service.url}${path}`, {
      ...{ method, headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(status, `${method} ${path}: ${text}`).to.be.within(200, 299);
    return text.length === 0 ? undefined : JSON.parse(String(text));
  }

  async function writeUsers(service: Process, token: string, round: number): Promise<void> {
    const write = async (at: number): Promise<void> => {
      const { id } = await send(service, token, 'POST', '/users', { userName: `user-${round}-${at}` });
      for (const title of ['Analyst', 'Countess'])
        await send(service, token, 'PATCH', `/users/${id}`, { title });
      if (at % 3 === 0) await send(service, token, 'DELETE', `/users/${id}`);
    };
    await Promise.all(Array.from({ length: 64 }, (_, at) => write(at)));
  }

  for (const language of ['ts', 'python'] as const)
    it(`get the whole directory while 64 writers change it, and after a kill of the service: ${language}`, async function () {
      if (language === 'python') needed(this, 'python3');
      const folder = aDataFolder();
      const env = { USERS_PORT: String(await aFreePort()) };
      let service = await startProcess({ folder, env });
      const token = await service.token(scopes);
      await writeUsers(service, token, 0);
      const { ask } = follow(language, folder, { USERS_URL: service.url, USERS_TOKEN: token });
      const isWhole = async (): Promise<boolean> => {
        const { users } = await send(service, token, 'GET', '/users');
        const has = await ask();
        return (
          users.length === has.size && users.every(({ id, meta }: Listed) => has.get(id) === meta.version)
        );
      };
      await writeUsers(service, token, 1);
      await until('the follower has all users', isWhole);
      await service.stop('SIGKILL');
      service = await startProcess({ folder, env });
      await writeUsers(service, token, 2);
      await until('the follower has all users again', isWhole);
    });

  for (const language of ['ts', 'python'] as const) {
    it(`stop with the detail of a permanent error: ${language}`, async function () {
      if (language === 'python') needed(this, 'python3');
      const service = await startProcess();
      const off = await startProcess({ env: { USERS_CHANGES_RETENTION: '0' } });
      const cases: readonly [USERS_URL: string, USERS_TOKEN: string, said: RegExp][] = [
        [service.url, 'garbage', /401 for \/changes[^:]*: This is not a JWT/],
        [service.url, await service.token(['users:read']), /403 for \/changes[^:]*: .*changes:read/],
        [service.url, await service.token(['changes:read']), /403 for \/users: .*users:read/],
        [`${service.url}/people`, await service.token(scopes), /404 for \/changes/],
        [off.url, await off.token(scopes), /404 for \/changes[^:]*: .*changes\.retention is 0/],
      ];
      for (const [USERS_URL, USERS_TOKEN, said] of cases) {
        const [code, told] = await follow(language, aDataFolder(), { USERS_URL, USERS_TOKEN }).ended();
        expect(told).to.match(said);
        expect(code).to.equal(1);
      }
    });

    it(`continue with a new token when the previous one is no longer valid: ${language}`, async function () {
      if (language === 'python') needed(this, 'python3');
      const folder = aDataFolder();
      const env = { USERS_API_KEYS_FILE: join(folder, 'keys.json') };
      const keyOf = async (id: string): Promise<string> => {
        const { log } = await run(['api-key', '--id', id, '--scope', scopes.join(' ')], folder, env);
        return log[1] ?? '';
      };
      const [first, second] = [await keyOf('first'), await keyOf('second')];
      const service = await startProcess({ folder, env });
      writeFileSync(join(folder, 'token'), first);
      const { ask } = follow(language, folder, { USERS_URL: service.url });
      const isWhole = async (count: number) => (await ask()).size === count;
      await send(service, second, 'POST', '/users', { userName: 'ada' });
      await until('the follower has the user', () => isWhole(1));
      writeFileSync(join(folder, 'token'), second);
      expect((await run(['api-key', 'revoke', '--id', 'first'], folder, env)).code).to.equal(0);
      const isRefused = async () =>
        (await exchange(`${service.url}/users`, { headers: { authorization: `Bearer ${first}` } })).status ===
        401;
      await until('the first key is refused', isRefused);
      await send(service, second, 'POST', '/users', { userName: 'grace' });
      await until('the follower has both users', () => isWhole(2));
    });
  }

  it('in TypeScript pass tsc --strict', async () => {
    const folder = aDataFolder();
    writeFileSync(join(folder, 'follower.mts'), programIn('ts'));
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: 'es2022', module: 'nodenext' },
      ...{ types: ['node'], typeRoots: [resolve('node_modules/@types')] },
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['follower.mts'] }),
    );
    const tsc = resolve('node_modules/typescript/bin/tsc');
    expect((await outputOf(process.execPath, [tsc, '--project', folder])).out).to.equal('');
  });
});
