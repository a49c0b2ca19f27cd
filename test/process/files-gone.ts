import { copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { type Process, startProcess } from '../support/process.ts';
import { type Poster, poster } from './posts.ts';

/** What happens to the file of a service that runs. */
interface Befall {
  readonly what: string;
  /** The ending of the name that the log tells. */
  readonly named: string;
  readonly does: (file: string) => void;
}

export const befalls: readonly Befall[] = [
  { what: 'the file is removed', named: '', does: (file) => rmSync(file) },
  { what: 'the file is moved away', named: '', does: (file) => renameSync(file, `${file}.moved`) },
  {
    what: 'another file is put in its place',
    named: '',
    does: (file) => {
      copyFileSync(file, `${file}.other`);
      renameSync(`${file}.other`, file);
    },
  },
  { what: 'the file is emptied', named: '', does: (file) => truncateSync(file) },
  {
    what: 'a backup is copied over the file',
    named: '',
    does: (file) => {
      const db = new Database(file, { readonly: true });
      db.prepare('VACUUM INTO ?').run(`${file}.backup`);
      db.close();
      copyFileSync(`${file}.backup`, file);
    },
  },
  { what: 'its log is removed', named: '-wal', does: (file) => rmSync(`${file}-wal`) },
  {
    what: 'another file is put in the place of its log',
    named: '-wal',
    does: (file) => {
      writeFileSync(`${file}.other`, '');
      renameSync(`${file}.other`, `${file}-wal`);
    },
  },
  { what: 'what its processes share is removed', named: '-shm', does: (file) => rmSync(`${file}-shm`) },
];

/** With twenty users. */
export async function started(workers = '1'): Promise<{ service: Process; file: string; clients: Poster }> {
  const service = await startProcess({ env: { USERS_WORKERS: workers } });
  const clients = await poster(service);
  for (let count = 0; count < 20; count += 1) expect(await clients.post()).to.equal(201);
  return { service, file: join(service.folder, 'data', 'users.db'), clients };
}

export function itEnds({ what, named, does }: Befall, workers: string): void {
  it(`no write is confirmed after ${what}, and it exits with 1 (workers: ${workers})`, async () => {
    const { service, file, clients } = await started(workers);
    does(file);
    const statuses = await clients.untilGone();
    expect(statuses).not.to.include(201);
    const line = await service.logged(/"the store cannot go on"/);
    expect(line).to.contain(`${file}${named} was `);
    expect((await service.stop('SIGCONT')).code).to.equal(1);
  });
}
