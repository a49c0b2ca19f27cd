/** The service as a process of its own, with a data folder of its own, for tests of what only a process shows. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, type Stream } from 'node:stream';
import { developmentKey, developmentToken } from '../../src/adapters/credentials/jwt/development-key.ts';
import { development } from '../../src/config/authentication.ts';
import { scopes } from '../../src/domain/scopes.ts';
import { caseDeadline, until } from './deadlines.ts';
import { watchProgram } from './failure-context.ts';

export type Environment = Readonly<Record<string, string>>;

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** All lines of standard output. */
  readonly log: readonly string[];
  /** Those of standard error, without the progress of commands. */
  readonly told: readonly string[];
}

export interface Process {
  readonly url: string;
  readonly pid: number;
  /** Its working folder: the data is in `data/` below. */
  readonly folder: string;
  /** Lines of standard output up to now. */
  readonly log: readonly string[];
  /** Its standard error, as `logged` is its standard output. */
  told(pattern: RegExp): Promise<string>;
  /** The first line of the log that matches, now or later; rejects when the process ends without. */
  logged(pattern: RegExp): Promise<string>;
  /** A token it takes: of the development key, or of USERS_JWT_SECRET where it was started with one. */
  token(granted?: readonly string[]): Promise<string>;
  /** Reads neither of its outputs any more. */
  hangUp(): void;
  /** Resolves when it has ended and all that it wrote has arrived. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/**
 * Beneath what a test sets. A machine that does other work may stand still for half a second, which the service would answer with 503:
 * only tests of load shedding ask about that, and they run it in this process. Its time limits are those of a test.
 */
const environment: Environment = {
  USERS_PORT: '0',
  USERS_OVERLOAD_EVENT_LOOP_DELAY: '0',
  USERS_TIMEOUTS_HEADERS: String(caseDeadline),
  USERS_TIMEOUTS_REQUEST: String(caseDeadline),
  USERS_TIMEOUTS_SHUTDOWN: String(caseDeadline),
  USERS_TIMEOUTS_UNRESPONSIVE: String(caseDeadline),
  // A start takes a tenth less: hundreds of processes run the same program.
  NODE_COMPILE_CACHE: resolve('build/compile-cache'),
};

const folders = new Set<string>();
const children = new Set<ChildProcess>();

/** A folder that `discardProcesses` removes. */
export function aDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'users-process-'));
  folders.add(folder);
  return folder;
}

/** Ends what a test has started and not stopped, and removes every folder. For `afterEach`. */
export async function discardProcesses(): Promise<void> {
  for (const child of children) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

/** Ours alone: a setting from the shell that runs the tests would change what they show. */
const inherited = Object.entries(process.env).filter(([name]) => !/^(?:USERS|NODE|OTEL)_/.test(name));

/** Of a process, or of a command line that runs here (test/process/called.ts). @param env what a test sets */
export const environmentOf = (env: Environment): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(inherited),
  ...environment,
  ...env,
});

interface Lines {
  readonly seen: readonly string[];
  first(pattern: RegExp): Promise<string>;
}

function linesOf(stream: NodeJS.ReadableStream): Lines {
  const seen: string[] = [];
  const reader = createInterface({ input: stream });
  let over = false;
  reader.on('line', (line) => seen.push(line));
  reader.once('close', () => {
    over = true;
  });
  const first = async (pattern: RegExp) => {
    let found: string | undefined;
    await until(`a line ${pattern} is written`, () => {
      found = seen.find((line) => pattern.test(line));
      return found !== undefined || over;
    });
    if (found === undefined) throw new Error(`no line ${pattern} in:\n${seen.join('\n')}`);
    return found;
  };
  return { seen, first };
}

/** Overrides for the start of a process. */
export interface Surroundings {
  /** What it reads; nothing where it is left out. */
  readonly stdin?: number | 'pipe' | 'ignore';
  /** Where it writes instead of to us. */
  readonly stdout?: number | Stream;
  readonly stderr?: number | Stream;
  /** Arguments of the shell's `ulimit`, such as `-n 256`. */
  readonly limit?: string;
  /** In the place of the one that the tests' build has made. */
  readonly program?: string;
}

const limited = 'ulimit $0 && exec "$@"';

/** As `npm start` runs it, bundled by the tests' build: it starts in a third of the time of the thousand files that it is made of. */
export const program = resolve('build/bundle/main.js');

/** A command that takes longer than ten seconds, as on a slow machine, prints such lines. */
export const isProgress = (line: string): boolean =>
  /^(?:\d+%, )?[\d,]+ users?, [\d,]+ a second(?:, [\d:]+ left)?(?:, .*)?$/.test(line);

/** Starts the program and leaves its end to the caller. @param command what it is called with, such as `['token', '--help']` */
export function launch(
  command: readonly string[],
  folder: string,
  env: Environment = {},
  { stdin = 'ignore', stdout, stderr, limit, program: main = program }: Surroundings = {},
) {
  const options: SpawnOptions = {
    cwd: folder,
    env: environmentOf(env),
    stdio: [stdin, stdout ?? 'pipe', stderr ?? 'pipe'],
  };
  const child =
    limit === undefined
      ? spawn(process.execPath, [main, ...command], options)
      : spawn('sh', ['-c', limited, limit, process.execPath, main, ...command], options);
  children.add(child);
  const out = linesOf(child.stdout ?? Readable.from([]));
  const err = linesOf(child.stderr ?? Readable.from([]));
  watchProgram({ command, child, out: out.seen, err: err.seen });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => {
      children.delete(child);
      resolve({ code, signal, log: out.seen, told: err.seen.filter((line) => !isProgress(line)) });
    });
  });
  return { child, out, err, ended };
}

/** Runs the program to its own end. @param command as for `launch` */
export const run = (...given: Parameters<typeof launch>) => launch(...given).ended;

/** Rejects with what it told when it ends without listening. */
export async function startProcess({
  folder = aDataFolder(),
  env = {} as Environment,
  surroundings = {} as Surroundings,
} = {}): Promise<Process> {
  const { child, out, err, ended } = launch([], folder, env, surroundings);
  const listening =
    surroundings.stderr === undefined ? /^Listening on (\S+)\/users$/ : /"url":"([^"]+)".*"msg":"listening"/;
  const url = listening.exec(await (surroundings.stderr === undefined ? err : out).first(listening))?.[1];
  if (url === undefined || child.pid === undefined) throw new Error('it listens nowhere');
  return {
    url,
    pid: child.pid,
    folder,
    log: out.seen,
    logged: out.first,
    told: err.first,
    token: (granted = scopes) => tokenFor(folder, env, granted),
    hangUp: () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

function tokenFor(folder: string, env: Environment, granted: readonly string[]): Promise<string> {
  const secret = env.USERS_JWT_SECRET;
  const { USERS_JWT_ISSUER: issuer = '', USERS_JWT_AUDIENCE: audience = '' } = env;
  const more = { scopes: granted, seconds: 3600, typ: 'at+jwt' } as const;
  if (secret !== undefined) return developmentToken(Buffer.from(secret), { issuer, audience, ...more });
  return developmentToken(developmentKey(join(folder, 'data', 'development.key')), {
    ...development,
    ...more,
  });
}
