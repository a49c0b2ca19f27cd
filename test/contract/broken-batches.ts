/** Stores that break a promise about many users at once, for broken-stores.rest.test.ts. */
import { setImmediate as turn } from 'node:timers/promises';
import { DomainError } from '../../src/domain/validation/errors.ts';
import type { PlainStore, PlainWrite } from '../support/plain-store.ts';
import type { WriteOutcome } from '../support/verbs.ts';
import type { Breaks } from './broken-queries.ts';

async function writeOne(store: PlainStore, { user, version }: PlainWrite): Promise<WriteOutcome> {
  try {
    if (version !== undefined) return (await store.replace(user, version)) ? 'done' : 'stale';
    await store.insert(user);
    return 'done';
  } catch (cause) {
    if (cause instanceof DomainError) return cause;
    throw cause;
  }
}

export const batchBreaks: Breaks = {
  'stops a batch at the first conflict': [
    /reports the outcome of each/,
    (good) => ({
      writeAll: async (writes) => {
        const outcomes: WriteOutcome[] = [];
        for (const write of writes) outcomes.push(await writeOne(good, write));
        const first = outcomes.findIndex((outcome) => outcome !== 'done');
        return first < 0 ? outcomes : outcomes.map((outcome, at) => (at > first ? 'stale' : outcome));
      },
    }),
  ],
  'gives the outcomes of a batch in another order': [
    /reports the outcome of each/,
    (good) => ({ writeAll: async (writes) => [...(await good.writeAll(writes))].reverse() }),
  ],
  'answers before a batch is written': [
    /reports the outcome of each|keeps the keys/,
    (good) => ({
      writeAll: async (writes) => {
        void turn().then(() => good.writeAll(writes));
        return writes.map(() => 'done');
      },
    }),
  ],
  'compares no versions in a batch': [
    /reports the outcome of each/,
    (good) => ({
      writeAll: async (writes) => {
        const current = await good.findAll(writes.map(({ user }) => user.id));
        return good.writeAll(
          writes.map(({ user, version }) => ({
            user,
            version: version && (current.get(user.id)?.meta.version ?? version),
          })),
        );
      },
    }),
  ],
  'compares the versions of a batch first and writes later': [
    /batches at once replace each version/,
    (good) => ({
      writeAll: async (writes) => {
        const before = await good.findAll(writes.map(({ user }) => user.id));
        await turn();
        return Promise.all(
          writes.map(async ({ user, version }): Promise<WriteOutcome> => {
            if (version === undefined) return writeOne(good, { user });
            if (before.get(user.id)?.meta.version !== version) return 'stale';
            return writeOne(good, { user, version: (await good.find(user.id))?.meta.version ?? '' });
          }),
        );
      },
    }),
  ],
  'reports a conflict in a batch as stale': [
    /refuses a rename in a batch/,
    (good) => ({
      writeAll: async (writes) =>
        (await good.writeAll(writes)).map((outcome) => (outcome instanceof DomainError ? 'stale' : outcome)),
    }),
  ],
  'looks up the first hundred only': [
    /existing users of many ids/,
    (good) => ({ findAll: (ids) => good.findAll(ids.slice(0, 100)) }),
  ],
  'finds by any of the keys and returns the result for all': [
    /finds by many keys what each finds alone/,
    (good) => ({
      findAllBy: async (filter, keys, limit) => {
        const found = await good.findAllBy(filter, keys, limit);
        const any = [...found.values()][0];
        return any === undefined ? found : new Map(keys.map((key) => [key, any]));
      },
    }),
  ],
  'counts the limit over all keys together': [
    /by its rare key beside/,
    (good) => ({
      findAllBy: async (filter, keys, limit) => {
        const found = await good.findAllBy(filter, keys, limit * keys.length);
        let left = limit * keys.length;
        return new Map(
          [...found].flatMap(([key, users]) => {
            const kept = users.slice(0, left);
            left -= kept.length;
            return kept.length > 0 ? [[key, kept] as const] : [];
          }),
        );
      },
    }),
  ],
  'ignores the limit for each key': [
    /at most the requested number for each/,
    (good) => ({ findAllBy: (filter, keys) => good.findAllBy(filter, keys, 1000) }),
  ],
};
