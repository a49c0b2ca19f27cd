import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { expect } from 'chai';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aDataFolder, discardProcesses, startProcess } from '../support/process.ts';
import { openSqliteStore } from '../support/stores.ts';
import { insertAll } from './directories.ts';

const count = 200_000;
const atOnce = 10_000;
const MiB = 1024 * 1024;
/** Makes the whole list larger than the allowed memory, so that a process that collected it would fail. */
const filler = 'x'.repeat(1000);

const idOf = (at: number): string => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`;

function userAt(at: number): User {
  const now = '2026-01-02T03:04:05.678Z';
  const meta = { created: now, lastModified: now, version: `v${at}` };
  return { id: idOf(at), userName: `user-${at}`, active: true, attributes: { filler }, meta };
}

async function filledFolder(): Promise<string> {
  const folder = aDataFolder();
  const onFatal = (cause: unknown) => expect.fail(String(cause));
  // Without a change log, which would take as long as the users: the service begins one.
  const store = await openSqliteStore({ file: join(folder, 'data', 'users.db'), onFatal, isLogged: false });
  for (let from = 0; from < count; from += atOnce)
    await insertAll(
      store,
      Array.from({ length: atOnce }, (_, at) => userAt(from + at)),
    );
  await store.close();
  return folder;
}

/** A figure of the kernel about the process, in bytes: `VmRSS`, its current memory; `VmHWM`, its maximum. */
function memory(pid: number, figure: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${figure}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
}

/** Takes a list document piece by piece and checks that it is whole, without holding it. */
class ListReader {
  #rest = '';
  #seen = 0;
  readonly #decoder = new StringDecoder('utf8');

  read(chunk: Buffer): void {
    const items = (this.#rest + this.#decoder.write(chunk)).split(/,(?=\{"id":")/);
    this.#rest = items.pop() ?? '';
    for (const item of items) this.#check(this.#seen === 0 ? item.replace(/^\{"users":\[/, '') : item);
  }

  end(): number {
    expect(this.#rest.slice(-2)).to.equal(']}');
    this.#check(this.#rest.slice(0, -2));
    return this.#seen;
  }

  #check(item: string): void {
    const user: User = JSON.parse(item);
    if (user.id !== idOf(this.#seen) || user.attributes?.filler !== filler)
      expect.fail(`${item} at ${this.#seen}`);
    this.#seen += 1;
  }
}

/** Reads 64 KiB at a time, and nothing while `meanwhile` runs after every 16th: the service has to wait for it. */
async function readSlowly(answer: IncomingMessage, meanwhile: () => Promise<void>): Promise<number> {
  const reader = new ListReader();
  let chunks = 0;
  for await (const chunk of answer) {
    reader.read(chunk as Buffer);
    chunks += 1;
    if (chunks % 16 === 0) await meanwhile();
  }
  expect(answer.complete).to.equal(true);
  return reader.end();
}

describe('A directory of 200,000 users', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  afterEach(discardProcesses);

  it('is sent completely to a slow client within 150 MB of memory, while others are served', async () => {
    const service = await startProcess({ folder: await filledFolder() });
    const headers = { authorization: `Bearer ${await service.token()}` };
    let answered = 0;
    const readAnother = async () => {
      const id = idOf((answered * 7919) % count);
      const user = (await (await fetch(`${service.url}/users/${id}`, { headers })).json()) as User;
      expect(user.id).to.equal(id);
      answered += 1;
    };
    await readAnother();
    const idle = memory(service.pid, 'VmRSS');

    const [answer] = (await once(get(`${service.url}/users`, { headers }), 'response')) as [IncomingMessage];
    expect(await readSlowly(answer, readAnother)).to.equal(count);
    expect(answered).to.be.above(100);
    const grown = memory(service.pid, 'VmHWM') - idle;
    expect(grown / MiB, 'MiB more than when idle').to.be.below(150_000_000 / MiB);
    expect((await service.stop()).code).to.equal(0);
  });
});
