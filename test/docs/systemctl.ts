/**
 * `systemctl` for the pages of docs/operate, on a machine without systemd: does with the installed units what systemd does with them, as
 * far as the pages go. ROOT stands for the file system's root.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { until } from '../support/deadlines.ts';

const root = process.env.ROOT ?? '';
const [command = '', ...given] = process.argv.slice(2);
const units = given.filter((word) => !word.startsWith('--'));
const isNow = command !== 'enable' || given.includes('--now');

const fail = (text: string): never => {
  process.stderr.write(`${text}\n`);
  process.exit(1);
};

const fileOf = (unit: string): string =>
  `${root}/etc/systemd/system/${/\.(?:service|timer)$/.test(unit) ? unit : `${unit}.service`}`;
const pidFileOf = (unit: string): string => `${root}/run/${unit}.pid`;

/** Specifiers and `$$` expanded (systemd.unit(5), systemd.service(5)). */
function valuesIn(unit: string, name: string): string[] {
  const text = existsSync(fileOf(unit)) ? readFileSync(fileOf(unit), 'utf8') : fail(`${unit}: no such unit`);
  return [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) =>
    value.replace(/%S|%%|\$\$/g, (found) => (found === '%S' ? `${root}/var/lib` : found.slice(1))),
  );
}

const wordsIn = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);

function environmentOf(unit: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH };
  const files = valuesIn(unit, 'EnvironmentFile').map((file) => readFileSync(file, 'utf8').split('\n'));
  for (const pair of [...valuesIn(unit, 'Environment'), ...files.flat()]) {
    const [, name, value = ''] = /^(\w+)='?(.*?)'?$/.exec(pair) ?? [];
    if (name !== undefined) env[name] = value;
  }
  return env;
}

function runAll(unit: string, name: string): void {
  for (const line of valuesIn(unit, name)) {
    const [program = '', ...args] = wordsIn(line);
    const { status } = spawnSync(program, args, { env: environmentOf(unit), stdio: 'inherit' });
    if (status !== 0) fail(`${unit}: ${line} ended with ${status}`);
  }
}

/** As for a unit with DynamicUser: a link to a private folder, into which a folder of root's is moved (systemd.exec(5)). */
function makeStateFolder(name: string): void {
  const [link, folder] = [`${root}/var/lib/${name}`, `${root}/var/lib/private/${name}`];
  if (existsSync(folder)) return;
  mkdirSync(`${root}/var/lib/private`, { recursive: true, mode: 0o700 });
  if (existsSync(link)) renameSync(link, folder);
  else mkdirSync(folder, { mode: 0o700 });
  symlinkSync(`private/${name}`, link);
}

function start(unit: string): void {
  for (const folder of valuesIn(unit, 'StateDirectory').flatMap(wordsIn)) makeStateFolder(folder);
  if (valuesIn(unit, 'Type').includes('oneshot')) runAll(unit, 'ExecStart');
  else {
    const [program = '', ...args] = wordsIn(valuesIn(unit, 'ExecStart')[0] ?? '');
    mkdirSync(`${root}/run`, { recursive: true });
    const log = openSync(`${root}/run/${unit}.log`, 'a');
    const child = spawn(program, args, {
      cwd: valuesIn(unit, 'WorkingDirectory')[0],
      env: environmentOf(unit),
      stdio: ['ignore', log, log],
      detached: true,
    });
    child.unref();
    writeFileSync(pidFileOf(unit), String(child.pid));
  }
  runAll(unit, 'ExecStartPost');
}

/** A zombie is an ended process whose parent has not waited for it; here the parent is another process. */
const hasEnded = (pid: number): boolean =>
  !existsSync(`/proc/${pid}`) || /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

async function stop(unit: string): Promise<void> {
  if (!existsSync(pidFileOf(unit))) return;
  const pid = Number(readFileSync(pidFileOf(unit), 'utf8'));
  process.kill(pid, 'SIGTERM');
  await until(`${unit} has ended`, () => hasEnded(pid));
  rmSync(pidFileOf(unit));
}

for (const unit of units) {
  // A timer starts the service of its name, at a time that systemd-analyze understands (test/outside/systemd.test.ts).
  if (unit.endsWith('.timer')) valuesIn(unit.replace(/timer$/, 'service'), 'ExecStart');
  else {
    if (command === 'stop' || command === 'restart') await stop(unit);
    if (['start', 'restart', 'enable'].includes(command) && isNow) start(unit);
    if (command === 'status' && !existsSync(pidFileOf(unit))) fail(`${unit} is not active`);
  }
}
