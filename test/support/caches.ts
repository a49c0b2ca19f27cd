/** Real proxies in front of the service, in processes of their own, with their files in folders of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from './deadlines.ts';
import { aFreePort } from './free-port.ts';

export interface Place {
  readonly folder: string;
  readonly port: number;
  /** The service's. */
  readonly origin: number;
}

/** One way to set a proxy up. */
export interface Setup {
  readonly program: string;
  /** The configuration, written to `folder`/conf. */
  conf(place: Place): string;
  args(place: Place): readonly string[];
  /** Matches the line that it prints when it takes connections. */
  readonly ready: RegExp;
}

export interface RunningProxy {
  readonly url: string;
  stop(): Promise<void>;
}

const root = process.getuid?.() === 0;

/** Resolves when it takes connections. @throws Error with what it printed when it ends before */
function ready(child: ChildProcess, pattern: RegExp): Promise<void> {
  const printed: string[] = [];
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        printed.push(line);
        if (pattern.test(line)) resolve();
      });
    }
    child.once('close', () => reject(new Error(`it ended:\n${printed.join('\n')}`)));
  });
}

const acceptsConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Starts `file`, the program of the setup, in front of the service at `origin`. */
export async function startProxy(setup: Setup, file: string, origin: string): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'users-proxy-'));
  if (root) chmodSync(folder, 0o777);
  const place = { folder, port: await aFreePort(), origin: Number(new URL(origin).port) };
  writeFileSync(join(folder, 'conf'), setup.conf(place));
  const child = spawn(file, setup.args(place), { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready(child, setup.ready);
  } catch (error) {
    await stop();
    throw error;
  }
  // Varnish says that its child has started a moment before that one listens.
  await until(
    'the proxy takes connections',
    async () => child.exitCode !== null || acceptsConnections(place.port),
  );
  return { url: `http://127.0.0.1:${place.port}`, stop };
}
