/** The packed program on Debian, for tests of the installed package (DEBIAN_ROOT: .ci/tools). */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Context } from 'mocha';
import { missing } from '../support/left-out.ts';

/** @throws Error with all that the program printed, unless it ends with 0 */
export const call = promisify(execFile);

/** A folder with Debian, systemd, Node and npm, or as `missing` says: making a machine of it is root's. */
export function neededDebian(context: Context): string {
  if (process.getuid?.() !== 0) missing(context, 'root');
  return process.env.DEBIAN_ROOT || missing(context, 'a Debian to install on (DEBIAN_ROOT)');
}

/** Packs the program into the folder. @returns the name of the file */
export async function packInto(folder: string): Promise<string> {
  const { stdout } = await call('npm', ['run', '--silent', 'pack', '--', '--pack-destination', folder]);
  return stdout.trim();
}

/** Where an npm on another root file system finds this machine's certificates and what its npm has fetched, by its path there. */
export async function npmMounts(folder: string): Promise<ReadonlyMap<string, string>> {
  const settings = join(folder, 'npmrc');
  writeFileSync(settings, 'cafile=/etc/ssl/certs/ca-certificates.crt\nprefer-offline=true\n');
  const { stdout: cache } = await call('npm', ['config', 'get', 'cache']);
  return new Map([
    ['/etc/ssl/certs', '/etc/ssl/certs'],
    ['/root/.npmrc', settings],
    ['/root/.npm', cache.trim()],
  ]);
}
