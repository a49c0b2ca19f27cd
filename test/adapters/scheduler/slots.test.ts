import { expect } from 'chai';
import { Slots } from '../../../src/adapters/scheduler/slots.ts';

/** Takes a slot for each of the clients, in their order. @returns who got one, in order, and how each gives it back */
function holders(slots: Slots, clients: readonly string[]) {
  const got: { readonly client: string; readonly release: () => void }[] = [];
  for (const client of clients) void slots.acquire(client).then((release) => got.push({ client, release }));
  return got;
}

const namesOf = (got: ReturnType<typeof holders>): string => got.map(({ client }) => client).join('');
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('Slots', () => {
  it('are granted to a client up to half of the free ones, so that one is free for the next client', async () => {
    const slots = new Slots(8);
    const got = holders(slots, [...'aaaaaaaabbbbcccd']);
    await settled();
    expect(namesOf(got)).to.equal('aaaabbcd');
  });

  it('go to waiting clients in turn, and within a client in the order of its requests', async () => {
    const slots = new Slots(2);
    const got = holders(slots, [...'aabbcc']);
    for (let at = 0; at < 6; at += 1) {
      await settled();
      got[at]?.release();
    }
    expect(namesOf(got)).to.equal('abcabc');
  });

  it('that are released twice are freed once', async () => {
    const slots = new Slots(1);
    const release = slots.take('a');
    release?.();
    release?.();
    expect([slots.take('a') === undefined, slots.take('b')]).to.deep.equal([false, undefined]);
  });

  it('are released by work that fails', async () => {
    const slots = new Slots(1);
    const failed = await slots
      .run('a', () => Promise.reject(new Error('no')))
      .catch(({ message }) => message);
    expect([failed, await slots.run('b', async () => 'done')]).to.deep.equal(['no', 'done']);
  });
});
