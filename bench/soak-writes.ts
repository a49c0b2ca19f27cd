/** The memory of a service after many creations: what its heaps, the caches of its connections and the allocator keep for good. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCredentials } from './credentials.ts';
import { fill, inputOf } from './directory.ts';
import { load } from './load.ts';
import { childrenOf, readMemory, startServer } from './server.ts';
import { serviceScript } from './stage.ts';

const creations = 150_000;
/** In MiB, by number of workers; with two, of all three processes. */
const mostMemory = new Map([
  [1, 300],
  [2, 750],
]);

/** In MiB. */
const memoryOf = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, one) => sum + readMemory(one, 'VmRSS'), 0);

/** @returns a row of the report, and whether the memory is within its bound */
export async function soakWrites(workers: number): Promise<{ row: readonly string[]; isWithin: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'users-soak-'));
  try {
    const { settings, apiKey } = await makeCredentials(folder);
    const file = join(folder, 'users.db');
    fill(file, 0, 0, true);
    const env = { USERS_SQLITE_FILE: file, USERS_WORKERS: String(workers) };
    const server = await startServer(serviceScript, folder, { ...settings[apiKey.takenBy], ...env });
    const before = memoryOf(server.pid);
    const headers = { ...apiKey.headers, 'content-type': 'application/json' };
    const vary = { method: 'POST', body: JSON.stringify(inputOf('{new}')) } as const;
    for (let done = 0; done < creations; )
      done += (await load({ url: `${server.url}/users`, headers, connections: 32, vary }, 5)).requests;
    const after = memoryOf(server.pid);
    await server.stop();
    const most = mostMemory.get(workers) ?? Number.NaN;
    const isWithin = after <= most;
    return {
      row: [`${workers}`, `${before}`, `${after}`, isWithin ? `at most ${most}` : `ABOVE ${most}`],
      isWithin,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
