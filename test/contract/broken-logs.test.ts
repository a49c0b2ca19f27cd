/** Change logs that break a promise, each with the case of the contract that notices it. */
import { expect } from 'chai';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import type { ChangeLog, LogPage } from '../../src/domain/changes/log.ts';
import { overridden } from '../support/stores.ts';
import { changeLogCases, type OpenedLog } from './change-log.ts';
import { findFailures } from './find-failures.ts';
import { memberHistoryCases } from './member-histories.ts';

type Breaking = (good: ChangeLog) => Partial<ChangeLog>;

/** @param change alters the pages of histories */
const withPages =
  (change: (page: LogPage, ...asked: Parameters<ChangeLog['history']>) => LogPage): Breaking =>
  (good) => ({ history: async (...asked) => change(await good.history(...asked), ...asked) });

const isOfOthers = ({ id }: { readonly id: string }, of: Parameters<ChangeLog['history']>[2]) =>
  of !== undefined && 'id' in of && of.id !== id;

const breaks: Readonly<Record<string, readonly [RegExp, Breaking]>> = {
  'shows no groups in the histories of users': [
    /groups that a user joins and leaves/,
    withPages((page, _, __, of) => ({
      ...page,
      entries: page.entries.filter((entry) => !isOfOthers(entry, of)),
    })),
  ],
  'forgets that users have left': [
    /groups that a user joins and leaves/,
    withPages((page, _, __, of) => ({
      ...page,
      entries: page.entries.filter((entry) => !isOfOthers(entry, of) || entry.removed === undefined),
    })),
  ],
  'shows the other members of a group to a user': [
    /no other members of them/,
    (good) => ({
      async history(limit, before, of) {
        const page = await good.history(limit, before, of);
        const { entries } = await good.history(1_000);
        const whole = new Map(entries.map((entry) => [entry.number, entry]));
        return { ...page, entries: page.entries.map((entry) => whole.get(entry.number) ?? entry) };
      },
    }),
  ],
  'leaves out a group at the end of a page': [
    /none twice and none left out/,
    withPages((page, _, __, of) => {
      const last = page.entries.at(-1);
      return last && page.more && isOfOthers(last, of)
        ? { ...page, entries: page.entries.slice(0, -1) }
        : page;
    }),
  ],
  'keeps the groups of a user who is erased': [
    /loses the groups of an erased user/,
    () => ({ erase: async () => true }),
  ],
  'keeps entries that have expired': [/loses entries when they expire/, () => ({ prune: async () => false })],
  'ignores requests': [
    /entries of some requests/,
    (good) => ({
      history: (limit, before, of) => good.history(limit, before, of && 'id' in of ? of : undefined),
    }),
  ],
  'knows only one request': [
    /entries of some requests/,
    (good) => ({
      history(limit, before, of) {
        const isOfRequests = of !== undefined && 'requests' in of;
        const one = isOfRequests ? { requests: new Set([...of.requests].slice(0, 1)) } : of;
        return good.history(limit, before, one);
      },
    }),
  ],
};

async function open(breaking: Breaking): Promise<OpenedLog> {
  const store = memoryStore();
  const good = store.changes as ChangeLog;
  const all: ChangeLog = {
    read: (...asked) => good.read(...asked),
    history: (...asked) => good.history(...asked),
    latest: () => good.latest(),
    measure: () => good.measure(),
    prune: (retention) => good.prune(retention),
    erase: (of) => good.erase(of),
  };
  return { store: overridden(store, { changes: { ...all, ...breaking(good) } }) };
}

const failures = (breaking: Breaking, titles?: RegExp): Promise<string[]> =>
  findFailures((ui) => {
    changeLogCases(() => open(breaking), ui);
    memberHistoryCases(() => open(breaking), ui);
  }, titles);

describe("The change logs' contract", () => {
  it('accepts a log that keeps it', async () => {
    expect(await failures(() => ({}))).to.deep.equal([]);
  });
  for (const [what, [notices, breaking]] of Object.entries(breaks)) {
    it(`notices a log that ${what}`, async () => {
      expect(await failures(breaking, notices)).not.to.deep.equal([]);
    });
  }
});
