import { expect } from 'chai';
import { readHeaps, tellHeap } from '../../support/heaps.ts';
import { startProcess } from '../../support/process.ts';
import { openMany, statuses } from '../../support/sockets.ts';

describe('Heads that never end', () => {
  it('take little memory, however many fields they have', async () => {
    const { folder, url, stop } = await startProcess({
      env: { USERS_STORE: 'memory', NODE_OPTIONS: `--import ${tellHeap}` },
    });
    const held = async () => (await readHeaps(folder)).reduce((sum, { bytes }) => sum + bytes, 0);
    const before = await held();
    const clients = await openMany(url, 600, `GET /users HTTP/1.1\r\n${'X:\r\n'.repeat(12_000)}`);
    for (const client of clients) expect(statuses(await client.got(/ 431 /))).to.deep.equal([431]);
    const more = (await held()) - before;
    for (const { socket } of clients) socket.destroy();
    await stop();
    // A tenth of what they hold where the fields are not limited.
    expect(more / 2 ** 20).to.be.below(10);
  });
});

describe('Connections between two requests', () => {
  it('keep no memory of the last request, however large its head was', async () => {
    const { folder, url, stop } = await startProcess({
      env: { USERS_STORE: 'memory', NODE_OPTIONS: `--import ${tellHeap}` },
    });
    const held = async () => (await readHeaps(folder)).reduce((sum, { bytes }) => sum + bytes, 0);
    const before = await held();
    const fields = Array.from({ length: 90 }, (_, at) => `X${at}: ${'x'.repeat(150)}\r\n`).join('');
    const clients = await openMany(url, 600, `GET /health/live HTTP/1.1\r\nHost: x\r\n${fields}\r\n`);
    for (const client of clients) expect(statuses(await client.got(/ 204 /))).to.deep.equal([204]);
    const more = (await held()) - before;
    for (const { socket } of clients) socket.destroy();
    await stop();
    // The heads alone are 8 MiB, and with their requests twice as much.
    expect(more / 2 ** 20).to.be.below(6);
  });
});
