import { expect } from 'chai';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aUser as aStoredUser } from '../support/a-user.ts';
import { exchange } from '../support/exchanges.ts';
import { readExchanges, recordExchanges } from '../support/recorded-exchanges.ts';
import { aToken, type ServiceSettings, startService, type TestService } from '../support/service.ts';
import { bodyOf, type Fields, formats, requestsFor } from './linted-requests.ts';
import { httplint, type Note, redbot } from './linters.ts';
import { neededInPython } from './tools.ts';

const everyStatus = [200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422];

/** Accepted warnings, by the words of the note, with the reason. */
const allowed: readonly [note: RegExp, reason: string][] = [
  [/^The server didn't understand the request/, 'that is what 400 says: these requests are meant to get it'],
  [
    /^"Accept-Encoding" isn't valid in a response/,
    'RFC 9110 §12.5.3 has it in a 415, to tell which codings would do',
  ],
  [/^"Accept" isn't valid in a response/, 'RFC 9110 §12.5.1 has it in a 415, to tell which types would do'],
  [
    /^This response cannot be served from cache without validation, and doesn't have a validator/,
    'a list that is sent as it is read has no tag: what it says is known at its end',
  ],
  [
    /^The no-cache cache directive overrides other directives/,
    'must-revalidate keeps caches that serve stale answers on errors from it, and allows for Authorization (RFC 9111 §3.5)',
  ],
  [
    /^Cache-Control: public is probably not necessary/,
    'what is published is open: a shared cache may keep it for clients that send their token with everything, too',
  ],
  [
    /^The Keep-Alive header is deprecated/,
    'Node sends it with every answer on a connection that it keeps open',
  ],
];

const warnings = (notes: readonly Note[]): Note[] =>
  notes.filter(
    ({ level, summary }) => /warning|bad/.test(level) && !allowed.some(([note]) => note.test(summary)),
  );

/** Where `npm test` has written its exchanges. */
const folder = process.env.RUN_FOLDER;

describe('Linters of HTTP', () => {
  const recorded = recordExchanges(() => 'linters');
  let service: TestService;
  /** Empty where a test was skipped for want of its linter. */
  const started: TestService[] = [];
  let good: Fields;
  let poor: Fields;
  afterEach(async () => {
    for (const one of started.splice(0)) await one.close();
  });

  async function open(settings: Partial<ServiceSettings>): Promise<void> {
    service = await startService(settings);
    started.push(service);
    good = { authorization: `Bearer ${await aToken()}` };
    poor = { authorization: `Bearer ${await aToken(['users:delete'])}` };
  }

  async function aUser(userName: string): Promise<string> {
    const headers = { 'content-type': formats.json };
    const made = await service.send('/users', {
      method: 'POST',
      headers,
      body: bodyOf(formats.json, userName),
    });
    return made.headers.get('location') ?? '';
  }

  it('are installed', function () {
    for (const name of ['httplint', 'redbot']) neededInPython(this, name);
  });

  for (const [how, settings] of Object.entries({
    'by default': {},
    'with shared caching, a public URL and If-Match required': {
      ...{
        sharedCaching: true,
        requireIfMatch: true,
        publicUrl: 'https://users.example/v1',
        defaultFormat: 'xml',
      },
    },
  })) {
    it(`see every endpoint in every format, errors included, ${how}`, async () => {
      await open(settings);
      const statuses = new Set<number>();
      for (const [name, type] of Object.entries(formats)) {
        await aUser(`first-${name}`);
        const path = new URL(await aUser(`second-${name}`), 'http://here').pathname.replace(/^\/v1/, '');
        const user = await service.send(path, { headers: { accept: type } });
        const list = await service.send('/users', { headers: { accept: type } });
        const tags = [user.headers.get('etag'), list.headers.get('etag'), user.headers.get('last-modified')];
        for (const [method, at, headers = {}, body] of requestsFor(
          type,
          path,
          tags.map(String),
          good,
          poor,
        )) {
          const sent = body === undefined ? {} : { body };
          statuses.add((await exchange(service.url + at, { method, headers, ...sent })).status);
        }
      }
      expect([...statuses].sort()).to.include.members(everyStatus);
    });

    it(`REDbot has no warning about users and lists ${how}`, async function () {
      neededInPython(this, 'redbot');
      await open(settings);
      // A date within the second of a change proves nothing, and so gives no 304.
      const date = '2020-01-02T03:04:05.678Z';
      const user = aStoredUser({ meta: { created: date, lastModified: date, version: 'one' } });
      await service.store.insert(Stored.of(user));
      const path = `/users/${user.id}`;
      const asked = Object.values(formats).flatMap((accept) =>
        ['GET', 'HEAD'].flatMap((method) =>
          [path, '/users'].map((at) => ({
            ...{ method, url: service.url + at },
            sent: Object.entries({ ...good, accept }),
          })),
        ),
      );
      const notes = await redbot(asked);
      expect(new Set(notes.map(({ index }) => index)).size).to.equal(asked.length);
      const told = warnings(notes).map(({ index, level, summary }) => {
        const { method, url, sent } = asked[index] ?? { method: '', url: '', sent: [] };
        return `${level}: ${summary} (${method} ${url.slice(service.url.length)} ${sent[1]?.[1]})`;
      });
      expect(told).to.deep.equal([]);
    });
  }

  it('httplint has no warning about any response that the tests received', async function () {
    neededInPython(this, 'httplint');
    const all = [...recorded(), ...(folder === undefined ? [] : readExchanges(folder))];
    if (process.env.CI) expect(all.length).to.be.above(1000);
    const told = warnings(await httplint(all.map(({ exchange }) => exchange))).map(
      ({ index, level, summary }) => {
        const { method = '', target = '', status = 0 } = all[index]?.exchange ?? {};
        return `${level}: ${summary} (${method} ${target.slice(0, 80)}: ${status}, in: ${all[index]?.test})`;
      },
    );
    // As a text: a list of them is too large for mocha to show.
    expect(told.join('\n')).to.equal('');
  });
});
