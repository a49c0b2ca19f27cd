import { join } from 'node:path';
import { expect } from 'chai';
import { discardProcesses, type Process, startProcess } from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { Follower } from './follower.ts';
import { type Ledger, type Send, sender, settle, write } from './writers.ts';

/** By id: the versions that were answered, in their order, and `deleted`. */
type Answered = Map<string, string[]>;

const noting =
  (send: Send, noted: Answered): Send =>
  async (method, path, body) => {
    const answer = await send(method, path, body);
    const id = answer.user?.id ?? path.slice('/users/'.length);
    noted.set(id, [...(noted.get(id) ?? []), answer.user?.meta.version ?? 'deleted']);
    return answer;
  };

/** Lets all clients write at once and kills the process at the response with this number, in the middle of other requests. */
async function killedAt(
  service: Process,
  writers: number,
  { ledger, noted, follower }: { ledger: Ledger; noted: Answered; follower: Follower },
  answer: number,
): Promise<void> {
  const send = noting(sender(service.url, await service.token()), noted);
  let answers = 0;
  let ended: ReturnType<Process['stop']> | undefined;
  const answered = () => {
    answers += 1;
    if (answers === answer) ended = service.stop('SIGKILL');
  };
  const writing = Array.from({ length: writers }, () => write(send, ledger, answered));
  await Promise.all([...writing, follower.follow(service)]);
  expect(await ended).to.include({ code: null, signal: 'SIGKILL' });
}

/** Each answered write has its entry, in order; one that was not answered has one if, and only if, it was done. */
function expectFollowed(follower: Follower, noted: Answered, ledger: Ledger): void {
  for (const [id, { promised }] of ledger) {
    const [seen, known] = [follower.seen.get(id) ?? [], noted.get(id) ?? []];
    expect(seen.slice(0, known.length), `entries of ${id}`).to.deep.equal(known);
    expect(seen.length - known.length, 'entries of writes without an answer').to.be.within(0, 1);
    expect(seen.at(-1) ?? 'deleted', 'the last entry').to.equal(promised?.meta.version ?? 'deleted');
  }
  expect([...follower.seen.keys()].filter((id) => !ledger.has(id))).to.deep.equal([]);
}

/** @param rounds how often it is killed */
export const describeKills = (rounds: number, writers = 32) =>
  describe(`The service killed under ${writers} writers and a follower, ${rounds} times`, () => {
    afterEach(discardProcesses);

    it('has every answered write afterwards, no partial write, an entry in the feed for each write, and an intact file', async () => {
      const ledger: Ledger = new Map();
      const [noted, follower]: [Answered, Follower] = [new Map(), new Follower()];
      let service = await startProcess();
      let unanswered = 0;
      for (let round = 1; round <= rounds; round += 1) {
        // More than two for each writer: some write their second user by then.
        await killedAt(service, writers, { ledger, noted, follower }, 2 * writers + round * 7);
        unanswered += [...ledger.values()].filter(({ sent }) => sent !== undefined).length;
        service = await startProcess({ folder: service.folder });
        const there = await allUsers(service);
        settle(ledger, there);
        await follower.follow(service, true);
        expectFollowed(follower, noted, ledger);
        expectUndamaged(join(service.folder, 'data', 'users.db'), there);
      }
      expect(unanswered, 'writes under way when it was killed').to.be.above(rounds);
      expect(ledger.size).to.be.above(rounds * writers);
    });
  });
