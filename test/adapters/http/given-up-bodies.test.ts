import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { aToken, noOverload, startService } from '../../support/service.ts';
import { open } from '../../support/sockets.ts';

const zipped = gzipSync('{"userName":"never"}').toString('latin1').slice(0, 12);
/** Bodies that never come to their end, and whether it is the service that gives them up. */
const bodies: Readonly<Record<string, readonly [fields: string, body: string, byService: boolean]>> = {
  'is too slow': ['Content-Length: 20\r\n', '{', true],
  'is too slow, in gzip': ['Content-Length: 30\r\nContent-Encoding: gzip\r\n', zipped, true],
  'has a chunk that is none': ['Transfer-Encoding: chunked\r\n', '1\r\n{\r\nzz\r\n', true],
  'has a chunk that is none, in gzip': [
    'Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n',
    `c\r\n${zipped}\r\nzz\r\n`,
    true,
  ],
  'is cut': ['Content-Length: 20\r\n', '{', false],
  'is cut, in gzip': ['Content-Length: 30\r\nContent-Encoding: gzip\r\n', zipped, false],
};

describe('A request whose body', () => {
  for (const [what, [fields, body, byService]] of Object.entries(bodies)) {
    it(`${what} frees its place once it is abandoned`, async () => {
      const service = await startService({
        ...(what.startsWith('is too slow') && {
          timeouts: { headers: 3000, request: 3000, keepAlive: 1000 },
        }),
        overload: { ...noOverload, requests: 1 },
      });
      const head = `POST /users HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${await aToken()}\r\n`;
      const text = `${head}Content-Type: application/json\r\n${fields}Expect: 100-continue\r\n\r\n${body}`;
      const client = await open(service.url, text);
      // It is being read.
      expect(await client.got(/ 100 Continue/)).to.include(' 100 Continue');
      if (!byService) client.socket.resetAndDestroy();
      await client.ended;
      await service.logged('"route":"/users"');
      await new Promise(setImmediate);
      expect((await service.send('/users')).status).to.equal(200);
      await service.close();
    });
  }
});
