import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { matchAll } from '../../src/domain/find/conditions.ts';
import { DryRun } from '../../src/domain/import/dry-run.ts';
import type { ImportOptions, ImportRow, ImportTarget } from '../../src/domain/import/import-options.ts';
import { importResources } from '../../src/domain/import/import-resources.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aFolder, openAt } from '../adapters/stores/sqlite/a-file.ts';
import { aUser } from '../support/a-user.ts';
import { userDefinition } from '../support/kinds.ts';
import { aDatabase, describeMongo } from '../support/mongodb.ts';
import { runs } from '../support/runs.ts';
import { tester } from '../support/store-verbs.ts';
import { memoryStore, portOf, targetOf, type VerbsTarget } from '../support/stores.ts';
import type { UserStore } from '../support/verbs.ts';
import {
  anyDirectory,
  anyRows,
  anyRules,
  type Content,
  type Given,
  ids,
  importPlainly,
  toRow,
} from './import-model.ts';

async function fill(store: UserStore, users: readonly Content[]): Promise<void> {
  for (const user of users) await store.insert(Stored.of(aUser(user)));
}

async function empty(store: UserStore): Promise<void> {
  for (const { id, version } of await store.list({ where: matchAll, limit: 1000 }))
    await store.remove(id, version);
}

/** Whom the service gave an id can't be told by it. */
const nameless = ({ id, ...rest }: Content) =>
  JSON.stringify(Object.entries({ ...rest, id: ids.includes(id) ? id : 'new' }).sort());

async function contentOf(store: UserStore): Promise<string[]> {
  const all = await store.list({ where: matchAll, limit: 1000 });
  return all.map(({ value: { meta: _, ...content } }) => nameless(content)).sort();
}

async function* inBatches(rows: readonly ImportRow[]) {
  for (let from = 0; from < rows.length; from += 7) yield rows.slice(from, from + 7);
}

type Rules = Pick<ImportOptions<ImportRow>, 'mode' | 'match' | 'maxRejects'> & { readonly isNamed: boolean };

async function run(
  target: VerbsTarget | ImportTarget,
  given: readonly Given[],
  { isNamed, ...rules }: Rules,
) {
  const rows = given.map(toRow);
  const rejected: number[] = [];
  const counts = await importResources('commit' in target ? target : targetOf(target), inBatches(rows), {
    clock: { now: () => new Date() },
    ids: { id: randomUUID, version: randomUUID },
    keepMeta: false,
    by: tester,
    kind: userDefinition.kind,
    onReject: (row, violations) => {
      expect(violations).not.to.have.length(0);
      rejected.push(rows.indexOf(row));
    },
    nameRow: isNamed ? (row) => `row ${rows.indexOf(row)}` : undefined,
    ...rules,
  });
  return { counts, rejected };
}

interface Opened {
  readonly store: UserStore;
  readonly discard: () => Promise<void>;
}

async function openFile(): Promise<Opened> {
  const folder = aFolder();
  return { store: await openAt(`${folder.path}/users.db`), discard: async () => folder.remove() };
}

async function openDatabase(): Promise<Opened> {
  const database = await aDatabase();
  return { store: await database.open(), discard: () => database.drop() };
}

/** Others are quicker where it says so: a write is not done, and may be tried again. */
function contended(store: UserStore, losses: readonly boolean[]): VerbsTarget {
  let next = 0;
  return {
    findAll: (asked) => store.findAll(asked),
    findAllBy: (...asked) => store.findAllBy(...asked),
    writeAll: async (writes) => {
      const isLost = writes.map(() => losses[next++] ?? false);
      const outcomes = await store.writeAll(writes.filter((_, at) => isLost[at] === false));
      let done = 0;
      return isLost.map((lost) => (lost ? 'stale' : (outcomes[done++] ?? 'stale')));
    },
  };
}

describe('Any import beside other writers, which are sometimes faster', () => {
  it('ends as if its rows were imported one after the other', async () => {
    const anyMost = fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined });
    const anyLosses = fc.array(fc.boolean(), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        anyDirectory,
        anyRows,
        anyRules,
        anyMost,
        anyLosses,
        async (before, rows, rules, maxRejects, losses) => {
          const store = memoryStore();
          await fill(store, before);
          const expected = importPlainly(before, rows, { ...rules, maxRejects });
          const { counts, rejected } = await run(contended(store, losses), rows, { ...rules, maxRejects });
          const inOrder = (numbers: readonly number[]) => [...numbers].sort((one, other) => one - other);
          expect(counts.rejected).to.equal(expected.counts.rejected);
          // Rows behind one that waited may be in before that one is refused, and ends the run.
          if (maxRejects !== undefined) return;
          expect(counts).to.deep.equal(expected.counts);
          expect(inOrder(rejected)).to.deep.equal(inOrder(expected.rejected));
          expect(await contentOf(store)).to.deep.equal(expected.users.map(nameless).sort());
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

const stores = {
  memory: {
    ui: describe,
    open: async () => ({ store: memoryStore(), discard: async () => {} }),
    numRuns: runs(500),
  },
  SQLite: { ui: describe, open: openFile, numRuns: runs(40) },
  MongoDB: { ui: describeMongo, open: openDatabase, numRuns: runs(40) },
};

for (const [name, { ui, open, numRuns }] of Object.entries(stores)) {
  ui(`Any import into ${name}`, () => {
    let opened: Opened;
    let store: UserStore;
    before(async () => {
      opened = await open();
      store = opened.store;
    });
    after(async () => {
      await store?.close();
      await opened?.discard();
    });

    it('ends as if its rows were imported one after the other, and a dry run has the same counts', async () => {
      const anyMost = fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined });
      await fc.assert(
        fc.asyncProperty(
          anyDirectory,
          anyRows,
          anyRules,
          anyMost,
          async (before, rows, rules, maxRejects) => {
            await empty(store);
            await fill(store, before);
            const expected = importPlainly(before, rows, { ...rules, maxRejects });
            const tried = await run(new DryRun(portOf(store), portOf(memoryStore())), rows, {
              ...rules,
              maxRejects,
            });
            expect(await contentOf(store)).to.deep.equal(before.map(nameless).sort());
            const done = await run(store, rows, { ...rules, maxRejects });
            expect(done).to.deep.equal({ counts: expected.counts, rejected: expected.rejected });
            expect(tried).to.deep.equal(done);
            expect(await contentOf(store)).to.deep.equal(expected.users.map(nameless).sort());
          },
        ),
        { numRuns },
      );
    });
  });
}
