import { join } from 'node:path';
import { expect } from 'chai';
import { discardProcesses, type Process, startProcess } from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { type Ledger, sender, settle, write } from './writers.ts';

const writers = 32;

/** Lets all write at once and kills the process at the answer with this number, amid what the others have sent. */
async function killedAt(service: Process, ledger: Ledger, answer: number): Promise<void> {
  const send = sender(service.url, await service.token());
  let answers = 0;
  let ended: ReturnType<Process['stop']> | undefined;
  const answered = () => {
    answers += 1;
    if (answers === answer) ended = service.stop('SIGKILL');
  };
  await Promise.all(Array.from({ length: writers }, () => write(send, ledger, answered)));
  expect(await ended).to.include({ code: null, signal: 'SIGKILL' });
}

/** @param rounds how often it is killed */
export const describeKills = (rounds: number) =>
  describe(`The service killed under ${writers} writers, ${rounds} times`, () => {
    afterEach(discardProcesses);

    it('has every answered write afterwards, no partial write, and an intact file', async () => {
      const ledger: Ledger = new Map();
      let service = await startProcess();
      let unanswered = 0;
      for (let round = 1; round <= rounds; round += 1) {
        // More than two for each writer: some write their second user by then.
        await killedAt(service, ledger, 2 * writers + round * 7);
        unanswered += [...ledger.values()].filter(({ sent }) => sent !== undefined).length;
        service = await startProcess({ folder: service.folder });
        const there = await allUsers(service);
        settle(ledger, there);
        expectUndamaged(join(service.folder, 'data', 'users.db'), there);
      }
      expect(unanswered, 'writes under way when it was killed').to.be.above(rounds);
      expect(ledger.size).to.be.above(rounds * writers);
    });
  });
