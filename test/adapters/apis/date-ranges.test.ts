import { expect } from 'chai';
import { Stored } from '../../../src/domain/resource/stored.ts';
import type { Write } from '../../../src/domain/store.ts';
import { sampleOf } from '../../contract/any-kind.ts';
import { kinds } from '../../support/kinds.ts';
import { aDatabase, describeMongo } from '../../support/mongodb.ts';
import { type Answer, startService, type TestService } from '../../support/service.ts';
import { idOf } from '../../support/sortable-users.ts';
import { tester } from '../../support/store-verbs.ts';
import { memoryStore, portOf } from '../../support/stores.ts';
import type { UserStore } from '../../support/verbs.ts';
import { aFolder, openAt } from '../stores/sqlite/a-file.ts';

interface Opened {
  readonly store: UserStore;
  discard(): Promise<void>;
}

/** Of the resources, in the order of their ids. */
const dates = [
  '2026-11-03T00:00:00.000Z',
  '2026-11-01T00:00:00.000Z',
  '1999-12-31T23:59:59.999Z',
  '2026-11-01T00:00:00.001Z',
  '2026-11-02T12:00:00.000Z',
];
const november = 'lastModified.from=2026-11-01T00:00:00Z';

/** By their places. */
const found: Readonly<Record<string, readonly number[]>> = {
  [november]: [0, 1, 3, 4],
  'lastModified.to=2026-11-01T00:00:00Z': [2],
  [`${november}&lastModified.to=2026-11-03T00:00:00Z`]: [1, 3, 4],
  [`${november}&lastModified.to=2026-11-01T00:00:00Z`]: [],
  'lastModified.from=2026-11-01T01:00:00.000001%2B01:00': [0, 3, 4],
  'lastModified.to=2026-10-31t19:00:00.0000001-05:00': [1, 2],
  'lastModified.from=9999-12-31T00:00:00Z': [],
  [`${november}&sort=lastModified`]: [1, 3, 4, 0],
  [`${november}&sort=-lastModified&lastModified.to=2026-11-02T23:59:59Z`]: [4, 3, 1],
  [`${november}&externalId=odd`]: [1, 3],
  [`${november}&search=twig&sort=-id`]: [4, 3],
  'created.from=2026-11-01T00:00:00Z&created.to=2026-11-03T00:00:00Z': [1, 3, 4],
  [`${november}&created.to=2026-11-01T00:00:00.001Z`]: [1],
};

const must = 'must be a date and time with a zone, such as 2026-01-02T03:04:05Z; encode a \\+';
const refused: Readonly<Record<string, RegExp>> = {
  'lastModified.from=': new RegExp(`^lastModified.from ${must}`),
  'lastModified.from=yesterday': new RegExp(`^lastModified.from ${must}`),
  'lastModified.to=2026-11-01': new RegExp(`^lastModified.to ${must}`),
  'lastModified.to=2026-11-01T00:00:00': new RegExp(`^lastModified.to ${must}`),
  'created.from=2026-11-31T00:00:00Z': new RegExp(`^created.from ${must}`),
  'created.to=2026-11-01T00:00:00+01:00': new RegExp(`^created.to ${must}`),
  'created.to=0000-01-01T00:00:00%2B01:00': new RegExp(`^created.to ${must}`),
  [`${november}&lastModified.to=2026-10-31T23:59:59.999Z`]:
    /^lastModified.from must not be after lastModified.to/,
  [`${november}&${november}`]: /^lastModified.from occurs more than once/,
  'lastModified=2026-11-01T00:00:00Z': /^"lastModified" is not a parameter of this request/,
};

/** Within a `describe`: a service on this store, which has a resource of each kind for each date. */
function rangeCases(open: () => Promise<Opened>): void {
  let opened: Opened;
  let service: TestService;
  before(async () => {
    opened = await open();
    const port = portOf(opened.store);
    for (const kind of kinds.all) {
      const writes = dates.map((date, at): Write => {
        const more = {
          ...(kind.name === 'user' && { active: true }),
          externalId: at % 2 === 0 ? 'even' : 'odd',
        };
        const { value } = sampleOf(kind, `${at < 3 ? 'tree' : 'twig'}-${at}`, more, idOf(at));
        const meta = { ...value.meta, created: date, lastModified: date };
        const next = Stored.of({ ...value, meta }, kind.membership);
        return { kind: kind.name, id: next.id, op: 'create', next };
      });
      expect(await port.commit(writes, tester)).to.deep.equal(dates.map(() => 'done'));
    }
    service = await startService({}, opened.store);
  });
  after(async () => {
    await service.close();
    await opened.discard();
  });

  for (const { plural } of kinds.all) {
    const list = async (query: string): Promise<Answer> => {
      const answer = await service.send(`/${plural}?${query}`);
      expect(answer.status, answer.text).to.equal(200);
      return answer;
    };
    const placesIn = (answer: Answer): readonly number[] =>
      JSON.parse(answer.text)[plural].map(({ id }: { id: string }) => Number(`0x${id.slice(-12)}`));

    it(`select the ${plural} from one date until before another, with any filter, search, order and total`, async () => {
      for (const [query, places] of Object.entries(found)) {
        const answer = await list(`${query}&total=true`);
        expect(placesIn(answer), query).to.deep.equal(places);
        expect(JSON.parse(answer.text).total, query).to.equal(places.length);
      }
    });

    it(`work on every page of ${plural}, forwards and backwards`, async () => {
      for (const [query, places] of Object.entries(found)) {
        if (places.length < 2) continue;
        for (const [relation, start] of [
          ['next', `${query}&limit=1`],
          ['prev', undefined],
        ] as const) {
          const first = await list(`${query}&limit=1`);
          const seen: number[] = [];
          for (let at = start ?? linkIn(first, 'last'); at !== undefined; ) {
            const page: Answer = await list(at);
            seen.push(...placesIn(page));
            at = linkIn(page, relation);
          }
          const wanted = relation === 'next' ? places : places.toReversed();
          expect(seen, `${relation}: ${query}`).to.deep.equal(wanted);
        }
      }
    });

    it(`are refused by name when they are invalid or end before they begin: for ${plural}`, async () => {
      for (const [query, detail] of Object.entries(refused)) {
        const answer = await service.send(`/${plural}?${query}`);
        expect([answer.status, JSON.parse(answer.text).type], query).to.deep.equal([
          400,
          '/problems/invalid-parameter',
        ]);
        expect(JSON.parse(answer.text).detail).to.match(detail);
      }
    });
  }
}

const linkIn = ({ headers }: Answer, relation: string): string | undefined =>
  new RegExp(`\\?([^>]*)>; rel="${relation}"`).exec(headers.get('link') ?? '')?.[1];

describe('Ranges of dates in the parameters of a list', () => {
  describe('in memory', () => rangeCases(async () => ({ store: memoryStore(), discard: async () => {} })));
  describe('in SQLite', () =>
    rangeCases(async () => {
      const folder = aFolder();
      return { store: await openAt(`${folder.path}/users.db`), discard: async () => folder.remove() };
    }));
  describeMongo('in MongoDB', () =>
    rangeCases(async () => {
      const database = await aDatabase();
      return { store: await database.open(), discard: () => database.drop() };
    }),
  );
});
