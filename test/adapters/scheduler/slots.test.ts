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
  it('leave half of themselves to others, and of the rest half, so that one is free for the next client', async () => {
    const slots = new Slots(8);
    const got = holders(slots, [...'aaaaaaaabbbbcccd']);
    await settled();
    expect(namesOf(got)).to.equal('aaaabbcd');
  });

  it('go to each of the clients that wait in turn, within one in the order in which its requests came', async () => {
    const slots = new Slots(2);
    const got = holders(slots, [...'aabbcc']);
    for (let at = 0; at < 6; at += 1) {
      await settled();
      got[at]?.release();
    }
    expect(namesOf(got)).to.equal('abcabc');
  });

  it('that are given back twice are free once', async () => {
    const slots = new Slots(1);
    const release = slots.take('a');
    release?.();
    release?.();
    expect([slots.take('a') === undefined, slots.take('b')]).to.deep.equal([false, undefined]);
  });

  it('are given back by work that fails', async () => {
    const slots = new Slots(1);
    const failed = await slots
      .run('a', () => Promise.reject(new Error('no')))
      .catch(({ message }) => message);
    expect([failed, await slots.run('b', async () => 'done')]).to.deep.equal(['no', 'done']);
  });
});
