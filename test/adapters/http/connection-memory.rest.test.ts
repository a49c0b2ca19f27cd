import { expect } from 'chai';
import { readHeaps, tellHeap } from '../../support/heaps.ts';
import { startProcess } from '../../support/process.ts';
import { openMany, statuses } from '../../support/sockets.ts';

/** In MiB: how much 600 connections take that each sent this head and got an answer of this status. */
async function memoryFor(head: string, status: number): Promise<number> {
  const { folder, url, stop } = await startProcess({
    env: { USERS_STORE: 'memory', NODE_OPTIONS: `--import ${tellHeap}` },
  });
  const held = async () => (await readHeaps(folder)).reduce((sum, { bytes }) => sum + bytes, 0);
  const before = await held();
  const clients = await openMany(url, 600, head);
  for (const client of clients)
    expect(statuses(await client.got(new RegExp(` ${status} `)))).to.deep.equal([status]);
  const more = (await held()) - before;
  for (const { socket } of clients) socket.destroy();
  await stop();
  return more / 2 ** 20;
}

describe('Heads that never end', () => {
  it('take little memory, however many fields they have', async () => {
    // A tenth of what they hold where the fields are not limited.
    expect(await memoryFor(`GET /users HTTP/1.1\r\n${'X:\r\n'.repeat(12_000)}`, 431)).to.be.below(10);
  });
});

describe('Connections between two requests', () => {
  it('keep no memory of the last request, however large its head was', async () => {
    const fields = Array.from({ length: 90 }, (_, at) => `X${at}: ${'x'.repeat(150)}\r\n`).join('');
    // The heads alone are 8 MiB, and with their requests twice as much.
    expect(await memoryFor(`GET /health/live HTTP/1.1\r\nHost: x\r\n${fields}\r\n`, 204)).to.be.below(6);
  });
});
