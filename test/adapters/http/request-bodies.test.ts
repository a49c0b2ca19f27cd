import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { formats } from '../../../src/adapters/formats/index.ts';
import { type ClientKind, clientNames, clients } from '../../support/clients.ts';
import { type Answer, type Request, startService, type TestService } from '../../support/service.ts';

/** Those of formats that have come since. */
const otherTypes = formats
  .filter(({ name }) => name !== 'json' && name !== 'xml')
  .flatMap(({ mediaTypes }) => mediaTypes.map(({ type }) => type));

type Fields = Readonly<Record<string, string>>;

/** Bodies that aren't in the charset they are said to be in, or in one that isn't read, for each kind of client. */
const wrongCharsets: Readonly<
  Record<keyof typeof clients, readonly [type: string, body: string | Buffer][]>
> = {
  JSON: [
    ['application/json', Buffer.from('{"userName":"J\xfcrgen"}', 'latin1')],
    ['application/json; charset=utf-8', Buffer.from('{"userName":"J\xfcrgen"}', 'latin1')],
    ['application/json; charset=iso-8859-1', Buffer.from('{"userName":"J\xfcrgen"}', 'latin1')],
    ['application/json', Buffer.from('{"userName":"x"}', 'utf16le')],
  ],
  XML: [
    ['application/xml', Buffer.from('<user><userName>J\xfcrgen</userName></user>', 'latin1')],
    ['application/xml; charset=utf-8', Buffer.from('<user><userName>J\xfcrgen</userName></user>', 'latin1')],
    ['application/xml; charset=us-ascii', '<user><userName>Jürgen</userName></user>'],
    ['application/xml; charset=koi8-r', '<user><userName>x</userName></user>'],
    ['application/xml', '<?xml version="1.0" encoding="koi8-r"?><user><userName>x</userName></user>'],
    ['application/xml; charset=utf-16', '<user><userName>x</userName></user>'],
  ],
};

const odd: readonly Fields[] = [
  { SOAPAction: '"urn:CreateUser"' },
  {
    SOAPAction: '""',
    'User-Agent': 'Mozilla/4.0 (compatible; MSIE 6.0; MS Web Services Client Protocol 2.0.50727)',
  },
  { Cookie: 'session=1; __Host-x="y"; =', 'X-Requested-With': 'XMLHttpRequest' },
  { 'Content-Language': 'nl', 'Content-MD5': 'x', 'Content-Disposition': 'attachment; filename=../../x' },
  { TE: 'trailers, deflate;q=0.5', Via: '1.0 fred, 1.1 p.example' },
  {
    Upgrade: 'h2c, websocket',
    Connection: 'upgrade, HTTP2-Settings',
    'HTTP2-Settings': 'AAMAAABkAARAAAAAAAIAAAAA',
  },
  { 'Accept-Charset': 'utf-7, *;q=0', 'Accept-Language': 'tlh', 'Max-Forwards': '0', Pragma: 'no-cache' },
  { 'X-Odd': '\xff\xfe', __proto__: 'x', constructor: 'y', 'X-': '', '!#$%&': '1' },
];

for (const name of clientNames) {
  const kind: ClientKind = clients[name];
  const { write, user, member, problemType } = kind;

  describe(`A body in ${name}`, () => {
    let service: TestService;
    let at = 0;
    before(async () => {
      service = await startService();
    });
    after(() => service.close());
    const post = (body: Request['body'], headers: Fields = {}): Promise<Answer> =>
      service.send('/users', {
        method: 'POST',
        headers: { ...write, ...headers },
        ...(body === undefined ? {} : { body }),
      });
    const fresh = () => {
      at += 1;
      return { userName: `user-${at}`, title: 'Müller & Søn'.replace('&', name === 'XML' ? '&amp;' : '&') };
    };
    const refused = (answer: Answer, status: number, code: string, what: string) => {
      expect([answer.status, answer.headers.get('content-type')], what).to.deep.equal([status, problemType]);
      expect(member(answer.text, 'type'), what).to.equal(`/problems/${code}`);
    };

    it('may come in chunks, with no length', async () => {
      const chunked = { 'transfer-encoding': 'chunked' };
      const members = fresh();
      const made = await post(user(members), chunked);
      expect([made.status, member(made.text, 'userName')]).to.deep.equal([201, members.userName]);
      refused(await post(' '.repeat(300_000), chunked), 413, 'body-too-large', 'too large');
      const path = made.headers.get('location') ?? '';
      for (const method of ['PUT', 'PATCH']) {
        const answer = await service.send(path, {
          ...{ method, headers: { ...write, ...chunked }, body: user({ userName: `${method}-${name}` }) },
        });
        expect([answer.status, member(answer.text, 'userName')]).to.deep.equal([200, `${method}-${name}`]);
      }
    });

    const codings = {
      gzip: gzipSync,
      'x-gzip': gzipSync,
      GZIP: gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
    };
    for (const [coding, encode] of Object.entries(codings)) {
      it(`may be coded with ${coding}, is counted after decoding, and refused when it is broken`, async () => {
        const headers = { 'content-encoding': coding };
        for (const framing of [{}, { 'transfer-encoding': 'chunked' }])
          expect((await post(encode(user(fresh())), { ...headers, ...framing })).status).to.equal(201);
        refused(await post(encode(Buffer.alloc(5_000_000, 32)), headers), 413, 'body-too-large', 'too large');
        refused(await post('not coded', headers), 400, 'unreadable-body', 'not coded');
        refused(await post(encode(user(fresh())).subarray(0, -6), headers), 400, 'unreadable-body', 'cut');
      });
    }

    it('is refused in an unsupported coding, naming the supported ones', async () => {
      for (const coding of ['compress', 'zstd', 'gzip, gzip', 'identity, gzip']) {
        const answer = await post(user(fresh()), { 'content-encoding': coding });
        refused(answer, 415, 'unsupported-content-coding', coding);
        expect(answer.headers.get('accept-encoding')).to.equal('gzip, deflate, br');
      }
    });

    it('is refused in an unsupported media type, naming the supported ones', async () => {
      const path = (await post(user(fresh()))).headers.get('location') ?? '';
      const expected = { POST: 'accept-post', PATCH: 'accept-patch', PUT: 'accept' };
      for (const [method, field] of Object.entries(expected)) {
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          `${kind.type}+x`,
          'json',
          '',
        ]) {
          const answer = await service.send(method === 'POST' ? '/users' : path, {
            ...{ method, headers: { ...write, 'content-type': type }, body: user(fresh()) },
          });
          refused(answer, 415, 'unsupported-media-type', type);
          const patches = method === 'PATCH' ? 'application/merge-patch+json, ' : '';
          const all = [`application/json, ${patches}application/xml, text/xml`, ...otherTypes].join(', ');
          expect(answer.headers.get(field)).to.equal(all);
          const sent = { '': 'is missing', json: 'is no media type' }[type] ?? `is ${type}`;
          expect(answer.text).to.include(`Content-Type ${sent}. Send one of these media types: `);
        }
      }
    });

    it('is recognized by its media type, ignoring case, spaces and parameters', async () => {
      for (const type of [
        kind.type.toUpperCase(),
        `${kind.type};charset=UTF-8`,
        `${kind.type} ; Charset="utf-8" ; version=1`,
        `${kind.type};`,
      ])
        expect((await post(user(fresh()), { 'content-type': type })).status, type).to.equal(201);
    });

    it('is refused when it is empty or not in its charset', async () => {
      for (const empty of ['', undefined]) refused(await post(empty), 400, 'unreadable-body', 'empty');
      for (const [type, body] of wrongCharsets[name])
        refused(await post(body, { 'content-type': type }), 400, 'unreadable-body', `${type} ${body}`);
    });

    it('is accepted with unusual header fields', async () => {
      for (const fields of odd) {
        const members = fresh();
        const made = await post(user(members), fields);
        const what = Object.keys(fields).join();
        expect([made.status, member(made.text, 'userName')], what).to.deep.equal([201, members.userName]);
        const path = made.headers.get('location') ?? '';
        const read = await service.send(path, { headers: { ...kind.read, ...fields } });
        expect([read.status, read.text], what).to.deep.equal([200, made.text]);
      }
    });
  });
}

describe('A body of a GET or DELETE', () => {
  it('is ignored', async () => {
    const service = await startService();
    const { write, user } = clients.JSON;
    const body = user({ userName: 'one' });
    const made = await service.send('/users', { method: 'POST', headers: write, body });
    const path = made.headers.get('location') ?? '';
    for (const [method, status] of [
      ['GET', 200],
      ['DELETE', 204],
    ] as const)
      expect((await service.send(path, { method, headers: write, body: '{not JSON' })).status).to.equal(
        status,
      );
    await service.close();
  });
});
