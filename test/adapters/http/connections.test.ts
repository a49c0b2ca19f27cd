import { expect } from 'chai';
import { until } from '../../support/deadlines.ts';
import { answersTo } from '../../support/raw-answers.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';
import { type Client, open, openMany, statuses } from '../../support/sockets.ts';
import { memoryStore } from '../../support/stores.ts';

const probe = 'GET /health/live HTTP/1.1\r\nHost: here\r\n';
const max = 5;

describe('Connections', () => {
  let service: TestService;
  let clients: Client[] = [];
  const start = async (connections: { max: number; maxHeaderSize: number }) => {
    service = await startService({ connections: { maxHeaderFields: 100, maxStall: 60_000, ...connections } });
  };
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    await service.close();
  });

  it('beyond the limit are closed at once, without an answer, until one of the busy connections ends', async () => {
    await start({ max, maxHeaderSize: 16_384 });
    const stream = `${probe.replace('/health/live', '/changes?since=now')}Accept: text/event-stream\r\n`;
    for (let at = 0; at < max; at += 1) {
      const token = await aToken(undefined, '1h', `client-${at}`);
      const client = await open(service.url, `${stream}Authorization: Bearer ${token}\r\n\r\n`);
      clients.push(client);
      expect(await client.got(/ 200 /)).to.include(' 200 ');
    }
    for (let round = 0; round < 3; round += 1)
      expect(await (await open(service.url, `${probe}\r\n`)).ended).to.equal('');
    const [first] = clients;
    first?.socket.destroy();
    await first?.ended;
    let received = '';
    await until('another connection is taken', async () => {
      received = await (await open(service.url, `${probe}Connection: close\r\n\r\n`)).ended;
      return received !== '';
    });
    expect(received).to.include(' 204 ');
    await service.logged('connections.max');
    expect(service.log.filter((line) => line.includes('connections.max'))).to.have.length(1);
  });

  it('with bodies that do not arrive are closed in favour of new ones when the limit is reached, the oldest first', async () => {
    await start({ max, maxHeaderSize: 16_384 });
    // The interim answer shows that the service knows of the request.
    const post = `${probe.replace('GET /health/live', 'POST /users')}Content-Length: 16\r\nExpect: 100-continue\r\n`;
    const authorization = `Authorization: Bearer ${await aToken()}\r\nContent-Type: application/json\r\n`;
    for (let at = 0; at < max; at += 1) {
      const client = await open(service.url, `${post}${authorization}\r\n`);
      clients.push(client);
      expect(await client.got(/ 100 /)).to.include(' 100 ');
    }
    const [oldest, next, ...others] = clients;
    const list = `${probe.replace('/health/live', '/users')}${authorization}Connection: close\r\n\r\n`;
    expect(statuses(await (await open(service.url, list)).ended)).to.deep.equal([200]);
    expect(statuses((await oldest?.ended) ?? '')).to.deep.equal([100]);
    next?.socket.write('{"userName":"a"}');
    expect(await next?.got(/ 201 /)).to.include(' 201 ');
    for (const { socket } of others) expect(socket.destroyed).to.equal(false);
  });

  it('are closed in favour of new ones when the limit is reached, the longest idle first', async () => {
    await start({ max, maxHeaderSize: 16_384 });
    clients = await openMany(service.url, max, `${probe}\r\n`);
    for (const client of clients) expect(await client.got(/ 204 /)).to.include(' 204 ');
    // The first one is used again, so the second one has been idle longest.
    const [first, second, ...others] = clients;
    first?.socket.write(`${probe}\r\n`);
    await first?.got(/ 204 [\s\S]* 204 /);
    const latest = await open(service.url, `${probe}\r\n`);
    clients.push(latest);
    expect(await latest.got(/ 204 /)).to.include(' 204 ');
    expect(statuses((await second?.ended) ?? '')).to.deep.equal([204]);
    for (const client of [first, ...others, latest]) {
      client?.socket.write(`${probe}Connection: close\r\n\r\n`);
      expect(statuses((await client?.ended) ?? '').at(-1)).to.equal(204);
    }
    expect(service.log.filter((line) => line.includes('connections.max'))).to.deep.equal([]);
  });

  it('are not closed while a request is arriving on them: the next idle one is closed instead', async () => {
    await start({ max, maxHeaderSize: 16_384 });
    clients = await openMany(service.url, max, `${probe}\r\n`);
    for (const client of clients) expect(await client.got(/ 204 /)).to.include(' 204 ');
    const [first, second, third] = clients;
    first?.socket.write(probe);
    // What is answered was read after the half of a request.
    third?.socket.write(`${probe}\r\n`);
    await third?.got(/ 204 [\s\S]* 204 /);
    const latest = await open(service.url, `${probe}\r\n`);
    clients.push(latest);
    expect(await latest.got(/ 204 /)).to.include(' 204 ');
    expect(statuses((await second?.ended) ?? '')).to.deep.equal([204]);
    first?.socket.write('Connection: close\r\n\r\n');
    expect(statuses((await first?.ended) ?? '')).to.deep.equal([204, 204]);
  });

  /** Sends one more probe. @param count how many have been answered then */
  const ask = async ({ socket, received }: Client, count: number) => {
    socket.write(`${probe}\r\n`);
    await until('the probe is answered', () => statuses(received()).length === count || socket.closed);
    expect(statuses(received())).to.have.length(count);
  };

  for (const [name, request, beginning] of [
    ['that send nothing', '', ''],
    ['whose request never ends', '', probe],
    ['whose second request never ends', `${probe}\r\n`, probe],
  ] as const)
    it(`${name} make room for new ones, and keep out no client, new or old`, async () => {
      await start({ max, maxHeaderSize: 16_384 });
      const earlier = await open(service.url, `${probe}\r\n`);
      clients.push(earlier);
      await earlier.got(/ 204 /);
      for (let count = 0; count < 2 * max; count += 1) {
        const silent = await open(service.url, request);
        clients.push(silent);
        if (request !== '') await silent.got(/ 204 /);
        silent.socket.write(beginning);
        // Its answer comes when the beginning has been read.
        await ask(earlier, 2 * count + 2);
        const later = await open(service.url, `${probe}Connection: close\r\n\r\n`);
        expect(statuses(await later.ended)).to.deep.equal([204]);
        await ask(earlier, 2 * count + 3);
      }
    });

  it('stay open for a response that the service needs long for, however long their clients must wait', async () => {
    const store = memoryStore();
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const list = store.list.bind(store);
    store.list = async (query) => {
      begun.resolve();
      await held.promise;
      return list(query);
    };
    const connections = { max, maxHeaderSize: 16_384, maxHeaderFields: 100, maxStall: 100 };
    service = await startService({ connections }, store);
    const authorization = `Authorization: Bearer ${await aToken()}\r\nConnection: close\r\n\r\n`;
    const waiting = await open(service.url, probe.replace('/health/live', '/users') + authorization);
    await begun.promise;
    const silent = await open(service.url, '');
    expect(await silent.ended).to.equal('');
    held.resolve();
    expect(statuses(await waiting.ended)).to.deep.equal([200]);
  });

  it('have no limit when the setting is 0', async () => {
    await start({ max: 0, maxHeaderSize: 16_384 });
    clients = await openMany(service.url, 50, `${probe}\r\n`);
    for (const client of clients) expect(await client.got(/ 204 /)).to.include(' 204 ');
  });

  it('accept heads up to the configured size', async () => {
    await start({ max: 0, maxHeaderSize: 4096 });
    const status = async (bytes: number) =>
      (await answersTo(service.url, `${probe}X: ${'x'.repeat(bytes)}\r\nConnection: close\r\n\r\n`))[0]
        ?.status;
    expect(await status(3900)).to.equal(204);
    expect(await status(4096)).to.equal(431);
  });
});
