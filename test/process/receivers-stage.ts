/** A service with a file of receivers, and a server that receives. */
import { join } from 'node:path';
import { expect } from 'chai';
import { type Receiving, type Reply, startReceiving } from '../adapters/webhooks/receiving.ts';
import { until } from '../support/deadlines.ts';
import { aDataFolder, discardProcesses, type Process } from '../support/process.ts';
import { runHere } from './called.ts';

/** To be called in `describe`: each test has a folder and a receiver of its own. */
export function setReceivers() {
  let folder: string;
  let receiving: Receiving;
  let reply: Reply;
  beforeEach(async () => {
    folder = aDataFolder();
    reply = 204;
    receiving = await startReceiving(() => reply);
  });
  afterEach(async () => {
    await discardProcesses();
    await receiving.close();
  });

  const env = () => ({ USERS_WEBHOOKS_FILE: join(folder, 'webhooks.json5') });
  const webhook = (...words: readonly string[]) => runHere(['webhook', ...words], folder, env());
  const create = async (service: Process, userName: string) => {
    const headers = { authorization: `Bearer ${await service.token()}`, 'content-type': 'application/json' };
    const made = await fetch(`${service.url}/users`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ userName }),
    });
    expect(made.status).to.equal(201);
  };
  const created = () => receiving.arrived.filter(({ type }) => type === 'user.created');
  const arrived = (count: number) => until(`${count} messages`, () => created().length >= count);
  const listed = (words: RegExp) =>
    until(`the list says ${words}`, async () => words.test((await webhook('list')).log.join('\n')));

  return {
    folder: () => folder,
    url: () => receiving.url,
    /** From now on it answers like this. */
    answer: (next: Reply) => {
      reply = next;
    },
    /** The messages about new users. */
    created,
    env,
    webhook,
    create,
    arrived,
    listed,
  };
}
