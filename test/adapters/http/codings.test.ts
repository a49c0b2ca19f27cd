import { expect } from 'chai';
import { formats } from '../../../src/adapters/formats/index.ts';
import { codings, decoders, eachCodedService, type Raw } from './coded-answers.ts';

describe('Compression', () => {
  const start = eachCodedService();

  for (const { name, mediaTypes } of formats) {
    const accept = mediaTypes[0]?.type ?? '';
    for (const coding of codings) {
      it(`sends a large user in ${coding} to a client that accepts it, in ${name}, with a separate ETag`, async () => {
        const { path, ask } = await start(1);
        const plain = await ask(path, { accept });
        const coded = await ask(path, { accept, 'accept-encoding': coding });
        expect(coded.headers['content-encoding']).to.equal(coding);
        expect(decoders[coding](coded.bytes).toString()).to.equal(plain.bytes.toString());
        expect(coded.bytes.length).to.be.below(plain.bytes.length);
        expect(coded.headers.etag).to.match(/^"/).and.not.equal(plain.headers.etag);
        expect([plain.headers.vary, coded.headers.vary]).to.deep.equal(
          Array(2).fill('Accept, Accept-Encoding'),
        );
      });

      it(`answers HEAD in ${coding} with GET's headers, in ${name}`, async () => {
        const { path, ask } = await start(2);
        for (const target of [path, '/users']) {
          const headers = { accept, 'accept-encoding': coding };
          const shown = ({ headers: { date, 'x-request-id': _, 'transfer-encoding': __, ...rest } }: Raw) =>
            rest;
          const [get, head] = [await ask(target, headers), await ask(target, headers, 'HEAD')];
          expect(shown(head)).to.deep.equal(shown(get));
          expect(head.bytes).to.have.length(0);
        }
      });

      it(`revalidates the copy in ${coding} and the plain one, in ${name}`, async () => {
        const { path, ask } = await start(2);
        for (const target of [path, '/users']) {
          const headers = { accept, 'accept-encoding': coding };
          const tags = [await ask(target, { accept }), await ask(target, headers)].map((got) =>
            String(got.headers.etag),
          );
          for (const tag of tags) {
            const again = await ask(target, { ...headers, 'if-none-match': tag });
            expect([again.status, again.headers.etag, again.headers['content-encoding']]).to.deep.equal([
              304,
              tag,
              undefined,
            ]);
          }
          // Who can't read it any more must not be told that its copy serves.
          expect((await ask(target, { accept, 'if-none-match': tags[1] ?? '' })).status).to.equal(200);
          const any = await ask(target, { ...headers, 'if-none-match': '*' });
          expect([any.status, any.headers.etag]).to.deep.equal([304, tags[1]]);
        }
      });
    }
  }

  it('accepts the tag of a compressed copy as a lock', async () => {
    const { path, ask, send } = await start(1);
    const { headers } = await ask(path, { 'accept-encoding': 'gzip' });
    const write = (tag: string) =>
      send(path, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'if-match': tag },
        body: '{"userName":"changed"}',
      });
    expect((await write(String(headers.etag))).status).to.equal(200);
    expect((await write(String(headers.etag))).status).to.equal(412);
  });

  const choices: readonly [acceptEncoding: string, coding: string | undefined][] = [
    ['gzip, deflate, br', 'gzip'],
    ['gzip;q=0.1, br', 'br'],
    ['gzip;q=0, br;q=0', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['*', 'gzip'],
    ['*;q=0', undefined],
    ['GZip', 'gzip'],
    ['', undefined],
    [',;gzip;;', undefined],
  ];
  it('obeys the weights, and sends identity when no coding fits', async () => {
    const { path, ask } = await start(1);
    for (const [accepted, coding] of choices) {
      const { status, headers } = await ask(path, { 'accept-encoding': accepted });
      expect([accepted, status, headers['content-encoding']]).to.deep.equal([accepted, 200, coding]);
    }
  });

  it('reads a hundred members of Accept-Encoding and of Accept, and ignores what follows', async () => {
    const { path, ask } = await start(1);
    const long = (count: number, last: string) =>
      [...Array(count).fill('application/x-unknown'), last].join();
    const codingOf = async (header: string) =>
      (await ask(path, { 'accept-encoding': header })).headers['content-encoding'];
    expect(await codingOf(long(99, 'gzip'))).to.equal('gzip');
    expect(await codingOf(long(100, 'gzip'))).to.equal(undefined);
    const statusOf = async (accept: string) => (await ask(path, { accept })).status;
    expect(await statusOf(long(99, 'application/xml'))).to.equal(200);
    expect(await statusOf(long(100, 'application/xml'))).to.equal(406);
  });

  it('ignores members of Accept-Encoding and Accept after 4,096 characters, and longer ones', async () => {
    const { path, ask } = await start(1);
    const parameters = (count: number) => ';a=b'.repeat(count);
    const accepted = async (accept: string, encoding: string) => {
      const { status, headers } = await ask(path, { accept, 'accept-encoding': encoding });
      return [status, headers['content-encoding']];
    };
    const both = (count: number) =>
      accepted(`x/y${parameters(count)},application/xml`, `x${parameters(count)},gzip`);
    expect(await both(1010)).to.deep.equal([200, 'gzip']);
    // Nothing is left of either, and the client accepts what it gets.
    expect(await both(1030)).to.deep.equal([200, undefined]);
  });

  it('leaves a small body uncompressed, unless the client refuses identity', async () => {
    const { path, ask } = await start(1, {});
    const small = await ask(path, { 'accept-encoding': 'gzip' });
    expect(small.headers).not.to.have.property('content-encoding');
    const refused = await ask(path, { 'accept-encoding': 'gzip, identity;q=0' });
    expect(refused.headers['content-encoding']).to.equal('gzip');
  });
});
