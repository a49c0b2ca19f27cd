import { once } from 'node:events';
import { expect } from 'chai';
import { Stored } from '../../../src/domain/resource/stored.ts';
import { aUser } from '../../support/a-user.ts';
import { clientNames, clients } from '../../support/clients.ts';
import { answersIn } from '../../support/raw-answers.ts';
import { some } from '../../support/runs.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';
import { open } from '../../support/sockets.ts';
import { memoryStore } from '../../support/stores.ts';
import type { UserStore } from '../../support/verbs.ts';

const ends = { JSON: ']}', XML: '</users>' } as const;
/** How a client asks, and how it knows where the list ends. */
const framings = {
  'in chunks': 'HTTP/1.1\r\nHost: here\r\n',
  'until the connection closes, to HTTP/1.0': 'HTTP/1.0\r\n',
  'until the connection closes, to HTTP/1.0 that would keep it': 'HTTP/1.0\r\nConnection: keep-alive\r\n',
};

const cases = clientNames.flatMap((name) =>
  Object.entries(framings).map(([framing, start]) => ({ name, framing, start })),
);

for (const { name, framing, start } of some(cases))
  describe(`A list in ${name} that is sent ${framing},`, () => {
    let store: UserStore;
    let service: TestService;
    let request: string;
    /** After how many batches the store fails. */
    let last: number;
    before(async () => {
      store = memoryStore();
      for (let at = 0; at < 6000; at += 1) await store.insert(Stored.of(aUser({ title: 'x'.repeat(200) })));
      const list = store.list.bind(store);
      let batches = 0;
      store.list = async (query) => {
        batches = query.after === undefined ? 1 : batches + 1;
        if (batches > last) throw new Error('the disk is gone');
        return list(query);
      };
      service = await startService({}, store);
      const accept = `Accept: ${clients[name].type}\r\n`;
      request = `GET /users ${start}${accept}Authorization: Bearer ${await aToken()}\r\n`;
    });
    after(() => service.close());

    it('arrives whole on a connection that ends in order when nothing fails', async () => {
      last = Number.POSITIVE_INFINITY;
      const text = `${request}${framing === 'in chunks' ? 'Connection: close\r\n' : ''}\r\n`;
      const client = await open(service.url, text);
      const end = once(client.socket, 'end');
      const [answer] = answersIn(await client.ended, [text]);
      await end;
      expect(answer?.status).to.equal(200);
      expect(answer?.body.toString().endsWith(ends[name])).to.equal(true);
      expect(answer?.headers.some(([field]) => field === 'Transfer-Encoding')).to.equal(
        framing === 'in chunks',
      );
    });

    it('is cut off by a reset when the store fails, so that no client takes it for whole', async () => {
      last = 15;
      const { socket, ended } = await open(service.url, `${request}\r\n`);
      const events: string[] = [];
      socket.once('end', () => events.push('end'));
      socket.once('error', (error: NodeJS.ErrnoException) => events.push(error.code ?? ''));
      const received = await ended;
      expect(received)
        .to.match(/^HTTP\/1\.1 200 OK\r\n/)
        .and.include('x'.repeat(200));
      expect(events).to.deep.equal(['ECONNRESET']);
      expect(received)
        .to.not.include(ends[name])
        .and.not.match(/\r\n0\r\n\r\n$/);
      expect(service.log.join('')).to.include('the disk is gone').and.include('"whole":false');
    });
  });
