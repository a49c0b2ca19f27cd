/** The feed of a client with a profile, beside writers that move users and groups in and out of its filters. */
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { markWrites } from '../../src/adapters/stores/mark-writes.ts';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-store.ts';
import type { Store } from '../../src/domain/store.ts';
import { type EventReader, openStream } from '../adapters/apis/changes/stream.ts';
import { aFolder, neverFatal } from '../adapters/stores/sqlite/a-file.ts';
import { caseDeadline, until } from '../support/deadlines.ts';
import { isWhole, onAllStores, runs } from '../support/runs.ts';
import { aToken, profilesOf, startService, type TestService } from '../support/service.ts';
import { contentOf, makeEqual, readContent } from './both-stores.ts';
import { anyDirectory, anyProfile, kinds } from './directories.ts';
import { base, type Client, lookThere, sendThere } from './limited-client.ts';
import type { Document, Plural, Profile } from './profile-model.ts';
import { comparable, showAll } from './shown-directory.ts';
import { anyRestoration, anyWrite, type Step } from './steps.ts';

interface Change {
  readonly cursor: string;
  readonly type: string;
  readonly id: string;
  readonly changed?: readonly string[];
  readonly before?: Document;
  readonly after?: Document;
}
interface Page {
  readonly next: string;
  readonly more: boolean;
  readonly changes: readonly Change[];
}

const aWrite = fc.tuple(
  fc.oneof({ weight: 5, arbitrary: anyWrite }, { weight: 1, arbitrary: anyRestoration }),
  fc.constantFrom(undefined, undefined, 'limited'),
);

const settings = (profile: Profile) => ({ basePath: base, profiles: { limited: profile } });
const none = undefined;
const start = (store: Store, given: object): Promise<TestService> =>
  startService({ basePath: base, ...given }, store, none, none, none, kinds);

const send = async (client: Client, step: Step): Promise<void> =>
  void (await sendThere(client, step, await lookThere(client, step)));

async function read({ service, as }: Client, path: string): Promise<Page> {
  const answer = await service.send(base + path, as === undefined ? {} : { as });
  expect(answer.status, `${path}: ${answer.text}`).to.equal(200);
  return answer.json() as unknown as Page;
}

const isOfMembers = ({ type }: Change): boolean => type.endsWith('.members-changed');

/**
 * Changes of members are told by who is inside when they are read. A cursor tells whether its reader was still on its way from the start of
 * the log.
 */
const ofDocuments = (changes: readonly Change[]): readonly Change[] =>
  changes
    .filter((one) => !isOfMembers(one))
    .map((one) => ({ ...one, cursor: one.cursor.replace('.start', '') }));

const toldBy = ({ events }: EventReader): readonly Change[] =>
  ofDocuments(events.flatMap(({ event, data }) => (data && !event ? [JSON.parse(data)] : [])));

/** Changes of documents; a restoration is a creation where nothing was deleted. */
const toldOf = ({ changes }: Page, profile: Profile) =>
  changes
    .filter((change) => !isOfMembers(change) && change.changed?.length !== 0)
    .map(({ type, id, changed }) => ({
      ...{ type: type.replace('restored', 'created'), id },
      ...(changed && { changed: changed.filter((pointer) => !isStandIn(pointer, profile)).sort() }),
    }));

/** Hidden names are there as stand-ins, which don't change. */
const isStandIn = (pointer: string, profile: Profile): boolean =>
  comparable(`{"${pointer.slice(1)}":"zzz"}`, profile, false) === '{}';

const listPath = (plural: Plural): string => `/${plural}`;
const plurals: readonly Plural[] = ['users', 'groups'];

async function list(client: Client, plural: Plural): Promise<ReadonlyMap<string, Document>> {
  const { service, as } = client;
  const answer = await service.send(base + listPath(plural), as === undefined ? {} : { as });
  const all = answer.json()[plural] as unknown as readonly Document[];
  return new Map(all.map((one) => [String(one.id), one]));
}

/** By the types of the changes alone. */
function idsAfter(changes: readonly Change[], plural: Plural): readonly string[] {
  const ids = new Set<string>();
  for (const { type, id } of changes) {
    if (!plural.startsWith(type.split('.')[0] ?? '')) continue;
    if (/\.(?:created|restored)$/.test(type)) {
      expect(ids.has(id), `${id} is created once`).to.equal(false);
      ids.add(id);
    } else if (type.endsWith('.deleted')) expect(ids.delete(id), `${id} was there`).to.equal(true);
    else if (type.endsWith('.updated')) expect(ids.has(id), `${id} is there`).to.equal(true);
  }
  return [...ids].sort();
}

/** Reads the feed until it has ended after `isDone`. */
async function follow(
  client: Client,
  isDone: () => boolean,
): Promise<{ changes: readonly Change[]; copy: Map<string, Document> }> {
  const changes: Change[] = [];
  const copy = new Map<string, Document>();
  for (let since = 'start'; ; ) {
    const wasDone = isDone();
    const page = await read(client, `/changes?since=${since}&limit=20`);
    for (const change of page.changes) {
      changes.push(change);
      const path = change.type.startsWith('user.') ? `/users/${change.id}` : `/groups/${change.id}`;
      const sent = client.as === undefined ? {} : { as: client.as };
      const answer = change.type.endsWith('.deleted')
        ? undefined
        : await client.service.send(base + path, sent);
      if (answer?.status === 200) copy.set(path, answer.json() as unknown as Document);
      else copy.delete(path);
    }
    if (wasDone && page.changes.length === 0 && !page.more) return { changes, copy };
    since = page.next;
  }
}

/** A change of hidden members alone is not told, but for its date in `meta`. */
const content = ({ memberCount: _, meta: __, ...document }: Document): Document => document;

function followerCases(open: () => Promise<Store>): void {
  it('ends with a copy that equals the list, while others move resources in and out of the profile', async function () {
    this.timeout((isWhole ? 5 : 2) * caseDeadline);
    await fc.assert(
      fc.asyncProperty(
        anyDirectory,
        anyProfile,
        fc.array(aWrite, { minLength: 40, maxLength: 80 }),
        async (directory, profile, writes) => {
          const store = await open();
          await makeEqual(
            markWrites(store, kinds, profilesOf(kinds, { limited: profile })),
            contentOf(directory),
          );
          const service = await start(store, settings(profile));
          const client = { service, as: 'limited' };
          const stream = await openStream(`${service.url}${base}/changes?since=start`, {
            authorization: `Bearer ${await aToken({ profile: 'limited' })}`,
          });
          try {
            let left = 4;
            const writers = Array.from({ length: left }, async (_, at) => {
              for (const [step, as] of writes.filter((__, place) => place % 4 === at))
                await send({ service, as }, step);
              left -= 1;
            });
            const [{ changes, copy }] = await Promise.all([follow(client, () => left === 0), ...writers]);
            await until(
              'the stream has told them all',
              () => toldBy(stream).length >= ofDocuments(changes).length,
            );
            expect(toldBy(stream), 'a stream tells what the feed does').to.deep.equal(ofDocuments(changes));
            for (const plural of plurals) {
              const there = await list(client, plural);
              expect(idsAfter(changes, plural), JSON.stringify(profile)).to.deep.equal(
                [...there.keys()].sort(),
              );
              for (const [id, document] of there) {
                const own = changes.filter(
                  (change) => change.id === id && plural.startsWith(change.type.split('.')[0] ?? ''),
                );
                const about = `${JSON.stringify(profile)}
${JSON.stringify(own)}`;
                expect(content(copy.get(`/${plural}/${id}`) ?? {}), about).to.deep.equal(content(document));
              }
            }
          } finally {
            stream.close();
            await service.close();
          }
        },
      ),
      { numRuns: runs(100), endOnFailure: true },
    );
  });
}

describe('A follower with an access profile', () => {
  it('receives the changes of a directory that has only what the profile shows', async function () {
    this.timeout((isWhole ? 5 : 2) * caseDeadline);
    await fc.assert(
      fc.asyncProperty(
        anyDirectory,
        anyProfile,
        fc.array(aWrite, { minLength: 1, maxLength: 40 }),
        async (directory, profile, writes) => {
          const [whole, shown] = [memoryStore(kinds), memoryStore(kinds)];
          await makeEqual(
            markWrites(whole, kinds, profilesOf(kinds, { limited: profile })),
            contentOf(directory),
          );
          await makeEqual(shown, showAll(profile, contentOf(directory)));
          const [service, other] = [await start(whole, settings(profile)), await start(shown, {})];
          try {
            const cursors = [
              await read({ service, as: 'limited' }, '/changes?since=now'),
              await read({ service: other }, '/changes?since=now'),
            ];
            for (const [step, as] of writes) {
              await send({ service, as }, step);
              await makeEqual(shown, showAll(profile, await readContent(whole)));
            }
            const [limited, unlimited] = await Promise.all([
              read({ service, as: 'limited' }, `/changes?since=${cursors[0]?.next}`),
              read({ service: other }, `/changes?since=${cursors[1]?.next}`),
            ]);
            const about = `${JSON.stringify(profile)}\n${JSON.stringify(writes)}`;
            expect(toldOf(limited, profile), about).to.deep.equal(toldOf(unlimited, profile));
          } finally {
            await service.close();
            await other.close();
          }
        },
      ),
      { numRuns: runs(300), endOnFailure: true },
    );
  });

  describe('of a service in memory', () => followerCases(async () => memoryStore(kinds)));

  describe('of a service on SQLite', () => {
    if (!onAllStores) return;
    const folder = aFolder();
    after(() => folder.remove());
    let opened = 0;
    followerCases(() => {
      opened += 1;
      return openSqliteStore({ file: join(folder.path, `${opened}.db`), kinds, onFatal: neverFatal });
    });
  });
});
