import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { discardProcesses, run, startProcess } from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { poster } from './posts.ts';

/** In bytes: a page of the log with what stands before it, and what stands before them all. */
const frame = 24 + 4096;
const start = 32;

function writeAt(path: string, position: number, bytes: Buffer): void {
  const fd = openSync(path, 'r+');
  writeSync(fd, bytes, 0, bytes.length, position);
  closeSync(fd);
}

/** The bits turned over. */
function spoil(path: string, position: number, length: number): void {
  const bytes = readFileSync(path).subarray(position, position + length);
  writeAt(path, position, Buffer.from(bytes.map((byte) => ~byte)));
}

const framesIn = (log: string): number => (statSync(log).size - start) / frame;
const middleOf = (log: string): number => start + Math.floor(framesIn(log) / 2) * frame;

interface Damage {
  readonly how: string;
  readonly does: (log: string) => void;
  /** It shows in the log alone, without what the service's processes shared about it. */
  readonly showsInTheLog: boolean;
}

const damages: readonly Damage[] = [
  { how: 'was emptied', does: (log) => truncateSync(log), showsInTheLog: true },
  { how: 'was cut in half', does: (log) => truncateSync(log, middleOf(log)), showsInTheLog: false },
  {
    how: 'has lost its first bytes',
    does: (log) => writeAt(log, 0, Buffer.alloc(start)),
    showsInTheLog: true,
  },
  {
    how: 'has a wrong byte in its first page',
    does: (log) => spoil(log, start + 100, 1),
    showsInTheLog: true,
  },
  {
    how: 'has a wrong byte in its middle',
    does: (log) => spoil(log, middleOf(log) + 100, 1),
    showsInTheLog: true,
  },
  { how: 'has a hole', does: (log) => writeAt(log, middleOf(log), Buffer.alloc(frame)), showsInTheLog: true },
  {
    how: 'has a wrong byte in its last page',
    does: (log) => spoil(log, statSync(log).size - 1, 1),
    showsInTheLog: false,
  },
];

async function killed() {
  const service = await startProcess();
  const { folder } = service;
  const clients = await poster(service);
  for (let count = 0; count < 30; count += 1) expect(await clients.post()).to.equal(201);
  await service.stop('SIGKILL');
  const file = join(folder, 'data', 'users.db');
  return { folder, file, log: `${file}-wal`, created: clients.created };
}

describe('The service killed, and then its SQLite file’s log damaged,', function () {
  this.timeout(60_000);
  afterEach(discardProcesses);

  for (const { how, does, showsInTheLog } of damages)
    for (const shared of showsInTheLog ? [true, false] : [true])
      it(`does not start as if nothing were missing: the log ${how}${shared ? '' : ', and nothing else tells of it'}`, async () => {
        const { folder, file, log, created } = await killed();
        does(log);
        if (!shared) rmSync(`${file}-shm`);
        const before = [file, log].map((path) => readFileSync(path));
        const { code, told } = await run([], folder);
        expect(code).to.equal(1);
        expect(told.join()).to.contain(log).and.to.contain(`npm run restore -- ${file}`);
        expect([file, log].map((path) => readFileSync(path))).to.deep.equal(before);

        const taken = await run(['restore', file], folder);
        expect(taken.told).to.deep.equal([]);
        const kept = /what was there before is (.*)$/.exec(taken.log.join())?.[1] ?? '';
        expect(readFileSync(`${kept}-wal`).equals(before[1] ?? Buffer.alloc(0))).to.equal(true);
        const there = await allUsers(await startProcess({ folder }));
        expect(created).to.include.members([...there.keys()]);
        expectUndamaged(file, there);
      });

  it('is given all that can be read of it by npm run restore', async () => {
    const { folder, file, log, created } = await killed();
    spoil(log, statSync(log).size - 1, 1);
    expect((await run(['restore', file], folder)).log.join()).to.match(/^29 users of /);
    const there = await allUsers(await startProcess({ folder }));
    expect([...there.keys()]).to.have.members(created.slice(0, -1));
  });

  it('starts as ever when the log ends in a write that was begun and never answered', async () => {
    const { folder, log, created } = await killed();
    const bytes = readFileSync(log);
    // The pages of the last write once more, as far as they got: no page stands where its sum says.
    writeAt(log, bytes.length, bytes.subarray(-frame).fill(0, 24, 2048));
    const there = await allUsers(await startProcess({ folder }));
    expect([...there.keys()]).to.have.members(created);
    expect(existsSync(log)).to.equal(true);
  });
});
