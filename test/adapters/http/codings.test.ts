import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { formats } from '../../../src/adapters/formats/index.ts';
import { memoryStore } from '../../../src/adapters/memory/store.ts';
import { DomainError } from '../../../src/domain/errors.ts';
import { aUser } from '../../support/a-user.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';

const large = {
  title: 'a title of some length, said again and again'.repeat(5),
  attributes: { note: 'x'.repeat(1000) },
};
const decoders = { gzip: gunzipSync, br: brotliDecompressSync } as const;
type Coding = keyof typeof decoders;

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  /** False when the connection was broken off. */
  readonly whole: boolean;
}

describe('Compression', () => {
  let service: TestService | undefined;
  let token = '';
  before(async () => {
    token = await aToken();
  });
  afterEach(async () => {
    await service?.close();
    service = undefined;
  });

  /** As it is on the wire: fetch would decode it. */
  function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
    return new Promise((resolve, reject) => {
      const url = `${service?.url}${path}`;
      request(url, { method, headers: { authorization: `Bearer ${token}`, ...headers } }, (answer) => {
        const chunks: Buffer[] = [];
        const end = (whole: boolean) =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            bytes: Buffer.concat(chunks),
            whole,
          });
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () => end(answer.complete));
        answer.on('error', () => end(false));
      })
        .on('error', reject)
        .end();
    });
  }

  async function withUsers(count: number, more: object = large): Promise<string> {
    const store = memoryStore();
    service = await startService({}, store);
    let path = '';
    for (let at = 0; at < count; at += 1) {
      const user = aUser({
        id: `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
        userName: `user${at}`,
        meta: {
          created: '2026-01-01T00:00:00.000Z',
          lastModified: '2026-01-01T00:00:00.000Z',
          version: `v${at}`,
        },
        ...more,
      });
      await store.insert(user);
      path = `/users/${user.id}`;
    }
    return path;
  }

  for (const { name, mediaTypes } of formats) {
    const accept = mediaTypes[0]?.type ?? '';
    for (const coding of Object.keys(decoders) as Coding[]) {
      it(`sends a large user in ${coding} to who accepts it, in ${name}, under a tag of its own`, async () => {
        const path = await withUsers(1);
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
        const path = await withUsers(2);
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
        const path = await withUsers(2);
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

      it(`streams a long list in ${coding} that reads as the plain one does, in ${name}`, async () => {
        await withUsers(600);
        const plain = await ask('/users', { accept });
        const coded = await ask('/users', { accept, 'accept-encoding': coding });
        expect(coded.headers).to.include({ 'content-encoding': coding });
        expect(coded.headers).not.to.have.property('etag');
        expect(decoders[coding](coded.bytes).equals(plain.bytes)).to.equal(true);
      });
    }
  }

  it('takes the tag of a compressed copy as a lock', async () => {
    const path = await withUsers(1);
    const { headers } = await ask(path, { 'accept-encoding': 'gzip' });
    const write = (tag: string) =>
      service?.send(path, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'if-match': tag },
        body: '{"userName":"changed"}',
      });
    expect((await write(String(headers.etag)))?.status).to.equal(200);
    expect((await write(String(headers.etag)))?.status).to.equal(412);
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
  it('obeys the weights, and sends what is never refused where nothing fits', async () => {
    const path = await withUsers(1);
    for (const [accepted, coding] of choices) {
      const { status, headers } = await ask(path, { 'accept-encoding': accepted });
      expect([accepted, status, headers['content-encoding']]).to.deep.equal([accepted, 200, coding]);
    }
  });

  it('leaves a small body as it is, unless that is what a client refuses', async () => {
    const path = await withUsers(1, {});
    const small = await ask(path, { 'accept-encoding': 'gzip' });
    expect(small.headers).not.to.have.property('content-encoding');
    const refused = await ask(path, { 'accept-encoding': 'gzip, identity;q=0' });
    expect(refused.headers['content-encoding']).to.equal('gzip');
  });

  /** `late` is waited for before the ninth batch of a list is read: beyond what is sent whole. */
  async function aLongList(late: () => Promise<void>): Promise<void> {
    await withUsers(2000);
    const store = service?.store ?? memoryStore();
    const list = store.list.bind(store);
    let batches = 0;
    store.list = async (query) => {
      batches += 1;
      if (batches === 9) await late();
      return list(query);
    };
  }

  for (const coding of Object.keys(decoders) as Coding[]) {
    it(`breaks the connection off when a list in ${coding} fails half way`, async () => {
      await aLongList(async () => {
        throw new DomainError('unavailable', 'gone');
      });
      // A reset may overtake what was sent before it, the head included.
      const answer = await ask('/users', { 'accept-encoding': coding }).catch(({ code }) => code as string);
      if (typeof answer === 'string') expect(answer).to.equal('ECONNRESET');
      else {
        const { status, whole, headers } = answer;
        expect([status, whole, headers['content-encoding']]).to.deep.equal([200, false, coding]);
      }
    });

    it(`lets a reader in ${coding} see the first pages before the last are read`, async () => {
      let release: () => void = () => undefined;
      const seen = new Promise<void>((resolve) => {
        release = resolve;
      });
      await aLongList(() => seen);
      const url = `${service?.url}/users`;
      const headers = { authorization: `Bearer ${token}`, 'accept-encoding': coding };
      const whole = await new Promise<boolean>((resolve, reject) => {
        request(url, { headers }, (answer) => {
          answer.once('data', release);
          answer.resume().on('end', () => resolve(answer.complete));
        })
          .on('error', reject)
          .end();
      });
      expect(whole).to.equal(true);
    });
  }
});
