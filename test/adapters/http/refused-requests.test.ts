import { expect } from 'chai';
import { type Exchange, report } from '../../support/exchanges.ts';
import { answersIn, answersTo } from '../../support/raw-answers.ts';
import { aToken, type ServiceSettings, startService, type TestService } from '../../support/service.ts';
import { open } from '../../support/sockets.ts';
import { stretchTimers } from '../../support/stretched-timers.ts';

const fieldOf = ({ headers }: Exchange, name: string): string | undefined =>
  headers.find(([other]) => other.toLowerCase() === name)?.[1];

const get = 'GET /users HTTP/1.1\r\nHost: here\r\n';
const post = 'POST /users HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n';
const large = 'x'.repeat(20_000);

/** In whole seconds, as in `Date`. */
const began = Math.floor(Date.now() / 1000) * 1000;

/** Each is ended by the service, with this status and problem. */
const refused: Readonly<Record<string, readonly [request: string, status: number, problem: string]>> = {
  'header fields of more than 16 KiB': [`${get}X-Large: ${large}\r\n\r\n`, 431, 'headers-too-large'],
  'a target of more than 16 KiB': [`GET /${large} HTTP/1.1\r\nHost: here\r\n\r\n`, 431, 'headers-too-large'],
  'trailers of more than 16 KiB': [
    `${post}Transfer-Encoding: chunked\r\n\r\n0\r\nX: ${large}\r\n\r\n`,
    431,
    'headers-too-large',
  ],
  'chunk extensions of more than 16 KiB': [
    `${post}Transfer-Encoding: chunked\r\n\r\n1;x=${large}\r\n{\r\n0\r\n\r\n`,
    413,
    'body-too-large',
  ],
  'both Content-Length and Transfer-Encoding': [
    `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    400,
    'malformed-request',
  ],
  'two lengths': [`${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400, 'malformed-request'],
  'a transfer coding without chunks': [`${post}Transfer-Encoding: gzip\r\n\r\n{}`, 400, 'malformed-request'],
  'a chunk size that is none': [`${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, 'malformed-request'],
  'lines that end in LF': ['GET /users HTTP/1.1\nHost: here\n\n', 400, 'malformed-request'],
  'a folded field': [`${get}X-Folded: a\r\n b\r\n\r\n`, 400, 'malformed-request'],
  'a space before a colon': [`${get}X-Spaced : a\r\n\r\n`, 400, 'malformed-request'],
  'NUL in a field': [`${get}X-Nul: a\0b\r\n\r\n`, 400, 'malformed-request'],
  'a method that HTTP does not have': ['FETCH /users HTTP/1.1\r\nHost: here\r\n\r\n', 501, 'not-implemented'],
  'a method in small letters': ['get /users HTTP/1.1\r\nHost: here\r\n\r\n', 501, 'not-implemented'],
  'a method of RTSP': ['DESCRIBE /users HTTP/1.1\r\nHost: here\r\n\r\n', 501, 'not-implemented'],
  'a method that begins as another': ['GETX / HTTP/1.0\r\nHost: here\r\n\r\n', 501, 'not-implemented'],
  'no method': [' /users HTTP/1.1\r\nHost: here\r\n\r\n', 400, 'malformed-request'],
  'a method in quotes': ['"GET" /users HTTP/1.1\r\nHost: here\r\n\r\n', 400, 'malformed-request'],
  'a line that is no request line': ['hello there\r\n\r\n', 400, 'malformed-request'],
  'a version that is none': ['GET /users HTTP/1.7\r\nHost: here\r\n\r\n', 400, 'malformed-request'],
  'the preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'malformed-request'],
  'a TLS handshake': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'malformed-request'],
  CONNECT: [
    'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n',
    405,
    'method-not-allowed',
  ],
};

const types = { json: 'application/problem+json', xml: 'application/problem+xml; charset=utf-8' };

for (const [defaultFormat, type] of Object.entries(types)) {
  describe(`Input that is not a request, where ${defaultFormat} is the default,`, () => {
    let service: TestService;
    let authorization: string;
    const timeouts = { headers: 300, request: 600, keepAlive: 1000 };
    const start = async (more: Partial<ServiceSettings> = {}) => {
      await service?.close();
      service = await startService({ defaultFormat, publicUrl: 'https://users.example/v1', ...more });
    };
    before(async () => {
      await start();
      authorization = `Authorization: Bearer ${await aToken()}\r\n`;
    });
    after(() => service.close());

    function expectRefusal(answer: Exchange | undefined, status: number, problem: string): void {
      if (answer === undefined) throw new Error('no answer');
      expect([answer.status, fieldOf(answer, 'content-type')]).to.deep.equal([status, type]);
      expect(answer.body.toString()).to.include(`https://users.example/v1/problems/${problem}`);
      for (const [name, value] of [
        ['connection', 'close'],
        ['cache-control', 'no-store'],
        ['content-length', String(answer.body.length)],
        ['x-content-type-options', 'nosniff'],
      ] as const)
        expect(fieldOf(answer, name), name).to.equal(value);
      expect(Date.parse(fieldOf(answer, 'date') ?? '')).to.be.within(began, Date.now());
      const id = fieldOf(answer, 'x-request-id');
      expect(answer.body.toString()).to.include(`urn:uuid:${id}`);
      const logged = service.log.filter((line) => line.includes(`"${id}"`) && line.includes('"refused"'));
      expect(logged).to.have.length(1);
      expect(logged[0])
        .to.include(`"problem":"${problem}"`)
        .and.not.match(/xxx|elsewhere|rawPacket/);
    }

    for (const [what, [request, status, problem]] of Object.entries(refused)) {
      it(`${what} gets ${status} and a problem, and the connection ends`, async () => {
        const withToken = request.replace(/\r\nHost: here\r\n/, `$&${authorization}`);
        const answers = await answersTo(service.url, withToken);
        expect(answers).to.have.length(1);
        expectRefusal(answers[0], status, problem);
      });
    }

    const slow = {
      'a head that does not end': get,
      'a connection on which nothing comes': '',
      'a body that does not end': `${post}Content-Length: 10\r\n`,
    };
    for (const [what, request] of Object.entries(slow)) {
      it(`${what} gets 408 and a problem once its time is over`, async () => {
        await start({ timeouts });
        const text = request.endsWith('10\r\n') ? `${request}${authorization}\r\n{` : request;
        const { ended } = await open(service.url, text);
        const [answer, ...more] = answersIn(await ended, [text]);
        expect(more).to.deep.equal([]);
        expectRefusal(answer, 408, 'request-timeout');
        if (answer) report(answer);
      });
    }

    it('a client that closes its side in the middle of a request can still read the refusal', async () => {
      await start();
      const { socket, ended } = await open(service.url, 'GET /use');
      socket.end();
      expectRefusal(answersIn(await ended, ['GET /use'])[0], 400, 'malformed-request');
    });

    it('malformed input after valid requests is refused after their answers', async () => {
      const good = `${get}${authorization}\r\n`;
      const answers = await answersTo(service.url, good, good, 'this is not HTTP\r\n\r\n');
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 400]);
      expectRefusal(answers[2], 400, 'malformed-request');
    });

    it('an unknown method is refused with 501, also behind a request with a body', async () => {
      const body = `${post}${authorization}Content-Length: 2\r\n\r\n[]`;
      const answers = await answersTo(service.url, body, 'FETCH /users HTTP/1.1\r\nHost: here\r\n\r\n');
      expect(answers[0]?.status).to.equal(422);
      expectRefusal(answers[1], 501, 'not-implemented');
    });

    it('a URL with a space or a letter beyond ASCII gets 400, saying what to write instead', async () => {
      for (const target of [
        '/users?search=ada lovelace',
        '/users?search=müller',
        'http://here/users/a b c',
      ]) {
        const [answer] = await answersTo(service.url, `GET ${target} HTTP/1.1\r\nHost: here\r\n\r\n`);
        expectRefusal(answer, 400, 'malformed-request');
        expect(answer?.body.toString()).to.include('percent-encoded (a space as %20)');
      }
    });

    it('is not answered when an answer has begun', async () => {
      const head = `POST /nowhere HTTP/1.1\r\nHost: here\r\n${authorization}Transfer-Encoding: chunked\r\n\r\n`;
      const client = await open(service.url, head);
      await client.got(/<\/problem>|"instance":"[^"]+"\}/);
      client.socket.write('this is no chunk\r\n');
      const answers = answersIn(await client.ended, [head]);
      expect(answers.map(({ status }) => status)).to.deep.equal([404]);
    });

    it('a refusal after the handler has begun is not logged as an error of the service', async () => {
      await start();
      const chunked = 'Transfer-Encoding: chunked\r\n\r\nzz\r\n';
      for (const begun of [
        `GET /health/ready HTTP/1.1\r\nHost: here\r\n${chunked}`,
        `GET /openapi.json HTTP/1.1\r\nHost: here\r\n${chunked}`,
        `${get}${authorization}${chunked}`,
        `${post}${authorization}${chunked}`,
        `${post}${authorization}Content-Length: 10\r\n\r\n{`,
      ]) {
        const { socket, ended } = await open(service.url, begun);
        socket.end();
        expect(answersIn(await ended, [begun]).map(({ status }) => status)).to.deep.equal([400]);
      }
      // By then what had begun has come to its end.
      await service.send('/openapi.json');
      expect(service.log.filter((line) => line.includes('"level":50'))).to.deep.equal([]);
    });

    it('a client that is still sending has time to read the refusal', async () => {
      const request = `${get}X-Large: ${large}`;
      // It has a second, for which a busy machine may stand still.
      const restoreTimers = stretchTimers();
      try {
        const { socket, ended } = await open(service.url, request);
        socket.pause();
        await new Promise<void>((done) => socket.write(large.repeat(500), () => done()));
        socket.resume();
        socket.end();
        expectRefusal(answersIn(await ended, [request])[0], 431, 'headers-too-large');
      } finally {
        restoreTimers();
      }
    });
  });
}
