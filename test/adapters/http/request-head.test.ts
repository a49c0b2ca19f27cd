import { expect } from 'chai';
import { answersIn, answersTo } from '../../support/raw-answers.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';
import { converse, open, statuses } from '../../support/sockets.ts';

const types = { JSON: 'application/json', XML: 'application/xml' } as const;
const problemTypes = {
  JSON: 'application/problem+json',
  XML: 'application/problem+xml; charset=utf-8',
} as const;

for (const name of ['JSON', 'XML'] as const) {
  describe(`The head of a request whose client speaks ${name}`, () => {
    const type = types[name];
    let service: TestService;
    let token: string;
    before(async () => {
      service = await startService();
      token = `Bearer ${await aToken()}`;
    });
    after(() => service.close());

    /** GETs with these lines and a token. @returns the status, the problem and the connection of its answer */
    async function get(lines: readonly string[], version = '1.1', path = '/users'): Promise<unknown[]> {
      const all = [`GET ${path} HTTP/${version}`, `Accept: ${type}`, `Authorization: ${token}`, ...lines];
      const [answer] = await answersTo(service.url, `${all.join('\r\n')}\r\nConnection: close\r\n\r\n`);
      const contentType = answer?.headers.find(([field]) => field === 'Content-Type')?.[1];
      const problem = /problems\/([\w-]+)/.exec(String(answer?.body))?.[1];
      return answer?.status === 200 ? [200] : [answer?.status, contentType, problem];
    }
    const problem = (status: number, code: string) => [status, problemTypes[name], code];

    it('must have one valid Host in HTTP/1.1, and at most one in HTTP/1.0', async () => {
      for (const host of ['here', 'users.example:8080', '[::1]:3000', '', 'a%20b', '127.0.0.1:'])
        expect(await get([`Host: ${host}`]), host).to.deep.equal([200]);
      expect(await get([], '1.0')).to.deep.equal([200]);
      expect(await get([])).to.deep.equal(problem(400, 'invalid-header'));
      for (const version of ['1.0', '1.1'])
        expect(await get(['Host: a', 'Host: a'], version)).to.deep.equal(problem(400, 'invalid-header'));
      for (const host of ['a b', 'a/b', 'user@a', 'a:b', 'a, b', '\xe9', '[::1', '%zz'])
        expect(await get([`Host: ${host}`]), host).to.deep.equal(problem(400, 'invalid-header'));
      expect(await get([], '1.1', '/health/live')).to.deep.equal(problem(400, 'invalid-header'));
    });

    it('may have an absolute target, of which only the path counts', async () => {
      const lines = ['Host: here', 'Connection: close', `Accept: ${type}`, `Authorization: ${token}`];
      const getTarget = async (target: string) => {
        const received = await converse(
          service.url,
          `GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`,
        );
        return [...statuses(received), /problems\/([\w-]+)/.exec(received)?.[1]];
      };
      for (const host of [
        'http://here',
        'HTTPS://users.example:8080',
        'http://[::1]:3000',
        'http://',
        'ftp://a',
        '',
      ])
        for (const path of ['/users', '/users?limit=1', '/users#part'])
          expect(await getTarget(host + path), host + path).to.deep.equal([200, undefined]);
      for (const path of ['', '?limit=1'])
        expect(await getTarget(`http://here${path}`)).to.deep.equal(await getTarget(`/${path}`));
      for (const host of ['[', '[::1', 'a:b:c', 'user:word@a', 'a\\b', '%zz', 'a:99999b'])
        expect(await getTarget(`http://${host}/users`), host).to.deep.equal([400, 'malformed-request']);
    });

    it('may have at most 100 fields, none of which is ignored', async () => {
      // Host, Accept, Authorization and Connection beside them.
      const odd = (count: number) => Array.from({ length: count }, (_, at) => `X-Odd-${at}: ${at}`);
      expect(await get(['Host: here', ...odd(96)])).to.deep.equal([200]);
      expect(await get(['Host: here', ...odd(97)])).to.deep.equal(problem(431, 'headers-too-large'));
      const more = await startService({
        connections: { max: 10, maxHeaderSize: 65_536, maxHeaderFields: 3000, maxStall: 60_000 },
      });
      const fields = Array.from({ length: 2500 }, (_, at) => [`X-Odd-${at}`, String(at)] as const);
      const headers = [...fields, ['Accept', type] as const, ['Authorization', token] as const];
      const answer = await more.send('/users?nobody=x', { headers });
      expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([400, problemTypes[name]]);
      await more.close();
    });

    it('may not repeat a field that has a single value', async () => {
      const date = 'Thu, 01 Jan 1970 00:00:00 GMT';
      for (const [field, one, other] of [
        ['Content-Type', 'application/json', 'application/xml'],
        ['If-Modified-Since', date, date],
        ['If-Unmodified-Since', date, 'Fri, 01 Jan 2100 00:00:00 GMT'],
      ] as const) {
        const twice = ['Host: here', `${field}: ${one}`, `${field.toLowerCase()}: ${other}`];
        expect(await get(twice), field).to.deep.equal(problem(400, 'invalid-header'));
        expect(await get(twice.slice(0, 2)), field).to.deep.equal([200]);
      }
    });

    it('may expect only 100-continue', async () => {
      expect(await get(['Host: here', 'Expect: 200-ok'])).to.deep.equal(problem(417, 'expectation-failed'));
      expect(await get(['Host: here', 'Expect: 100-Continue'])).to.deep.equal([200]);
    });
  });
}

describe('A client that waits for 100 (Continue)', () => {
  let service: TestService;
  const body = '{"userName":"patient"}';
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const head = (authorization: string, more = '') =>
    `POST /users HTTP/1.1\r\nHost: here\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n${more}Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;

  it('gets it, sends the body, and can reuse the connection', async () => {
    const token = await aToken();
    const client = await open(service.url, head(`Bearer ${token}`));
    expect(await client.got(/\r\n\r\n/)).to.equal('HTTP/1.1 100 Continue\r\n\r\n');
    client.socket.write(body);
    await client.got(/ 201 Created[\s\S]*"patient"/);
    const next = `GET /users HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    client.socket.write(next);
    const answers = answersIn(await client.ended, [head(''), next]);
    expect(answers.map(({ status }) => status)).to.deep.equal([100, 201, 200]);
  });

  const refused: readonly [
    what: string,
    status: number,
    authorization: () => Promise<string>,
    more?: string,
  ][] = [
    ['no good token', 401, async () => 'Bearer x'],
    ['too little scope', 403, async () => `Bearer ${await aToken(['users:read'])}`],
    ['nothing acceptable', 406, async () => `Bearer ${await aToken()}`, 'Accept: image/png\r\n'],
    [
      'a coding that is not supported',
      415,
      async () => `Bearer ${await aToken()}`,
      'Content-Encoding: zstd\r\n',
    ],
  ];
  for (const [what, status, authorization, more] of refused) {
    it(`is refused at once with ${what} without sending the body, and the connection ends`, async () => {
      const answers = await answersTo(service.url, head(await authorization(), more));
      expect(answers.map((answer) => answer.status)).to.deep.equal([status]);
      expect(answers[0]?.headers).to.deep.include(['Connection', 'close']);
    });
  }
});
