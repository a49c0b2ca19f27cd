import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { DomainError } from '../../../../src/domain/validation/errors.ts';
import { aUser } from '../../../support/a-user.ts';
import { memoryStore } from '../../../support/stores.ts';
import { typedNames } from '../../../support/typed-names.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { aFolder, openAt } from '../../stores/sqlite/a-file.ts';
import { acceptOf, type Directory, startDirectory, storeOf } from './a-directory.ts';

const treacherous = [
  'a%b',
  'a_b',
  'a"b',
  "a'b",
  'a*b',
  'a*',
  'a\\b',
  'NEAR(a',
  'a-b',
  'a^b',
  '$where',
  '{"$gt":1}',
  'a.*b',
  'a|b',
  '[ab]',
  'a:b',
  '(a',
  'a;b--',
  'a&b=c',
  '^a$',
];

describe('A search', () => {
  const folder = aFolder();
  let directory: Directory;
  before(async () => {
    directory = await startDirectory();
  });
  after(async () => {
    await directory.service.close();
    folder.remove();
  });

  const stores: Readonly<Record<string, () => Promise<UserStore>>> = {
    memory: async () => memoryStore(),
    SQLite: () => openAt(`${folder.path}/${randomUUID()}.db`),
  };
  for (const [name, open] of Object.entries(stores))
    it(`finds characters with a special meaning elsewhere, or without any, in ${name}`, async () => {
      const store = await open();
      const texts = [...treacherous, 'axb', 'ab', 'a b', 'b', 'where', 'gt'];
      for (const [at, displayName] of texts.entries())
        await store.insert(Stored.of(aUser({ userName: `q${at}`, displayName })));
      directory.use(store);
      for (const text of treacherous) {
        const query = new URLSearchParams({ search: text, sort: '-displayName' }).toString();
        for (const format of ['json', 'xml']) {
          const { users } = await directory.page(query, format);
          const found = users.map(({ displayName }) => displayName);
          expect(found, text).to.include(text);
          // A word of it begins so, but for punctuation around the term.
          const start = text.replace(/^[[(]|[\]*]$/g, '');
          for (const other of found) {
            const words = ` ${other} ${other?.replace(/['-]/, '')}`.split(/(?<=\W)/);
            const begins = words.map((_, at) => words.slice(at).join('').startsWith(start));
            expect(begins, `${text} found ${other}`).to.include(true);
          }
        }
      }
      await store.close();
    });

  /** All of them at once, so that a search which finds too much is noticed. */
  async function findTypedNames(store: UserStore): Promise<void> {
    const names = Object.values(typedNames).flat();
    for (const [at, [displayName]] of names.entries())
      await store.insert(Stored.of(aUser({ userName: `q${at}`, displayName })));
    directory.use(store);
    for (const [displayName, ...typed] of names)
      for (const search of typed) {
        const { users } = await directory.page(new URLSearchParams({ search }).toString());
        expect(
          users.map((user) => user.displayName),
          search,
        ).to.deep.equal([displayName]);
      }
    await store.close();
  }
  for (const [name, open] of Object.entries(stores))
    it(`finds users by common spellings of their names, in ${name}`, async () =>
      findTypedNames(await open()));

  it('is refused with the reason if it costs too much', async () => {
    const store = await storeOf([]);
    store.list = async () => {
      throw new DomainError('query-too-costly', 'More than 100000 users would have to be looked at.');
    };
    directory.use(store);
    for (const format of ['json', 'xml']) {
      const headers = { accept: acceptOf(format) };
      const { status, text } = await directory.service.send('/users?search=a&sort=created', { headers });
      expect([status, text]).to.satisfy(() => status === 400 && /problems\/query-too-costly/.test(text));
      expect(text).to.include('More than 100000 users');
    }
  });
});
