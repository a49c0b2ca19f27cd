import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import { exchange } from '../support/exchanges.ts';
import { aLife, placesLeft, wordsLeft } from '../support/personal-values.ts';
import { discardProcesses, run } from '../support/process.ts';
import { runs } from '../support/runs.ts';
import { fileIn } from './directories.ts';
import { beside, expectNothingMissed } from './feed/attack.ts';
import { Services } from './feed/services.ts';
import { Ended, type WritingClient } from './feed/writers.ts';

const seconds = runs(20);

describe('Erased users, beside 64 writers and three followers,', function () {
  this.timeout(seconds * 1000 + beside);
  let services: Services;
  let file: string;
  const erased: string[] = [];
  beforeEach(async () => {
    services = await Services.start(1, {});
    file = fileIn(services.folder);
  });
  afterEach(discardProcesses);

  /** A user with several states. @returns the words in them */
  async function live(client: WritingClient, id: string): Promise<readonly string[]> {
    const [first, ...later] = Array.from({ length: 3 }, aLife);
    await client.write('POST', '/users', { id, ...first?.fields }, [{ type: 'user.created', id }]);
    for (const { fields } of later)
      await client.write('PUT', `/users/${id}`, fields, [{ type: 'user.updated', id }]);
    return [first, ...later].flatMap((life) => life?.words ?? []);
  }

  /** @returns whether it was answered */
  const erase = (client: WritingClient, id: string): Promise<boolean> =>
    client.write('DELETE', `/users/${id}?erase=true`, undefined, [{ type: 'user.deleted', id }]).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Ended) return false;
        throw error;
      },
    );

  /** Kills the service at once, or when the user is gone: mostly before that is answered. @returns whether it was */
  async function killInErasure(client: WritingClient, id: string, isAtOnce: boolean): Promise<boolean> {
    const db = new Database(file, { readonly: true });
    const isThere = db.prepare('SELECT 1 FROM users WHERE id = ?').pluck();
    const erasing = erase(client, id);
    if (!isAtOnce) await until('the user is gone', () => isThere.get(id) === undefined);
    db.close();
    await services.kill(0);
    const isAnswered = await erasing;
    await services.restart(0);
    return isAnswered;
  }

  async function statusAndText(path: string, method = 'GET') {
    const headers = { authorization: await services.authorization() };
    const { status, body } = await exchange(services.url + path, { method, headers, unreported: true });
    return { status, text: String(body) };
  }

  /** After started work is finished, either everything is there and can be erased, or nothing is there. */
  async function expectAllOrNothing(client: WritingClient, id: string, words: readonly string[]) {
    const { status } = await statusAndText(`/users/${id}`);
    const { changes } = JSON.parse((await statusAndText(`/users/${id}/history`)).text);
    const isThere = status === 200;
    expect(changes.map((change: object) => 'label' in change)).to.deep.equal(
      Array(isThere ? 3 : 4).fill(isThere),
    );
    if (isThere) expect(await erase(client, id)).to.equal(true);
    else await until('no byte is left', () => wordsLeft(file, words).length === 0);
  }

  it('leave no byte in the file, its WAL and an export once the erasure is answered; until then, all or nothing is there', async () => {
    let unanswered = 0;
    await expectNothingMissed({
      ...{ services, rounds: 6, seconds, writesBetween: 50, hasMemberships: false },
      disturb: async (round, { client }) => {
        const id = randomUUID();
        const words = await live(client, id);
        erased.push(...words);
        const way = round % 3;
        const isAnswered = await (way === 0 ? erase(client, id) : killInErasure(client, id, way === 1));
        if (!isAnswered) {
          unanswered += 1;
          await expectAllOrNothing(client, id, words);
        }
        expect(placesLeft(file, words)).to.deep.equal([]);
      },
    });
    if (process.env.FEED_REPORT) console.log(`${unanswered} erasures without an answer`);
    await services.stop();
    const db = new Database(file, { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).to.equal('ok');
    db.close();
    expect((await run(['export', 'users.jsonl'], services.folder)).code).to.equal(0);
    const text = readFileSync(join(services.folder, 'users.jsonl'), 'utf8');
    expect(erased.filter((word) => text.includes(word))).to.deep.equal([]);
  });
});
