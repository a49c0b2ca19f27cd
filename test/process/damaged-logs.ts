import { closeSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { run, startProcess } from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { poster } from './posts.ts';

/** In bytes: a page of the log with what stands before it, and what stands before them all. */
export const frame = 24 + 4096;
const start = 32;

export function writeAt(path: string, position: number, bytes: Buffer): void {
  const fd = openSync(path, 'r+');
  writeSync(fd, bytes, 0, bytes.length, position);
  closeSync(fd);
}

/** The bits turned over. */
export function spoil(path: string, position: number, length: number): void {
  const bytes = readFileSync(path).subarray(position, position + length);
  writeAt(path, position, Buffer.from(bytes.map((byte) => ~byte)));
}

interface Damage {
  readonly how: string;
  readonly does: (log: string) => void;
}

export const damages: readonly Damage[] = [
  { how: 'was emptied', does: (log) => truncateSync(log) },
  { how: 'has lost its first bytes', does: (log) => writeAt(log, 0, Buffer.alloc(start)) },
];

/** The place of a service that was killed after thirty creations. */
export async function killed() {
  const service = await startProcess();
  const { folder } = service;
  const clients = await poster(service);
  for (let count = 0; count < 30; count += 1) expect(await clients.post()).to.equal(201);
  await service.stop('SIGKILL');
  const file = join(folder, 'data', 'users.db');
  return { folder, file, log: `${file}-wal`, created: clients.created };
}

export function itIsNotTrusted({ how, does }: Damage): void {
  it(`refuses to start when data is missing: the WAL ${how}`, async () => {
    const { folder, file, log, created } = await killed();
    does(log);
    const before = [file, log].map((path) => readFileSync(path));
    const { code, told } = await run([], folder);
    expect(code).to.equal(1);
    expect(told.join()).to.contain(log).and.to.contain(`npm run restore -- ${file}`);
    expect([file, log].map((path) => readFileSync(path))).to.deep.equal(before);

    const taken = await run(['restore', file], folder);
    expect(taken.told).to.deep.equal([]);
    const kept = /the previous database is now (.*)$/.exec(taken.log.join())?.[1] ?? '';
    expect(readFileSync(`${kept}-wal`).equals(before[1] ?? Buffer.alloc(0))).to.equal(true);
    const there = await allUsers(await startProcess({ folder }));
    expect(created).to.include.members([...there.keys()]);
    expectUndamaged(file, there);
  });
}
