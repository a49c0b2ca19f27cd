import { expect } from 'chai';
import type { Change } from './followers.ts';
import { Ledger, type Sent } from './ledger.ts';
import { expectChain, expectOneEntryEach, expectOrder, type OldChange, tell } from './verdict.ts';

/** Two users, one after the other; the second is deleted, the end of the third is not known. */
function aRun(): { ledger: Ledger; log: Change[] } {
  const ledger = new Ledger();
  const log: Change[] = [];
  const write = (type: string, id: string, version?: string): Sent => {
    const sent = ledger.begin([{ type, id }]);
    for (const effect of sent.effects) {
      effect.answer = 'done';
      if (version) effect.version = version;
    }
    ledger.end(sent);
    const cursor = `line.${log.length + 1}.mark`;
    log.push({ cursor, type, id, request: sent.request, ...(version && { version }) });
    return sent;
  };
  write('user.created', 'a', 'a1');
  write('user.created', 'b', 'b1');
  write('user.updated', 'a', 'a2');
  write('user.deleted', 'b');
  ledger.begin([{ type: 'user.created', id: 'c' }]);
  return { ledger, log };
}

function judge({ ledger, log }: ReturnType<typeof aRun>): void {
  expectOneEntryEach(log, ledger);
  expectOrder(log, ledger);
  tell(log);
}

const swapped = (log: readonly Change[], at: number): Change[] =>
  log.with(at, log[at + 1] as Change).with(at + 1, log[at] as Change);

describe('The verdict on a change log', () => {
  it('reports nothing in a log that has every write', () => {
    const { ledger, log } = aRun();
    expect(tell(log).versions).to.deep.equal(new Map([['user a', 'a2']]));
    judge({ ledger, log });
  });

  it('reports entries that are missing, extra, out of order, of another version, or of no write', () => {
    const faults: Record<string, (log: readonly Change[]) => Change[]> = {
      'the last is missing': (log) => log.slice(0, -1),
      'one is missing': (log) => log.toSpliced(1, 1),
      'one is there twice': (log) => [...log, log[2] as Change],
      'two of a user are out of order': (log) =>
        swapped(log, 1).toSpliced(0, 2, log[2] as Change, log[0] as Change),
      'two of different users are out of order': (log) => swapped(log, 0),
      'another version': (log) => log.with(2, { ...(log[2] as Change), version: 'a3' }),
      'of no write': (log) => [...log, { ...(log[2] as Change), request: 'nobody’s' }],
      'of another resource': (log) => log.with(3, { ...(log[3] as Change), id: 'a' }),
    };
    for (const [fault, make] of Object.entries(faults)) {
      const { ledger, log } = aRun();
      expect(() => judge({ ledger, log: make(log) }), fault).to.throw();
    }
  });

  it('reports an entry of a write that was refused', () => {
    const { ledger, log } = aRun();
    const [sent] = ledger.sent.values();
    for (const effect of sent?.effects ?? []) effect.answer = 'refused';
    expect(() => judge({ ledger, log })).to.throw('an entry of');
  });

  it('matches the entries of a request with the writes that were done or may have been done', () => {
    const { ledger, log } = aRun();
    const sent = ledger.begin(Array.from({ length: 3 }, () => ({ type: 'user.created' })));
    const [refused, done] = sent.effects;
    if (refused) refused.answer = 'refused';
    if (done) Object.assign(done, { answer: 'done', id: 'd' });
    ledger.end(sent);
    const entry = (id: string): Change => ({
      ...{ cursor: `line.${id}.mark`, type: 'user.created', id, request: sent.request },
    });
    judge({ ledger, log: [...log, entry('d'), entry('e')] });
    expect(() => judge({ ledger, log: [...log, entry('d'), entry('e'), entry('f')] })).to.throw(
      'an entry of',
    );
  });

  it('reports old values that differ from the entry before', () => {
    const history: OldChange[] = [
      {
        cursor: '1',
        type: 'user.created',
        id: 'a',
        request: '',
        after: { title: 'x', name: { familyName: 'y' } },
      },
      {
        ...{
          cursor: '2',
          type: 'user.updated',
          id: 'a',
          request: '',
          changed: ['/name/familyName', '/title'],
        },
        ...{ before: { title: 'x', name: { familyName: 'y' } }, after: { title: 'z', name: {} } },
      },
      { cursor: '3', type: 'user.deleted', id: 'a', request: '', before: { title: 'z' } },
    ];
    expect(expectChain(history.slice(0, 2))).to.deep.equal(new Map([['/title', 'z']]));
    expectChain(history);
    expect(() => expectChain(history.toSpliced(1, 1))).to.throw();
    const wrong = { ...(history[1] as OldChange), before: { title: 'w', name: { familyName: 'y' } } };
    expect(() => expectChain(history.with(1, wrong))).to.throw('/title before 2');
  });
});
