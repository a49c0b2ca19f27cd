import { once } from 'node:events';
import { expect } from 'chai';
import { formats } from '../../../src/adapters/formats/index.ts';
import { DomainError } from '../../../src/domain/validation/errors.ts';
import { type CodedService, codings, decoders, eachCodedService } from './coded-answers.ts';

describe('Compression', () => {
  const start = eachCodedService();

  for (const { name, mediaTypes } of formats) {
    const accept = mediaTypes[0]?.type ?? '';
    for (const coding of codings)
      it(`streams a long list in ${coding} that decodes to the plain one, in ${name}`, async () => {
        const { ask } = await start(600);
        const plain = await ask('/users', { accept });
        const coded = await ask('/users', { accept, 'accept-encoding': coding });
        expect(coded.headers).to.include({ 'content-encoding': coding });
        expect(coded.headers).not.to.have.property('etag');
        expect(decoders[coding](coded.bytes).equals(plain.bytes)).to.equal(true);
      });
  }

  /** `late` is waited for before the ninth batch of a list is read: beyond what is sent whole. */
  async function aLongList(late: () => Promise<void>): Promise<CodedService> {
    const started = await start(2000);
    const { store } = started;
    const list = store.list.bind(store);
    let batches = 0;
    store.list = async (query) => {
      batches += 1;
      if (batches === 9) await late();
      return list(query);
    };
    return started;
  }

  for (const coding of codings) {
    it(`resets the connection when a list in ${coding} fails half way`, async () => {
      const { ask } = await aLongList(async () => {
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

    it(`sends the first pages in ${coding} before the last are read from the store`, async () => {
      let release: () => void = () => undefined;
      const seen = new Promise<void>((resolve) => {
        release = resolve;
      });
      const { begin } = await aLongList(() => seen);
      const answer = await begin('/users', { 'accept-encoding': coding });
      answer.once('data', release);
      await once(answer.resume(), 'end');
      expect(answer.complete).to.equal(true);
    });
  }
});
