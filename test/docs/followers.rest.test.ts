import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { needed } from '../outside/tools.ts';
import { caseDeadline, until } from '../support/deadlines.ts';
import { exchange } from '../support/exchanges.ts';
import { aFreePort } from '../support/free-port.ts';
import { aDataFolder, discardProcesses, type Process, startProcess } from '../support/process.ts';

interface Listed {
  readonly id: string;
  readonly meta: { readonly version: string };
}

const scopes = ['users:read', 'users:write', 'users:delete', 'changes:read'];

/** Asks a program of the page for what it has: a line for a line. */
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
  const [, text = ''] =
    new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(readFileSync('docs/changes.md', 'utf8')) ?? [];
  return probes[language] + text;
};

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
    writeFileSync(args.at(-1) ?? '', programIn(language));
    const follower = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    followers.push(follower);
    const lines = createInterface({ input: follower.stdout })[Symbol.asyncIterator]();
    /** What it has, by id. */
    return async (): Promise<ReadonlyMap<string, string>> => {
      follower.stdin.write('\n');
      const { value } = await lines.next();
      return new Map(JSON.parse(value).map(({ id, meta }: Listed) => [id, meta.version]));
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
    it(`has the whole directory beside 64 writers, and after the service was killed: ${language}`, async function () {
      if (language === 'python') needed(this, 'python3');
      const folder = aDataFolder();
      const env = { USERS_PORT: String(await aFreePort()) };
      let service = await startProcess({ folder, env });
      const token = await service.token(scopes);
      await writeUsers(service, token, 0);
      const ask = follow(language, folder, { USERS_URL: service.url, USERS_TOKEN: token });
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
});
